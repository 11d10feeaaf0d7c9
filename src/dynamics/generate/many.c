// Problems of any number of contacts whose solutions are counted in closed form, all in the plane.
//   jammed    a slider in a groove of half-angle a held by n points, restitution e on the normals:
//             the points of a wall share one u, so that it answers like a wedge with two points
//   multiple  n rods of Painlevé that may take off or slide, M tridiagonal (param, 1, param):
//             u_N = v >= 0 and r_N = 1 - M v >= 0 exclude each other, one choice per contact
#include "../../base/elementary.h"
#include "../../base/fail.h"
#include "../../base/memory.h"
#include "generators.h"

#include <math.h>

// Half-angle of the groove, rad: tan a = 0.309 is below the default mu, so that it jams.
static const double GROOVE = 0.3;

// Triplets of one matrix.
typedef struct triplets {
  int entries;
  int *row, *col;
  double *value;
} triplets;

// The arrays of a plane problem.
typedef struct plane {
  stc_arena arena;
  int contacts, dofs;
  triplets M, H;
  double *f, *w, *mu;
} plane;

static triplets take_triplets(stc_arena *arena, int room) {
  triplets t = {.row = STC_TAKE(arena, int, room), .col = STC_TAKE(arena, int, room)};
  t.value = STC_TAKE(arena, double, room);
  return t;
}

static void add(triplets *t, int row, int col, double value) {
  if (value == 0.0) return;
  t->row[t->entries] = row;
  t->col[t->entries] = col;
  t->value[t->entries++] = value;
}

// Room for 3 entries per row of M and 2 per row of H.
static stc_error take(plane *p, int contacts, int dofs, double mu) {
  *p = (plane){.contacts = contacts, .dofs = dofs};
  p->M = take_triplets(&p->arena, 3 * dofs);
  p->H = take_triplets(&p->arena, 4 * contacts);
  p->f = STC_TAKE(&p->arena, double, dofs);
  p->w = STC_TAKE(&p->arena, double, 2 * contacts);
  p->mu = STC_TAKE(&p->arena, double, contacts);
  STC_TRY(stc_arena_check(&p->arena));
  for (int c = 0; c < contacts; c++) p->mu[c] = mu;
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

static stc_error create(const plane *p, const char *known, stc_problem **problem) {
  stc_global_data data = {.dim = 2, .contacts = p->contacts, .dofs = p->dofs};
  data.M = view(&p->M, p->dofs, p->dofs);
  data.H = view(&p->H, 2 * p->contacts, p->dofs);
  data.f = p->f;
  data.w = p->w;
  data.mu = p->mu;
  STC_TRY(stc_problem_create_global(&data, problem));
  stc_error error = stc_problem_set_text(*problem, &(stc_problem_text){.math_info = known});
  if (error) stc_problem_free(problem);
  return error;
}

// v^- = (1, 0); even points lie on the wall at +a, odd ones on the wall at -a.
static void fill_jammed(plane *p, double restitution) {
  double c = stc_cos(GROOVE), s = stc_sin(GROOVE);
  for (int i = 0; i < 2; i++) add(&p->M, i, i, 1.0);
  p->f[0] = -1.0;
  for (int k = 0; k < p->contacts; k++) {
    double side = k % 2 == 0 ? 1.0 : -1.0;
    add(&p->H, 2 * k, 0, -s);
    add(&p->H, 2 * k, 1, side * c);
    add(&p->H, 2 * k + 1, 0, c);
    add(&p->H, 2 * k + 1, 1, side * s);
    p->w[2 * k] = -restitution * s;
  }
}

stc_error stc_generate_jammed(const stc_generator *options, stc_problem **problem) {
  plane p;
  stc_error error = take(&p, options->n, 2, options->mu);
  if (!error) fill_jammed(&p, options->param);
  if (!error)
    error = create(&p,
                   "no solution where param > 0 and mu > tan 0.3 = 0.3093; v = 0 with a continuum "
                   "of reactions where param = 0; v = (-param, 0) where mu < tan 0.3",
                   problem);
  stc_arena_free(&p.arena);
  return error;
}

// H = (1, 2), w = (0, 1), f = -1 for every rod.
static void fill_multiple(plane *p, double coupling) {
  for (int i = 0; i < p->dofs; i++) {
    if (i > 0) add(&p->M, i, i - 1, coupling);
    add(&p->M, i, i, 1.0);
    if (i + 1 < p->dofs) add(&p->M, i, i + 1, coupling);
    add(&p->H, 2 * i, i, 1.0);
    add(&p->H, 2 * i + 1, i, 2.0);
    p->f[i] = -1.0;
    p->w[2 * i + 1] = 1.0;
  }
}

stc_error stc_generate_multiple(const stc_generator *options, stc_problem **problem) {
  if (fabs(options->param) >= 0.5)
    return stc_fail(STC_ERR_VALUE,
                    "multiple: param = %g couples the rods so strongly that solutions merge; it "
                    "must be between -0.5 and 0.5",
                    options->param);
  plane p;
  stc_error error = take(&p, options->n, options->n, options->mu);
  if (!error) fill_multiple(&p, options->param);
  if (!error)
    error = create(&p, "mu = 1: exactly 2^n solutions, each contact open or sliding", problem);
  stc_arena_free(&p.arena);
  return error;
}
