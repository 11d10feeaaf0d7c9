// Positions after a step: a small displacement d moves bodies out of overlaps and back into their
// joints, with no change of velocity,
//   n.d >= part (overlap - slop/2),   G d = 0,   |d|_M small   by projected Gauss–Seidel.
// What d leaves of the joints, and the velocities that they do not allow where it leads, is taken
// back to rounding.
// Where nothing is off by more than the slop nothing moves: bodies at rest stay where they are.
#include "../../linalg/small.h"
#include "../../solve/kernels/sweep.h"
#include "../joints/joints.h"
#include "../soft/soft_contacts.h"

enum { SWEEPS = 30 };  // [bound]

// Entries of the factor of a joint.
enum { MOST_ENTRIES = STC_JOINT_ROWS * STC_JOINT_ROWS };  // [size]

// A sweep that moves no row by more than this part of what was off is the last: what is left of it
// is left for the next steps.
static const double CONVERGED = 1e-3;  // [bound]

// Rows of a joint that repeat each other are told apart by this part of their weight.
static const double REPEATED = 1e-12;  // [rounding]

/// A row of the displacement problem. A side on which nothing moves has zeros, and the place past
/// the last degree of freedom; so has what lies behind the numbers of a body.
typedef struct push {
  int row;                          ///< of H or G
  int dof[2];                       ///< the first degree of freedom of each side
  double target, inverse, impulse;  ///< inverse: of its weight A M^-1 A^T; 0: nothing moves
  double A[2][6];                   ///< A_b
  double answer[2][6];              ///< M_b^-1 A_b^T
} push;

/// Rows of the contacts come first, those of the joints after them.
typedef struct correction {
  stc_world *world;
  push *push;
  int count;
  double *d;      ///< [dofs + 6]
  double *block;  ///< [links*36] Cholesky factors of the joints, each n x n; 0: no body moves
} correction;

// --- One row ---

/// y = M_b^-1 x for the degrees of freedom of one body.
static void divide_by_body_mass(const stc_world *world, int b, const double x[6], double y[6]) {
  const stc_body_data *node = &STC_NODES(world)[b];
  for (int i = 0; i < 3; i++) y[i] = x[i] / node->mass;
  if (world->settings.plane)
    y[2] = x[2] / node->inertia[8];
  else
    stc_mul3(node->inverse, x + 3, y + 3);
}

/// Takes a row of a matrix, with the answers of its bodies and its weight.
static void take_row(const stc_world *world, const stc_body_matrix *A, push *p) {
  int per = A->width;
  double weight = 0;
  *p = (push){.row = p->row, .target = p->target, .dof = {world->dofs, world->dofs}};
  for (int side = 0; side < 2; side++) {
    int body = A->rows.body[2 * (p->row / A->dim) + side];
    const double *entry = stc_body_row(A, p->row, side);
    if (body < 0) continue;
    p->dof[side] = body * per;
    for (int i = 0; i < per; i++) p->A[side][i] = entry[i * A->dim];
    divide_by_body_mass(world, ((const int *)world->owner.data)[body], p->A[side], p->answer[side]);
    for (int i = 0; i < per; i++) weight += p->A[side][i] * p->answer[side][i];
  }
  p->inverse = weight > 0 ? 1 / weight : 0;
}

typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

static inline two *twos(double *x) { return (two *)(void *)x; }

/// d += factor M^-1 A^T; numbers of a body in pairs.
static inline void add_answer(push *p, int pairs, double factor, double *d) {
  const two by = {factor, factor};
  for (int side = 0; side < 2; side++) {
    two *to = twos(d + p->dof[side]), *answer = twos(p->answer[side]);
    for (int i = 0; i < pairs; i++) to[i] += by * answer[i];
  }
}

/// A.d
static inline double along(push *p, int pairs, double *d) {
  two *a = twos(d + p->dof[0]), *b = twos(d + p->dof[1]);
  two *row_a = twos(p->A[0]), *row_b = twos(p->A[1]);
  two sum = row_a[0] * a[0] + row_b[0] * b[0];
  for (int i = 1; i < pairs; i++) sum += row_a[i] * a[i] + row_b[i] * b[i];
  return sum[0] + sum[1];
}

/// A contact pushes, and never pulls. Returns how far its row was moved.
static inline double relax_contact(push *p, int pairs, double *d) {
  double off = p->target - along(p, pairs, d);
  double wanted = p->impulse + off * p->inverse;
  wanted = wanted > 0 ? wanted : 0;
  double change = wanted - p->impulse;
  p->impulse = wanted;
  if (change == 0) return 0;
  add_answer(p, pairs, change, d);
  return wanted > 0 ? fabs(off) : fabs(change) / p->inverse;
}

// --- One joint ---

/// A . M^-1 B^T of two rows.
static double product_between(const push *a, const push *b, int per) {
  double sum = 0;
  for (int k = 0; k < 2; k++)
    for (int l = 0; l < 2; l++)
      for (int i = 0; i < per && a->dof[k] == b->dof[l]; i++) sum += a->A[k][i] * b->answer[l][i];
  return sum;
}

/// The factor of the rows of a joint.
static void factorise_joint(const push *p, int n, int per, double *A) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) A[i * n + j] = product_between(&p[i], &p[j], per);
    A[i * n + i] *= 1 + REPEATED;
  }
  if (stc_small_cholesky(n, A, 0) >= 0) A[0] = 0;
}

/// Brings all rows of a joint to their targets at once. Returns how far they were off.
static double relax_joint(const correction *c, push *p, int n, const double *factor) {
  double x[6], off = 0;
  int pairs = (stc_body_dofs(c->world) + 1) / 2;
  for (int i = 0; i < n; i++) {
    x[i] = p[i].target - along(&p[i], pairs, c->d);
    off = fmax(off, fabs(x[i]));
  }
  if (n == 0 || factor[0] == 0) return off;
  stc_small_cholesky_solve(n, factor, x);
  for (int i = 0; i < n; i++) add_answer(&p[i], pairs, x[i], c->d);
  return off;
}

// --- All rows ---

static double smaller_size(const stc_world *world, const stc_contact_pair *m) {
  return fmin(STC_NODES(world)[m->body[0]].size, STC_NODES(world)[m->body[1]].size);
}

/// Gap at the end of the step, to first order.
static double gap_after(const stc_world *world, int c) {
  const double *after = STC_ROW(world, STC_ROW_AFTER);
  return STC_CONTACT_PAIRS(world)[c].point.gap +
         world->settings.h / 2 * after[(size_t)c * (size_t)world->dim];
}

/// A contact asks for its part of the overlap, down to half of the slop, so that it has less than
/// the slop after a few steps; one that is open must not close, what yields is left alone.
static double displacement_of(const stc_world *world, int k) {
  double slop = world->settings.slop * smaller_size(world, &STC_CONTACT_PAIRS(world)[k]);
  double beyond = -gap_after(world, k) - slop;
  if (stc_contact_yields(&STC_CONTACT_PAIRS(world)[k])) return -INFINITY;
  return beyond > 0 ? world->settings.correction * (beyond + slop / 2) : beyond;
}

static bool is_of_same_parts(const stc_contact_pair *a, const stc_contact_pair *b) {
  return a->part[0] == b->part[0] && a->part[1] == b->part[1];
}

/// The first contacts of all pairs, then the second ones: neighbours in the list have little in
/// common, and none waits for the one before it.
static void add_contacts(correction *c, const double *target) {
  const stc_contact_pair *m = STC_CONTACT_PAIRS(c->world);
  for (int turn = 0; c->count < c->world->count; turn++)
    for (int k = 0, at = 0; k < c->world->count; k++) {
      at = k > 0 && is_of_same_parts(&m[k], &m[k - 1]) ? at + 1 : 0;
      if (at == turn) c->push[c->count++] = (push){.row = k * c->world->dim, .target = target[k]};
    }
}

/// Joints are kept.
static void add_joints(correction *c) {
  for (int k = 0; k < c->world->equalities; k++) c->push[c->count++] = (push){.row = k};
}

/// Rows of contacts and joints, whose targets are there.
static void take_push_rows(const correction *c) {
  const stc_world *world = c->world;
  for (int k = 0; k < c->count; k++)
    take_row(world, k < world->count ? &world->H.view : &world->G.view, &c->push[k]);
}

static void factorise_all_joints(const correction *c) {
  const stc_world *world = c->world;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    factorise_joint(c->push + world->count + link->first_row, link->rows, stc_body_dofs(world),
                    c->block + MOST_ENTRIES * j);
  }
}

/// Called with a constant where speed counts. Returns how far the rows were moved at most.
static inline double sweep_contacts(const correction *c, int pairs) {
  double moved = 0;
  for (int k = 0; k < c->world->count; k++) {
    double way = relax_contact(&c->push[k], pairs, c->d);
    moved = way > moved ? way : moved;
  }
  return moved;
}

static void sweep_rows(correction *c, double most) {
  const stc_world *world = c->world;
  for (int s = 0; s < SWEEPS; s++) {
    double moved = stc_body_dofs(world) == 6 ? sweep_contacts(c, 3) : sweep_contacts(c, 2);
    for (int j = 0; j < world->links; j++) {
      const stc_link *link = &STC_LINKS(world)[j];
      moved = fmax(moved, relax_joint(c, c->push + world->count + link->first_row, link->rows,
                                      c->block + MOST_ENTRIES * j));
    }
    if (moved <= CONVERGED * most) return;
  }
}

static void displace(stc_world *world, const double *d) {
  bool plane = world->settings.plane;
  for (int b = 0; b < world->bodies; b++) {
    const stc_body_data *node = &STC_NODES(world)[b];
    stc_place *place = &STC_NEXT(world)[b];
    if (node->dof < 0) continue;
    const double *mine = d + node->dof;
    double rotation[3] = {0, 0, mine[2]};
    for (int i = 0; i < (plane ? 2 : 3); i++) place->x[i] += mine[i];
    if (!plane) memcpy(rotation, mine + 3, sizeof rotation);
    if (rotation[0] != 0 || rotation[1] != 0 || rotation[2] != 0)
      stc_rotation_by(place->rotation, rotation, 1);
  }
}

/// Row by row, with those of joints.
static stc_error correct_rows(stc_world *world, const double *target, double most) {
  correction c = {.world = world, .d = world->displacement.data};
  size_t rows = (size_t)world->count + (size_t)world->equalities;
  STC_TRY(stc_pool_grow(&world->push, rows, sizeof(push), 0));
  STC_TRY(
      stc_pool_grow(&world->push_block, MOST_ENTRIES * (size_t)world->links, sizeof(double), 0));
  c.push = world->push.data;
  c.block = world->push_block.data;
  add_contacts(&c, target);
  add_joints(&c);
  memset(c.d, 0, ((size_t)world->dofs + 6) * sizeof *c.d);
  take_push_rows(&c);
  factorise_all_joints(&c);
  sweep_rows(&c, most);
  return STC_OK;
}

/// What the contacts ask for; *most of it, and the overlap they have.
static void ask_contacts(const stc_world *world, double *target, double *most, double *overlap) {
  *most = *overlap = 0;
  for (int k = 0; k < world->count; k++) {
    target[k] = displacement_of(world, k);
    *most = fmax(*most, target[k]);
    if (!stc_contact_yields(&STC_CONTACT_PAIRS(world)[k]))
      *overlap = fmax(*overlap, -gap_after(world, k));
  }
}

stc_error stc_world_correct(stc_world *world, double *overlap) {
  double most;
  *overlap = 0;
  STC_TRY(stc_pool_grow(&world->target, (size_t)world->count, sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->displacement, (size_t)world->dofs + 6, sizeof(double), 0));
  double *target = world->target.data, *d = world->displacement.data;
  ask_contacts(world, target, &most, overlap);
  if (world->settings.correction == 0 || !(most > 0)) return STC_OK;
  bool moved = world->direct && world->sweeps &&
               stc_sweep_move_apart(world->sweep, target, SWEEPS, CONVERGED * most, d);
  if (!moved) STC_TRY(correct_rows(world, target, most));
  displace(world, d);
  return stc_world_assemble(world);
}
