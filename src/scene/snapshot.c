// Reads deformable bodies out of a run file, row by row.
#include <stiction/scene.h>

#include "fem/fem_run.h"
#include "store_file.h"

#include <stddef.h>
#include <string.h>

enum { FIELDS = 4, HEAT_FIELDS = 2, CURVE_PARTS = 5 };

// A snapshot, the file it comes from, and the memory it lies in.
typedef struct held_snapshot {
  stc_snapshot public;
  stc_run_reader file;
  double *row;
  int fields;  // FIELDS, or with those of heat
  stc_fem_contact_point *point;
} held_snapshot;

// --- The blocks of a row ---

static bool begins(const char *name, const char *word) {
  return !strncmp(name, word, strlen(word));
}

static bool fields_fit(held_snapshot *h) {
  static const char *const names[FIELDS + HEAT_FIELDS] = {
      "displacement", "reaction", "stress", "alpha", "temperature", "potential"};
  const stc_mesh *mesh = &h->public.mesh;
  const long sizes[FIELDS + HEAT_FIELDS] = {(long)mesh->nodes * mesh->dim,
                                            (long)mesh->nodes * mesh->dim,
                                            6L * mesh->cells,
                                            mesh->cells,
                                            mesh->nodes,
                                            mesh->nodes};
  bool heat = h->file.blocks > FIELDS && !strcmp(h->file.block[FIELDS], names[FIELDS]);
  h->fields = FIELDS + (heat ? HEAT_FIELDS : 0);
  if (h->file.blocks < h->fields) return false;
  for (int k = 0; k < h->fields; k++)
    if (strcmp(h->file.block[k], names[k]) != 0 || h->file.block_count[k] != sizes[k]) return false;
  return true;
}

// --- Pairs and curves ---

static stc_error list_pairs(held_snapshot *h) {
  stc_snapshot *s = &h->public;
  const char **pair = STC_TAKE(&h->file.arena, const char *, h->file.blocks);
  int *first = STC_TAKE(&h->file.arena, int, h->file.blocks + 1);
  STC_TRY(stc_arena_check(&h->file.arena));
  for (int k = h->fields; k < h->file.blocks && begins(h->file.block[k], "contact|"); k++) {
    if (h->file.block_count[k] % STC_POINT_NUMBERS != 0)
      return stc_fail(STC_ERR_FORMAT, "the block %s is not made of contact points",
                      h->file.block[k]);
    first[s->pairs + 1] = first[s->pairs] + h->file.block_count[k] / STC_POINT_NUMBERS;
    pair[s->pairs++] = h->file.block[k] + strlen("contact|");
  }
  s->pair = pair;
  s->first = first;
  h->point = STC_TAKE(&h->file.arena, stc_fem_contact_point, first[s->pairs] + 1);
  s->point = h->point;
  return stc_arena_check(&h->file.arena);
}

// "curve|PLOT|NAME|PAIR|ALONG|WHAT" in its parts, which are cut in a copy.
static stc_error split_curve(held_snapshot *h, const char *name, stc_plot_curve *curve) {
  const char **part[CURVE_PARTS] = {&curve->plot, &curve->name, &curve->pair, &curve->along,
                                    &curve->quantity};
  char *at = STC_TAKE(&h->file.arena, char, strlen(name) + 1);
  STC_TRY(stc_arena_check(&h->file.arena));
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
  int first = h->fields + s->pairs;
  size_t at = (size_t)h->file.columns;
  stc_plot_curve *curve = STC_TAKE(&h->file.arena, stc_plot_curve, h->file.blocks);
  STC_TRY(stc_arena_check(&h->file.arena));
  for (int k = 0; k < first; k++) at += (size_t)h->file.block_count[k];
  for (int k = first; k < h->file.blocks; k++) {
    if (!begins(h->file.block[k], "curve|"))
      return stc_fail(STC_ERR_FORMAT, "there is an unknown block '%.60s'", h->file.block[k]);
    stc_plot_curve *c = &curve[s->curves++];
    STC_TRY(split_curve(h, h->file.block[k], c));
    c->count = h->file.block_count[k] / 2;
    c->x = h->row + at;
    c->y = c->x + c->count;
    at += (size_t)h->file.block_count[k];
  }
  s->curve = curve;
  return STC_OK;
}

// --- Opening ---

static stc_error load_row(held_snapshot *h, long row) {
  stc_snapshot *s = &h->public;
  const double *numbers = s->displacement;
  for (int k = 0; k < h->fields; k++) numbers += h->file.block_count[k];
  STC_TRY(stc_run_reader_row(&h->file, row, 0, h->file.table.extent[1], h->row));
  s->t = h->row[0];
  for (int k = 0; k < s->first[s->pairs]; k++)
    stc_point_unpack(numbers + (size_t)k * STC_POINT_NUMBERS, &h->point[k]);
  return STC_OK;
}

static stc_error fill_snapshot(void *object) {
  held_snapshot *h = object;
  stc_snapshot *s = &h->public;
  stc_run_reader *f = &h->file;
  if (f->blocks == 0)
    return stc_fail(STC_ERR_FORMAT, "it is the run of a system, without deformable bodies");
  if (!strcmp(f->block[0], STC_RUN_PLACES))
    return stc_fail(STC_ERR_FORMAT, "it is the run of rigid bodies, without deformable ones");
  if (begins(f->block[0], "rate|"))
    return stc_fail(STC_ERR_FORMAT,
                    "it is an elastodynamic run, without deformable bodies on a mesh");
  STC_TRY(stc_mesh_load(&f->h5, &f->arena, &s->mesh));
  if (!fields_fit(h)) return stc_fail(STC_ERR_FORMAT, "the fields do not fit the mesh");
  h->row = STC_TAKE(&f->arena, double, f->table.extent[1]);
  STC_TRY(list_pairs(h));
  STC_TRY(list_curves(h));
  s->rows = f->rows;
  s->displacement = h->row + f->columns;
  s->reaction = s->displacement + f->block_count[0];
  s->stress = s->reaction + f->block_count[1];
  s->alpha = s->stress + f->block_count[2];
  if (h->fields > FIELDS) {
    s->temperature = s->alpha + h->file.block_count[3];
    s->potential = s->temperature + h->file.block_count[4];
  }
  return s->rows ? load_row(h, s->rows - 1) : stc_fail(STC_ERR_FORMAT, "it has no rows yet");
}

stc_error stc_snapshot_load(stc_snapshot *snapshot, long row) {
  held_snapshot *h = (held_snapshot *)snapshot;  // its first member
  if (!h || row < 0 || row >= snapshot->rows)
    return stc_fail(STC_ERR_ARGUMENT, "stc_snapshot_load: there is no row %ld", row);
  stc_error error = load_row(h, row);
  return error ? stc_fail_in(error, h->file.path) : STC_OK;
}

stc_error stc_snapshot_open(const char *path, stc_snapshot **snapshot) {
  return stc_run_read(path, "stc_snapshot_open", sizeof(held_snapshot),
                      offsetof(held_snapshot, file), fill_snapshot, snapshot);
}

void stc_snapshot_free(stc_snapshot **snapshot) {
  if (snapshot)
    stc_run_free(snapshot, offsetof(held_snapshot, file));  // the public part comes first
}
