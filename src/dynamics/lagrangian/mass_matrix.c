// The mass matrix: M = blocks of coupled degrees of freedom, a diagonal divided exactly.
#include "../../base/fail.h"
#include "../../linalg/condense.h"
#include "simulation.h"

#include <math.h>
#include <string.h>

stc_error stc_mass_create(stc_arena *arena, int dofs, bool diagonal, stc_mass *mass) {
  size_t n = (size_t)dofs;
  *mass = (stc_mass){.dofs = dofs, .count = diagonal ? n : n * n};
  mass->asked = STC_TAKE(arena, double, mass->count);
  mass->used = STC_TAKE(arena, double, mass->count);
  return stc_arena_check(arena);
}

void stc_mass_free(stc_mass *mass) {
  stc_blocks_free(&mass->blocks);
  stc_arena_free(&mass->arena);
  mass->ready = false;
}

static bool full(const stc_mass *mass) { return mass->count > (size_t)mass->dofs; }

/// Entry (i, j) of what was asked last.
static double mass_entry(const stc_mass *mass, int i, int j) {
  if (full(mass)) return mass->asked[(size_t)j * (size_t)mass->dofs + (size_t)i];
  return i == j ? mass->asked[i] : 0;
}

stc_error stc_mass_check(const stc_mass *mass, double t) {
  size_t rows = (size_t)mass->dofs;
  for (size_t k = 0; k < mass->count; k++)
    if (!isfinite(mass->asked[k]))
      return stc_fail(STC_ERR_VALUE,
                      "M(%zu, %zu) = %g at t = %g; the callback must give finite numbers", k % rows,
                      full(mass) ? k / rows : k, mass->asked[k], t);
  return STC_OK;
}

/// M without the zeros of what was asked.
static stc_error compress(stc_mass *mass) {
  size_t entries = 0;
  for (size_t k = 0; k < mass->count; k++) entries += mass->asked[k] != 0;
  stc_arena_free(&mass->arena);
  stc_csr *M = &mass->M;
  *M = (stc_csr){.rows = mass->dofs, .cols = mass->dofs};
  M->ptr = STC_TAKE(&mass->arena, int, (size_t)mass->dofs + 1);
  M->col = STC_TAKE(&mass->arena, int, entries);
  M->val = STC_TAKE(&mass->arena, double, entries);
  STC_TRY(stc_arena_check(&mass->arena));
  int at = 0;
  for (int i = 0; i < mass->dofs; i++) {
    int first = full(mass) ? 0 : i, last = full(mass) ? mass->dofs : i + 1;
    for (int j = first; j < last; j++) {
      if (mass_entry(mass, i, j) == 0) continue;
      M->col[at] = j;
      M->val[at++] = mass_entry(mass, i, j);
    }
    M->ptr[i + 1] = at;
  }
  mass->diagonal = at == mass->dofs;  // the diagonal has no zeros
  return STC_OK;
}

static stc_error factorise_mass(stc_mass *mass) {
  stc_blocks_free(&mass->blocks);
  if (mass->diagonal) return STC_OK;
  int i, j;
  if (stc_csr_find_asymmetry(&mass->M, STC_SYMMETRY_TOLERANCE, &i, &j))
    return stc_fail(STC_ERR_VALUE,
                    "M(%d, %d) = %.17g but M(%d, %d) = %.17g; M must be symmetric, both triangles "
                    "given",
                    i, j, mass_entry(mass, i, j), j, i, mass_entry(mass, j, i));
  return stc_blocks_create(&mass->M, &mass->blocks);
}

bool stc_mass_is_used(const stc_mass *mass) {
  size_t bytes = mass->count * sizeof *mass->asked;
  return mass->ready && memcmp(mass->asked, mass->used, bytes) == 0;
}

stc_error stc_mass_use(stc_mass *mass) {
  if (stc_mass_is_used(mass)) return STC_OK;
  mass->ready = false;
  for (int i = 0; i < mass->dofs; i++)
    if (!(mass_entry(mass, i, i) > 0))
      return stc_fail(STC_ERR_VALUE,
                      "M(%d, %d) = %g; every diagonal entry must be > 0: give coordinate %d a mass "
                      "or remove it",
                      i, i, mass_entry(mass, i, i), i);
  STC_TRY(compress(mass));
  STC_TRY(factorise_mass(mass));
  memcpy(mass->used, mass->asked, mass->count * sizeof *mass->asked);
  mass->ready = true;
  return STC_OK;
}

stc_error stc_mass_solve(const stc_mass *mass, double *x) {
  if (!mass->diagonal) return stc_condense_solve(mass->blocks, x, x);
  for (int i = 0; i < mass->dofs; i++) x[i] /= mass->M.val[i];
  return STC_OK;
}

void stc_mass_multiply(const stc_mass *mass, const double *x, double *y) {
  stc_csr_multiply(&mass->M, x, 0, y);
}

double stc_mass_kinetic(const stc_mass *mass, const double *u) {
  double sum = 0;
  for (int j = 0; j < mass->dofs; j++) {
    double momentum = 0;
    int first = full(mass) ? 0 : j, last = full(mass) ? mass->dofs : j + 1;
    for (int i = first; i < last; i++) momentum += mass_entry(mass, i, j) * u[i];
    sum += momentum * u[j];
  }
  return sum / 2;
}
