// Reads deformable bodies out of a run file, row by row.
#include <stiction/scene.h>

#include "fem/fem_run.h"
#include "mesh_file.h"

#include <limits.h>
#include <string.h>

enum { FIELDS = 4, CURVE_PARTS = 5 };

// A snapshot, the file it comes from, and the memory it lies in.
typedef struct held_snapshot {
  stc_snapshot public;
  stc_arena arena;
  stc_h5 h5;
  const char *path;
  stc_h5_object table;
  int columns;
  int blocks;
  const char **name;  // [blocks]
  int *count;         // [blocks]
  double *row;
  stc_fem_contact_point *point;
} held_snapshot;

// --- The blocks of a row ---

static bool begins(const char *name, const char *word) {
  return !strncmp(name, word, strlen(word));
}

static stc_error read_blocks(held_snapshot *h) {
  stc_h5_object sizes;
  const char **columns = NULL;
  STC_TRY(stc_run_file_texts(&h->h5, STC_RUN_COLUMNS, &h->arena, &columns, &h->columns));
  STC_TRY(stc_run_file_texts(&h->h5, STC_RUN_BLOCKS, &h->arena, &h->name, &h->blocks));
  if (h->blocks == 0)
    return stc_fail(STC_ERR_FORMAT, "it is the run of a system, without deformable bodies");
  if (!strcmp(h->name[0], STC_RUN_PLACES))
    return stc_fail(STC_ERR_FORMAT, "it is the run of rigid bodies, without deformable ones");
  if (!strncmp(h->name[0], "rate|", 5))
    return stc_fail(STC_ERR_FORMAT,
                    "it is an elastodynamic run, without deformable bodies on a mesh");
  STC_TRY(stc_run_file_find(&h->h5, STC_RUN_BLOCK_SIZES, STC_H5_INTEGER, &sizes));
  STC_TRY(stc_run_file_find(&h->h5, STC_RUN_STEPS, STC_H5_REAL, &h->table));
  if (sizes.count != (uint64_t)h->blocks)
    return stc_fail(STC_ERR_FORMAT, "%s and %s differ in length", STC_RUN_BLOCKS,
                    STC_RUN_BLOCK_SIZES);
  h->count = STC_TAKE(&h->arena, int, h->blocks);
  STC_TRY(stc_arena_check(&h->arena));
  STC_TRY(stc_h5_ints(&h->h5, &sizes, sizes.count, h->count));
  uint64_t width = (uint64_t)h->columns;
  for (int k = 0; k < h->blocks; k++) {
    if (h->count[k] < 0) return stc_fail(STC_ERR_FORMAT, "%s is negative", STC_RUN_BLOCK_SIZES);
    width += (uint64_t)h->count[k];
  }
  if (h->columns >= 1 && width == h->table.extent[1] && h->table.extent[0] <= LONG_MAX)
    return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "the rows of the table have another length than their blocks");
}

static bool fields_fit(const held_snapshot *h) {
  static const char *const names[FIELDS] = {"displacement", "reaction", "stress", "alpha"};
  const stc_mesh *mesh = &h->public.mesh;
  const long sizes[FIELDS] = {(long)mesh->nodes * mesh->dim, (long)mesh->nodes * mesh->dim,
                              6L * mesh->cells, mesh->cells};
  if (h->blocks < FIELDS) return false;
  for (int k = 0; k < FIELDS; k++)
    if (strcmp(h->name[k], names[k]) != 0 || h->count[k] != sizes[k]) return false;
  return true;
}

// --- Pairs and curves ---

static stc_error list_pairs(held_snapshot *h) {
  stc_snapshot *s = &h->public;
  const char **pair = STC_TAKE(&h->arena, const char *, h->blocks);
  int *first = STC_TAKE(&h->arena, int, h->blocks + 1);
  STC_TRY(stc_arena_check(&h->arena));
  for (int k = FIELDS; k < h->blocks && begins(h->name[k], "contact|"); k++) {
    if (h->count[k] % STC_POINT_NUMBERS != 0)
      return stc_fail(STC_ERR_FORMAT, "the block %s is not made of contact points", h->name[k]);
    first[s->pairs + 1] = first[s->pairs] + h->count[k] / STC_POINT_NUMBERS;
    pair[s->pairs++] = h->name[k] + strlen("contact|");
  }
  s->pair = pair;
  s->first = first;
  h->point = STC_TAKE(&h->arena, stc_fem_contact_point, first[s->pairs] + 1);
  s->point = h->point;
  return stc_arena_check(&h->arena);
}

// "curve|PLOT|NAME|PAIR|ALONG|WHAT" in its parts, which are cut in a copy.
static stc_error split_curve(held_snapshot *h, const char *name, stc_plot_curve *curve) {
  const char **part[CURVE_PARTS] = {&curve->plot, &curve->name, &curve->pair, &curve->along,
                                    &curve->quantity};
  char *at = STC_TAKE(&h->arena, char, strlen(name) + 1);
  STC_TRY(stc_arena_check(&h->arena));
  memcpy(at, name, strlen(name));
  for (int k = 0; k < CURVE_PARTS; k++) {
    at = strchr(at, '|');
    if (!at) return stc_fail(STC_ERR_FORMAT, "the block '%.60s' names no curve", name);
    *at++ = 0;
    *part[k] = at;
  }
  return STC_OK;
}

static stc_error list_curves(held_snapshot *h) {
  stc_snapshot *s = &h->public;
  int first = FIELDS + s->pairs;
  size_t at = (size_t)h->columns;
  stc_plot_curve *curve = STC_TAKE(&h->arena, stc_plot_curve, h->blocks);
  STC_TRY(stc_arena_check(&h->arena));
  for (int k = 0; k < first; k++) at += (size_t)h->count[k];
  for (int k = first; k < h->blocks; k++) {
    if (!begins(h->name[k], "curve|"))
      return stc_fail(STC_ERR_FORMAT, "there is an unknown block '%.60s'", h->name[k]);
    stc_plot_curve *c = &curve[s->curves++];
    STC_TRY(split_curve(h, h->name[k], c));
    c->count = h->count[k] / 2;
    c->x = h->row + at;
    c->y = c->x + c->count;
    at += (size_t)h->count[k];
  }
  s->curve = curve;
  return STC_OK;
}

// --- Opening ---

static stc_error open_snapshot(held_snapshot *h) {
  stc_snapshot *s = &h->public;
  STC_TRY(stc_run_file_open(&h->h5, h->path));
  STC_TRY(read_blocks(h));
  STC_TRY(stc_mesh_load(&h->h5, &h->arena, &s->mesh));
  if (!fields_fit(h)) return stc_fail(STC_ERR_FORMAT, "the fields do not fit the mesh");
  h->row = STC_TAKE(&h->arena, double, h->table.extent[1]);
  STC_TRY(list_pairs(h));
  STC_TRY(list_curves(h));
  s->rows = (long)h->table.extent[0];
  s->displacement = h->row + h->columns;
  s->reaction = s->displacement + h->count[0];
  s->stress = s->reaction + h->count[1];
  s->alpha = s->stress + h->count[2];
  return s->rows ? STC_OK : stc_fail(STC_ERR_FORMAT, "it has no rows yet");
}

stc_error stc_snapshot_load(stc_snapshot *snapshot, long row) {
  held_snapshot *h = (held_snapshot *)snapshot;  // its first member
  if (!h || row < 0 || row >= snapshot->rows)
    return stc_fail(STC_ERR_ARGUMENT, "stc_snapshot_load: there is no row %ld", row);
  stc_h5_object object = stc_run_file_row(&h->table, row);
  stc_error error = stc_h5_doubles(&h->h5, &object, object.count, h->row);
  if (error) return stc_fail_in(error, h->path);
  snapshot->t = h->row[0];
  const double *numbers = snapshot->alpha + h->count[3];
  for (int k = 0; k < snapshot->first[snapshot->pairs]; k++)
    stc_point_unpack(numbers + (size_t)k * STC_POINT_NUMBERS, &h->point[k]);
  return STC_OK;
}

stc_error stc_snapshot_open(const char *path, stc_snapshot **snapshot) {
  if (snapshot) *snapshot = NULL;
  if (!path || !snapshot)
    return stc_fail(STC_ERR_ARGUMENT, "stc_snapshot_open needs a path and an address");
  held_snapshot *h = stc_calloc(1, sizeof *h);
  if (!h) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", path);
  h->h5.fd = -1;
  h->path = path;
  *snapshot = &h->public;
  stc_error error = open_snapshot(h);
  if (error) {
    stc_fail_in(error, path);
  } else {
    char *copy = STC_TAKE(&h->arena, char, strlen(path) + 1);
    error = stc_arena_check(&h->arena);
    if (copy) h->path = memcpy(copy, path, strlen(path) + 1);
  }
  if (!error) error = stc_snapshot_load(*snapshot, (*snapshot)->rows - 1);
  if (error) stc_snapshot_free(snapshot);
  return error;
}

void stc_snapshot_free(stc_snapshot **snapshot) {
  if (!snapshot || !*snapshot) return;
  held_snapshot *h = (held_snapshot *)*snapshot;
  stc_h5_close(&h->h5);
  stc_arena_free(&h->arena);
  stc_release(&h);
  *snapshot = NULL;
}
