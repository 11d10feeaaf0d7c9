// STL: triangles one by one, as text ("facet ... vertex x y z ...") or as records of 50 bytes with
// little-endian floats. Equal points are one.
#include "triangle_mesh.h"

#include <math.h>
#include <string.h>

#include "../../base/fail.h"
#include "../../base/number.h"

enum { HEADER = 84, RECORD = 50 };

static float float_at(const unsigned char *b) {
  uint32_t bits =
      (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

stc_error stc_mesh_stl_binary(const char *path, const unsigned char *bytes, size_t length,
                              stc_mesh_builder *maker) {
  for (size_t at = HEADER; at + RECORD <= length; at += RECORD) {
    int corner[3];
    for (int v = 0; v < 3; v++) {
      double p[3];
      for (int k = 0; k < 3; k++) {
        p[k] = (double)float_at(bytes + at + 12 + 12 * v + 4 * k);
        if (!isfinite(p[k]))
          return stc_fail(STC_ERR_FORMAT, "%s: triangle %zu has a coordinate that is not finite",
                          path, (at - HEADER) / RECORD);
      }
      STC_TRY(stc_mesh_builder_merge_point(maker, p, &corner[v]));
    }
    STC_TRY(stc_mesh_builder_add_triangle(maker, corner[0], corner[1], corner[2]));
  }
  return STC_OK;
}

// The first word of the next line that is not empty, in lower case; "" at the end.
static void keyword(stc_mesh_text *t, char *word, size_t size) {
  while (!stc_mesh_text_word(t, word, size))
    if (!stc_mesh_text_next_line(t)) break;
  for (char *c = word; *c; c++) *c = stc_lower(*c);
}

static stc_error expect(stc_mesh_text *t, const char *wanted, const char *complaint) {
  char word[32];
  keyword(t, word, sizeof word);
  return strcmp(word, wanted) ? stc_mesh_text_complain(t, complaint) : STC_OK;
}

// After the word "facet": the rest of the line is the normal, which the corners tell as well.
static stc_error facet(stc_mesh_text *t, stc_mesh_builder *maker) {
  int corner[3];
  stc_mesh_text_next_line(t);
  STC_TRY(expect(t, "outer", "\"outer loop\" expected"));
  STC_TRY(expect(t, "loop", "\"outer loop\" expected"));
  for (int v = 0; v < 3; v++) {
    double p[3];
    STC_TRY(expect(t, "vertex", "\"vertex\" expected"));
    STC_TRY(stc_mesh_text_numbers(t, p));
    STC_TRY(stc_mesh_builder_merge_point(maker, p, &corner[v]));
  }
  STC_TRY(expect(t, "endloop", "\"endloop\" expected after three corners"));
  STC_TRY(expect(t, "endfacet", "\"endfacet\" expected"));
  return stc_mesh_builder_add_triangle(maker, corner[0], corner[1], corner[2]);
}

stc_error stc_mesh_stl_text(stc_mesh_text *t, stc_mesh_builder *maker) {
  char word[32];
  STC_TRY(expect(t, "solid",
                 "neither a text STL, which begins with \"solid\", nor a binary one of the length "
                 "it gives"));
  stc_mesh_text_next_line(t);
  for (;;) {
    keyword(t, word, sizeof word);
    if (!strcmp(word, "facet")) {
      STC_TRY(facet(t, maker));
    } else if (!strcmp(word, "endsolid") || !strcmp(word, "solid")) {
      stc_mesh_text_next_line(t);  // a name may follow
    } else if (!*word) {
      return STC_OK;
    } else {
      return stc_mesh_text_complain(t, "\"facet\" or \"endsolid\" expected");
    }
  }
}
