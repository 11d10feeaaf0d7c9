// A flight of a mechanism over k seconds: no forces but those of its joints. With rows G0 and G1 at
// both ends and the mean rows G that lie between them (joints.h),
//   v'  = v + M^-1 G0^T alpha,                                 a push where it begins,
//   q1  = q0 + k (v' + v'')/2,   v'' = v' + M^-1 G^T lambda,   g(q1) = 0,
//   v1  = v'' - M^-1 G1^T beta,                                G1 v1 + b1 = 0,
// the rotation by Cayley's map and the midpoint rule. lambda does no work but on driven bodies,
// since k G (v' + v'')/2 = g(q1) - g(q0); the pushes cancel, |G0^T alpha| = |G1^T beta| in the norm
// of M^-1, with alpha = s beta. A flight thus keeps joints, energy, momentum and angular momentum,
// and is its own inverse   [after Simo and Wong 1991, Gonzalez 1999].
#include "flight.h"

#include <float.h>

// Iterations converge linearly, at a rate of the square of the angle that bodies rotate by in the
// flight; of the angle itself where joints make loops.
enum { ITERATIONS = 60, PATIENCE = 8 };  // [bound]

// Where the matrix is nearly singular rounding leaves this many times as much.
static const double ROUGH = 100;  // [rounding]

// Residuals of a flight that is found, and of the iteration before it, whose mean rows are then as
// good as those of its end: what these are off by enters times the angle of the flight.
static const double MET = 4, CLOSE = 64;  // [rounding]

// A flight that is not found is cut into 2, 4, ... pieces; more quick ones take longer than an
// exact one.
enum { MOST_PIECES = 256, QUICK_PIECES = 4 };  // [bound]

// --- Iteration ---

static void start_piece(stc_flight *f) {
  stc_mechanism *m = f->m;
  size_t bytes = (size_t)m->rows * sizeof(double);
  memset(m->y, 0, bytes);
  memset(m->lambda, 0, bytes);
  memset(m->alpha, 0, bytes);
  memset(m->off, 0, 2 * bytes);
  memset(m->step, 0, 2 * bytes);
  f->reach = stc_mechanism_reach(f->world, m, f->from);
  f->speed = stc_mechanism_speed(f->world, m, f->from) + f->reach / f->k;
  stc_flight_begin(f);
}

/// One iteration from the residuals.
static stc_error improve(stc_flight *f) {
  stc_mechanism *m = f->m;
  double *dy = m->step, *rate = m->step + m->rows, *whole = m->whole;
  STC_TRY(stc_flight_solve(f, false, m->off, dy));
  for (int i = 0; i < m->rows; i++) whole[i] = dy[i] = -dy[i];
  stc_flight_predict(f, dy, rate);
  STC_TRY(stc_flight_solve(f, true, rate, rate));
  stc_flight_shift(f, rate, dy);
  STC_TRY(stc_flight_solve(f, false, dy, dy));
  for (int i = 0; i < m->rows; i++) {
    m->y[i] += whole[i] += dy[i];
    m->lambda[i] -= rate[i];
    m->alpha[i] = m->y[i] - m->lambda[i] / 2;
  }
  stc_flight_expect(f, whole);
  return STC_OK;
}

static stc_error fly_exactly(stc_flight *f, bool *met) {
  double off = INFINITY, best = INFINITY, before[2] = {INFINITY, INFINITY};
  start_piece(f);
  *met = false;
  for (int n = 0, since = 0; n < ITERATIONS && since < PATIENCE; n++) {
    off = stc_flight_evaluate(f, n == 0);
    since = off < best / 2 ? 0 : since + 1;
    *met = (off <= MET && before[0] <= CLOSE) || (since >= PATIENCE / 2 && off <= ROUGH);
    if (!isfinite(off) || *met) break;
    bool anew = n == 0 || (n > 2 && off > before[1] / 16);
    stc_error error = anew ? stc_flight_factorise(f) : STC_OK;
    if (error == STC_ERR_NUMERIC) return STC_OK;  // far from any flight: it is cut
    STC_TRY(error);
    STC_TRY(improve(f));
    best = fmin(best, off);
    before[1] = before[0];
    before[0] = off;
  }
  if (!*met) return STC_OK;
  f->m->clean = stc_flight_is_clean(f, off);
  return stc_flight_finish(f);
}

// --- Pieces ---

/// Obstacles after a part of the flight: those that rotate do so evenly.
static void place_obstacles(const stc_flight *f, double part, stc_place *places) {
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

static stc_error fly_pieces(stc_flight *f, bool quick, int pieces, stc_place *origin, bool *met) {
  const stc_mechanism *m = f->m;
  double whole = f->k;
  *met = true;
  memset(m->flown, 0, 6 * (size_t)m->links * sizeof *m->flown);
  for (int n = 0; n < m->bodies + m->obstacles; n++) origin[m->body[n]] = m->kept[n];
  for (int piece = 0; piece < pieces && *met; piece++) {
    bool last = piece + 1 == pieces;
    if (!last) place_obstacles(f, (piece + 1.0) / pieces, f->to);
    for (int n = 0; n < m->obstacles && last; n++) f->to[m->body[m->bodies + n]] = m->arrived[n];
    f->k = whole / pieces;
    stc_error error = STC_OK;
    if (quick)
      *met = stc_flight_is_quick(f);
    else
      error = fly_exactly(f, met);
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
  stc_flight f = {.world = world, .m = m, .k = k, .from = origin, .to = to};
  *met = true;
  stc_mechanism_release(world, m);
  if (stc_mechanism_rests(m, origin)) {
    for (int n = 0; n < m->bodies; n++) to[m->body[n]] = origin[m->body[n]];
    return STC_OK;
  }
  memset(m->flown, 0, 6 * (size_t)m->links * sizeof *m->flown);
  m->clean = m->known = false;
  if (stc_hinge_fly(world, m, k, origin, to)) {
    m->clean = true;
    stc_mechanism_note(world, m);
    return STC_OK;
  }
  for (int n = 0; n < m->bodies + m->obstacles; n++) m->kept[n] = origin[m->body[n]];
  for (int n = 0; n < m->obstacles; n++) m->arrived[n] = to[m->body[m->bodies + n]];
  bool quick = stc_flight_may_be_quick(&f);
  for (int pieces = 1; pieces <= QUICK_PIECES && quick; pieces *= 2) {
    STC_TRY(fly_pieces(&f, true, pieces, origin, met));
    if (*met) return stc_mechanism_note(world, m), STC_OK;
  }
  m->known = false;
  for (int pieces = 1; pieces <= MOST_PIECES; pieces *= 2) {
    STC_TRY(fly_pieces(&f, false, pieces, origin, met));
    if (*met) break;
  }
  stc_mechanism_note(world, m);
  return STC_OK;
}
