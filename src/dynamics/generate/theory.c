// Problems whose solutions, or their absence, are known in closed form; M = I unless it says else.
//   Painlevé  H = (1, kappa), w = (0, w_T):  sliding needs r_N = f / (1 - mu kappa sign w_T)
//   wedge     two walls at angle a, mass point with v^- = V e_x, restitution e on the normals
//   jammed    a slider in a groove of half-angle a held by n points, restitution e on the normals:
//             the points of a wall share one u, so that it answers like a wedge with two points
//   multiple  n rods of Painlevé that may take off or slide, M tridiagonal (param, 1, param):
//             u_N = v >= 0 and r_N = 1 - M v >= 0 exclude each other, one choice per contact
#include "generators.h"

#include "../../base/elementary.h"
#include "../../base/fail.h"
#include "../../base/memory.h"

#include <math.h>

// Triplets of one matrix.
typedef struct triplets {
  int entries;
  int *row, *col;
  double *value;
} triplets;

// The arrays of a problem.
typedef struct sketch {
  stc_arena arena;
  int dim, contacts, dofs;
  triplets M, H;
  double *f, *w, *mu, *mu2;
} sketch;

static triplets take_triplets(stc_arena *arena, int room) {
  triplets t = {.row = STC_TAKE(arena, int, room), .col = STC_TAKE(arena, int, room)};
  t.value = STC_TAKE(arena, double, room);
  return t;
}

static void add_triplet(triplets *t, int row, int col, double value) {
  if (value == 0.0) return;
  t->row[t->entries] = row;
  t->col[t->entries] = col;
  t->value[t->entries++] = value;
}

// A problem with M = I and room for three entries per row; mu2 = 0: isotropic.
static stc_error sketch_open(sketch *p, int dim, int contacts, int dofs, double mu, double mu2) {
  *p = (sketch){.dim = dim, .contacts = contacts, .dofs = dofs};
  p->M = take_triplets(&p->arena, 3 * dofs);
  p->H = take_triplets(&p->arena, 3 * dim * contacts);
  p->f = STC_TAKE(&p->arena, double, dofs);
  p->w = STC_TAKE(&p->arena, double, dim *contacts);
  p->mu = STC_TAKE(&p->arena, double, contacts);
  p->mu2 = mu2 > 0.0 ? STC_TAKE(&p->arena, double, contacts) : NULL;
  stc_error error = stc_arena_check(&p->arena);
  if (error) stc_arena_free(&p->arena);
  if (error) return error;
  for (int i = 0; i < dofs; i++) add_triplet(&p->M, i, i, 1.0);
  for (int c = 0; c < contacts; c++) {
    p->mu[c] = mu;
    if (p->mu2) p->mu2[c] = mu2;
  }
  return STC_OK;
}

static stc_matrix view(const triplets *t, int rows, int cols) {
  return (stc_matrix){.rows = rows,
                      .cols = cols,
                      .entries = t->entries,
                      .storage = STC_STORAGE_TRIPLET,
                      .i = t->row,
                      .p = t->col,
                      .x = t->value};
}

// Makes the problem and frees the sketch.
static stc_error sketch_finish(sketch *p, const char *known, stc_problem **problem) {
  stc_global_data data = {.dim = p->dim,
                          .contacts = p->contacts,
                          .dofs = p->dofs,
                          .M = view(&p->M, p->dofs, p->dofs),
                          .H = view(&p->H, p->dim * p->contacts, p->dofs),
                          .f = p->f,
                          .w = p->w,
                          .mu = p->mu,
                          .mu2 = p->mu2};
  stc_error error = stc_problem_create_global(&data, problem);
  if (!error) error = stc_problem_set_text(*problem, &(stc_problem_text){.math_info = known});
  if (error) stc_problem_free(problem);
  stc_arena_free(&p->arena);
  return error;
}

// Sub-cases of the Painlevé problem with what is known for mu = 1, kappa = 2.
typedef struct painleve_case {
  double w_T, f;
  bool blocked;  // a second contact keeps v >= 1, so that the first one can never close
  const char *known;
} painleve_case;

static const painleve_case PAINLEVE[] = {
    {1, 1, false, "no solution where mu kappa > 1"},
    {1, -1, false,
     "mu = 1, kappa = 2: exactly two solutions, v = 1, u = (1, 3), r = 0 and v = 0, u = (0, 1), "
     "r = (1, -1)"},
    {-1, 1, false, "mu = 1, kappa = 2: one solution, v = 0, u = (0, -1), r = (1/3, 1/3)"},
    {-1, -1, false, "mu = 1, kappa = 2: one solution, v = 1, u = (1, 1), r = 0"},
    {1, 10, true, "v = 1, r = (0, 0) at contact 0, r_N = 11 and any |r_T| <= 5.5 at contact 1"}};

// H = (1, kappa), w = (0, w_T) at the first contact.
static void add_painleve(sketch *p, double kappa, double w_T) {
  add_triplet(&p->H, 0, 0, 1.0);
  add_triplet(&p->H, 1, 0, kappa);
  p->w[1] = w_T;
}

stc_error stc_generate_painleve(const stc_generator *options, stc_problem **problem) {
  const painleve_case *sub = &PAINLEVE[options->n];
  sketch p;
  STC_TRY(sketch_open(&p, 2, sub->blocked ? 2 : 1, 1, options->mu, 0.0));
  add_painleve(&p, options->param, sub->w_T);
  p.f[0] = sub->f;
  if (sub->blocked) {
    add_triplet(&p.H, 2, 0, 1.0);
    p.w[2] = -1.0;
    p.mu[1] = 0.5;
  }
  return sketch_finish(&p, sub->known, problem);
}

stc_error stc_generate_painleve3d(const stc_generator *options, stc_problem **problem) {
  sketch p;
  STC_TRY(sketch_open(&p, 3, 1, 1, options->mu, options->mu2));
  add_painleve(&p, 2.0, 1.0);
  p.w[2] = options->param;
  p.f[0] = 1.0;
  return sketch_finish(&p,
                       "mu = 1: no solution where param < sqrt(3), else one with "
                       "r_N = 1 / (1 - 2 / sqrt(1 + param^2))",
                       problem);
}

// Sub-cases of the wedge with what is known for mu = 0.5, V = 1.
typedef struct wedge_case {
  double angle, restitution;
  const char *known;
} wedge_case;

static const wedge_case WEDGE[] = {
    {0.3, 0.5, "mu = 0.5: no solution (the wedge jams, tan a < mu)"},
    {0.3, 0.0, "mu = 0.5: v = 0, with a continuum of reactions"},
    {0.6, 0.5, "mu = 0.5, param = 1: one solution, v = (-0.5, 0), r = (4.935, 2.4675) at both"},
    {0.6, 0.0, "mu = 0.5: v = 0, with a continuum of reactions"}};

// Rows N, T1 of contact k on the wall at angle +a or -a in the plane, T2 along z where dim is 3;
// w_N = e u_N^- for a speed along x.
static void add_wall(sketch *p, int k, double angle, double approach) {
  double c = stc_cos(angle), s = stc_sin(angle), side = k % 2 == 0 ? 1.0 : -1.0;
  int row = k * p->dim;
  add_triplet(&p->H, row, 0, -s);
  add_triplet(&p->H, row, 1, side * c);
  add_triplet(&p->H, row + 1, 0, c);
  add_triplet(&p->H, row + 1, 1, side * s);
  if (p->dim == 3) add_triplet(&p->H, row + 2, 2, 1.0);
  p->w[row] = approach * -s;
}

stc_error stc_generate_wedge(const stc_generator *options, stc_problem **problem) {
  const wedge_case *sub = &WEDGE[options->n];
  sketch p;
  STC_TRY(sketch_open(&p, 2, 2, 2, options->mu, 0.0));
  for (int k = 0; k < 2; k++) add_wall(&p, k, sub->angle, sub->restitution * options->param);
  p.f[0] = -options->param;
  return sketch_finish(&p, sub->known, problem);
}

stc_error stc_generate_wedge3d(const stc_generator *options, stc_problem **problem) {
  sketch p;
  STC_TRY(sketch_open(&p, 3, 2, 3, options->mu, options->mu2));
  for (int k = 0; k < 2; k++) add_wall(&p, k, WEDGE[0].angle, WEDGE[0].restitution);
  p.f[0] = -1.0;
  p.f[2] = -options->param;
  return sketch_finish(&p, "mu = 0.5: no solution where |param| < 5.952499, two where it is larger",
                       problem);
}

// Half-angle of the groove, rad: tan a = 0.309 is below the default mu, so that it jams.
static const double GROOVE = 0.3;

// v^- = (1, 0); even points lie on the wall at +a, odd ones on the wall at -a.
stc_error stc_generate_jammed(const stc_generator *options, stc_problem **problem) {
  sketch p;
  STC_TRY(sketch_open(&p, 2, options->n, 2, options->mu, 0.0));
  for (int k = 0; k < p.contacts; k++) add_wall(&p, k, GROOVE, options->param);
  p.f[0] = -1.0;
  return sketch_finish(&p,
                       "no solution where param > 0 and mu > tan 0.3 = 0.3093; v = 0 with a "
                       "continuum of reactions where param = 0; v = (-param, 0) where mu < tan 0.3",
                       problem);
}

// H = (1, 2), w = (0, 1), f = -1 for any rod.
stc_error stc_generate_multiple(const stc_generator *options, stc_problem **problem) {
  if (fabs(options->param) >= 0.5)
    return stc_fail(STC_ERR_VALUE,
                    "multiple: param = %g couples the rods so strongly that solutions merge; it "
                    "must be between -0.5 and 0.5",
                    options->param);
  sketch p;
  STC_TRY(sketch_open(&p, 2, options->n, options->n, options->mu, 0.0));
  for (int i = 0; i < p.dofs; i++) {
    if (i > 0) add_triplet(&p.M, i, i - 1, options->param);
    if (i + 1 < p.dofs) add_triplet(&p.M, i, i + 1, options->param);
    add_triplet(&p.H, 2 * i, i, 1.0);
    add_triplet(&p.H, 2 * i + 1, i, 2.0);
    p.f[i] = -1.0;
    p.w[2 * i + 1] = 1.0;
  }
  return sketch_finish(&p, "mu = 1: exactly 2^n solutions, each contact open or sliding", problem);
}
