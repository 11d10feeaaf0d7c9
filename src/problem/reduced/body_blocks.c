// Bodies: the diagonal blocks M_b of M with their inverses, and H_cb, Y_cb = M_b^-1 H_cb^T for
// every contact c that touches body b.   W_ij = sum_b H_ib Y_jb,   v_f = -M^-1 f.
#include "reduced_parts.h"

#include "../../base/stop.h"

#include <string.h>

// Doubles of a cache line, and how many touches ahead the memory is asked for one.
enum { LINE = 8, AHEAD = 8 };

/// Which contacts touch each set of degrees of freedom: contact[ptr[k]] .. contact[ptr[k+1]],
/// increasing.
typedef struct touch_list {
  int *ptr;
  int *contact;
} touch_list;

/// Sets of degrees of freedom, numbered by their least member.
typedef struct partition {
  int count;
  int *of;    ///< [dofs] set of a degree of freedom
  int *size;  ///< [count]
} partition;

// --- Which degrees of freedom belong together ---

static stc_error copy_blocks(const stc_blocks *blocks, int dofs, stc_arena *arena,
                             partition *sets) {
  *sets = (partition){.count = blocks->count,
                      .of = STC_TAKE(arena, int, dofs),
                      .size = STC_TAKE(arena, int, blocks->count)};
  STC_TRY(stc_arena_check(arena));
  memcpy(sets->of, blocks->block, (size_t)dofs * sizeof *sets->of);
  for (int b = 0; b < blocks->count; b++) sets->size[b] = blocks->ptr[b + 1] - blocks->ptr[b];
  return STC_OK;
}

static int largest_block(const stc_blocks *blocks) {
  int largest = 0;
  for (int b = 0; b < blocks->count; b++) {
    int size = blocks->ptr[b + 1] - blocks->ptr[b];
    if (size > largest) largest = size;
  }
  return largest;
}

static int rigid_size(const stc_problem *problem) { return problem->dim == 2 ? 3 : 6; }

/// Rigid bodies always are; larger blocks where they have no more degrees of freedom than the
/// contacts have components, else W is the smaller matrix.
static bool worthwhile(const stc_problem *problem, int largest) {
  if (largest <= rigid_size(problem)) return largest > 0;
  return largest <= STC_ENVELOPE_MAX && problem->dofs <= problem->size;
}

/// Walks the contacts in order and each set it touches once. Counts in ptr[k + 1] if contact is
/// NULL, else writes at ptr[k]++.
static void walk_touches(const stc_csr *H, int dim, const partition *sets, int *last, int *ptr,
                         int *contact) {
  for (int k = 0; k < sets->count; k++) last[k] = -1;
  for (int c = 0; c < H->rows / dim; c++)
    for (int e = H->ptr[c * dim]; e < H->ptr[(c + 1) * dim]; e++) {
      int set = sets->of[H->col[e]];
      if (H->val[e] == 0 || last[set] == c) continue;
      last[set] = c;
      if (contact)
        contact[ptr[set]++] = c;
      else
        ptr[set + 1]++;
    }
}

static stc_error list_touches(const stc_csr *H, int dim, const partition *sets, stc_arena *arena,
                              touch_list *list) {
  int *last = STC_TAKE(arena, int, sets->count);
  list->ptr = STC_TAKE(arena, int, (size_t)sets->count + 1);
  STC_TRY(stc_arena_check(arena));
  walk_touches(H, dim, sets, last, list->ptr, NULL);
  for (int k = 0; k < sets->count; k++) list->ptr[k + 1] += list->ptr[k];
  list->contact = STC_TAKE(arena, int, list->ptr[sets->count]);
  STC_TRY(stc_arena_check(arena));
  walk_touches(H, dim, sets, last, list->ptr, list->contact);
  for (int k = sets->count; k > 0; k--) list->ptr[k] = list->ptr[k - 1];
  list->ptr[0] = 0;
  return STC_OK;
}

static int touch_count(const touch_list *list, int set) {
  return list->ptr[set + 1] - list->ptr[set];
}

/// Every contact of set `inner` is one of set `outer`.
static bool nested(const touch_list *list, int inner, int outer) {
  int b = list->ptr[outer], end = list->ptr[outer + 1];
  for (int a = list->ptr[inner]; a < list->ptr[inner + 1]; a++) {
    while (b < end && list->contact[b] < list->contact[a]) b++;
    if (b == end || list->contact[b] != list->contact[a]) return false;
  }
  return true;
}

/// Joins neighbouring blocks into bodies of at most six degrees of freedom (three in 2D) where the
/// contacts of one are contacts of the other, so that W gets no block it would not have anyway: a
/// sphere with a diagonal M becomes one body instead of six.
static void join_blocks(const touch_list *list, int rigid, partition *sets, int *body) {
  int count = 0, widest = 0;
  for (int k = 0; k < sets->count; k++) {
    int size = sets->size[k];
    bool fits = count > 0 && sets->size[count - 1] + size <= rigid;
    bool wider = touch_count(list, k) > touch_count(list, widest);
    bool join = fits && (wider ? nested(list, widest, k) : nested(list, k, widest));
    if (join) {
      sets->size[count - 1] += size;
    } else {
      sets->size[count++] = size;
    }
    if (!join || wider) widest = k;
    body[k] = count - 1;
  }
  sets->count = count;
}

static stc_error find_bodies(const stc_problem *problem, stc_arena *scratch, partition *sets) {
  touch_list list;
  STC_TRY(list_touches(&problem->H, problem->dim, sets, scratch, &list));
  int *body = STC_TAKE(scratch, int, sets->count);
  STC_TRY(stc_arena_check(scratch));
  join_blocks(&list, rigid_size(problem), sets, body);
  for (int i = 0; i < problem->dofs; i++) sets->of[i] = body[sets->of[i]];
  return STC_OK;
}

// --- M_b and its inverse ---

/// The inverse of one block of M into that of its body.
static void invert_block(const stc_blocks *blocks, int block, const int *place, stc_bodies *bodies,
                         int b) {
  int first = blocks->ptr[block], m = blocks->ptr[block + 1] - first;
  int n = bodies->ptr[b + 1] - bodies->ptr[b];
  double part[STC_ENVELOPE_MAX * STC_ENVELOPE_MAX], *inverse = bodies->inverse + bodies->inv_ptr[b];
  stc_blocks_invert(blocks, block, part);
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++)
      inverse[place[blocks->dof[first + j]] * n + place[blocks->dof[first + i]]] = part[j * m + i];
}

/// M_b^-1, symmetric bit for bit but for blocks that are not.
static void invert_body(const stc_blocks *blocks, const int *place, stc_bodies *bodies, int b) {
  for (int k = bodies->ptr[b]; k < bodies->ptr[b + 1]; k++) {
    int dof = bodies->dof[k], block = blocks->block[dof];
    if (blocks->position[dof] == blocks->ptr[block]) invert_block(blocks, block, place, bodies, b);
  }
}

bool stc_bodies_symmetric(const stc_bodies *bodies) {
  for (int b = 0; b < bodies->count; b++) {
    int n = bodies->ptr[b + 1] - bodies->ptr[b];
    const double *A = bodies->inverse + bodies->inv_ptr[b];
    for (int j = 0; j < n; j++)
      for (int i = 0; i < j; i++)
        if (A[j * n + i] != A[i * n + j]) return false;
  }
  return true;
}

/// place[dof] = position of a degree of freedom inside its body.
static void number_dofs(const partition *sets, stc_bodies *bodies, int *place) {
  for (int b = 0; b < sets->count; b++) bodies->ptr[b + 1] = bodies->ptr[b] + sets->size[b];
  for (int b = 0; b < sets->count; b++) {
    size_t n = (size_t)sets->size[b];
    bodies->inv_ptr[b + 1] = bodies->inv_ptr[b] + n * n;
    sets->size[b] = 0;
  }
  for (int i = 0; i < bodies->dofs; i++) {
    place[i] = sets->size[sets->of[i]]++;
    bodies->dof[bodies->ptr[sets->of[i]] + place[i]] = i;
  }
}

static void fill_mass(const stc_csr *M, const partition *sets, const int *place,
                      stc_bodies *bodies) {
  for (int i = 0; i < M->rows; i++) {
    int b = sets->of[i], n = sets->size[b];
    double *block = bodies->M + bodies->inv_ptr[b];
    for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++)
      if (M->val[k] != 0) block[place[M->col[k]] * n + place[i]] = M->val[k];
  }
}

/// What threads share of the setup: bodies or touches in pieces.
typedef struct setup_job {
  const stc_problem *problem;
  const stc_blocks *blocks;
  const partition *sets;
  const int *place;
  stc_bodies *bodies;
  stc_team *team;
  stc_pieces pieces;
} setup_job;

// Operations of a body that is inverted, or of a touch that is filled, about.
static const double FILLED = 300;

static void run_setup(setup_job *j, int count, void (*task)(void *, int)) {
  j->pieces = stc_pieces_of(count, STC_PIECE_CONTACTS);
  stc_team_run(j->team, task, j, j->pieces.count);
}

static void invert_piece(void *argument, int piece) {
  const setup_job *j = argument;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int b = stc_piece_first(&j->pieces, piece); b < end && !stc_stop_due(FILLED); b++)
    invert_body(j->blocks, j->place, j->bodies, b);
}

static stc_error create_masses(setup_job *job, stc_arena *arena, int *place) {
  const stc_csr *M = &job->problem->M;
  const partition *sets = job->sets;
  stc_bodies *bodies = job->bodies;
  bodies->dofs = M->rows;
  bodies->ptr = STC_TAKE(arena, int, (size_t)sets->count + 1);
  bodies->dof = STC_TAKE(arena, int, M->rows);
  bodies->inv_ptr = STC_TAKE(arena, size_t, (size_t)sets->count + 1);
  bodies->free = STC_TAKE(arena, double, M->rows);
  STC_TRY(stc_arena_check(arena));
  number_dofs(sets, bodies, place);
  bodies->M = STC_TAKE(arena, double, bodies->inv_ptr[sets->count]);
  bodies->inverse = STC_TAKE(arena, double, bodies->inv_ptr[sets->count]);
  STC_TRY(stc_arena_check(arena));
  fill_mass(M, sets, place, bodies);
  run_setup(job, sets->count, invert_piece);
  return stc_stop_try(0);
}

// --- Which contact touches which body, H_cb and Y_cb ---

/// Touches numbered by contact and, inside a contact, by body.
static void number_touches(const touch_list *list, int contacts, stc_bodies *bodies) {
  int count = bodies->count, touches = list->ptr[count], *at = bodies->touch_ptr;
  for (int k = 0; k < touches; k++) at[list->contact[k] + 1]++;
  for (int c = 0; c < contacts; c++) at[c + 1] += at[c];
  for (int b = 0; b < count; b++)
    for (int k = list->ptr[b]; k < list->ptr[b + 1]; k++) {
      int t = at[list->contact[k]]++;
      bodies->touch_body[t] = b;
      bodies->touch_contact[t] = list->contact[k];
      bodies->on_touch[k] = t;
    }
  for (int c = contacts; c > 0; c--) at[c] = at[c - 1];
  at[0] = 0;
}

static void fill_touch(const stc_csr *H, int dim, const partition *sets, const int *place,
                       stc_bodies *bodies, int t) {
  int b = bodies->touch_body[t], n = bodies->ptr[b + 1] - bodies->ptr[b];
  double *block = bodies->H + bodies->val_ptr[t], *Y = bodies->Y + bodies->val_ptr[t];
  for (int k = 0; k < dim; k++) {
    int row = bodies->touch_contact[t] * dim + k;
    for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++)
      if (sets->of[H->col[e]] == b) block[place[H->col[e]] * dim + k] = H->val[e];
  }
  const double *inverse = bodies->inverse + bodies->inv_ptr[b];
  for (int k = 0; k < dim; k++)
    for (int l = 0; l < n; l++)
      for (int i = 0; i < n; i++) Y[k * n + i] += inverse[l * n + i] * block[l * dim + k];
}

static void fill_touches_piece(void *argument, int piece) {
  const setup_job *j = argument;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int t = stc_piece_first(&j->pieces, piece); t < end && !stc_stop_due(FILLED); t++)
    fill_touch(&j->problem->H, j->problem->dim, j->sets, j->place, j->bodies, t);
}

static stc_error create_touches(setup_job *job, const touch_list *list, stc_arena *arena) {
  const stc_problem *problem = job->problem;
  const partition *sets = job->sets;
  stc_bodies *bodies = job->bodies;
  int count = bodies->count, touches = list->ptr[count];
  bodies->touch_ptr = STC_TAKE(arena, int, (size_t)problem->contacts + 1);
  bodies->touch_body = STC_TAKE(arena, int, touches);
  bodies->touch_contact = STC_TAKE(arena, int, touches);
  bodies->on_ptr = STC_TAKE(arena, int, (size_t)count + 1);
  bodies->on_touch = STC_TAKE(arena, int, touches);
  bodies->val_ptr = STC_TAKE(arena, size_t, (size_t)touches + 1);
  STC_TRY(stc_arena_check(arena));
  memcpy(bodies->on_ptr, list->ptr, ((size_t)count + 1) * sizeof *list->ptr);
  number_touches(list, problem->contacts, bodies);
  for (int t = 0; t < touches; t++) {
    size_t n = (size_t)sets->size[bodies->touch_body[t]];
    bodies->val_ptr[t + 1] = bodies->val_ptr[t] + n * (size_t)problem->dim;
  }
  bodies->H = stc_bsr_take_values(arena, bodies->val_ptr[touches], true);
  bodies->Y = STC_TAKE(arena, double, bodies->val_ptr[touches]);
  STC_TRY(stc_arena_check(arena));
  run_setup(job, touches, fill_touches_piece);
  return stc_stop_try(0);
}

static stc_error create_bodies(stc_reduced *reduced, const stc_blocks *blocks, stc_arena *scratch) {
  const stc_problem *problem = reduced->problem;
  partition sets;
  STC_TRY(copy_blocks(blocks, problem->dofs, scratch, &sets));
  STC_TRY(find_bodies(problem, scratch, &sets));
  touch_list list;
  STC_TRY(list_touches(&problem->H, problem->dim, &sets, scratch, &list));
  int *place = STC_TAKE(scratch, int, problem->dofs);
  STC_TRY(stc_arena_check(scratch));
  stc_bodies bodies = {.count = sets.count};
  setup_job job = {.problem = problem,
                   .blocks = blocks,
                   .sets = &sets,
                   .place = place,
                   .bodies = &bodies,
                   .team = reduced->team};
  STC_TRY(create_masses(&job, &reduced->arena, place));
  STC_TRY(create_touches(&job, &list, &reduced->arena));
  reduced->bodies = bodies;
  return STC_OK;
}

stc_error stc_bodies_create(stc_reduced *reduced, const stc_blocks *blocks) {
  if (!worthwhile(reduced->problem, largest_block(blocks))) return STC_OK;
  stc_arena scratch = {0};
  stc_error error = create_bodies(reduced, blocks, &scratch);
  stc_arena_free(&scratch);
  return error;
}

// --- Products ---

/// p += H_cb^T r; H dim x n by columns. Called with constants where speed counts.
static inline void add_impulse(int dim, int n, const double *H, const double *r, double *p) {
  for (int l = 0; l < n; l++) {
    double sum = 0;
    for (int k = 0; k < dim; k++) sum += H[l * dim + k] * r[k];
    p[l] += sum;
  }
}

/// u += H_cb v.
static inline void add_motion(int dim, int n, const double *H, const double *v, double *u) {
  double sum[STC_MAX_DIM] = {0};
  for (int l = 0; l < n; l++)
    for (int k = 0; k < dim; k++) sum[k] += H[l * dim + k] * v[l];
  for (int k = 0; k < dim; k++) u[k] += sum[k];
}

/// y = A x, A n x n by columns.
static inline void multiply_block(int n, const double *A, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) y[i] += A[j * n + i] * x[j];
}

static int body_size(const stc_bodies *bodies, int b) {
  return bodies->ptr[b + 1] - bodies->ptr[b];
}

void stc_bodies_settle(const stc_bodies *bodies, const double *f, double *x) {
  for (int b = 0; b < bodies->count; b++) {
    int n = body_size(bodies, b), start = bodies->ptr[b];
    double impulse[STC_ENVELOPE_MAX];
    for (int i = 0; i < n; i++) impulse[i] = -f[bodies->dof[start + i]];
    multiply_block(n, bodies->inverse + bodies->inv_ptr[b], impulse, x + start);
  }
}

/// What threads share of a product: contacts or bodies in pieces.
typedef struct product_job {
  const stc_reduced *reduced;
  const double *x;
  double *y;
  stc_pieces pieces;
} product_job;

static void add_velocity_piece(void *argument, int piece) {
  const product_job *j = argument;
  const stc_bodies *bodies = &j->reduced->bodies;
  const double *x = j->x;
  int dim = j->reduced->dim, first = stc_piece_first(&j->pieces, piece);
  double *u = j->y + (ptrdiff_t)first * dim;
  for (int c = first; c < stc_piece_first(&j->pieces, piece + 1); c++, u += dim)
    for (int t = bodies->touch_ptr[c]; t < bodies->touch_ptr[c + 1]; t++) {
      int b = bodies->touch_body[t], n = body_size(bodies, b);
      const double *H = bodies->H + bodies->val_ptr[t], *v = x + bodies->ptr[b];
      if (dim == 3 && n == 6)
        add_motion(3, 6, H, v, u);
      else if (dim == 2 && n == 3)
        add_motion(2, 3, H, v, u);
      else
        add_motion(dim, n, H, v, u);
    }
}

void stc_bodies_add_velocity(const stc_reduced *reduced, const double *x, double *u) {
  product_job job = {reduced, x, u, stc_pieces_of(reduced->contacts, STC_PIECE_CONTACTS)};
  stc_team_run(reduced->team, add_velocity_piece, &job, job.pieces.count);
}

/// Asks for the H of a touch that comes soon: by bodies they do not lie in a row.
static inline void announce(const stc_bodies *bodies, int count, int t) {
  const double *H = bodies->H + bodies->val_ptr[t];
  for (int k = 0; k < count; k += LINE) __builtin_prefetch(H + k);
}

/// p = H_b^T r over the contacts of a body.
static inline void gather_impulses(const stc_reduced *reduced, int dim, int n, int b,
                                   const double *r, double *p) {
  const stc_bodies *bodies = &reduced->bodies;
  const int touches = bodies->on_ptr[bodies->count];
  for (int i = 0; i < n; i++) p[i] = 0;
  for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
    int t = bodies->on_touch[k];
    if (k + AHEAD < touches) announce(bodies, dim * n, bodies->on_touch[k + AHEAD]);
    add_impulse(dim, n, bodies->H + bodies->val_ptr[t],
                r + (ptrdiff_t)bodies->touch_contact[t] * dim, p);
  }
}

static inline void respond_body(const stc_reduced *reduced, int dim, int n, int b, const double *r,
                                double *x) {
  const stc_bodies *bodies = &reduced->bodies;
  double impulse[STC_ENVELOPE_MAX];
  gather_impulses(reduced, dim, n, b, r, impulse);
  multiply_block(n, bodies->inverse + bodies->inv_ptr[b], impulse, x + bodies->ptr[b]);
}

static void respond_piece(void *argument, int piece) {
  const product_job *j = argument;
  const stc_reduced *p = j->reduced;
  int end = stc_piece_first(&j->pieces, piece + 1);
  for (int b = stc_piece_first(&j->pieces, piece); b < end; b++) {
    int n = body_size(&p->bodies, b);
    if (p->dim == 3 && n == 6)
      respond_body(p, 3, 6, b, j->x, j->y);
    else if (p->dim == 2 && n == 3)
      respond_body(p, 2, 3, b, j->x, j->y);
    else
      respond_body(p, p->dim, n, b, j->x, j->y);
  }
}

void stc_bodies_respond(const stc_reduced *reduced, const double *r, double *x) {
  product_job job = {reduced, r, x, stc_pieces_of(reduced->bodies.count, STC_PIECE_CONTACTS)};
  stc_team_run(reduced->team, respond_piece, &job, job.pieces.count);
}

void stc_bodies_recover(const stc_reduced *reduced, const double *f, const double *r, double *v) {
  const stc_bodies *bodies = &reduced->bodies;
  double mobility = reduced->scale_u / reduced->scale_r;  // M^-1 = mobility M'^-1
  for (int b = 0; b < bodies->count; b++) {
    int n = body_size(bodies, b), start = bodies->ptr[b];
    double impulse[STC_ENVELOPE_MAX], velocity[STC_ENVELOPE_MAX];
    for (int i = 0; i < n; i++) impulse[i] = -f[bodies->dof[start + i]];
    for (int k = bodies->on_ptr[b]; k < bodies->on_ptr[b + 1]; k++) {
      int t = bodies->on_touch[k];
      add_impulse(reduced->dim, n, bodies->H + bodies->val_ptr[t],
                  r + (size_t)bodies->touch_contact[t] * (size_t)reduced->dim, impulse);
    }
    multiply_block(n, bodies->inverse + bodies->inv_ptr[b], impulse, velocity);
    for (int i = 0; i < n; i++) v[bodies->dof[start + i]] = mobility * velocity[i];
  }
}

/// block += H_ib Y_jb, with Y n x dim by columns.
static inline void add_product_body_blocks(int dim, int n, const double *H, const double *Y,
                                           double *block) {
  for (int l = 0; l < dim; l++)
    for (int m = 0; m < n; m++)
      for (int k = 0; k < dim; k++) block[l * dim + k] += H[m * dim + k] * Y[l * n + m];
}

void stc_bodies_add_motion(const stc_reduced *p, int t, const double *v, double sign, double *u) {
  const stc_bodies *b = &p->bodies;
  const double *H = b->H + b->val_ptr[t];
  int body = b->touch_body[t];
  for (int k = b->ptr[body]; k < b->ptr[body + 1]; k++, H += p->dim)
    for (int i = 0; i < p->dim; i++) u[i] += sign * H[i] * v[k];
}

void stc_bodies_add_block(const stc_reduced *reduced, int touch_i, int touch_j, double *block) {
  const stc_bodies *bodies = &reduced->bodies;
  int dim = reduced->dim, n = body_size(bodies, bodies->touch_body[touch_i]);
  const double *H = bodies->H + bodies->val_ptr[touch_i];
  const double *Y = bodies->Y + bodies->val_ptr[touch_j];
  if (dim == 3 && n == 6)
    add_product_body_blocks(3, 6, H, Y, block);
  else if (dim == 2 && n == 3)
    add_product_body_blocks(2, 3, H, Y, block);
  else
    add_product_body_blocks(dim, n, H, Y, block);
}
