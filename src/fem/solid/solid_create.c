// A solid from a description: bodies, materials, supports and loads checked against the mesh.
#include "solid_data.h"

#include <math.h>
#include <string.h>

static stc_error check_space(const stc_fem_description *d) {
  static const char *const name[] = {"plane strain", "plane stress", "axisymmetry", "a solid"};
  if ((unsigned)d->kinematics > STC_SOLID)
    return stc_fail(STC_ERR_ARGUMENT, "kinematics is %d; it must be one of stc_kinematics",
                    (int)d->kinematics);
  int dim = d->kinematics == STC_SOLID ? 3 : 2;
  if (d->mesh->dim != dim)
    return stc_fail(STC_ERR_DIMENSION, "the mesh has dimension %d; %s needs %d", d->mesh->dim,
                    name[d->kinematics], dim);
  if (!(d->thickness >= 0) || !isfinite(d->thickness))
    return stc_fail(STC_ERR_VALUE, "thickness = %g; it must be > 0, or 0 for 1", d->thickness);
  if (d->kinematics != STC_AXISYMMETRIC) return STC_OK;
  for (int a = 0; a < d->mesh->nodes; a++)
    if (d->mesh->x[2 * a] < 0)
      return stc_fail(STC_ERR_VALUE,
                      "node %d lies at radius %g; move the mesh to x >= 0: x is the distance from "
                      "the axis",
                      a, d->mesh->x[2 * a]);
  return STC_OK;
}

// --- Bodies ---

static stc_error create_bodies(stc_solid *s, const stc_fem_description *d) {
  s->bodies = d->bodies;
  s->matter = STC_TAKE(&s->arena, stc_matter, d->bodies);
  STC_TRY(stc_arena_check(&s->arena));
  s->elastic = true;
  for (int b = 0; b < d->bodies; b++) {
    const stc_body *body = &d->body[b];
    STC_TRY(stc_response_create(body, b, d->kinematics, &s->matter[b].response));
    for (int i = 0; i < 3; i++)
      if (!isfinite(body->force[i]))
        return stc_fail(STC_ERR_VALUE, "body %d ('%s'): force %d is %g; it must be finite", b,
                        body->group, i, body->force[i]);
    memcpy(s->matter[b].force, body->force, sizeof body->force);
    s->matter[b].density = body->material.density;
    s->elastic = s->elastic && body->material.yield == 0;
  }
  return STC_OK;
}

/// Marks the cells of body b in `body` [cells of the mesh].
static stc_error claim_cells(const stc_fem_description *d, int b, int *body) {
  const stc_group *group;
  STC_TRY(stc_mesh_require(d->mesh, d->body[b].group, "body", b, &group));
  if (group->dim != d->mesh->dim)
    return stc_fail(STC_ERR_DIMENSION,
                    "body %d: group '%s' has dimension %d; a body in this mesh has %d", b,
                    group->name, group->dim, d->mesh->dim);
  for (int k = 0; k < group->cells; k++) {
    int *owner = &body[group->cell[k]];
    if (*owner >= 0)
      return stc_fail(
          STC_ERR_VALUE,
          "cell %d belongs to two bodies, %d ('%s') and %d ('%s'); give it one material",
          group->cell[k], *owner, d->body[*owner].group, b, group->name);
    *owner = b;
  }
  return STC_OK;
}

static stc_error create_cells(stc_solid *s, const stc_fem_description *d) {
  const stc_mesh *m = d->mesh;
  s->cell = STC_TAKE_RAW(&s->arena, int, m->cells);
  s->body = STC_TAKE_RAW(&s->arena, int, m->cells);
  s->place = STC_TAKE_RAW(&s->arena, int, m->cells);
  STC_TRY(stc_arena_check(&s->arena));
  for (int c = 0; c < m->cells; c++) s->place[c] = -1;
  for (int b = 0; b < d->bodies; b++) STC_TRY(claim_cells(d, b, s->place));
  for (int c = 0; c < m->cells; c++) {
    if (stc_cell_dim(m->type[c]) != m->dim) continue;
    if (s->place[c] < 0)
      return stc_fail(STC_ERR_VALUE,
                      "cell %d (%s) belongs to no body; name its group in a body, or leave it out "
                      "of the mesh",
                      c, stc_cell_name(m->type[c]));
    s->body[s->cells] = s->place[c];
    s->cell[s->cells] = c;
    s->place[c] = s->cells++;
  }
  return STC_OK;
}

static stc_error create_history(stc_solid *s) {
  s->history = STC_TAKE(&s->arena, size_t, (size_t)s->cells + 1);
  s->u = STC_TAKE(&s->arena, double, s->size);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < s->cells; k++) {
    int numbers = stc_response_history(&s->matter[s->body[k]].response);
    s->history[k + 1] = s->history[k] + (size_t)(numbers * stc_solid_table(s, k)->rule.points);
  }
  s->kept = STC_TAKE(&s->arena, double, s->history[s->cells]);
  s->trial = STC_TAKE(&s->arena, double, s->history[s->cells]);
  return stc_arena_check(&s->arena);
}

// --- All of it ---

static stc_error create_solid(stc_solid *s, const stc_fem_description *d, int threads) {
  STC_TRY(stc_mesh_check(d->mesh));
  STC_TRY(check_space(d));
  s->mesh = d->mesh;
  s->dim = d->mesh->dim;
  s->size = d->mesh->nodes * s->dim;
  s->kinematics = d->kinematics;
  s->measure.axisymmetric = d->kinematics == STC_AXISYMMETRIC;
  s->measure.thickness = d->kinematics == STC_SOLID || d->thickness == 0 ? 1 : d->thickness;
  stc_rule_kind kind = s->measure.axisymmetric ? STC_RULE_RADIAL : STC_RULE_STIFFNESS;
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) == s->dim) stc_table_create(type, kind, &s->table[type]);
  STC_TRY(create_cells(s, d));
  STC_TRY(create_bodies(s, d));
  STC_TRY(create_history(s));
  STC_TRY(stc_solid_make_supports(s, d));
  STC_TRY(stc_solid_make_loads(s, d));
  STC_TRY(stc_solid_make_scales(s));
  STC_TRY(stc_solid_make_pattern(s));
  STC_TRY(stc_solid_make_schedule(s));
  return threads > 1 ? stc_team_create(threads, &s->team) : STC_OK;
}

stc_error stc_solid_create(const stc_fem_description *description, int threads, stc_solid **solid) {
  *solid = NULL;
  if (!description->mesh) return stc_fail(STC_ERR_ARGUMENT, "the description has no mesh");
  if (description->bodies < 1 || !description->body)
    return stc_fail(STC_ERR_ARGUMENT, "the description has no body; name at least one group");
  STC_NEW(solid, "a solid");
  stc_solid *s = *solid;
  stc_error error = create_solid(s, description, threads);
  if (error) stc_solid_free(solid);
  return error;
}

void stc_solid_free(stc_solid **solid) {
  if (!solid || !*solid) return;
  stc_team_free(&(*solid)->team);
  stc_arena_free(&(*solid)->arena);
  stc_release(solid);
}

const stc_mesh *stc_solid_mesh(const stc_solid *solid) { return solid->mesh; }
int stc_solid_dim(const stc_solid *solid) { return solid->dim; }
int stc_solid_size(const stc_solid *solid) { return solid->size; }
const stc_csr *stc_solid_pattern(const stc_solid *solid) { return &solid->K; }
bool stc_solid_is_elastic(const stc_solid *solid) { return solid->elastic; }

int stc_solid_body(const stc_solid *solid, int cell) {
  int k = solid->place[cell];
  return k < 0 ? -1 : solid->body[k];
}
