// Triangle files: which format it is, and the points and triangles that its reader finds.
#include "../../base/fail.h"
#include "../../base/load.h"
#include "../../base/memory.h"
#include "../../base/number.h"
#include <stiction/geometry.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Points and triangles while a file is read ---

typedef struct mesh_text {
  const char *path;
  const char *at, *end;
  int line;
} mesh_text;

typedef struct mesh_builder {
  stc_triangle_mesh *mesh;
  int point_room, triangle_room;
  int *slot;  ///< [slots]: hash of points, number + 1
  uint32_t slots;
} mesh_builder;

enum { MOST = 1 << 28, HEADER = 84, RECORD = 50 };  // entries; bytes of a binary STL
static const size_t LARGEST_FILE = (size_t)1 << 34;

// Room for one more in an array whose entries have `size` bytes.
static stc_error make_mesh_room(void *address_of_array, int count, int *room, size_t size) {
  void *array;
  if (count < *room) return STC_OK;
  if (count >= MOST) return stc_fail(STC_ERR_UNSUPPORTED, "more than %d entries", MOST);
  int wanted = *room ? 2 * *room : 256;
  memcpy(&array, address_of_array, sizeof array);
  array = realloc(array, (size_t)wanted * size);
  if (!array) return stc_fail(STC_ERR_MEMORY, "no memory for %d entries", wanted);
  memcpy(address_of_array, &array, sizeof array);
  *room = wanted;
  return STC_OK;
}

static stc_error add_mesh_point(mesh_builder *maker, const double p[3]) {
  stc_triangle_mesh *s = maker->mesh;
  STC_TRY(make_mesh_room(&s->point, s->points, &maker->point_room, 3 * sizeof *p));
  for (int k = 0; k < 3; k++) s->point[3 * s->points + k] = p[k] + 0.0;  // -0 becomes 0
  s->points++;
  return STC_OK;
}

static uint32_t hash(const double p[3]) {
  uint64_t h = 0, bits;
  for (int k = 0; k < 3; k++) {
    double x = p[k] + 0.0;
    memcpy(&bits, &x, sizeof bits);
    h = (h ^ bits) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  return (uint32_t)(h >> 32);
}

// Where a point is, or could be put.
static uint32_t find_slot(const mesh_builder *maker, const double p[3]) {
  uint32_t mask = maker->slots - 1, at = hash(p) & mask;
  for (; maker->slot[at]; at = (at + 1) & mask) {
    const double *q = maker->mesh->point + 3 * (maker->slot[at] - 1);
    if (q[0] == p[0] && q[1] == p[1] && q[2] == p[2]) break;
  }
  return at;
}

// The number of a point, which is added where it is new.
static stc_error merge_point(mesh_builder *maker, const double p[3], int *number) {
  if (2 * (uint32_t)maker->mesh->points >= maker->slots) {
    int *old = maker->slot;
    maker->slots = maker->slots ? 2 * maker->slots : 1024;
    maker->slot = stc_calloc(maker->slots, sizeof *maker->slot);
    if (!maker->slot) {
      maker->slot = old;
      return stc_fail(STC_ERR_MEMORY, "no memory for %u points", maker->slots);
    }
    stc_release(&old);
    for (int i = 0; i < maker->mesh->points; i++)
      maker->slot[find_slot(maker, maker->mesh->point + 3 * i)] = i + 1;
  }
  uint32_t at = find_slot(maker, p);
  if (!maker->slot[at]) {
    STC_TRY(add_mesh_point(maker, p));
    maker->slot[at] = maker->mesh->points;
  }
  *number = maker->slot[at] - 1;
  return STC_OK;
}

// A triangle with two equal corners is left out.
static stc_error add_mesh_triangle(mesh_builder *maker, int i, int j, int k) {
  stc_triangle_mesh *s = maker->mesh;
  if (i == j || j == k || k == i) return STC_OK;
  STC_TRY(make_mesh_room(&s->triangle, s->triangles, &maker->triangle_room, 3 * sizeof i));
  int *corner = s->triangle + 3 * s->triangles++;
  corner[0] = i, corner[1] = j, corner[2] = k;
  return STC_OK;
}

// The next word of the line in word[size], cut short if longer; false at the end of the line.
static bool next_word(mesh_text *t, char *word, size_t size) {
  size_t used = 0;
  while (t->at < t->end && *t->at != '\n' && stc_is_space(*t->at)) t->at++;
  while (t->at < t->end && !stc_is_space(*t->at)) {
    if (used + 1 < size) word[used++] = *t->at;
    t->at++;
  }
  word[used] = 0;
  return used > 0;
}

// Moves to the next line; false at the end.
static bool next_line(mesh_text *t) {
  while (t->at < t->end && *t->at != '\n') t->at++;
  if (t->at == t->end) return false;
  t->at++, t->line++;
  return t->at < t->end;
}

static stc_error complain(const mesh_text *t, const char *what) {
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s", t->path, t->line, what);
}

// Three finite numbers of the line.
static stc_error take_numbers(mesh_text *t, double p[3]) {
  char word[64], *rest;
  for (int k = 0; k < 3; k++) {
    if (!next_word(t, word, sizeof word)) return complain(t, "three numbers expected");
    p[k] = stc_strtod(word, &rest);
    if (rest == word || *rest) return complain(t, "this is not a number");
    if (!isfinite(p[k])) return complain(t, "a coordinate is not finite");
  }
  return STC_OK;
}

// --- OBJ ---
// Lines "v x y z" and "f i j k ...", corners counted from 1, or backwards from -1; a polygon
// becomes a fan of triangles. Textures, normals, groups and materials are passed over.

// "7", "7/1", "7//3" or "-2/1/3": the number of the point.
static stc_error read_corner(const mesh_text *t, const char *word, int points, int *number) {
  char *rest;
  long value = strtol(word, &rest, 10);
  if (rest == word || (*rest && *rest != '/')) return complain(t, "the number of a point expected");
  if (value < 0) value += (long)points + 1;
  if (value < 1 || value > points)
    return stc_fail(STC_ERR_FORMAT, "%s:%d: corner %s, but %d points came before", t->path, t->line,
                    word, points);
  *number = (int)value - 1;
  return STC_OK;
}

static stc_error face(mesh_text *t, mesh_builder *maker) {
  char word[64];
  int first = 0, last = 0, corners = 0;
  while (next_word(t, word, sizeof word)) {
    int next = 0;
    STC_TRY(read_corner(t, word, maker->mesh->points, &next));
    if (corners == 0) first = next;
    if (corners >= 2) STC_TRY(add_mesh_triangle(maker, first, last, next));
    last = next;
    corners++;
  }
  return corners < 3 ? complain(t, "a face has three corners or more") : STC_OK;
}

static stc_error read_obj(mesh_text *t, mesh_builder *maker) {
  char word[64];
  do {
    double p[3];
    if (!next_word(t, word, sizeof word)) continue;
    if (!strcmp(word, "v")) {
      STC_TRY(take_numbers(t, p));
      STC_TRY(add_mesh_point(maker, p));
    } else if (!strcmp(word, "f")) {
      STC_TRY(face(t, maker));
    }
  } while (next_line(t));
  return STC_OK;
}

// --- STL ---
// Triangles one by one, as text ("facet ... vertex x y z ...") or as records of 50 bytes with
// little-endian floats. Equal points are one.

static float float_at(const unsigned char *b) {
  uint32_t bits =
      (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static stc_error read_stl_binary(const char *path, const unsigned char *bytes, size_t length,
                                 mesh_builder *maker) {
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
      STC_TRY(merge_point(maker, p, &corner[v]));
    }
    STC_TRY(add_mesh_triangle(maker, corner[0], corner[1], corner[2]));
  }
  return STC_OK;
}

// The first word of the next line that is not empty, in lower case; "" at the end.
static void keyword(mesh_text *t, char *word, size_t size) {
  while (!next_word(t, word, size))
    if (!next_line(t)) break;
  for (char *c = word; *c; c++) *c = stc_lower(*c);
}

static stc_error expect(mesh_text *t, const char *wanted, const char *complaint) {
  char word[32];
  keyword(t, word, sizeof word);
  return strcmp(word, wanted) ? complain(t, complaint) : STC_OK;
}

// After the word "facet": the rest of the line is the normal, which the corners tell as well.
static stc_error facet(mesh_text *t, mesh_builder *maker) {
  int corner[3];
  next_line(t);
  STC_TRY(expect(t, "outer", "\"outer loop\" expected"));
  STC_TRY(expect(t, "loop", "\"outer loop\" expected"));
  for (int v = 0; v < 3; v++) {
    double p[3];
    STC_TRY(expect(t, "vertex", "\"vertex\" expected"));
    STC_TRY(take_numbers(t, p));
    STC_TRY(merge_point(maker, p, &corner[v]));
  }
  STC_TRY(expect(t, "endloop", "\"endloop\" expected after three corners"));
  STC_TRY(expect(t, "endfacet", "\"endfacet\" expected"));
  return add_mesh_triangle(maker, corner[0], corner[1], corner[2]);
}

static stc_error read_stl_text(mesh_text *t, mesh_builder *maker) {
  char word[32];
  STC_TRY(expect(t, "solid",
                 "neither a text STL, which begins with \"solid\", nor a binary one of the length "
                 "it gives"));
  next_line(t);
  for (;;) {
    keyword(t, word, sizeof word);
    if (!strcmp(word, "facet")) {
      STC_TRY(facet(t, maker));
    } else if (!strcmp(word, "endsolid") || !strcmp(word, "solid")) {
      next_line(t);  // a name may follow
    } else if (!*word) {
      return STC_OK;
    } else {
      return complain(t, "\"facet\" or \"endsolid\" expected");
    }
  }
}

// --- Files ---

static bool ends_with(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  if (n < m) return false;
  for (size_t i = 0; i < m; i++)
    if (stc_lower(path[n - m + i]) != ending[i]) return false;
  return true;
}

// A binary STL says how many triangles follow; many also begin with the word "solid".
static bool is_binary(const unsigned char *bytes, size_t length) {
  if (length < HEADER) return false;
  uint32_t count = (uint32_t)bytes[80] | (uint32_t)bytes[81] << 8 | (uint32_t)bytes[82] << 16 |
                   (uint32_t)bytes[83] << 24;
  return length == HEADER + (size_t)RECORD * count;
}

static stc_error read_any(const char *path, const unsigned char *bytes, size_t length,
                          mesh_builder *maker) {
  const char *start = (const char *)bytes + stc_text_mark(bytes, length);
  mesh_text text = {path, start, (const char *)bytes + length, 1};
  if (ends_with(path, ".obj")) return read_obj(&text, maker);
  if (!ends_with(path, ".stl"))
    return stc_fail(STC_ERR_FORMAT, "%s: neither .stl nor .obj; give the file one of these endings",
                    path);
  if (is_binary(bytes, length)) return read_stl_binary(path, bytes, length, maker);
  return read_stl_text(&text, maker);
}

stc_error stc_triangle_mesh_read_bytes(const char *path, const void *bytes, size_t length,
                                       stc_triangle_mesh *mesh) {
  *mesh = (stc_triangle_mesh){0};
  mesh_builder maker = {.mesh = mesh};
  stc_error error = read_any(path, length ? bytes : "", length, &maker);
  if (error && !strstr(stc_error_detail(), path)) stc_fail_in(error, path);
  if (!error && !mesh->triangles)
    error = stc_fail(STC_ERR_FORMAT, "%s: there are no triangles in it", path);
  stc_release(&maker.slot);
  if (error) stc_triangle_mesh_free(mesh);
  return error;
}

void stc_triangle_mesh_free(stc_triangle_mesh *mesh) {
  stc_release(&mesh->point);
  stc_release(&mesh->triangle);
  mesh->points = mesh->triangles = 0;
}

stc_error stc_triangle_mesh_read(const char *path, stc_triangle_mesh *mesh) {
  char *bytes;
  size_t length;
  *mesh = (stc_triangle_mesh){0};
  STC_TRY(stc_load(path, "a file of triangles", LARGEST_FILE, &bytes, &length));
  stc_error error = stc_triangle_mesh_read_bytes(path, bytes, length, mesh);
  stc_release(&bytes);
  return error;
}
