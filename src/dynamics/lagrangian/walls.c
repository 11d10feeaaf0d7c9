// The walls: which are in contact at q_M, their frames
//   H = (n, T1, T2, ...) with n = -grad f,   U = H (u - V_w),   [Moreau 1986]
// their coefficients from the velocity before the step, and the path out of a violation f > 0.
#include "../../base/fail.h"
#include "../../base/vec3.h"
#include "simulation.h"

#include <limits.h>
#include <math.h>
#include <string.h>

int stc_law_sliding(const stc_law *law) {
  if (law->kind == STC_LAW_CONTENSOU) return 2;
  if (law->kind == STC_LAW_ROLLING) return law->dim == 5 ? 2 : 1;
  return law->dim - 1;
}

// --- Rows of H ---

/// Room for one more row of H.
static stc_error reserve(stc_contacts *c) {
  stc_csr *H = &c->H;
  int used = H->ptr[H->rows], most = INT_MAX / 2;
  if (c->capacity - used >= H->cols) return STC_OK;
  if (used > most - H->cols)
    return stc_fail(STC_ERR_MEMORY, "the frames of %d walls have more than %d entries",
                    c->row.count, most);
  int capacity = 2 * (used + H->cols);
  int *col = stc_calloc((size_t)capacity, sizeof *col);
  double *val = stc_calloc((size_t)capacity, sizeof *val);
  if (!col || !val) {
    stc_release(&col);
    stc_release(&val);
    return stc_fail(STC_ERR_MEMORY, "out of memory for the frames of %d walls", c->row.count);
  }
  if (used) memcpy(col, H->col, (size_t)used * sizeof *col);
  if (used) memcpy(val, H->val, (size_t)used * sizeof *val);
  stc_release(&H->col);
  stc_release(&H->val);
  H->col = col;
  H->val = val;
  c->capacity = capacity;
  return STC_OK;
}

/// Adds the row factor * x; x NULL: a row of zeros.
static stc_error append_row(stc_contacts *c, double factor, const double *x) {
  STC_TRY(reserve(c));
  stc_csr *H = &c->H;
  int at = H->ptr[H->rows];
  for (int i = 0; x && i < H->cols; i++) {
    if (x[i] == 0) continue;
    H->col[at] = i;
    H->val[at++] = factor * x[i];
  }
  H->ptr[++H->rows] = at;
  return STC_OK;
}

/// T1 (and T2) for a unit normal n: (1, 0) on a floor in the plane, x and y on one in space
/// [Duff et al. 2017].
static void tangents_of(const double *n, int dim, double T[2][3]) {
  if (dim == 2) {
    T[0][0] = n[1];
    T[0][1] = -n[0];
    return;
  }
  double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  memcpy(T[0], (double[]){1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]}, sizeof T[0]);
  memcpy(T[1], (double[]){b, sign + n[1] * n[1] * a, -n[1]}, sizeof T[1]);
}

static stc_error append_point(stc_simulation *s) {
  int dim = s->system.dim;
  double n[3], T[2][3], norm = stc_vector_norm(s->wall.gradient, dim);
  for (int k = 0; k < dim; k++) n[k] = -s->wall.gradient[k] / norm;
  tangents_of(n, dim, T);
  STC_TRY(append_row(&s->contacts, 1, n));
  for (int k = 0; k < dim - 1; k++) STC_TRY(append_row(&s->contacts, 1, T[k]));
  return STC_OK;
}

static stc_error append_frame(stc_simulation *s, int j) {
  const stc_wall *wall = &s->wall;
  int dofs = s->system.dofs, dim = s->system.dim;
  if (!(stc_vector_largest(wall->gradient, dofs) > 0))
    return stc_fail(STC_ERR_VALUE, "wall %d: the gradient vanishes where the wall is in contact",
                    j);
  if (!wall->tangents && dofs == dim && dim <= 3) return append_point(s);
  if (!wall->tangents && wall->law.kind != STC_LAW_FRICTIONLESS)
    return stc_fail(STC_ERR_DIMENSION,
                    "wall %d gives no tangents, and a contact of %d components in a system of %d "
                    "coordinates has no natural ones; give %d rows",
                    j, dim, dofs, dim - 1);
  STC_TRY(append_row(&s->contacts, -1, wall->gradient));
  for (int k = 0; k < dim - 1; k++)
    STC_TRY(append_row(&s->contacts, 1,
                       wall->tangents ? wall->tangent + (size_t)k * (size_t)dofs : NULL));
  return STC_OK;
}

/// y = the rows of contact c of H, times x.
static void apply(const stc_contacts *c, int contact, int dim, const double *x, double *y) {
  const stc_csr *H = &c->H;
  for (int k = 0; k < dim; k++) {
    int row = contact * dim + k;
    y[k] = 0;
    for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++) y[k] += H->val[e] * x[H->col[e]];
  }
}

// --- Laws ---

/// What wall j did up to the beginning of the step. A wall that stuck is at rest, whatever rounding
/// left.
static stc_error recall_past(stc_simulation *s, int contact, int j, const stc_law *law,
                             stc_contact_past *past) {
  const stc_memory *memory = &s->memory[j];
  double V[STC_MAX_DIM], impulse = s->impulse[(size_t)j * (size_t)s->system.dim];
  *past = (stc_contact_past){.slip = memory->slip,
                             .t = stc_simulation_time(s),
                             .force = impulse / s->stepping.h,
                             .age = memory->age};
  for (int k = 0; k < 3 && k < s->system.dofs; k++) past->place[k] = s->q_M[k];
  STC_TRY(stc_ask_wall(s, j, past->t, s->q_M, STC_WALL_VELOCITY));
  apply(&s->contacts, contact, law->dim, s->u, past->u);
  apply(&s->contacts, contact, law->dim, s->wall.velocity, V);
  for (int k = 0; k < law->dim; k++) past->u[k] -= V[k];
  for (int k = 1; k <= stc_law_sliding(law) && memory->stuck; k++) past->u[k] = 0;
  for (int k = 1; k <= stc_law_sliding(law); k++) past->speed = hypot(past->speed, past->u[k]);
  return STC_OK;
}

static stc_error check_dimension(const stc_simulation *s, const stc_law *law) {
  if (law->dim == s->system.dim) return STC_OK;
  return stc_fail(STC_ERR_DIMENSION, "its law has %d components, the system's contacts %d",
                  law->dim, s->system.dim);
}

/// The law of this step, which depends on what happened before it only.
static stc_error choose_law(stc_simulation *s, int contact, int j, stc_law *law) {
  const stc_coefficient coefficient = s->wall.coefficient;
  bool varies = coefficient.kind != STC_COEFFICIENT_CONSTANT;
  stc_contact_past past;
  *law = s->wall.law;
  STC_TRY(stc_fail_wall(check_dimension(s, law), j));
  if (varies || s->system.law) STC_TRY(recall_past(s, contact, j, law, &past));
  if (varies || !isnan(coefficient.mu_s)) {
    STC_TRY(stc_fail_wall(stc_coefficient_check(&coefficient), j));
    double mu = varies ? stc_coefficient_mu(&coefficient, &past) : coefficient.mu_s;
    if (!isfinite(mu) && stc_error_detail()[0] != '\0') return STC_ERR_CALLBACK;
    *law = stc_law_with_mu(law, mu);
  }
  if (s->system.law) STC_TRY(stc_ask_law(s, j, &past, law));
  STC_TRY(stc_fail_wall(check_dimension(s, law), j));
  return stc_fail_wall(stc_law_check(law), j);
}

// --- The walls in contact at q_M ---

/// Takes up wall j: what it is at (t + h/2, q_M), how it moves at t + h.
static stc_error add_wall_contact(stc_simulation *s, int j) {
  stc_contacts *c = &s->contacts;
  int contact = c->row.count, dim = s->system.dim;
  double t = stc_simulation_time(s), h = s->stepping.h;
  STC_TRY(stc_ask_wall(s, j, t + h / 2, s->q_M, STC_WALL_ALL));
  STC_TRY(append_frame(s, j));
  c->wall[contact] = j;
  c->restitution[contact] = s->wall.restitution;
  STC_TRY(choose_law(s, contact, j, &c->law[contact]));
  STC_TRY(stc_ask_wall(s, j, t + h, s->q_M, STC_WALL_VELOCITY));
  apply(c, contact, dim, s->wall.velocity, c->row.drive + (size_t)contact * (size_t)dim);
  c->row.count++;
  return STC_OK;
}

/// U before the step and with u_L, the start of the impulses, and how many walls are approached.
static void prepare_rows(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  int dim = s->system.dim;
  stc_csr_multiply(&c->H, s->u, 0, c->row.before);
  stc_csr_multiply(&c->H, s->u_L, 0, c->row.free);
  for (int k = 0; k < c->row.count * dim; k++) {
    c->row.before[k] -= c->row.drive[k];
    c->row.free[k] -= c->row.drive[k];
    c->row.guess[k] = s->impulse[(size_t)c->wall[k / dim] * (size_t)dim + (size_t)(k % dim)];
  }
  c->approaching = 0;
  for (int i = 0; i < c->row.count; i++) c->approaching += c->row.free[i * dim] < 0;
}

stc_error stc_contacts_gather(stc_simulation *s) {
  stc_contacts *c = &s->contacts;
  double middle = stc_simulation_time(s) + s->stepping.h / 2;
  c->row.count = c->H.rows = 0;
  for (int j = 0; j < s->system.walls; j++) {
    STC_TRY(stc_ask_wall(s, j, middle, s->q_M, STC_WALL_GAP));
    if (s->wall.f >= -s->stepping.rest) STC_TRY(add_wall_contact(s, j));
  }
  prepare_rows(s);
  return STC_OK;
}

// --- Violations ---

static stc_error largest_violation(stc_simulation *s, double t, double *violation) {
  *violation = 0;
  for (int j = 0; j < s->system.walls; j++) {
    STC_TRY(stc_ask_wall(s, j, t, s->q_F, STC_WALL_GAP));
    *violation = fmax(*violation, s->wall.f);
  }
  return STC_OK;
}

stc_error stc_walls_correct(stc_simulation *s, double *violation) {
  double t = stc_simulation_time(s) + s->stepping.h;
  STC_TRY(largest_violation(s, t, violation));
  if (!(s->stepping.correction > 0 && *violation > 0)) return STC_OK;
  for (int j = 0; j < s->system.walls; j++) {
    STC_TRY(stc_ask_wall(s, j, t, s->q_F, STC_WALL_GAP));
    // q_F moves by -part f M^-1 g / (g.M^-1 g), g = grad f: the shortest path measured by the
    // mass.
    if (s->wall.f > 0) {
      int dofs = s->system.dofs;
      const double *g = s->wall.gradient;
      memcpy(s->scratch, g, (size_t)dofs * sizeof *g);
      STC_TRY(stc_mass_solve(&s->mass, s->scratch));
      double square = stc_vector_dot(g, s->scratch, dofs);
      if (!(square > 0))
        return stc_fail(STC_ERR_VALUE, "wall %d: the gradient vanishes where f = %g > 0", j,
                        s->wall.f);
      double step = s->stepping.correction * s->wall.f / square;
      for (int i = 0; i < dofs; i++) s->q_F[i] -= step * s->scratch[i];
    }
  }
  return largest_violation(s, t, violation);
}
