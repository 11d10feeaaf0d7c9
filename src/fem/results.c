// What a model can be asked for, and its state as numbers.
#include "../base/fail.h"
#include "fem_data.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

double stc_fem_time(const stc_fem *fem) { return fem->time; }
int stc_fem_dofs(const stc_fem *fem) { return fem->free; }
const double *stc_fem_displacement(const stc_fem *fem) { return fem->u; }
const double *stc_fem_reaction(const stc_fem *fem) { return fem->reaction; }

stc_error stc_fem_group_force(const stc_fem *fem, const char *group, double force[3]) {
  const stc_mesh *mesh = fem->mesh;
  const stc_group *g = NULL;
  memset(force, 0, 3 * sizeof *force);
  STC_TRY(stc_mesh_require(mesh, group, "force of group", 0, &g));
  bool *seen = stc_calloc((size_t)mesh->nodes, sizeof *seen);
  if (!seen) return stc_fail(STC_ERR_MEMORY, "out of memory for the force of '%s'", group);
  for (int k = 0; k < g->cells; k++)
    for (int a = mesh->ptr[g->cell[k]]; a < mesh->ptr[g->cell[k] + 1]; a++) {
      int node = mesh->node[a];
      for (int i = 0; !seen[node] && i < fem->dim; i++)
        force[i] += fem->reaction[(ptrdiff_t)node * fem->dim + i];
      seen[node] = true;
    }
  stc_release(&seen);
  return STC_OK;
}

void stc_fem_stress(const stc_fem *fem, int cell, double stress[6], double *alpha) {
  stc_solid_stress(fem->solid, cell, stress, alpha);
}

void stc_fem_energy(const stc_fem *fem, double *stored, double *plastic, double *friction) {
  double s, p;
  stc_solid_energy(fem->solid, &s, &p);
  if (stored) *stored = s;
  if (plastic) *plastic = p;
  if (friction) *friction = fem->friction;
}

// --- Contacts ---

int stc_fem_contacts(const stc_fem *fem, int pair) {
  if (pair < 0 || pair >= fem->pairs) return 0;
  return stc_surface_first(fem->surface, pair + 1) - stc_surface_first(fem->surface, pair);
}

// A tangential force that misses the limit of friction by less than this part sticks on it: the
// statuses are told apart by solutions far more exact.
#define ON_THE_CONE 1e-9

stc_contact_state stc_fem_status(const stc_fem *fem, int k) {
  const double *r = fem->r + (ptrdiff_t)k * fem->dim;
  double r_T = fem->dim == 3 ? hypot(r[1], r[2]) : fabs(r[1]);
  double most = (fem->coefficient ? fem->mu[k] : stc_surface_candidates(fem->surface)[k].mu) * r[0];
  if (!(r[0] > 0)) return STC_CONTACT_OPEN;
  return r_T < most * (1 - ON_THE_CONE) ? STC_CONTACT_STICK : STC_CONTACT_SLIP;
}

void stc_fem_contact(const stc_fem *fem, int pair, int k, stc_fem_contact_point *point) {
  int number = stc_surface_first(fem->surface, pair) + k, dim = fem->dim;
  const stc_candidate *c = &stc_surface_candidates(fem->surface)[number];
  const double *r = fem->r + (ptrdiff_t)number * dim;
  *point = (stc_fem_contact_point){.node = c->node, .state = stc_fem_status(fem, number)};
  point->gap = c->opposite ? c->gap : INFINITY;
  point->area = c->area;
  memcpy(point->normal, c->frame[0], sizeof point->normal);
  memcpy(point->tangent, c->frame[1], sizeof point->tangent);
  for (int i = 0; i < dim; i++) {
    ptrdiff_t at = (ptrdiff_t)c->node * dim + i;
    point->x[i] = fem->mesh->x[at] + fem->u[at];
  }
  if (!c->opposite) return;
  point->pressure = r[0] / c->area;
  for (int a = 1; a < dim; a++) {
    point->shear[a - 1] = r[a] / c->area;
    point->slip[a - 1] = fem->slip[(ptrdiff_t)number * dim + a];
  }
}

// --- State ---

static void pass_fem(stc_tape *tape, stc_fem *f) {
  size_t contacts = (size_t)f->contacts * (size_t)f->dim;
  stc_tape_pass(tape, &f->time, 1);
  stc_tape_pass(tape, &f->friction, 1);
  stc_tape_pass(tape, f->u, (size_t)f->size);
  stc_tape_pass(tape, f->r, contacts);
  stc_tape_pass(tape, f->slip, contacts);
  stc_solid_pass(tape, f->solid);
  if (f->coefficient) stc_fem_pass_past(tape, f);
  if (f->thermal) stc_thermal_pass(tape, f->thermal);
}

STC_TAPE_STATE(stc_fem, stc_fem, pass_fem)

stc_error stc_fem_refresh(stc_fem *f) {
  if (f->thermal) stc_thermal_warm(f->thermal, f->thermal->T);
  STC_TRY(stc_surface_find(f->surface, f->time, f->u));
  STC_TRY(stc_solid_assemble(f->solid, f->u, f->F, NULL));
  STC_TRY(stc_solid_load(f->solid, f->time, f->load));
  for (int i = 0; i < f->size; i++) f->reaction[i] = f->F[i] - f->load[i];
  return STC_OK;
}

stc_error stc_fem_restore(stc_fem *fem, const double *state, size_t count) {
  STC_TRY(stc_tape_fits(STC_ERR_DIMENSION, "model", stc_fem_state_size(fem), state, count));
  pass_fem(&(stc_tape){.from = state}, fem);
  STC_TRY(stc_fem_refresh(fem));
  pass_fem(&(stc_tape){.from = state}, fem);  // what refreshing assembled is not the state
  return STC_OK;
}
