// A flight of a mechanism over k seconds: no forces but those of its joints. With rows G0 and G1 at
// both ends and the mean rows G that lie between them (joints.h),
//   v'  = v + M^-1 G0^T alpha,                                 a push where it begins,
//   q1  = q0 + k (v' + v'')/2,   v'' = v' + M^-1 G^T lambda,   g(q1) = 0,
//   v1  = v'' - M^-1 G1^T beta,                                G1 v1 + b1 = 0,
// the rotation by Cayley's map and the midpoint rule. lambda does no work but on driven bodies,
// since k G (v' + v'')/2 = g(q1) - g(q0); the pushes cancel, |G0^T alpha| = |G1^T beta| in the norm
// of M^-1, with alpha = s beta. A flight thus keeps joints, energy, momentum and angular momentum,
// and is its own inverse   [after Simo and Wong 1991, Gonzalez 1999].
#include "mechanism.h"

#include <float.h>

// Iterations converge linearly, at a rate of the angle that bodies rotate by in the flight.
enum { ITERATIONS = 60, PATIENCE = 8 };  // [bound]

// What rounding leaves, against how far the bodies are, and how fast they are or would be if they
// came from the origin in the flight.
static const double ROUNDING = 16 * DBL_EPSILON;

// Where the matrix is nearly singular rounding leaves this many times as much.
static const double ROUGH = 100;  // [rounding]

// A flight that is not found is cut into 2, 4, ... pieces.
enum { MOST_PIECES = 256 };  // [bound]

/// Residuals of an iteration, in units of rounding.
typedef struct flight {
  stc_world *world;
  stc_mechanism *m;
  double k;
  const stc_place *from;
  stc_place *to;
  stc_wrench *wrench;
  double reach, speed, part;
} flight;

// --- Evaluation ---

/// The body's flight under the wrench of its joints from `place`, whose velocity has the push of
/// the beginning; false where it rotates too fast.
static bool fly_body(const flight *f, int b, stc_place *place) {
  const stc_body_data *node = &STC_NODES(f->world)[b];
  const stc_wrench *w = &f->wrench[b];
  double angle[3], mean[3], R[9], moment[3];
  for (int i = 0; i < 3; i++) {
    double change = w->force[i] / node->mass;
    place->x[i] += f->k * (place->v[i] + change / 2);
    place->v[i] += change;
  }
  if (f->world->settings.plane) {
    double change = w->moment[2] / node->inertia[8];
    memcpy(mean, (double[]){0, 0, place->omega[2] + change / 2}, sizeof mean);
    place->omega[2] += change;
  } else {
    stc_rotation_matrix(place->rotation, R);
    stc_mul3_transposed(R, w->moment, moment);
    if (!stc_mean_rate(node->inertia, f->k, place->omega, moment, mean)) return false;
    for (int i = 0; i < 3; i++) place->omega[i] = 2 * mean[i] - place->omega[i];
  }
  for (int i = 0; i < 3; i++) angle[i] = f->k * mean[i];
  stc_rotation_by(place->rotation, angle, 1);
  return true;
}

/// 1/s: the pushes alpha at the beginning and alpha / s at the end have the same energy.
static double part_of_push(const flight *f) {
  stc_mechanism_wrench(f->world, f->m, f->m->begin, f->m->alpha, f->wrench);
  double begin = stc_mechanism_square(f->world, f->m, f->wrench, f->from);
  stc_mechanism_wrench(f->world, f->m, f->m->end, f->m->alpha, f->wrench);
  double end = stc_mechanism_square(f->world, f->m, f->wrench, f->to);
  return begin > 0 && end > 0 ? sqrt(begin / end) : 1;
}

/// Where the multipliers lead; false where a body rotates too fast.
static bool evaluate_flight(flight *f) {
  const stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++) f->to[m->body[n]] = f->from[m->body[n]];
  stc_mechanism_wrench(f->world, m, m->begin, m->alpha, f->wrench);
  stc_mechanism_push(f->world, m, 1, f->wrench, f->to);
  stc_mechanism_wrench(f->world, m, m->mean, m->lambda, f->wrench);
  for (int n = 0; n < m->bodies; n++)
    if (!fly_body(f, m->body[n], &f->to[m->body[n]])) return false;
  stc_mechanism_rows(f->world, m, f->to, f->to, m->end);
  f->part = part_of_push(f);  // leaves the wrenches of alpha at the end
  stc_mechanism_push(f->world, m, -f->part, f->wrench, f->to);
  stc_mechanism_rows(f->world, m, f->from, f->to, m->mean);
  return true;
}

/// Residuals g/k and G1 v1 + b1, and how large they are in units of rounding.
static double residuals(const flight *f) {
  stc_mechanism *m = f->m;
  double most = 0;
  memset(m->off, 0, (size_t)m->rows * sizeof *m->off);
  for (int j = 0; j < m->links; j++)
    stc_joint_errors(f->world, &STC_LINKS(f->world)[m->link[j]], f->to, m->off + m->first[j]);
  stc_mechanism_rates(f->world, m, m->end, f->to, m->off + m->rows);
  for (int i = 0; i < m->rows; i++) {
    double g = fabs(m->off[i]) / f->reach, rate = fabs(m->off[m->rows + i]) / f->speed;
    if (!isfinite(g + rate)) return INFINITY;
    most = fmax(most, fmax(g, rate) / ROUNDING);
    m->off[i] /= f->k;
  }
  return most;
}

// --- Iteration ---

/// What rounding of the places leaves of the velocities at the end is taken from them; what the
/// joints did is noted.
static stc_error polish(const flight *f) {
  stc_mechanism *m = f->m;
  stc_mechanism_react(f->world, m, m->begin, 1, m->alpha, m->flown);
  stc_mechanism_react(f->world, m, m->mean, 1, m->lambda, m->flown);
  stc_mechanism_react(f->world, m, m->end, -f->part, m->alpha, m->flown);
  STC_TRY(stc_mechanism_solve(m, 1, m->off + m->rows, m->step));
  stc_mechanism_wrench(f->world, m, m->end, m->step, f->wrench);
  stc_mechanism_push(f->world, m, -1, f->wrench, f->to);
  return STC_OK;
}

static void start_piece(flight *f) {
  stc_mechanism *m = f->m;
  size_t bytes = (size_t)m->rows * sizeof(double);
  memset(m->y, 0, bytes);
  memset(m->lambda, 0, bytes);
  memset(m->alpha, 0, bytes);
  f->reach = stc_mechanism_reach(f->world, m, f->from);
  f->speed = stc_mechanism_speed(f->world, m, f->from) + f->reach / f->k;
  stc_mechanism_rows(f->world, m, f->from, f->from, m->begin);
  memcpy(m->mean, m->begin, (size_t)m->rows * sizeof *m->mean);
}

/// One piece. When the residuals are rounding, one more iteration makes the mean rows those of the
/// end that was found.
static stc_error fly_piece(flight *f, bool *met) {
  double best = INFINITY, before[2] = {INFINITY, INFINITY};
  start_piece(f);
  *met = false;
  for (int n = 0, since = 0; n < ITERATIONS && since < PATIENCE; n++) {
    if (!evaluate_flight(f)) return STC_OK;
    double off = residuals(f);
    since = off < best / 2 ? 0 : since + 1;
    *met = (off <= 1 && before[0] <= 1) || (since >= PATIENCE / 2 && off <= ROUGH);
    if (!isfinite(off) || *met) break;
    bool anew = n == 0 || (n > 2 && off > before[1] / 16);
    stc_mechanism *m = f->m;
    stc_error error = anew ? stc_mechanism_factorise(f->world, m, m->mean, f->to) : STC_OK;
    if (error == STC_ERR_NUMERIC) return STC_OK;  // far from any flight: it is cut
    STC_TRY(error);
    STC_TRY(stc_mechanism_solve(m, 2, m->off, m->step));
    for (int i = 0; i < m->rows; i++) {
      m->y[i] -= m->step[i];
      m->lambda[i] -= m->step[m->rows + i];
      m->alpha[i] = m->y[i] - m->lambda[i] / 2;
    }
    best = fmin(best, off);
    before[1] = before[0];
    before[0] = off;
  }
  return *met ? polish(f) : STC_OK;
}

// --- Pieces ---

/// Obstacles after a part of the flight: those that rotate do so evenly.
static void place_obstacles(const flight *f, double part, stc_place *places) {
  const stc_mechanism *m = f->m;
  for (int n = m->bodies; n < m->bodies + m->obstacles; n++) {
    int b = m->body[n];
    stc_place *p = &places[b];
    double k = f->k, rate = stc_norm3(f->to[b].omega), angle[3];
    memcpy(p->x, m->kept[n].x, sizeof p->x);
    memcpy(p->rotation, m->kept[n].rotation, sizeof p->rotation);
    stc_add3(p->x, part * k, p->v);
    if (rate == 0) continue;
    double half = part * atan(k * rate / 2);
    for (int i = 0; i < 3; i++) angle[i] = 2 * tan(half) * p->omega[i] / rate;
    stc_rotation_by(p->rotation, angle, 0);
  }
}

static stc_error fly_pieces(flight *f, int pieces, stc_place *origin, bool *met) {
  const stc_mechanism *m = f->m;
  double whole = f->k;
  *met = true;
  for (int n = 0; n < m->bodies + m->obstacles; n++) origin[m->body[n]] = m->kept[n];
  for (int piece = 0; piece < pieces && *met; piece++) {
    bool last = piece + 1 == pieces;
    if (!last) place_obstacles(f, (piece + 1.0) / pieces, f->to);
    for (int n = 0; n < m->obstacles && last; n++) f->to[m->body[m->bodies + n]] = m->arrived[n];
    f->k = whole / pieces;
    stc_error error = fly_piece(f, met);
    f->k = whole;
    if (error) return error;
    for (int n = 0; n < m->bodies + m->obstacles; n++) origin[m->body[n]] = f->to[m->body[n]];
  }
  for (int n = 0; n < m->obstacles; n++) f->to[m->body[m->bodies + n]] = m->arrived[n];
  return STC_OK;
}

stc_error stc_mechanism_fly(stc_world *world, stc_mechanism *m, double k, stc_place *to,
                            bool *met) {
  stc_place *origin = world->origin.data;
  flight f = {world, m, k, origin, to, world->wrench.data, 1, 1, 1};
  *met = true;
  stc_mechanism_release(world, m);
  if (stc_mechanism_rests(m, origin)) {
    for (int n = 0; n < m->bodies; n++) to[m->body[n]] = origin[m->body[n]];
    return STC_OK;
  }
  for (int n = 0; n < m->bodies + m->obstacles; n++) m->kept[n] = origin[m->body[n]];
  for (int n = 0; n < m->obstacles; n++) m->arrived[n] = to[m->body[m->bodies + n]];
  for (int pieces = 1; pieces <= MOST_PIECES; pieces *= 2) {
    memset(m->flown, 0, 6 * (size_t)m->links * sizeof *m->flown);
    STC_TRY(fly_pieces(&f, pieces, origin, met));
    if (*met) break;
  }
  stc_mechanism_note(world, m);
  return STC_OK;
}
