// Patches: where sweeps do not get on, what is left sits in a few clusters of contacts. Each is
// solved by itself, with the impulses around it held,
//   M v + (f - H_out^T r_out) = H_in^T r_in,   the laws of its contacts,
// over the bodies it touches; then sweeps go on   [a multiplicative Schwarz method].
#include "solvers.h"

#include "../base/clock.h"

#include <stdlib.h>

// A patch is grown around the worst contact that has none, ring by ring of neighbours; a turn
// covers this share of what is left.
static const double SHARE = 0.9;
enum { MOST = STC_LARGEST_PATCH };

// A patch is solved to this part of the tolerance, or of what is left around it, for as long as it
// is worth.
static const double PART_OF_TOL = 0.1, PART_OF_ETA = 0.02;
enum { ITERATIONS = 3000 };

typedef struct grade {
  double term;
  int contact;
} grade;

/// What a turn of patches works on; all of it is in `arena`.
typedef struct turn {
  stc_arena arena;
  const stc_world *world;
  stc_global_data data;  ///< of the step's problem
  const stc_law *law;
  int n, blocks;  ///< degrees of freedom of a body, bodies
  int *ptr, *on;  ///< [blocks+1], contacts on each body
  double *p;      ///< [dofs] H^T r
  grade *grade;   ///< [contacts] the worst first
  int *mark;      ///< [contacts] number of the last patch it is in, from 1
  int *place;     ///< [blocks] number in the patch, -1: not in it
  stc_patch_size size;
  double tol;  ///< of a patch
  double *r;
} turn;

/// Contacts and bodies of a patch, both increasing.
typedef struct patch {
  int number;
  int contacts, blocks;
  int contact[MOST], block[2 * MOST];
} patch;

// --- The turn ---

/// The first row of contact c, and the entries of that row: a block of n for each body.
static int first_entry(const turn *o, int c) { return o->data.H.p[c * o->data.dim]; }
static int sides(const turn *o, int c) {
  return (o->data.H.p[c * o->data.dim + 1] - first_entry(o, c)) / o->n;
}
static int side(const turn *o, int c, int k) {
  return o->data.H.i[first_entry(o, c) + k * o->n] / o->n;
}

static void list_contacts(turn *o) {
  for (int c = 0; c < o->data.contacts; c++)
    for (int k = 0; k < sides(o, c); k++) o->ptr[side(o, c, k) + 1]++;
  for (int b = 0; b < o->blocks; b++) o->ptr[b + 1] += o->ptr[b];
  for (int c = 0; c < o->data.contacts; c++)
    for (int k = 0; k < sides(o, c); k++) o->on[o->ptr[side(o, c, k)]++] = c;
  for (int b = o->blocks; b > 0; b--) o->ptr[b] = o->ptr[b - 1];
  o->ptr[0] = 0;
}

static int worse(const void *a, const void *b) {
  const grade *x = a, *y = b;
  if (x->term != y->term) return x->term > y->term ? -1 : 1;
  return x->contact < y->contact ? -1 : 1;
}

/// About tr(W_cc) / dim: enough to rank the contacts.
static double stiffness(const turn *o, int c) {
  int d = o->data.dim;
  double sum = 0;
  for (int e = o->data.H.p[c * d]; e < o->data.H.p[(c + 1) * d]; e++) {
    int row = o->data.H.i[e];
    double mass = 0;
    for (int k = o->data.M.p[row]; k < o->data.M.p[row + 1]; k++)
      if (o->data.M.i[k] == row) mass = o->data.M.x[k];
    sum += o->data.H.x[e] * o->data.H.x[e] / mass;
  }
  return sum / d;
}

static void rank(turn *o, const double *u) {
  int d = o->data.dim;
  for (int c = 0; c < o->data.contacts; c++) {
    double F[STC_MAX_DIM], kappa = stiffness(o, c), sum = 0;
    if (kappa > 0) stc_law_residual(&o->law[c], kappa, o->r + c * d, u + c * d, F);
    for (int k = 0; k < d && kappa > 0; k++) sum += F[k] * F[k] / kappa;
    o->grade[c] = (grade){sum, c};
  }
  qsort(o->grade, (size_t)o->data.contacts, sizeof *o->grade, worse);
}

static stc_error open_turn(const stc_world *world, double *r, const double *u, turn *o) {
  *o = (turn){.world = world, .data = stc_problem_global_data(world->problem), .r = r};
  o->law = world->law.data;
  o->n = stc_body_dofs(world);
  o->blocks = world->dofs / o->n;
  size_t contacts = (size_t)world->count;
  o->ptr = STC_TAKE(&o->arena, int, o->blocks + 1);
  o->on = STC_TAKE_RAW(&o->arena, int, 2 * contacts);
  o->p = STC_TAKE(&o->arena, double, world->dofs);
  o->grade = STC_TAKE_RAW(&o->arena, grade, contacts);
  o->mark = STC_TAKE(&o->arena, int, contacts);
  o->place = STC_TAKE_RAW(&o->arena, int, o->blocks);
  STC_TRY(stc_arena_check(&o->arena));
  for (int b = 0; b < o->blocks; b++) o->place[b] = -1;
  list_contacts(o);
  stc_rows_add_transposed(&world->H, r, o->p);
  rank(o, u);
  return STC_OK;
}

// --- A patch ---

static int increasing(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void add_contact(turn *o, patch *p, int c) {
  if (p->contacts == o->size.contacts || o->mark[c] == p->number) return;
  o->mark[c] = p->number;
  p->contact[p->contacts++] = c;
}

static void grow(turn *o, int seed, patch *p) {
  int first = 0;
  p->contacts = p->blocks = 0;
  add_contact(o, p, seed);
  for (int ring = 0; ring < o->size.rings; ring++)
    for (int end = p->contacts; first < end; first++)
      for (int k = 0; k < sides(o, p->contact[first]); k++) {
        int b = side(o, p->contact[first], k);
        for (int e = o->ptr[b]; e < o->ptr[b + 1]; e++) add_contact(o, p, o->on[e]);
      }
  qsort(p->contact, (size_t)p->contacts, sizeof *p->contact, increasing);
}

static void number_blocks(turn *o, patch *p) {
  for (int c = 0; c < p->contacts; c++)
    for (int k = 0; k < sides(o, p->contact[c]); k++) {
      int b = side(o, p->contact[c], k);
      if (o->place[b] < 0) p->block[p->blocks++] = b;
      o->place[b] = 0;
    }
  qsort(p->block, (size_t)p->blocks, sizeof *p->block, increasing);
  for (int b = 0; b < p->blocks; b++) o->place[p->block[b]] = b;
}

/// Impulses of the patch, out of those on the bodies (sign -1) or into them (1).
static void count_impulses(turn *o, const patch *p, double sign) {
  int d = o->data.dim;
  for (int c = 0; c < p->contacts; c++)
    for (int row = p->contact[c] * d; row < (p->contact[c] + 1) * d; row++)
      for (int e = o->data.H.p[row]; e < o->data.H.p[row + 1]; e++)
        o->p[o->data.H.i[e]] += sign * o->data.H.x[e] * o->r[row];
}

/// Rows `first` .. `first + rows - 1` of A at the end of B, columns numbered as in the patch.
static void copy_rows(const turn *o, const stc_matrix *A, int first, int rows, stc_rows *B) {
  int *ptr = B->ptr.data, *col = B->col.data;
  double *val = B->val.data;
  for (int row = first; row < first + rows; row++) {
    int at = ptr[B->rows];
    for (int e = A->p[row]; e < A->p[row + 1]; e++, at++) {
      col[at] = o->place[A->i[e] / o->n] * o->n + A->i[e] % o->n;
      val[at] = A->x[e];
    }
    ptr[++B->rows] = at;
  }
}

static void take_rows(stc_arena *arena, int rows, int entries, stc_rows *A) {
  *A = (stc_rows){.ptr = {.data = STC_TAKE(arena, int, rows + 1)},
                  .col = {.data = STC_TAKE_RAW(arena, int, entries)},
                  .val = {.data = STC_TAKE_RAW(arena, double, entries)}};
}

static stc_error make_problem(turn *o, const patch *p, stc_arena *arena, stc_problem **problem) {
  int d = o->data.dim, dofs = p->blocks * o->n, size = p->contacts * d;
  const double *added = STC_ROW(o->world, STC_ROW_W), *drive = STC_ROW(o->world, STC_ROW_DRIVE);
  stc_rows M, H;
  take_rows(arena, dofs, dofs * o->n, &M);
  take_rows(arena, size, 2 * size * o->n, &H);
  double *f = STC_TAKE_RAW(arena, double, dofs), *w = STC_TAKE_RAW(arena, double, size);
  stc_law *law = STC_TAKE_RAW(arena, stc_law, p->contacts);
  STC_TRY(stc_arena_check(arena));
  for (int b = 0; b < p->blocks; b++) {
    int first = p->block[b] * o->n;
    copy_rows(o, &o->data.M, first, o->n, &M);
    for (int k = 0; k < o->n; k++) f[b * o->n + k] = o->data.f[first + k] - o->p[first + k];
  }
  for (int c = 0; c < p->contacts; c++) {
    int first = p->contact[c] * d;
    copy_rows(o, &o->data.H, first, d, &H);
    for (int k = 0; k < d; k++) w[c * d + k] = added[first + k] - drive[first + k];
    law[c] = o->law[p->contact[c]];
  }
  return stc_problem_create_global(&(stc_global_data){.dim = d,
                                                      .contacts = p->contacts,
                                                      .dofs = dofs,
                                                      .M = stc_rows_view(&M, dofs),
                                                      .H = stc_rows_view(&H, dofs),
                                                      .f = f,
                                                      .w = w,
                                                      .law = law},
                                   problem);
}

static stc_error solve_problem(turn *o, const patch *p, const stc_problem *problem, double *r) {
  stc_settings settings = o->world->settings.solver;
  stc_solver *solver = NULL;
  int d = o->data.dim;
  settings.method = "auto";
  settings.tol = o->tol;
  settings.max_iterations = ITERATIONS;
  settings.progress = NULL;
  for (int c = 0; c < p->contacts; c++)
    memcpy(r + c * d, o->r + p->contact[c] * d, (size_t)d * sizeof *r);
  stc_error error = stc_solver_setup(&solver, problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, NULL);
  stc_solver_free(&solver);
  for (int c = 0; c < p->contacts && !error; c++)
    memcpy(o->r + p->contact[c] * d, r + c * d, (size_t)d * sizeof *r);
  return error;
}

static stc_error solve_patch(turn *o, patch *p) {
  stc_arena arena = {0};
  stc_problem *problem = NULL;
  number_blocks(o, p);
  count_impulses(o, p, -1);
  stc_error error = make_problem(o, p, &arena, &problem);
  double *r = STC_TAKE_RAW(&arena, double, p->contacts * o->data.dim);
  if (!error) error = stc_arena_check(&arena);
  if (!error) error = solve_problem(o, p, problem, r);
  count_impulses(o, p, 1);
  for (int b = 0; b < p->blocks; b++) o->place[p->block[b]] = -1;
  stc_problem_free(&problem);
  stc_arena_free(&arena);
  return error;
}

static stc_error run_turn(turn *o, double deadline) {
  double whole = 0, covered = 0;
  patch p = {0};
  for (int k = 0; k < o->data.contacts; k++) whole += o->grade[k].term;
  for (int k = 0; k < o->data.contacts && covered < SHARE * whole; k++) {
    covered += o->grade[k].term;
    if (o->mark[o->grade[k].contact]) continue;
    if (stc_clock() > deadline) return STC_OK;
    p.number++;
    grow(o, o->grade[k].contact, &p);
    STC_TRY(solve_patch(o, &p));
  }
  return STC_OK;
}

stc_error stc_world_patch(const stc_world *world, stc_patch_size size, double eta, double deadline,
                          double *r, const double *u) {
  turn o;
  stc_error error = open_turn(world, r, u, &o);
  o.size = size;
  o.tol = fmax(PART_OF_TOL * world->settings.tol, PART_OF_ETA * eta);
  if (!error) error = run_turn(&o, deadline);
  stc_arena_free(&o.arena);
  return error;
}
