// Triangle files: which format it is, and the points and triangles that its reader finds.
#include "triangle_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../base/fail.h"
#include "../../base/load.h"
#include "../../base/memory.h"
#include "../../base/number.h"

enum { MOST = 1 << 28, HEADER = 84, RECORD = 50 };
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

stc_error stc_mesh_add_point(stc_mesh_builder *maker, const double p[3]) {
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
static uint32_t find_slot(const stc_mesh_builder *maker, const double p[3]) {
  uint32_t mask = maker->slots - 1, at = hash(p) & mask;
  for (; maker->slot[at]; at = (at + 1) & mask) {
    const double *q = maker->mesh->point + 3 * (maker->slot[at] - 1);
    if (q[0] == p[0] && q[1] == p[1] && q[2] == p[2]) break;
  }
  return at;
}

stc_error stc_mesh_builder_merge_point(stc_mesh_builder *maker, const double p[3], int *number) {
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
    STC_TRY(stc_mesh_add_point(maker, p));
    maker->slot[at] = maker->mesh->points;
  }
  *number = maker->slot[at] - 1;
  return STC_OK;
}

stc_error stc_mesh_builder_add_triangle(stc_mesh_builder *maker, int i, int j, int k) {
  stc_triangle_mesh *s = maker->mesh;
  if (i == j || j == k || k == i) return STC_OK;
  STC_TRY(make_mesh_room(&s->triangle, s->triangles, &maker->triangle_room, 3 * sizeof i));
  int *corner = s->triangle + 3 * s->triangles++;
  corner[0] = i, corner[1] = j, corner[2] = k;
  return STC_OK;
}

bool stc_mesh_text_word(stc_mesh_text *t, char *word, size_t size) {
  size_t used = 0;
  while (t->at < t->end && *t->at != '\n' && stc_is_space(*t->at)) t->at++;
  while (t->at < t->end && !stc_is_space(*t->at)) {
    if (used + 1 < size) word[used++] = *t->at;
    t->at++;
  }
  word[used] = 0;
  return used > 0;
}

bool stc_mesh_text_next_line(stc_mesh_text *t) {
  while (t->at < t->end && *t->at != '\n') t->at++;
  if (t->at == t->end) return false;
  t->at++, t->line++;
  return t->at < t->end;
}

stc_error stc_mesh_text_complain(const stc_mesh_text *t, const char *what) {
  return stc_fail(STC_ERR_FORMAT, "%s:%d: %s", t->path, t->line, what);
}

stc_error stc_mesh_text_numbers(stc_mesh_text *t, double p[3]) {
  char word[64], *rest;
  for (int k = 0; k < 3; k++) {
    if (!stc_mesh_text_word(t, word, sizeof word))
      return stc_mesh_text_complain(t, "three numbers expected");
    p[k] = stc_strtod(word, &rest);
    if (rest == word || *rest) return stc_mesh_text_complain(t, "this is not a number");
    if (!isfinite(p[k])) return stc_mesh_text_complain(t, "a coordinate is not finite");
  }
  return STC_OK;
}

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
                          stc_mesh_builder *maker) {
  const char *start = (const char *)bytes + stc_text_mark(bytes, length);
  stc_mesh_text text = {path, start, (const char *)bytes + length, 1};
  if (ends_with(path, ".obj")) return stc_mesh_obj(&text, maker);
  if (!ends_with(path, ".stl"))
    return stc_fail(STC_ERR_FORMAT, "%s: neither .stl nor .obj; give the file one of these endings",
                    path);
  if (is_binary(bytes, length)) return stc_mesh_stl_binary(path, bytes, length, maker);
  return stc_mesh_stl_text(&text, maker);
}

stc_error stc_triangle_mesh_read_bytes(const char *path, const void *bytes, size_t length,
                                       stc_triangle_mesh *mesh) {
  *mesh = (stc_triangle_mesh){0};
  stc_mesh_builder maker = {.mesh = mesh};
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
