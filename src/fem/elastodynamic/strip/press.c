// Static equilibrium under the supports and loads of t = 0, contact without friction: the surface
// with its normals only,   u = K^-1 (load - K_fixed u_D) + W f.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"

enum { ITERATIONS = 200, SWEEPS = 20000 };

static const double TOLERANCE = 1e-11;
static const double SOLVE_TOLERANCE = 1e-15;

static stc_error solve_for(stc_strip *s, const stc_interface *surface) {
  stc_csr_multiply(&s->beside, s->u, 0, s->rhs);
  for (int r = 0; r < s->free; r++) s->rhs[r] = s->load[s->unknown[r]] - s->rhs[r];
  for (int i = 0; i < surface->nodes; i++) {
    int at = s->equation[stc_strip_component(s, i, 0)];
    if (at >= 0) s->rhs[at] += surface->f[i];
  }
  memset(s->x, 0, (size_t)s->free * sizeof *s->x);
  return stc_sparse_solve(s->spd, 1, s->rhs, s->x, SOLVE_TOLERANCE, NULL);
}

static stc_error find_contact(stc_strip *s, stc_interface *surface) {
  double residual;
  int count = 0;
  memcpy(surface->area, s->surface.area, (size_t)surface->nodes * sizeof *surface->area);
  STC_TRY(stc_strip_condense(s, surface, false));
  STC_TRY(solve_for(s, surface));
  for (int i = 0; i < surface->nodes; i++) {
    int dof = stc_strip_component(s, i, 0), at = s->equation[dof];
    surface->v_free[i] = at >= 0 ? s->x[at] : s->u[dof];
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
  for (int i = 0; i < s->contacts; i++) s->surface.f[i * s->dim] = surface->f[i];
  return STC_OK;
}

stc_error stc_strip_press(stc_strip *s) {
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
