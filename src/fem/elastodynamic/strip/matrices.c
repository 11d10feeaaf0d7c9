// Stiffness and mass of the reduced unknowns, and the matrix of a step,
//   A = 2 M/dt + dt K/2,   split into the free columns and those of the supports.
#include "../../../base/fail.h"
#include "strip_data.h"

#include <limits.h>
#include <string.h>

// Static equilibrium under the supports and loads of t = 0, contact without friction: the surface
// with its normals only,   u = K^-1 (load - K_fixed u_D) + W f.

enum { ITERATIONS = 200, SWEEPS = 20000 };

static const double TOLERANCE = 1e-11;
static const double SOLVE_TOLERANCE = 1e-15;

static stc_error solve_for(stc_strip *s, const stc_interface *surface) {
  stc_csr_multiply(&s->beside, s->u, 0, s->rhs);
  for (int r = 0; r < s->free; r++) s->rhs[r] = s->load[s->unknown[r]] - s->rhs[r];
  stc_strip_pull(s, 1, surface->f, s->pull);
  for (int r = 0; r < s->free; r++) s->rhs[r] += s->pull[s->unknown[r]];
  memset(s->x, 0, (size_t)s->free * sizeof *s->x);
  return stc_sparse_solve(s->spd, 1, s->rhs, s->x, SOLVE_TOLERANCE, NULL);
}

static stc_error find_contact(stc_strip *s, stc_interface *surface) {
  double residual;
  int count = 0;
  memcpy(surface->area, s->surface.area, (size_t)surface->nodes * sizeof *surface->area);
  STC_TRY(stc_strip_condense(s, surface, false));
  STC_TRY(solve_for(s, surface));
  memcpy(s->mid, s->u, (size_t)s->size * sizeof *s->mid);
  for (int r = 0; r < s->free; r++) s->mid[s->unknown[r]] = s->x[r];
  for (int i = 0; i < surface->nodes; i++) {
    surface->height[i] = s->gap[i];
    surface->v_free[i] = stc_strip_component(s, i, 0, s->mid);
  }
  if (stc_interface_newton(surface, TOLERANCE, ITERATIONS, false, &count, &residual)) return STC_OK;
  stc_interface_sweep(surface, TOLERANCE, SWEEPS, &count, &residual);
  if (stc_interface_newton(surface, TOLERANCE, ITERATIONS, false, &count, &residual)) return STC_OK;
  return stc_fail(STC_ERR_NUMERIC, "static contact was found to %g only; begin without pressing",
                  residual);
}

static stc_error settle_surface(stc_strip *s, stc_interface *surface) {
  STC_TRY(find_contact(s, surface));
  STC_TRY(solve_for(s, surface));
  for (int r = 0; r < s->free; r++) s->u[s->unknown[r]] = s->x[r];
  memset(s->mid, 0, (size_t)s->size * sizeof *s->mid);
  for (int i = 0; i < s->contacts; i++) s->surface.f[i * s->dim] = surface->f[i];
  return STC_OK;
}

// Static equilibrium at t = 0 without friction.
static stc_error press_strip(stc_strip *s) {
  stc_interface surface;
  stc_interface_law law = s->surface.law;
  law.lever = 1;
  STC_TRY(stc_strip_load(s, 0, s->load));
  STC_TRY(stc_strip_check_held(s, 0));
  stc_error error = stc_interface_create(s->contacts, 1, &law, &surface);
  if (!error) error = settle_surface(s, &surface);
  stc_interface_free(&surface);
  return error;
}

// --- K and M ---

static stc_error take_triplets(stc_arena *arena, size_t room, stc_triplets *all) {
  if (room > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "%zu entries of stiffness and mass are too many", room);
  *all = (stc_triplets){.row = STC_TAKE_RAW(arena, int, room),
                        .col = STC_TAKE_RAW(arena, int, room),
                        .k = STC_TAKE_RAW(arena, double, room),
                        .m = STC_TAKE_RAW(arena, double, room)};
  return stc_arena_check(arena);
}

static stc_error make_full(stc_strip *s, bool norms, stc_arena *scratch, stc_csr *K, stc_csr *M) {
  stc_triplets all;
  STC_TRY(take_triplets(scratch, stc_region_entries(s) + stc_layer_entries(s), &all));
  STC_TRY(stc_region_add(s, norms, &all));
  STC_TRY(stc_layer_add(s, norms, &all));
  // K with all places, M with those that are not 0.
  stc_matrix view = {s->size, s->size, all.count, STC_STORAGE_TRIPLET, all.col, all.row, all.k};
  STC_TRY(stc_csr_sum(&s->arena, &view, false, K));
  view.x = all.m;
  return stc_csr_sum(&s->arena, &view, !norms, M);
}

stc_error stc_strip_make_forms(stc_strip *s, bool norms, stc_csr *K, stc_csr *M) {
  STC_ARENA scratch = {0};
  return make_full(s, norms, &scratch, K, M);
}

// --- Free and fixed ---

static stc_error number_equations(stc_strip *s) {
  s->equation = STC_TAKE(&s->arena, int, s->size);
  s->unknown = STC_TAKE(&s->arena, int, s->size);
  STC_TRY(stc_arena_check(&s->arena));
  for (int i = 0; i < s->size; i++) {
    s->equation[i] = s->fixed[i] ? -1 : s->free;
    if (!s->fixed[i]) s->unknown[s->free++] = i;
  }
  return STC_OK;
}

// Takes the columns of K that are free (or fixed), with the row's number.
static stc_error split_columns(stc_strip *s, bool fixed, stc_csr *A) {
  int count = 0;
  for (int r = 0; r < s->free; r++)
    for (int e = s->K.ptr[s->unknown[r]]; e < s->K.ptr[s->unknown[r] + 1]; e++)
      count += s->fixed[s->K.col[e]] == fixed;
  STC_TRY(stc_csr_take(&s->arena, s->free, fixed ? s->size : s->free, (size_t)count, A));
  count = 0;
  for (int r = 0; r < s->free; r++) {
    for (int e = s->K.ptr[s->unknown[r]]; e < s->K.ptr[s->unknown[r] + 1]; e++)
      if (s->fixed[s->K.col[e]] == fixed)
        A->col[count++] = fixed ? s->K.col[e] : s->equation[s->K.col[e]];
    A->ptr[r + 1] = count;
  }
  return STC_OK;
}

// factor_m M + factor_k K on the pattern of A, whose columns are free or fixed; rows of K and M
// rise together, those of M among those of K.
static void combine(const stc_strip *s, bool fixed, double factor_m, double factor_k, stc_csr *A) {
  for (int r = 0, at = 0; r < s->free; r++) {
    int row = s->unknown[r], m = s->M.ptr[row], end = s->M.ptr[row + 1];
    for (int e = s->K.ptr[row]; e < s->K.ptr[row + 1]; e++) {
      int col = s->K.col[e];
      double value = factor_k * s->K.val[e];
      if (m < end && s->M.col[m] == col) value += factor_m * s->M.val[m++];
      if (s->fixed[col] == fixed) A->val[at++] = value;
    }
  }
}

void stc_strip_combine(stc_strip *s, double factor_m, double factor_k) {
  combine(s, false, factor_m, factor_k, &s->A);
}

static stc_error create_solver(stc_strip *s) {
  int *node = stc_calloc((size_t)s->free, sizeof *node);
  if (!node) return stc_fail(STC_ERR_MEMORY, "out of memory for %d unknowns", s->free);
  for (int r = 0; r < s->free; r++) node[r] = s->unknown[r] / s->dim;
  const stc_sparse_hints hints = {.node = node,
                                  .dim = s->dim,
                                  .threads = s->settings.threads,
                                  .progress = s->settings.progress,
                                  .progress_user = s->settings.progress_user};
  stc_error error = stc_sparse_create(&s->A, &hints, &s->spd);
  stc_release(&node);
  return error;
}

int stc_strip_free_motions(const stc_strip *s, stc_motions *motions) {
  *motions = (stc_motions){.dim = s->dim};
  stc_motions m = *motions;
  double z[STC_RIGID_MODES];
  for (int a = 0; a < s->mesh.nodes; a++) stc_motions_add(&m, s->mesh.x + (ptrdiff_t)a * s->dim);
  for (int i = 0; i < s->mesh.nodes * s->dim; i++) {
    if (!s->mesh_fixed[i]) continue;
    stc_motions_at(&m, i % s->dim, s->mesh.x + (ptrdiff_t)(i / s->dim) * s->dim, z);
    stc_motions_hold(&m, z);
  }
  // Two nodes that are one unknown move alike: a mode that would separate them is not a motion.
  int last = s->points[0] - 1;
  for (int a = 0; s->settings.periodic && a < s->mesh.nodes; a += s->points[0])
    for (int i = 0; i < s->dim; i++) {
      double here[STC_RIGID_MODES], there[STC_RIGID_MODES];
      stc_motions_at(&m, i, s->mesh.x + (ptrdiff_t)a * s->dim, here);
      stc_motions_at(&m, i, s->mesh.x + (ptrdiff_t)(a + last) * s->dim, there);
      for (int k = 0; k < stc_motions_count(&m); k++) here[k] -= there[k];
      stc_motions_hold(&m, here);
    }
  stc_motions_find(&m);
  *motions = m;
  return m.left;
}

// Static equilibrium without friction asks the supports to hold every rigid motion.
static stc_error check_supports(const stc_strip *s) {
  stc_motions m;
  char motions[700];
  if (stc_strip_free_motions(s, &m) == 0) return STC_OK;
  stc_motions_say_all(&m, motions, sizeof motions);
  return stc_fail(STC_ERR_VALUE,
                  "the supports leave the strip free to move: it can %s and has no static "
                  "equilibrium; hold it there, or begin without pressing it",
                  motions);
}

stc_error stc_strip_make_matrices(stc_strip *s) {
  double dt = s->settings.dt;
  STC_TRY(stc_strip_make_forms(s, false, &s->K, &s->M));
  STC_TRY(stc_strip_supports(s, 0, s->u));
  STC_TRY(number_equations(s));
  STC_TRY(split_columns(s, false, &s->A));
  STC_TRY(split_columns(s, true, &s->beside));
  STC_TRY(create_solver(s));
  if (s->settings.pressed) {
    STC_TRY(check_supports(s));
    combine(s, false, 0, 1, &s->A);
    combine(s, true, 0, 1, &s->beside);
    STC_TRY(stc_sparse_factorise(s->spd, s->A.val));
    STC_TRY(press_strip(s));
  }
  combine(s, false, 2 / dt, dt / 2, &s->A);
  combine(s, true, 2 / dt, dt / 2, &s->beside);
  return stc_sparse_factorise(s->spd, s->A.val);
}
