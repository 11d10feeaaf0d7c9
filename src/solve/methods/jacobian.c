// Newton systems over contacts or over bodies: assembly, factorisation, refined solution.
#include "jacobian.h"

#include "../../base/stop.h"
#include "../../linalg/small.h"
#include "jacobian_pattern.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 4 };             // [bound]
static const double ASSEMBLED = 300;  // operations of a contact that is assembled, about [machine]

// ---- small blocks, by columns ----

static void block_multiply(int d, const double *X, const double *Y, double *Z) {
  for (int l = 0; l < d; l++)
    for (int k = 0; k < d; k++) {
      double sum = 0;
      for (int j = 0; j < d; j++) sum += X[k + j * d] * Y[j + l * d];
      Z[k + l * d] = sum;
    }
}

static inline void apply_sized(int d, const double *X, const double *x, double *y) {
  for (int k = 0; k < d; k++) {
    double sum = 0;
    for (int j = 0; j < d; j++) sum += X[k + j * d] * x[j];
    y[k] = sum;
  }
}

static inline void block_apply(int d, const double *X, const double *x, double *y) {
  if (d == 3)
    apply_sized(3, X, x, y);
  else
    apply_sized(d, X, x, y);
}

// ---- rows of H, d x n by columns; the sizes of rigid bodies are constants ----

// x -= H^T g
static inline void subtract_impulse(int d, int n, const double *H, const double *g,
                                    double *restrict x) {
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int k = 0; k < d; k++) sum += H[k + j * d] * g[k];
    x[j] -= sum;
  }
}

// u += H x
static inline void add_motion(int d, int n, const double *H, const double *x, double *restrict u) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < d; k++) u[k] += H[k + j * d] * x[j];
}

// Y = C H
static inline void stretch(int d, int n, const double *C, const double *H, double *restrict Y) {
  for (int j = 0; j < n; j++) apply_sized(d, C, H + (ptrdiff_t)j * d, Y + (ptrdiff_t)j * d);
}

// to += H^T Y, n x m
static inline void add_product_jacobian(int d, int n, int m, const double *H, const double *Y,
                                        double *restrict to) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < d; k++) sum += H[k + (ptrdiff_t)i * d] * Y[k + (ptrdiff_t)j * d];
      to[i + (ptrdiff_t)j * n] += sum;
    }
}

static inline void add_square(int d, int n, const double *H, const double *Y, double *to) {
  add_product_jacobian(d, n, n, H, Y, to);
}

static const double *block(const double *base, int d, ptrdiff_t k) { return base + k * d * d; }

static bool is_zero(const double *X, int n) {
  for (int k = 0; k < n; k++)
    if (X[k] != 0) return false;
  return true;
}

// ---- pattern and values ----

static int node_count(const stc_jacobian *J) {
  return J->condensed ? J->problem->bodies.count : J->problem->contacts;
}

static stc_error take_values(stc_arena *arena, stc_jacobian *J) {
  int nodes = node_count(J), entries = J->ptr[nodes];
  J->val_ptr = STC_TAKE_RAW(arena, size_t, (size_t)entries + 1);
  STC_TRY(stc_arena_check(arena));
  J->val_ptr[0] = 0;
  for (int i = 0; i < nodes; i++)
    for (int e = J->ptr[i]; e < J->ptr[i + 1]; e++)
      J->val_ptr[e + 1] = J->val_ptr[e] + (size_t)J->size[i] * (size_t)J->size[J->adj[e]];
  J->val = STC_TAKE_RAW(arena, double, J->val_ptr[entries]);
  J->active = STC_TAKE_RAW(arena, bool, nodes);
  J->wanted = STC_TAKE_RAW(arena, bool, nodes);
  return stc_arena_check(arena);
}

// Pattern and values of the form that J->condensed says.
static stc_error create_pattern(stc_arena *arena, stc_jacobian *J, stc_pattern *pattern) {
  if (J->condensed)
    STC_TRY(stc_jacobian_body_pattern(arena, J));
  else {
    STC_TRY(stc_reduced_assemble(J->problem));
    STC_TRY(stc_jacobian_contact_pattern(arena, J));
  }
  STC_TRY(take_values(arena, J));
  *pattern = (stc_pattern){.nodes = node_count(J), .size = J->size, .ptr = J->ptr, .adj = J->adj};
  for (int i = 0; i < pattern->nodes; i++) J->active[i] = true;
  J->stale = false;
  return STC_OK;
}

static stc_error create_form(stc_arena *arena, stc_jacobian *J, double memory_limit) {
  stc_pattern pattern;
  STC_TRY(create_pattern(arena, J, &pattern));
  return stc_lu_create(&pattern, memory_limit, &J->lu);
}

// ---- small systems ----

bool stc_jacobian_is_small(const stc_reduced *p) {
  return p->size <= STC_LU_SMALL && p->bodies.dofs <= STC_LU_SMALL;
}

static int least(size_t a, size_t b) { return (int)(a < b ? a : b); }

// Bytes that making the system takes at most: patterns counted with every pair that may occur.
static size_t room_for(const stc_jacobian *J) {
  const stc_reduced *p = J->problem;
  const stc_bodies *b = &p->bodies;
  size_t n = (size_t)node_count(J), pairs = 0, d = (size_t)p->dim;
  for (int c = 0; J->condensed && c < p->contacts; c++) {
    size_t on = (size_t)(b->touch_ptr[c + 1] - b->touch_ptr[c]);
    pairs += on * on;
  }
  if (!J->condensed) pairs = 2 * stc_reduced_blocks(p);
  int entries = least(n + pairs, n * n), rows = J->condensed ? b->dofs : p->size;
  size_t values = J->condensed ? (size_t)rows * (size_t)rows : (size_t)entries * d * d;
  return stc_jacobian_pattern_room(p->contacts, (int)n, (int)pairs) +
         stc_arena_cost((size_t)entries + 1, sizeof(size_t)) +
         stc_arena_cost(values, sizeof(double)) + 2 * stc_arena_cost(n, sizeof(bool)) +
         stc_lu_room((int)n, entries, rows);
}

static stc_error reserve(stc_arena *arena, stc_jacobian *J, double memory_limit) {
  if (!J->condensed) STC_TRY(stc_reduced_assemble(J->problem));
  J->room_bytes = room_for(J);
  if ((double)J->room_bytes > memory_limit)
    return stc_fail(STC_ERR_MEMORY, "the factors take %.3g bytes, more than the limit of %.3g",
                    (double)J->room_bytes, memory_limit);
  J->room = STC_TAKE_RAW(arena, char, J->room_bytes);
  return stc_arena_check(arena);
}

// Makes a reserved system at its first use. The room suffices for whatever the pattern is.
static void make(stc_jacobian *J) {
  if (J->made || !J->room) return;
  stc_arena arena = stc_arena_within(J->room, J->room_bytes);
  stc_pattern pattern;
  stc_error error = create_pattern(&arena, J, &pattern);
  if (!error) error = stc_lu_create_within(&arena, &pattern, &J->lu);
  assert(!error);
  (void)error;
  J->made = true;
  stc_lu_set_team(J->lu, J->team);
}

// ---- creation ----

static stc_error take_vectors(stc_arena *arena, stc_jacobian *J) {
  const stc_reduced *p = J->problem;
  size_t square = (size_t)p->contacts * (size_t)(p->dim * p->dim);
  double **blocks[] = {&J->A, &J->B, &J->C, &J->E};
  STC_TAKE_VECTORS(arena, square, blocks);
  double **vectors[] = {&J->g, &J->h, &J->residual, &J->correction};
  STC_TAKE_VECTORS(arena, p->size, vectors);
  J->prox = STC_TAKE_RAW(arena, double, p->contacts);
  J->open = STC_TAKE_RAW(arena, bool, p->contacts);
  J->work = STC_TAKE_RAW(arena, double, p->scratch);
  J->x = STC_TAKE_RAW(arena, double, p->size > p->bodies.dofs ? p->size : p->bodies.dofs);
  J->scale = STC_TAKE_RAW(arena, double, node_count(J));
  return stc_arena_check(arena);
}

// W would be assembled and analysed only to be compared: not worth it when it is this much larger.
// Sphere piles have 44 to 50 of its entries per degree of freedom and take a fifth fewer operations
// over bodies; with 18 they take half as many over contacts.
static bool bodies_are_clearly_cheaper(const stc_reduced *p) {
  double entries = (double)stc_reduced_blocks(p) * p->dim * p->dim;
  return !p->has_W && entries > 40.0 * p->bodies.dofs;
}

static stc_error choose_form(stc_arena *arena, stc_jacobian *J, double memory_limit) {
  stc_jacobian other = {.problem = J->problem};
  J->condensed = true;
  stc_error error = create_form(arena, J, memory_limit);
  if (!error && bodies_are_clearly_cheaper(J->problem)) return STC_OK;
  stc_error second = create_form(arena, &other, memory_limit);
  if (error && second) return error;
  if (!error && (second || stc_lu_flops(J->lu) <= stc_lu_flops(other.lu))) {
    stc_lu_free(&other.lu);
    return STC_OK;
  }
  stc_lu_free(&J->lu);
  *J = other;
  return STC_OK;
}

stc_error stc_jacobian_create(stc_arena *arena, stc_reduced *problem, int condensed,
                              double memory_limit, stc_jacobian *J) {
  *J = (stc_jacobian){.problem = problem};
  stc_error error;
  bool small = stc_jacobian_is_small(problem), fewer = problem->bodies.dofs <= problem->size;
  bool chosen = !problem->bodies.count || condensed >= 0 || small;
  J->condensed = problem->bodies.count && (condensed < 0 ? fewer : condensed > 0);
  if (!chosen)
    error = choose_form(arena, J, memory_limit);
  else if (small)
    error = reserve(arena, J, memory_limit);
  else
    error = create_form(arena, J, memory_limit);
  if (!error) error = take_vectors(arena, J);
  if (error) stc_jacobian_free(J);
  return error;
}

void stc_jacobian_free(stc_jacobian *J) {
  if (J->room)
    J->lu = NULL;  // part of the room, which may hold something else by now
  else
    stc_lu_free(&J->lu);
}

void stc_jacobian_forget(stc_jacobian *J) {
  if (!J->room) return;
  J->made = false;
  J->lu = NULL;
}

void stc_jacobian_set_team(stc_jacobian *J, stc_team *team) {
  J->team = team;
  if (J->lu) stc_lu_set_team(J->lu, team);
}

double stc_jacobian_flops(stc_jacobian *J) {
  make(J);
  stc_lu_analyse(J->lu);
  return stc_lu_flops(J->lu);
}

double stc_jacobian_entries(stc_jacobian *J) {
  make(J);
  stc_lu_analyse(J->lu);
  return stc_lu_entries(J->lu);
}

int stc_jacobian_sign(const stc_jacobian *J) { return J->sign * stc_lu_sign(J->lu); }

// ---- factorisation ----

// Nodes that take part: closed contacts, or bodies that a closed contact touches.
static void select_nodes(stc_jacobian *J) {
  const stc_bodies *b = &J->problem->bodies;
  int nodes = node_count(J);
  memset(J->wanted, 0, (size_t)nodes * sizeof *J->wanted);
  for (int c = 0; c < J->problem->contacts; c++) {
    if (J->open[c]) continue;
    if (!J->condensed) J->wanted[c] = true;
    for (int t = J->condensed ? b->touch_ptr[c] : 0; J->condensed && t < b->touch_ptr[c + 1]; t++)
      J->wanted[b->touch_body[t]] = true;
  }
  if (!J->stale && memcmp(J->wanted, J->active, (size_t)nodes * sizeof *J->wanted) == 0) return;
  memcpy(J->active, J->wanted, (size_t)nodes * sizeof *J->wanted);
  J->stale = !stc_lu_select(J->lu, J->active);
}

static void assemble_contacts(stc_jacobian *J) {
  const stc_reduced *p = J->problem;
  int d = p->dim;
  for (int i = 0; i < p->contacts && !stc_stop_due(ASSEMBLED); i++) {
    if (J->open[i]) continue;
    const double *A = block(J->A, d, i), *B = block(J->B, d, i);
    for (int e = J->ptr[i]; e < J->ptr[i + 1]; e++) {
      double *to = J->val + J->val_ptr[e];
      if (J->open[J->adj[e]]) continue;
      if (J->source[e] < 0)
        memset(to, 0, (size_t)(d * d) * sizeof *to);
      else
        block_multiply(d, B, block(p->W.val, d, J->source[e]), to);
      for (int k = 0; J->adj[e] == i && k < d * d; k++) to[k] += A[k] + J->prox[i] * B[k];
    }
  }
}

static void prepare_contact(stc_jacobian *J, int c) {
  int d = J->problem->dim;
  double X[STC_MAX_DIM * STC_MAX_DIM], inverse[STC_MAX_DIM * STC_MAX_DIM];  // by rows
  const double *A = block(J->A, d, c), *B = block(J->B, d, c);
  double *E = J->E + (ptrdiff_t)c * d * d, *C = J->C + (ptrdiff_t)c * d * d;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) X[i * d + j] = A[i + j * d] + J->prox[c] * B[i + j * d];
  J->sign *= stc_small_invert(d, X, DBL_EPSILON, inverse);  // refinement mends a replaced pivot
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++) E[i + j * d] = inverse[i * d + j];
  block_multiply(d, E, B, C);
}

// Adds H_s^T C H_t for any pair of touches of contact c.
static void add_contact(stc_jacobian *J, int c) {
  const stc_bodies *b = &J->problem->bodies;
  int d = J->problem->dim, first = b->touch_ptr[c], count = b->touch_ptr[c + 1] - first;
  const int *place = J->place + J->place_ptr[c];
  double Y[STC_MAX_DIM * STC_ENVELOPE_MAX];
  for (int t = 0; t < count; t++) {
    int m = J->size[b->touch_body[first + t]];
    STC_WITH_SIZES(stretch, d, m, block(J->C, d, c), b->H + b->val_ptr[first + t], Y);
    for (int s = 0; s < count; s++) {
      int n = J->size[b->touch_body[first + s]];
      const double *H = b->H + b->val_ptr[first + s];
      double *to = J->val + J->val_ptr[place[s * count + t]];
      if (m == n)
        STC_WITH_SIZES(add_square, d, n, H, Y, to);
      else
        add_product_jacobian(d, n, m, H, Y, to);
    }
  }
}

static void assemble_bodies(stc_jacobian *J) {
  const stc_reduced *p = J->problem;
  const stc_bodies *b = &p->bodies;
  memset(J->val, 0, J->val_ptr[J->ptr[b->count]] * sizeof *J->val);
  for (int i = 0; i < b->count; i++)
    for (int e = J->ptr[i]; e < J->ptr[i + 1]; e++)
      if (J->adj[e] == i)
        memcpy(J->val + J->val_ptr[e], b->M + b->inv_ptr[i],
               (b->inv_ptr[i + 1] - b->inv_ptr[i]) * sizeof *J->val);
  for (int c = 0; c < p->contacts && !stc_stop_due(ASSEMBLED); c++) {
    prepare_contact(J, c);
    if (!J->open[c]) add_contact(J, c);
  }
}

// The power of two that brings the diagonal block of node i to about 1.
static double scale_of(const stc_jacobian *J, int i) {
  double largest = 0;
  int exponent;
  for (int e = J->ptr[i]; e < J->ptr[i + 1]; e++)
    for (size_t k = J->val_ptr[e]; J->adj[e] == i && k < J->val_ptr[e + 1]; k++)
      largest = fmax(largest, fabs(J->val[k]));
  frexp(largest, &exponent);
  return largest > 0 && isfinite(largest) ? ldexp(1, -exponent / 2) : 1;
}

// Scales rows and columns of each node: on the central path stiff and loose contacts differ by
// 1/tau^2, and a pivot is small or not against its own.
static void equilibrate(stc_jacobian *J) {
  int nodes = node_count(J);
  for (int i = 0; i < nodes; i++) J->scale[i] = J->active[i] ? scale_of(J, i) : 1;
  for (int i = 0; i < nodes; i++)
    for (int e = J->ptr[i]; J->active[i] && e < J->ptr[i + 1]; e++) {
      double factor = J->scale[i] * J->scale[J->adj[e]];
      for (size_t k = J->val_ptr[e]; J->active[J->adj[e]] && k < J->val_ptr[e + 1]; k++)
        J->val[k] *= factor;
    }
}

// x = S (S A S)^-1 S x.
static void solve_scaled(stc_jacobian *J) {
  int nodes = node_count(J);
  for (int pass = 0; pass < 2; pass++) {
    double *x = J->x;
    for (int i = 0; i < nodes; x += J->size[i++])
      for (int k = 0; k < J->size[i]; k++) x[k] *= J->scale[i];
    if (pass == 0) stc_lu_solve(J->lu, J->x);
  }
}

void stc_jacobian_factorise(stc_jacobian *J) {
  const stc_reduced *p = J->problem;
  make(J);
  for (int c = 0; c < p->contacts; c++)
    J->open[c] = is_zero(block(J->B, p->dim, c), p->dim * p->dim);
  select_nodes(J);
  if (J->stale || stc_stop_due(0)) return;
  J->sign = 1;
  if (J->condensed)
    assemble_bodies(J);
  else
    assemble_contacts(J);
  if (stc_stop_due(0)) return;
  equilibrate(J);
  J->replaced = stc_lu_factorise(J->lu, J->val, J->val_ptr);
}

// ---- solution ----

// Over contacts: dr = -F where open; B_i W_ij dr_j of the open ones goes to the right-hand side.
static void solve_contacts(stc_jacobian *J, const double *F, double *dr) {
  const stc_reduced *p = J->problem;
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++)
    for (int k = 0; k < d; k++) J->g[c * d + k] = J->open[c] ? -F[c * d + k] : 0;
  stc_reduced_multiply(p, J->g, J->work, J->h);
  for (int c = 0; c < p->contacts; c++) {
    double y[STC_MAX_DIM];
    block_apply(d, block(J->B, d, c), J->h + c * d, y);
    for (int k = 0; k < d; k++) J->x[c * d + k] = -F[c * d + k] - y[k];
  }
  solve_scaled(J);
  for (int c = 0; c < p->contacts; c++)
    for (int k = 0; k < d; k++) dr[c * d + k] = J->open[c] ? -F[c * d + k] : J->x[c * d + k];
}

static void solve_bodies(stc_jacobian *J, const double *F, double *dr) {
  const stc_reduced *p = J->problem;
  const stc_bodies *b = &p->bodies;
  int d = p->dim;
  memset(J->x, 0, (size_t)b->dofs * sizeof *J->x);
  for (int c = 0; c < p->contacts; c++) {
    block_apply(d, block(J->E, d, c), F + c * d, J->g + c * d);
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1]; t++) {
      const double *H = b->H + b->val_ptr[t];
      int first = b->ptr[b->touch_body[t]], n = J->size[b->touch_body[t]];
      STC_WITH_SIZES(subtract_impulse, d, n, H, J->g + c * d, J->x + first);
    }
  }
  solve_scaled(J);
  for (int c = 0; c < p->contacts; c++) {
    double u[STC_MAX_DIM] = {0}, y[STC_MAX_DIM] = {0};
    for (int t = b->touch_ptr[c]; t < b->touch_ptr[c + 1] && !J->open[c]; t++) {
      const double *H = b->H + b->val_ptr[t];
      int first = b->ptr[b->touch_body[t]], n = J->size[b->touch_body[t]];
      STC_WITH_SIZES(add_motion, d, n, H, J->x + first, u);
    }
    block_apply(d, block(J->C, d, c), u, y);
    for (int k = 0; k < d; k++) dr[c * d + k] = -J->g[c * d + k] - y[k];
  }
}

void stc_jacobian_apply(stc_jacobian *J, const double *F, double *dr) {
  if (stc_stop_due(0))
    memset(dr, 0, (size_t)J->problem->size * sizeof *dr);
  else if (J->condensed)
    solve_bodies(J, F, dr);
  else
    solve_contacts(J, F, dr);
}

// residual = F + A dr + B (W + prox) dr; its norm.
static double defect(stc_jacobian *J, const double *F, const double *dr) {
  const stc_reduced *p = J->problem;
  int d = p->dim;
  double sum = 0;
  stc_reduced_multiply(p, dr, J->work, J->h);
  for (int c = 0; c < p->contacts; c++) {
    double u[STC_MAX_DIM], y[STC_MAX_DIM], z[STC_MAX_DIM];
    for (int k = 0; k < d; k++) u[k] = J->h[c * d + k] + J->prox[c] * dr[c * d + k];
    block_apply(d, block(J->B, d, c), u, y);
    block_apply(d, block(J->A, d, c), dr + c * d, z);
    for (int k = 0; k < d; k++) {
      double e = J->residual[c * d + k] = F[c * d + k] + y[k] + z[k];
      sum += e * e;
    }
  }
  return sqrt(sum);
}

static double norm(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

void stc_jacobian_solve(stc_jacobian *J, const double *F, double accuracy, double *dr) {
  int size = J->problem->size;
  double goal = accuracy * norm(F, size), last = INFINITY;
  stc_jacobian_apply(J, F, dr);
  for (int k = 0; k < REFINEMENTS; k++) {
    if (stc_stop_due(size)) return;
    double error = defect(J, F, dr);
    if (!(error > goal) || !(error < 0.5 * last)) return;
    last = error;
    stc_jacobian_apply(J, J->residual, J->correction);
    for (int i = 0; i < size; i++) dr[i] += J->correction[i];
  }
}
