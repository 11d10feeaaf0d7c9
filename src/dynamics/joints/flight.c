// Evaluation of a flight for given multipliers, and the matrices of its iteration. To first order
// in the angle that bodies rotate by in the flight
//   d(g/k)       = G1 T G0^T dy,   T = 1/m and k^-1 d(rotation)/d(moment) of each body,
//   d(G1 v1 + b) = G1 M^-1 G1^T dlambda + what dy does to places and velocities at the end,
// so that an iteration which solves for dy, predicts the rates, and solves for dlambda leaves
// little but the square of that angle. The first equations of most joints say that points meet: a
// force and its moments then are read off the multipliers, without rows.
#include "flight.h"

#include "grip.h"
#include "tree_factor.h"

#include <float.h>

// A part of what counts as astray: speeds change in a flight.
static const double CLEAN = 1.0 / 16;  // [rounding]

// Corrections of a mean angular velocity in an iteration.
enum { CORRECTIONS = 2 };  // [bound]

// --- The beginning ---

void stc_flight_begin(stc_flight *f) {
  stc_mechanism *m = f->m;
  stc_mechanism_sides(f->world, m, 0, f->from);
  for (int n = m->bodies; n < m->bodies + m->obstacles; n++) {
    stc_mover *mover = &m->mover[n];
    const stc_place *place = &f->to[m->body[n]];
    stc_rotation_matrix(place->rotation, mover->R[1]);
    memcpy(mover->v, place->v, sizeof place->v);
    stc_joint_driven_rate(f->world, place->omega, mover->rate);
  }
  for (int j = 0; j < m->links; j++) {
    const stc_joint_side *side = &m->side[0][2 * j];
    if (m->meets[j] < m->equations[j])
      stc_joint_rows_of(f->world, &STC_LINKS(f->world)[m->link[j]], m->meets[j], side, side,
                        m->begin + m->first[j]);
  }
}

// --- Bodies ---

/// F = 2 J (m - omega) - n + k m x (J m + n/2), and the matrix of its derivative where A is given.
static inline void mean_equation(const stc_mover *b, double k, const double n[3], double F[3],
                                 double *A) {
  double change[3], momentum[3], gyroscopic[3];
  stc_sub3(b->mean, b->omega, change);
  stc_mul3(b->J, change, F);
  stc_mul3(b->J, b->mean, momentum);
  stc_add3(momentum, 0.5, n);
  stc_cross3(b->mean, momentum, gyroscopic);
  for (int i = 0; i < 3; i++) F[i] = 2 * F[i] - n[i] + k * gyroscopic[i];
  if (!A) return;
  for (int j = 0; j < 3; j++) {
    double column[3], e[3] = {j == 0, j == 1, j == 2}, across[3], turned[3];
    stc_column3(b->J, j, column);
    stc_cross3(b->mean, column, across);
    stc_cross3(momentum, e, turned);
    for (int i = 0; i < 3; i++) A[3 * i + j] = 2 * column[i] + k * (across[i] - turned[i]);
  }
}

/// The mean angular velocity under the moment n; returns its last change.
static double find_mean(const stc_flight *f, stc_mover *b, const double n[3], bool anew) {
  double F[3], A[9], d[3] = {0, 0, 0};
  if (anew) {
    memcpy(b->mean, b->omega, sizeof b->mean);
    mean_equation(b, f->k, n, F, A);
    if (!f->world->settings.plane) stc_invert3(A, b->K);
  }
  for (int step = 0; step < CORRECTIONS; step++) {
    mean_equation(b, f->k, n, F, NULL);
    stc_mul3(b->K, F, d);
    stc_add3(b->mean, -1, d);
  }
  return stc_norm3(d);
}

/// q (1, a/2), of length 1.
static void rotate_by_chord(const double q[4], const double a[3], double to[4]) {
  double step[4] = {1, a[0] / 2, a[1] / 2, a[2] / 2}, square = 0;
  stc_rotation_multiply(q, step, to);
  for (int i = 0; i < 4; i++) square += to[i] * to[i];
  double scale = 1 / sqrt(square);
  for (int i = 0; i < 4; i++) to[i] *= scale;
}

/// The flight of a body under its wrenches, up to the push at the end.
static void fly_mover(stc_flight *f, int n, bool anew) {
  stc_mover *b = &f->m->mover[n];
  const stc_place *from = &f->from[f->m->body[n]];
  stc_place *to = &f->to[f->m->body[n]];
  double local[3], angle[3];
  for (int i = 0; i < 3; i++) {
    double v = from->v[i] + b->lightness * b->push.force[i],
           change = b->lightness * b->pull.force[i];
    to->x[i] = from->x[i] + f->k * (v + change / 2);
    b->v[i] = v + change;
  }
  stc_mul3_transposed(b->R[0], b->push.moment, local);
  stc_mul3(b->inverse, local, b->pushed);
  for (int i = 0; i < 3; i++) b->omega[i] = from->omega[i] + b->pushed[i];
  stc_mul3_transposed(b->R[0], b->pull.moment, local);
  f->late = fmax(f->late, find_mean(f, b, local, anew));
  for (int i = 0; i < 3; i++) angle[i] = f->k * b->mean[i];
  rotate_by_chord(from->rotation, angle, to->rotation);
  stc_rotation_matrix(to->rotation, b->R[1]);
}

// --- Stages of an evaluation ---

static void add_pushes(const stc_flight *f, bool anew) {
  stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++)
    m->mover[n].push = m->mover[n].pull = m->mover[n].stop = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links && !anew; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    double lever[2][3];
    stc_grip begin = stc_grip_of(m, j, m->side[0], m->begin), mean = begin;
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++)
        lever[k][i] = (begin.lever[k][i] + m->side[1][2 * j + k].lever[i]) / 2;
    mean.lever[0] = lever[0], mean.lever[1] = lever[1];
    mean.row = m->mean + m->first[j];
    stc_grip_pull(&begin, m->alpha + m->first[j], &a->push, &b->push);
    stc_grip_pull(&mean, m->lambda + m->first[j], &a->pull, &b->pull);
  }
}

/// Whether the joint only says that points meet.
static inline bool is_point(const stc_mechanism *m, int j) {
  return m->meets[j] == 3 && m->equations[j] == 3;
}

/// Both sides of every joint at the end, what alpha does there, and how far points are apart.
static void arrive(const stc_flight *f) {
  stc_mechanism *m = f->m;
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(f->world)[m->link[j]];
    const stc_joint_side *last = &m->side[1][2 * j];
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    int at = m->first[j];
    stc_mechanism_side(f->world, m, j, 1, f->to);
    if (m->meets[j] < m->equations[j])
      stc_joint_rows_of(f->world, link, m->meets[j], last, last, m->end + at);
    stc_grip end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_pull(&end, m->alpha + at, &a->stop, &b->stop);
    if (is_point(m, j))
      stc_grip_gap(last, m->off + at);
    else
      stc_joint_errors_of(f->world, link, last, m->off + at);
  }
}

/// The pushes alpha at the beginning and alpha / s at the end have the same energy.
static void stop(stc_flight *f) {
  const stc_mechanism *m = f->m;
  double begin = 0, end = 0;
  for (int n = 0; n < m->bodies; n++) {
    stc_mover *b = &m->mover[n];
    double push[3], local[3];
    stc_mul3_transposed(b->R[0], b->push.moment, push);
    stc_mul3_transposed(b->R[1], b->stop.moment, local);
    stc_mul3(b->inverse, local, b->stopped);
    begin += b->lightness * stc_dot3(b->push.force, b->push.force) + stc_dot3(push, b->pushed);
    end += b->lightness * stc_dot3(b->stop.force, b->stop.force) + stc_dot3(local, b->stopped);
  }
  f->part = begin > 0 && end > 0 ? sqrt(begin / end) : 1;
  for (int n = 0; n < m->bodies; n++) {
    stc_mover *b = &m->mover[n];
    stc_place *to = &f->to[m->body[n]];
    for (int i = 0; i < 3; i++) {
      to->v[i] = b->v[i] -= f->part * b->lightness * b->stop.force[i];
      to->omega[i] = 2 * b->mean[i] - b->omega[i] - f->part * b->stopped[i];
    }
    stc_mul3(b->R[1], to->omega, b->rate);
  }
}

/// Rates at the end, and the largest residual.
static double measure(const stc_flight *f) {
  const stc_mechanism *m = f->m;
  double most = f->late * f->reach / f->speed, *rate = m->off + m->rows;
  for (int j = 0; j < m->links; j++) {
    const stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    int at = m->first[j];
    stc_grip end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_rates(&end, a->v, a->rate, b->v, b->rate, rate + at);
    for (int i = at; i < at + m->equations[j]; i++) {
      double g = fabs(m->off[i]) / f->reach, u = fabs(rate[i]) / f->speed;
      if (!isfinite(g + u)) return INFINITY;
      most = g > most ? g : most;
      most = u > most ? u : most;
      m->off[i] /= f->k;
    }
  }
  return most / STC_FLIGHT_ROUNDING;
}

double stc_flight_evaluate(stc_flight *f, bool anew) {
  stc_mechanism *m = f->m;
  f->late = 0;
  add_pushes(f, anew);
  for (int n = 0; n < m->bodies; n++) fly_mover(f, n, anew);
  arrive(f);
  stop(f);
  return measure(f);
}

bool stc_flight_is_clean(const stc_flight *f, double off) {
  double speed = f->speed - f->reach / f->k;  // of the mechanism, where it began
  return off * STC_FLIGHT_ROUNDING * f->speed <= CLEAN * STC_STRAY * speed &&
         off * STC_FLIGHT_ROUNDING <= CLEAN * STC_STRAY;
}

// --- The iteration ---

/// k^-1 d(rotation)/d(moment) of a body in the world's axes.
static void fill_rotation_answer(const stc_flight *f, const stc_mover *b, double T[9]) {
  double half = f->k / 2, scale = 2 / (1 + half * half * stc_dot3(b->mean, b->mean)), A[9], C[9];
  for (int j = 0; j < 3; j++) {
    double column[3], across[3];
    stc_column3(b->K, j, column);
    stc_cross3(b->mean, column, across);
    for (int i = 0; i < 3; i++) A[3 * i + j] = scale * (column[i] + half * across[i]);
  }
  stc_mul33_transposed(A, b->R[0], C);
  stc_mul33(b->R[0], C, T);
}

/// The factors of a tree; false where a pivot is bad.
static bool factorise_tree(stc_flight *f) {
  stc_mechanism *m = f->m;
  for (int j = 0; j < m->links && !m->tree->points; j++) {
    const stc_link *link = &STC_LINKS(f->world)[m->link[j]];
    const stc_joint_side *first = &m->side[0][2 * j], *last = &m->side[1][2 * j];
    stc_joint_rows_of(f->world, link, 0, first, first, m->begin + m->first[j]);
    stc_joint_rows_of(f->world, link, 0, last, last, m->end + m->first[j]);
  }
  stc_joint_tree_rows places = {m->end, m->begin, m->side[1], m->side[0]},
                      rates = {m->end, m->end, m->side[1], m->side[1]};
  for (int n = 0; n < m->bodies; n++) {
    double T[9];
    fill_rotation_answer(f, &m->mover[n], T);
    for (int i = 0; i < 9; i++) m->turn[9 * n + i] = T[m->tree->points ? 3 * (i % 3) + i / 3 : i];
  }
  if (!stc_joint_tree_factorise(m, &places, m->tree->flight)) return false;
  for (int n = 0; n < m->bodies; n++)
    stc_turn_answer(m->mover[n].inverse, m->mover[n].R[1], m->turn + 9 * n);
  return stc_joint_tree_factorise(m, &rates, m->tree->stops);
}

stc_error stc_flight_factorise(stc_flight *f) {
  stc_mechanism *m = f->m;
  f->straight = m->tree && factorise_tree(f);
  if (f->straight) return STC_OK;
  stc_mechanism_rows(f->world, m, f->from, f->to, m->mean);
  return stc_mechanism_factorise(f->world, m, m->mean, f->to);
}

stc_error stc_flight_solve(const stc_flight *f, bool rates, const double *b, double *x) {
  stc_mechanism *m = f->m;
  if (!f->straight) return stc_mechanism_solve(m, 1, b, x);
  stc_joint_tree_solve(m, rates ? m->tree->stops : m->tree->flight, b, x);
  return STC_OK;
}

/// What a change of the pushes does to the place of a body at the end; `mean` that of the mean
/// angular velocity, `push` the moment, in the body's axes.
static inline void shift_place(const stc_flight *f, stc_mover *b, double mean[3], double push[3]) {
  double half = f->k / 2, scale = f->k / (1 + half * half * stc_dot3(b->mean, b->mean)), across[3];
  stc_mul3_transposed(b->R[0], b->push.moment, push);
  stc_mul3(b->K, push, mean);
  stc_scale3(2, mean, mean);
  stc_cross3(b->mean, mean, across);
  for (int i = 0; i < 3; i++) {
    b->moved[i] = f->k * b->lightness * b->push.force[i];
    across[i] = scale * (mean[i] + half * across[i]);
  }
  stc_mul3(b->R[0], across, b->turned);
}

/// And to its velocities.
static void shift_mover(const stc_flight *f, stc_mover *b) {
  double push[3], stop[3], mean[3], across[3], omega[3];
  shift_place(f, b, mean, push);
  stc_mul3_transposed(b->R[1], b->stop.moment, stop);
  stc_mul3(b->inverse, push, omega);
  stc_mul3(b->inverse, stop, stop);
  for (int i = 0; i < 3; i++) {
    omega[i] = 2 * mean[i] - omega[i] - f->part * stop[i];
    b->v_shift[i] = b->lightness * (b->push.force[i] - f->part * b->stop.force[i]);
  }
  stc_mul3(b->R[1], omega, b->rate_shift);
  stc_cross3(b->turned, b->rate, across);
  stc_add3(b->rate_shift, 1, across);
}

static void shift_side(const stc_mover *b, bool axes, stc_joint_side *s) {
  double across[3];
  stc_add3(s->x, 1, b->moved);
  stc_cross3(b->turned, s->lever, across);
  stc_add3(s->lever, 1, across);
  for (int k = 0; k < 3 && axes; k++) {
    stc_cross3(b->turned, s->axis + 3 * k, across);
    stc_add3(s->axis + 3 * k, 1, across);
  }
}

/// Half of a - b.
static void subtract_rows(const stc_joint_row *a, const stc_joint_row *b, stc_joint_row *row) {
  for (int i = 0; i < 3; i++) {
    row->force[i] = (a->force[i] - b->force[i]) / 2;
    for (int k = 0; k < 2; k++) row->moment[k][i] = (a->moment[k][i] - b->moment[k][i]) / 2;
  }
}

/// The rows behind the points that meet, from sides that are shifted.
static void shift_rows(const stc_flight *f, int j, stc_joint_row *row) {
  const stc_mechanism *m = f->m;
  stc_joint_side side[2] = {m->side[1][2 * j], m->side[1][2 * j + 1]};
  for (int k = 0; k < 2; k++) shift_side(&m->mover[m->mover_of[2 * j + k]], true, &side[k]);
  stc_joint_rows_of(f->world, &STC_LINKS(f->world)[m->link[j]], m->meets[j], side, side, row);
}

static void predict_joint(const stc_flight *f, int j, double *rate) {
  const stc_mechanism *m = f->m;
  stc_joint_row row[STC_JOINT_ROWS];
  double v[2][3], omega[2][3], lever[2][3], across[3];
  if (m->meets[j] < m->equations[j]) shift_rows(f, j, row);
  for (int k = 0; k < 2; k++) {
    const stc_mover *b = &m->mover[m->mover_of[2 * j + k]];
    const double *end = m->side[1][2 * j + k].lever;
    stc_cross3(b->turned, end, across);
    for (int i = 0; i < 3; i++) {
      lever[k][i] = end[i] + across[i];
      v[k][i] = b->v[i] + b->v_shift[i];
      omega[k][i] = b->rate[i] + b->rate_shift[i];
    }
  }
  stc_grip end = {{lever[0], lever[1]}, row, m->meets[j], m->equations[j]};
  stc_grip_rates(&end, v[0], omega[0], v[1], omega[1], rate);
}

void stc_flight_predict(stc_flight *f, const double *dy, double *rate) {
  stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++) m->mover[n].push = m->mover[n].stop = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    stc_grip begin = stc_grip_of(m, j, m->side[0], m->begin),
             end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_pull(&begin, dy + m->first[j], &a->push, &b->push);
    stc_grip_pull(&end, dy + m->first[j], &a->stop, &b->stop);
  }
  for (int n = 0; n < m->bodies; n++) shift_mover(f, &m->mover[n]);
  for (int j = 0; j < m->links; j++) predict_joint(f, j, rate + m->first[j]);
}

void stc_flight_shift(stc_flight *f, const double *lambda, double *g) {
  stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++) m->mover[n].push = m->mover[n].stop = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    double lever[2][3];
    stc_joint_row row[STC_JOINT_ROWS];
    stc_grip change = stc_grip_of(m, j, m->side[1], row);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < 3; i++)
        lever[k][i] = (m->side[1][2 * j + k].lever[i] - m->side[0][2 * j + k].lever[i]) / 4;
    change.lever[0] = lever[0], change.lever[1] = lever[1], change.row = row;
    if (change.meets < change.rows)
      stc_joint_rows_of(f->world, &STC_LINKS(f->world)[m->link[j]], change.meets,
                        &m->side[0][2 * j], &m->side[1][2 * j], row);
    for (int k = change.meets; k < change.rows; k++)
      subtract_rows(&row[k], &m->begin[m->first[j] + k], &row[k]);
    stc_grip_pull(&change, lambda + m->first[j], &a->push, &b->push);
    // the forces of points that meet do not change
    for (int k = 0; k < change.meets; k++) {
      a->push.force[k] -= lambda[m->first[j] + k];
      b->push.force[k] += lambda[m->first[j] + k];
    }
  }
  for (int n = 0; n < m->bodies; n++) {
    double mean[3], push[3];
    shift_place(f, &m->mover[n], mean, push);
  }
  for (int j = 0; j < m->links; j++) {
    const stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    stc_grip end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_rates(&end, a->moved, a->turned, b->moved, b->turned, g + m->first[j]);
  }
  for (int i = 0; i < m->rows; i++) g[i] /= f->k;
}

void stc_flight_expect(stc_flight *f, const double *dy) {
  stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++) m->mover[n].push = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    stc_grip begin = stc_grip_of(m, j, m->side[0], m->begin);
    stc_grip_pull(&begin, dy + m->first[j], &a->push, &b->push);
  }
  for (int n = 0; n < m->bodies; n++) {
    double mean[3], push[3], back[3];
    memcpy(back, m->mover[n].turned, sizeof back);
    shift_place(f, &m->mover[n], mean, push);
    stc_add3(m->mover[n].turned, -1, back);
  }
  for (int j = 0; j < m->links; j++) {
    bool axes = m->meets[j] < m->equations[j];
    for (int k = 0; k < 2; k++)
      shift_side(&m->mover[m->mover_of[2 * j + k]], axes, &m->side[1][2 * j + k]);
    if (axes)
      stc_joint_rows_of(f->world, &STC_LINKS(f->world)[m->link[j]], m->meets[j], &m->side[0][2 * j],
                        &m->side[1][2 * j], m->mean + m->first[j]);
  }
}

// --- The end ---

stc_error stc_flight_finish(stc_flight *f) {
  stc_mechanism *m = f->m;
  STC_TRY(stc_flight_solve(f, true, m->off + m->rows, m->step));
  for (int n = 0; n < m->bodies; n++) m->mover[n].stop = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++) {
    stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    int at = m->first[j];
    stc_grip begin = stc_grip_of(m, j, m->side[0], m->begin),
             mean = stc_grip_of(m, j, m->side[0], m->mean),
             end = stc_grip_of(m, j, m->side[1], m->end);
    stc_grip_react(&begin, 1, m->alpha + at, m->flown + 6 * j);
    stc_grip_react(&mean, 1, m->lambda + at, m->flown + 6 * j);
    stc_grip_react(&end, -f->part, m->alpha + at, m->flown + 6 * j);
    stc_grip_pull(&end, m->step + at, &a->stop, &b->stop);
  }
  for (int n = 0; n < m->bodies; n++) {
    const stc_mover *b = &m->mover[n];
    stc_place *to = &f->to[m->body[n]];
    double local[3];
    stc_mul3_transposed(b->R[1], b->stop.moment, local);
    stc_mul3(b->inverse, local, local);
    stc_add3(to->v, -b->lightness, b->stop.force);
    stc_add3(to->omega, -1, local);
  }
  return STC_OK;
}
