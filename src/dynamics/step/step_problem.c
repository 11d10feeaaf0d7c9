// The one-step problem of a world, made of the rows of the step.
#include "step_problem.h"

#include "../../law/scale.h"
#include "../../linalg/bsr.h"
#include "../../solve/kernels/sweep.h"
#include "../../solve/settings.h"
#include "../joints/joint_acts.h"

static size_t component_count(const stc_world *world) {
  return (size_t)world->count * (size_t)world->dim;
}

static const stc_body_data *owner_of(const stc_world *world, int free_body) {
  return &STC_NODES(world)[((const int *)world->owner.data)[free_body]];
}

static double diagonal(const stc_world *world, const stc_body_data *node, int k) {
  if (world->settings.plane) return k < 2 ? node->mass : node->inertia[8];
  return k < 3 ? node->mass : node->inertia[4 * (k - 3)];
}

/// Sum of H^2 / M_ii of a contact on one body: the directions of its translations have length one.
static inline double kappa_of_side(int dim, int linear, const double *block, double inverse_mass,
                                   const double *inverse) {
  int rotations = linear == 2 ? 1 : 3;
  double sum = 0;
  for (int k = 0; k < (dim < linear ? dim : linear); k++) sum += inverse_mass;
  for (int i = 0; i < rotations; i++) {
    double square = 0;
    const double *moment = block + (linear + i) * dim;
    for (int k = 0; k < dim; k++) square += moment[k] * moment[k];
    sum += square * inverse[i];
  }
  return sum;
}

/// From sum H^2 / M_ii.
static double choose_unit(stc_world *world) {
  const stc_body_matrix *H = &world->H.view;
  int linear = world->settings.plane ? 2 : 3;
  double kappa = 0;
  for (int k = 0; k < 2 * H->count; k++) {
    int body = H->rows.body[k];
    if (body < 0) continue;
    const stc_body_data *node = owner_of(world, body);
    const double *J = node->inertia, *block = stc_body_block(H, k / 2, k % 2);
    bool plane = world->settings.plane;
    double mass = 1 / node->mass, inverse[3] = {1 / (plane ? J[8] : J[0]), 1 / J[4], 1 / J[8]};
    if (H->dim == 3 && !plane)
      kappa += kappa_of_side(3, 3, block, mass, inverse);
    else
      kappa += kappa_of_side(H->dim, linear, block, mass, inverse);
  }
  return stc_unit_of_mass((H->count + world->acts.pressed) * H->dim, kappa + stc_acts_kappa(world));
}

/// M and its inverse, of one body.
static void fill_body(const stc_world *world, const stc_body_data *node, double *M,
                      double *inverse) {
  int width = stc_body_dofs(world);
  double unit = world->unit;
  memset(M, 0, (size_t)(width * width) * sizeof *M);
  memset(inverse, 0, (size_t)(width * width) * sizeof *inverse);
  for (int k = 0; k < 3; k++) {
    M[k * width + k] = diagonal(world, node, k) / unit;
    inverse[k * width + k] = unit / diagonal(world, node, k);
  }
  for (int i = 0; width == 6 && i < 3; i++)
    for (int j = 0; j < 3; j++) {
      M[(3 + i) * width + 3 + j] = node->inertia[3 * i + j] / unit;
      inverse[(3 + i) * width + 3 + j] = node->inverse[i > j ? 3 * i + j : 3 * j + i] * unit;
    }
}

/// M of the free bodies, and f = -M v_free, in units of mass.
static stc_error fill_mass(stc_world *world) {
  int width = stc_body_dofs(world), area = width * width;
  STC_TRY(stc_pool_grow(&world->mass, (size_t)(world->dofs * width), sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->mobility, (size_t)(world->dofs * width), sizeof(double), 0));
  STC_TRY(stc_pool_grow(&world->f, (size_t)world->dofs, sizeof(double), 0));
  const double *free = STC_SPEED(world, STC_SPEED_FREE);
  double *M = world->mass.data, *inverse = world->mobility.data, *f = world->f.data;
  memset(f, 0, (size_t)world->dofs * sizeof *f);
  for (int b = 0; b < world->dofs / width; b++, f += width, free += width) {
    fill_body(world, owner_of(world, b), M, inverse);
    for (int j = 0; j < width; j++)
      for (int i = 0; i < width; i++) f[i] -= M[j * width + i] * free[j];
    M += area, inverse += area;
  }
  return STC_OK;
}

static void fill_w(const stc_world *world, double *w) {
  const double *drive = STC_ROW(world, STC_ROW_DRIVE), *added = STC_ROW(world, STC_ROW_W);
  for (size_t k = 0; k < component_count(world); k++) w[k] = added[k] - drive[k];
}

/// The velocities that the contacts have without impulses, w included.
static const double *fill_q(const stc_world *world) {
  const double *free = STC_ROW(world, STC_ROW_FREE), *added = STC_ROW(world, STC_ROW_W);
  double *q = STC_ROW(world, STC_ROW_AFTER);
  for (size_t k = 0; k < component_count(world); k++) q[k] = free[k] + added[k];
  return q;
}

/// The sweeps of a problem whose contacts come in batches: the solver and the correction share
/// them.
static stc_error make_sweeps(stc_world *world) {
  const stc_settings *settings = &world->settings.solver;
  world->sweeps = settings->nsgs.matrix_free != 0 && stc_lanes4_serve(&world->reduced);
  if (!world->sweeps) return STC_OK;
  size_t bytes = stc_sweep_bytes(&world->reduced);
  if (!world->sweep) STC_NEW(&world->sweep, "the sweeps of a world");
  STC_TRY(stc_pool_grow(&world->sweep_room, bytes, 1, 0));
  stc_arena room = stc_arena_within(world->sweep_room.data, bytes);
  STC_TRY(stc_sweep_create(&room, &world->reduced, 1, world->sweep));
  world->sweep->omega = settings->nsgs.omega;
  return STC_OK;
}

static stc_error reduce(stc_world *world) {
  int width = stc_body_dofs(world);
  stc_reduced_rows rows = {.H = world->H.view,
                           .block = world->H.block.data,
                           .bodies = world->dofs / width,
                           .M = world->mass.data,
                           .inverse = world->mobility.data,
                           .law = world->law.data,
                           .free = STC_SPEED(world, STC_SPEED_FREE),
                           .q = fill_q(world),
                           .team = world->team};
  size_t bytes = stc_reduced_rows_bytes(&rows);
  size_t end = 2 * component_count(world) * (size_t)width;
  memset(rows.block + end, 0, STC_BSR_PAD * sizeof *rows.block);
  STC_TRY(stc_pool_grow(&world->room, bytes, 1, 0));
  stc_arena room = stc_arena_within(world->room.data, bytes);
  STC_TRY(stc_reduced_take_rows(&room, &rows, &world->reduced));
  size_t space = (size_t)world->reduced.scratch + 2 * component_count(world);
  STC_TRY(stc_pool_grow(&world->work_space, space, sizeof(double), 0));
  return make_sweeps(world);
}

bool stc_step_is_round(const stc_world *world) {
  double D[STC_MAX_DIM];
  bool round = world->dim == (world->settings.plane ? 2 : 3);
  for (int c = 0; c < world->count && round && world->given_laws > 0; c++)
    round = stc_law_scale(&STC_CONTACT_PAIRS(world)[c].law, D);
  return round;
}

/// Whether rigid contacts are all there is, and their laws are cones of forces.
static bool is_direct(const stc_world *world) {
  return world->equalities + world->acts.pressed + world->acts.ties + world->soft == 0 &&
         stc_step_is_round(world);
}

stc_error stc_step_build(stc_world *world) {
  size_t contacts = (size_t)world->count;
  stc_world_forget_problem(world);
  STC_TRY(stc_pool_grow(&world->law, contacts, sizeof(stc_law), 0));
  STC_TRY(stc_pool_grow(&world->w, component_count(world), sizeof(double), 0));
  world->unit = choose_unit(world);
  STC_TRY(fill_mass(world));
  for (size_t c = 0; c < contacts; c++)
    ((stc_law *)world->law.data)[c] = STC_CONTACT_PAIRS(world)[c].law;
  fill_w(world, world->w.data);
  int width = stc_body_dofs(world);
  world->data = (stc_bodies_data){.dim = world->dim,
                                  .contacts = world->count,
                                  .bodies = world->dofs / width,
                                  .width = width,
                                  .equalities = world->equalities,
                                  .M = world->mass.data,
                                  .H = world->H.view.rows,
                                  .G = world->G.view.rows,
                                  .f = world->f.data,
                                  .w = world->w.data,
                                  .b = world->driven.data,
                                  .law = world->law.data};
  STC_TRY(stc_acts_extend(world, &world->data));
  world->posed = true;
  world->direct = is_direct(world);
  return world->direct ? reduce(world) : stc_step_pose(world);
}

stc_error stc_step_pose(stc_world *world) {
  if (!world->posed || world->problem) return STC_OK;
  return stc_problem_create_bodies(&world->data, &world->problem);
}

stc_error stc_step_follow(stc_world *world, stc_solver *solver) {
  size_t own = component_count(world), behind = (size_t)(world->acts.pressed * world->dim);
  double *w = STC_ROW(world, STC_ROW_AFTER);
  if (world->direct) return stc_step_build(world);
  fill_w(world, w);
  if (behind > 0) memcpy(w + own, (double *)world->acts.w.data + own, behind * sizeof *w);
  return stc_solver_update(solver, &(stc_update){.w = w});
}

stc_error stc_step_judge(stc_world *world, double *r, stc_residual *residual) {
  if (!world->direct)
    return stc_problem_residual(world->problem, &(stc_solution){.r = r}, residual);
  double *scaled = world->work_space.data, *u = scaled + component_count(world);
  stc_reduced_scale_r(&world->reduced, r, scaled);
  stc_reduced_residual(&world->reduced, scaled, u + component_count(world), u, residual);
  return STC_OK;
}

const double *stc_step_judged(const stc_world *world) {
  return (const double *)world->work_space.data + component_count(world);
}
