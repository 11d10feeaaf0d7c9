// OBJ: lines "v x y z" and "f i j k ...", corners counted from 1, or backwards from -1; a polygon
// becomes a fan of triangles. Textures, normals, groups and materials are passed over.
#include "triangle_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/fail.h"

// "7", "7/1", "7//3" or "-2/1/3": the number of the point.
static stc_error read_corner(const stc_mesh_text *t, const char *word, int points, int *number) {
  char *rest;
  long value = strtol(word, &rest, 10);
  if (rest == word || (*rest && *rest != '/'))
    return stc_mesh_text_complain(t, "the number of a point expected");
  if (value < 0) value += (long)points + 1;
  if (value < 1 || value > points)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: corner %s, but %d points came before", t->path, t->line,
                    word, points);
  *number = (int)value - 1;
  return STC_OK;
}

static stc_error face(stc_mesh_text *t, stc_mesh_builder *maker) {
  char word[64];
  int first = 0, last = 0, corners = 0;
  while (stc_mesh_text_word(t, word, sizeof word)) {
    int next = 0;
    STC_TRY(read_corner(t, word, maker->mesh->points, &next));
    if (corners == 0) first = next;
    if (corners >= 2) STC_TRY(stc_mesh_builder_add_triangle(maker, first, last, next));
    last = next;
    corners++;
  }
  return corners < 3 ? stc_mesh_text_complain(t, "a face has three corners or more") : STC_OK;
}

stc_error stc_mesh_obj(stc_mesh_text *t, stc_mesh_builder *maker) {
  char word[64];
  do {
    double p[3];
    if (!stc_mesh_text_word(t, word, sizeof word)) continue;
    if (!strcmp(word, "v")) {
      STC_TRY(stc_mesh_text_numbers(t, p));
      STC_TRY(stc_mesh_add_point(maker, p));
    } else if (!strcmp(word, "f")) {
      STC_TRY(face(t, maker));
    }
  } while (stc_mesh_text_next_line(t));
  return STC_OK;
}
