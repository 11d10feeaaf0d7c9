// What acts along coordinates: rows, bounds and compliances of a step.
// A spring acts with the mean of its stretch before and after the step,
//   x = value at the middle + bend + h/4 (u+ - u-),   p = -h k (x - rest),
// where bend is what the first half of the flight adds to a straight line, and the second half is
// taken to add: linear springs keep their energy to rounding whatever k h^2. What bodies do that
// keep their rates is no gain of the rate: with the angle 2 atan(h omega / 4) of Cayley's map in
// half a step for h omega / 2, the rates at both ends of the step are u+ + gain and u- - gain,
// gain being 4 / h times what the flight adds to that. A damper takes c times theta of the
// first and 1 - theta of the second, with the theta that makes the decay of a single body exact,
// from 1/2 for weak ones to 1; motors and friction act on the first.
#include "joint_acts.h"

#include <float.h>

// A bend below this part of the numbers it is the difference of is none.
static const double STRAIGHT = 64 * DBL_EPSILON;  // [rounding]

void stc_acts_free(stc_acts *acts) {
  stc_pool *pools[] = {&acts->act,     &acts->tie,    &acts->first,   &acts->rate,   &acts->D.body,
                       &acts->D.block, &acts->H.body, &acts->H.block, &acts->G.body, &acts->G.block,
                       &acts->M,       &acts->f,      &acts->w,       &acts->b,      &acts->law};
  for (size_t k = 0; k < sizeof pools / sizeof *pools; k++) stc_release(&pools[k]->data);
}

// --- One act ---

double stc_row_mobility(const stc_world *world, const stc_body_matrix *A, int row) {
  double sum = 0;
  for (int s = 0; s < 2; s++) {
    int body = stc_body_pair(A, row / A->dim)[s];
    const double *entry = stc_body_row(A, row, s);
    double x[6] = {0}, y[3];
    if (body < 0) continue;
    const stc_body_data *node = &STC_NODES(world)[((const int *)world->owner.data)[body]];
    int linear = world->settings.plane ? 2 : 3;
    for (int i = 0; i < A->width; i++) x[i] = entry[i * A->dim];
    for (int i = 0; i < linear; i++) sum += x[i] * x[i] / node->mass;
    if (world->settings.plane) {
      sum += x[2] * x[2] / node->inertia[8];
      continue;
    }
    stc_mul3(node->inverse, x + 3, y);
    sum += stc_dot3(x + 3, y);
  }
  return sum;
}

double stc_damper_part(double z) {
  if (z < 1e-3) return 0.5 + z / 12;
  return 1 / -expm1(-z) - 1 / z;
}

typedef struct spring {
  double stiffness, damping, rest;
} spring;

/// How far bodies take the coordinate in half a step that keep their rates: they rotate by Cayley's
/// map, which counts where the coordinate is an angle.
static double steady_way(const stc_world *world, const stc_act *a, bool angle) {
  const stc_body_matrix *D = &world->acts.D.view;
  int row = (int)(a - STC_ACT(world, 0)), width = D->width;
  double k = world->settings.h / 2, way = k * a->driven;
  for (int s = 0; s < 2; s++) {
    int body = stc_body_pair(D, row)[s];
    if (body < 0) continue;
    const double *entry = stc_body_row(D, row, s);
    const double *v = STC_SPEED(world, STC_SPEED_BEFORE) + (ptrdiff_t)body * width;
    double rate = 0, spin = !angle ? 0 : world->settings.plane ? fabs(v[2]) : stc_norm3(v + 3);
    for (int i = 0; i < width; i++) rate += entry[i] * v[i];
    way += rate * (spin > 0 ? 2 * atan(k * spin / 2) / spin : k);
  }
  return way;
}

static void fill_bend(const stc_world *world, stc_act *a) {
  const stc_link *link = &STC_LINKS(world)[a->link];
  bool angle = stc_joint_is_angle((int)link->kind, world->settings.plane, a->coordinate);
  double h = world->settings.h, half = h / 2 * a->before, unit = angle ? 1 : link->reach;
  double start = stc_joint_value(world, link, a->coordinate, STC_PLACES(world));
  a->middle = stc_joint_value(world, link, a->coordinate, STC_NEXT(world));
  a->bend = start - a->middle + half;
  double added = start - a->middle + steady_way(world, a, angle);
  double size = fabs(start) + fabs(a->middle) + fabs(half) + unit;
  if (fabs(a->bend) <= STRAIGHT * size) a->bend = 0;
  a->gain = fabs(added) <= STRAIGHT * size ? 0 : 4 * added / h;
}

static void fill_spring(const stc_world *world, const spring *s, stc_act *a) {
  double h = world->settings.h, part = stc_damper_part(h * s->damping * a->mobility);
  double mean = a->middle + a->bend - h / 4 * a->before, end = a->gain;
  a->elastic[0] = h * s->stiffness * (mean - s->rest);
  a->elastic[1] = h * h / 4 * s->stiffness;
  a->viscous[0] = h * s->damping * ((1 - part) * (a->before - end) + part * end);
  a->viscous[1] = h * s->damping * part;
}

/// The place is inside at the end of the step, and at the middle of the next one.
static void fill_limit(const stc_world *world, const stc_joint_coordinate *c, stc_act *a) {
  const stc_link *link = &STC_LINKS(world)[a->link];
  bool least = a->kind == STC_ACT_LEAST;
  double h = world->settings.h;
  a->sign = least ? 1 : -1;
  a->gap = least ? a->middle - c->least : c->greatest - a->middle;
  double before = a->sign * a->before, free = a->sign * a->free;
  bool bounces =
      c->restitution > 0 && a->scale * before < -stc_world_slow(world) && a->gap + h * free <= 0;
  bool closed = a->scale * a->gap <= STC_SAME * link->reach;
  double end = a->gap + a->sign * a->bend;  // at the end of the step with u+ = 0
  a->w = 2 * end / h;
  if (!closed) a->w = fmin(a->w, a->gap / h);
  if (bounces) a->w = c->restitution * before;
  a->contact = a->scale * (a->gap + h * fmin(before, free)) <= h * stc_world_slow(world) ? 0 : -1;
}

static void fill_act(const stc_world *world, stc_act *a) {
  const stc_link *link = &STC_LINKS(world)[a->link];
  const stc_joint_coordinate *c = &link->action[a->coordinate];
  double h = world->settings.h;
  a->contact = -1;
  a->bound = INFINITY;
  fill_bend(world, a);
  if (a->kind == STC_ACT_SPRING)
    fill_spring(world, &(spring){c->stiffness, c->damping, c->rest}, a);
  if (a->kind == STC_ACT_MOTOR) {
    a->bound = h * c->motor_force;
    if (c->motor == STC_MOTOR_VELOCITY) a->rigid = a->gain - c->target;
    if (c->motor == STC_MOTOR_POSITION)
      fill_spring(world, &(spring){c->motor_stiffness, c->motor_damping, c->target}, a);
  }
  if (a->kind == STC_ACT_FRICTION) {
    a->bound = h * c->friction + c->friction_ratio * stc_norm3(link->reaction);
    a->rigid = a->gain;
  }
  if (a->kind >= STC_ACT_LEAST) fill_limit(world, c, a);
}

static bool is_limit(const stc_act *a) { return a->kind >= STC_ACT_LEAST; }
static bool is_tied(const stc_act *a) { return !is_limit(a) && isinf(a->bound); }
static double yields(const stc_act *a) { return a->elastic[1] + a->viscous[1]; }
static double presses(const stc_act *a) { return a->elastic[0] + a->viscous[0]; }

// --- The list ---

static bool has_act(const stc_link *link, const stc_joint_coordinate *c, int kind) {
  if (kind == STC_ACT_SPRING) return c->stiffness > 0 || c->damping > 0;
  if (kind == STC_ACT_MOTOR) return c->motor != STC_MOTOR_NONE && c->motor_force > 0;
  if (kind == STC_ACT_FRICTION)
    return c->friction > 0 || (c->friction_ratio > 0 && stc_norm3(link->reaction) > 0);
  return isfinite(kind == STC_ACT_LEAST ? c->least : c->greatest);
}

static void list_acts(stc_world *world) {
  stc_acts *acts = &world->acts;
  bool plane = world->settings.plane;
  acts->count = 0;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    ((int *)acts->first.data)[j] = acts->count;
    for (int n = 0; n < link->acting; n++)
      for (int kind = 0; kind < STC_ACT_KINDS; kind++) {
        int k = link->acts_on[n];
        if (!has_act(link, &link->action[k], kind)) continue;
        double scale = stc_joint_is_angle((int)link->kind, plane, k) ? link->reach : 1;
        *STC_ACT(world, acts->count++) =
            (stc_act){.link = j, .coordinate = k, .kind = (stc_act_kind)kind, .scale = scale};
      }
  }
  ((int *)acts->first.data)[world->links] = acts->count;
}

static stc_error make_act_rows(stc_world *world) {
  stc_acts *acts = &world->acts;
  STC_TRY(stc_world_open_rows(world, acts->count, 1, &acts->D));
  STC_TRY(stc_pool_grow(&acts->rate, (size_t)acts->count, sizeof(double), 0));
  for (int k = 0; k < acts->count; k++) {
    stc_act *a = STC_ACT(world, k);
    const stc_link *link = &STC_LINKS(world)[a->link];
    stc_joint_row row;
    stc_joint_value_row(world, link, a->coordinate, STC_NEXT(world), &row);
    stc_joint_put_row(world, link, &row, &acts->D, k);
    a->driven = stc_joint_rate(world, link, &row, STC_NEXT(world), true);
    a->mobility = stc_row_mobility(world, &acts->D.view, k);
  }
  return STC_OK;
}

/// Rates of all coordinates with the velocities `speed`, by the acts that stand there.
static const double *act_rates(stc_world *world, stc_speed speed) {
  stc_acts *acts = &world->acts;
  double *rate = acts->rate.data;
  memset(rate, 0, (size_t)acts->count * sizeof *rate);
  stc_body_rows_add_velocity(&acts->D.view, STC_SPEED(world, speed), rate);
  for (int k = 0; k < acts->count; k++) rate[k] += STC_ACT(world, k)->driven;
  return rate;
}

/// Acts without a bound along one coordinate are one equation.
static void list_ties(stc_world *world) {
  stc_acts *acts = &world->acts;
  acts->ties = 0;
  for (int j = 0; j < acts->count; j++) {
    const stc_act *a = STC_ACT(world, j);
    stc_tie *ties = acts->tie.data, *last = acts->ties ? &ties[acts->ties - 1] : NULL;
    if (!is_tied(a)) continue;
    const stc_act *other = last ? STC_ACT(world, last->act) : NULL;
    bool same = other && other->link == a->link && other->coordinate == a->coordinate;
    double slope = yields(a), force = presses(a);
    if (same && last->compliance == 0) continue;
    if (same && slope > 0) {
      slope += 1 / last->compliance;
      force += last->bias / last->compliance;
    }
    stc_tie *tie = same ? last : &ties[acts->ties++];
    *tie = (stc_tie){same ? last->act : j, slope > 0 ? 1 / slope : 0,
                     slope > 0 ? force / slope : a->rigid};
  }
}

static void number_contacts(stc_world *world) {
  stc_acts *acts = &world->acts;
  acts->pressed = 0;
  for (int k = 0; k < acts->count; k++) {
    stc_act *a = STC_ACT(world, k);
    bool wanted = is_limit(a) ? a->contact >= 0 : !is_tied(a);
    a->contact = wanted ? acts->pressed++ : -1;
  }
}

stc_error stc_acts_begin(stc_world *world) {
  stc_acts *acts = &world->acts;
  size_t most = 0;
  for (int j = 0; j < world->links; j++) most += STC_ACT_KINDS * (size_t)STC_LINKS(world)[j].acting;
  acts->count = acts->pressed = acts->ties = 0;
  if (most == 0) return STC_OK;
  STC_TRY(stc_pool_grow(&acts->act, most, sizeof(stc_act), 0));
  STC_TRY(stc_pool_grow(&acts->tie, most, sizeof(stc_tie), 0));
  STC_TRY(stc_pool_grow(&acts->first, (size_t)world->links + 1, sizeof(int), 0));
  list_acts(world);
  STC_TRY(make_act_rows(world));
  const double *rate = act_rates(world, STC_SPEED_BEFORE);
  for (int k = 0; k < acts->count; k++) STC_ACT(world, k)->before = rate[k];
  rate = act_rates(world, STC_SPEED_FREE);
  for (int k = 0; k < acts->count; k++) STC_ACT(world, k)->free = rate[k];
  for (int k = 0; k < acts->count; k++) fill_act(world, STC_ACT(world, k));
  list_ties(world);
  number_contacts(world);
  return stc_acts_hold(world, false);
}

int stc_acts_cross(stc_world *world) {
  int crossed = 0;
  for (int k = 0; k < world->acts.count; k++) {
    stc_act *a = STC_ACT(world, k);
    if (!is_limit(a) || a->contact >= 0) continue;
    bool far = a->gap + world->settings.h * a->sign * a->after >= 0;
    if (!far) a->contact = 0, crossed++;
  }
  if (crossed) number_contacts(world);
  return crossed;
}

// --- Impulses ---

void stc_acts_guess(const stc_world *world, double *r) {
  for (int k = 0; k < world->acts.count; k++) {
    const stc_act *a = STC_ACT(world, k);
    if (a->contact < 0) continue;
    double *to = r + (size_t)a->contact * (size_t)world->dim;
    double p = STC_LINKS(world)[a->link].impulse[a->coordinate][a->kind] / a->scale;
    memset(to, 0, (size_t)world->dim * sizeof *to);
    to[0] = is_limit(a) ? fmax(0, a->sign * p) : a->bound / a->scale;
    if (!is_limit(a)) to[1] = fmax(-to[0], fmin(to[0], p));
  }
}

void stc_acts_take(stc_world *world, const double *r) {
  for (int k = 0; k < world->acts.count; k++) {
    stc_act *a = STC_ACT(world, k);
    a->p = 0;
    if (a->contact < 0) continue;
    const double *from = r + (size_t)a->contact * (size_t)world->dim;
    a->p = a->scale * (is_limit(a) ? a->sign * from[0] : from[1]);
  }
}

void stc_acts_compare(const stc_world *world, const double *r, double *limits, double *loads) {
  *limits = *loads = 0;
  for (int k = 0; k < world->acts.count; k++) {
    const stc_act *a = STC_ACT(world, k);
    if (!is_limit(a))
      *loads += (isinf(a->bound) ? fabs(a->elastic[0]) + fabs(a->viscous[0]) : a->bound) / a->scale;
    else if (a->contact >= 0)
      *limits += r[(size_t)a->contact * (size_t)world->dim];
  }
}

void stc_acts_push(stc_world *world, double *momentum) {
  stc_acts *acts = &world->acts;
  double *p = acts->rate.data;
  if (acts->count == 0) return;
  for (int k = 0; k < acts->count; k++) p[k] = STC_ACT(world, k)->held ? 0 : STC_ACT(world, k)->p;
  stc_body_rows_add_impulse(&acts->D.view, p, momentum);
}

// --- What mechanisms hold ---

// A bound is reached where less than this part of it is left.
static const double REACHED = 1e-9;  // [rounding]

/// Whether the act sticks or is closed, or has no bound.
static bool can_hold(const stc_act *a, bool sticking) {
  if (is_tied(a)) return true;
  if (!sticking || a->contact < 0) return false;
  return is_limit(a) ? a->sign * a->p > 0 : fabs(a->p) < a->bound * (1 - REACHED);
}

/// What acts along coordinate row i of a mechanism, acts `first` to `last`: those that yield
/// together, or one of those that do not.
static bool hold_coordinate(stc_world *world, stc_mechanism *m, int i, int first, int last,
                            bool sticking) {
  double slope = 0, force = 0;
  stc_act *rigid = NULL;
  for (int k = first; k < last; k++) {
    stc_act *a = STC_ACT(world, k);
    a->held = can_hold(a, sticking);
    if (!a->held) continue;
    if (yields(a) > 0) {
      slope += yields(a);
      force += presses(a);
    } else if (!rigid) {
      rigid = a;
    } else {
      a->held = false;  // as it was found
    }
  }
  if (rigid)
    stc_mechanism_hold(m, i, 0, is_limit(rigid) ? rigid->sign * rigid->w : rigid->rigid);
  else if (slope > 0)
    stc_mechanism_hold(m, i, 1 / slope, force / slope);
  return rigid || slope > 0;
}

/// The acts of coordinate k of a link.
static void acts_of(const stc_world *world, int link, int k, int *first, int *last) {
  const int *of = world->acts.first.data;
  *first = of[link];
  while (*first < of[link + 1] && STC_ACT(world, *first)->coordinate != k) ++*first;
  *last = *first;
  while (*last < of[link + 1] && STC_ACT(world, *last)->coordinate == k) ++*last;
}

stc_error stc_acts_hold(stc_world *world, bool sticking) {
  for (int n = 0; world->acts.count > 0 && n < world->mechanisms; n++) {
    stc_mechanism *m = &world->mechanism[n];
    bool some = stc_mechanism_release(world, m);
    for (int j = 0; j < m->links; j++) {
      const stc_link *link = &STC_LINKS(world)[m->link[j]];
      for (int k = 0; k < link->acting; k++) {
        int first, last;
        acts_of(world, m->link[j], link->acts_on[k], &first, &last);
        some |= hold_coordinate(world, m, m->first[j] + link->rows + k, first, last, sticking);
      }
    }
    if (!some) continue;
    stc_mechanism_rows(world, m, STC_NEXT(world), STC_NEXT(world), m->end);
    STC_TRY(stc_mechanism_factorise(world, m, m->end, STC_NEXT(world)));
  }
  return STC_OK;
}

/// Impulses along row i, of which `total` is the sum of those that are held.
static bool settle_coordinate(stc_world *world, double total, int first, int last) {
  stc_act *rigid = NULL;
  bool sound = true;
  for (int k = first; k < last; k++) {
    stc_act *a = STC_ACT(world, k);
    if (!a->held) continue;
    if (yields(a) > 0) {
      a->p = -(presses(a) + yields(a) * a->after);
      total -= a->p;
    } else {
      rigid = a;
    }
  }
  if (rigid) rigid->p = total;
  for (int k = first; k < last; k++) {
    const stc_act *a = STC_ACT(world, k);
    if (a->held && is_limit(a)) sound = sound && a->sign * a->p >= 0;
    if (a->held && !is_limit(a)) sound = sound && fabs(a->p) <= a->bound;
  }
  return sound;
}

bool stc_acts_settle(stc_world *world) {
  bool sound = true;
  if (world->acts.count == 0) return true;
  const double *rate = act_rates(world, STC_SPEED_AFTER);
  for (int k = 0; k < world->acts.count; k++) STC_ACT(world, k)->after = rate[k];
  for (int n = 0; n < world->mechanisms; n++) {
    const stc_mechanism *m = &world->mechanism[n];
    for (int j = 0; j < m->links; j++) {
      const stc_link *link = &STC_LINKS(world)[m->link[j]];
      for (int k = 0; k < link->acting; k++) {
        int first, last;
        acts_of(world, m->link[j], link->acts_on[k], &first, &last);
        double total = m->total[m->first[j] + link->rows + k];
        sound = settle_coordinate(world, total, first, last) && sound;
      }
    }
  }
  return sound;
}

// --- After the step ---

/// A limit, a damper and friction take energy; what the time step makes them give is a correction.
static void book_loss(stc_world *world, stc_entry entry, double work) {
  stc_account_add(&world->trial, work > 0 ? STC_ENTRY_CORRECTION : entry, work);
}

void stc_acts_book(stc_world *world) {
  for (int k = 0; k < world->acts.count; k++) {
    const stc_act *a = STC_ACT(world, k);
    double mean = (a->before + a->after) / 2;
    double viscous = -(a->viscous[0] + a->viscous[1] * a->after);
    stc_account_add(&world->trial, STC_ENTRY_DRIVE, -a->p * a->driven);
    if (a->kind == STC_ACT_SPRING) book_loss(world, STC_ENTRY_FRICTION, viscous * mean);
    if (a->kind == STC_ACT_MOTOR) stc_account_add(&world->trial, STC_ENTRY_DRIVE, a->p * mean);
    if (a->kind == STC_ACT_FRICTION) book_loss(world, STC_ENTRY_FRICTION, a->p * mean);
    if (is_limit(a)) book_loss(world, STC_ENTRY_SHOCK, a->p * mean);
  }
}

bool stc_acts_keep(stc_world *world) {
  const int *first = world->acts.first.data;
  bool same = true;
  for (int j = 0; j < world->links; j++) {
    double impulse[STC_JOINT_COORDINATES][STC_ACT_KINDS] = {{0}};
    stc_link *link = &STC_LINKS(world)[j];
    for (int k = world->acts.count ? first[j] : 0; world->acts.count && k < first[j + 1]; k++)
      impulse[STC_ACT(world, k)->coordinate][STC_ACT(world, k)->kind] = STC_ACT(world, k)->p;
    same = same && memcmp(impulse, link->impulse, sizeof impulse) == 0;
    memcpy(link->impulse, impulse, sizeof impulse);
  }
  return same;
}

double stc_springs_energy(const stc_world *world, const stc_place *places) {
  double sum = 0;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    for (int n = 0; n < link->acting; n++) {
      int k = link->acts_on[n];
      double stretch = stc_joint_value(world, link, k, places) - link->action[k].rest;
      sum += link->action[k].stiffness * stretch * stretch / 2;
    }
  }
  return sum;
}
