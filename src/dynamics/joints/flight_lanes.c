// The flight of a body over k seconds without forces on its way,
//   v' = v + F/m,   omega' = omega + J^-1 n,   x1 = x0 + k v',
//   2 J (m - omega') + k m x J m = 0,   rotation by cay(k m),   omega1 = 2 m - omega',
// for four bodies at a time. The bits are the same for any width of the vectors.
#include "flight_lanes.h"

#include "tree_factor.h"

#include "columns.h"

#include <stddef.h>

// Corrections of a mean angular velocity in an evaluation.
enum { CORRECTIONS = 2 };  // [bound]

// --- Vectors of three and matrices, by lanes ---

STC_ALWAYS void cross_lanes(const stc_lanes a[3], const stc_lanes b[3], stc_lanes c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

STC_ALWAYS void multiply_lanes(const stc_lanes A[9], const stc_lanes x[3], stc_lanes y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

STC_ALWAYS void multiply_transposed_lanes(const stc_lanes A[9], const stc_lanes x[3],
                                          stc_lanes y[3]) {
  for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/// T = R A R^T.
STC_ALWAYS void turn_lanes(const stc_lanes R[9], const stc_lanes A[9], stc_lanes T[9]) {
  stc_lanes C[9];
  for (int i = 0; i < 3; i++) multiply_lanes(R, (stc_lanes[]){A[i], A[3 + i], A[6 + i]}, C + 3 * i);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      T[3 * i + j] = C[i] * R[3 * j] + C[3 + i] * R[3 * j + 1] + C[6 + i] * R[3 * j + 2];
}

STC_ALWAYS void invert_lanes(const stc_lanes A[9], stc_lanes inverse[9]) {
  stc_lanes c[9], scale;
  cross_lanes(A + 3, A + 6, c);
  cross_lanes(A + 6, A, c + 3);
  cross_lanes(A, A + 3, c + 6);
  scale = 1 / (A[0] * c[0] + A[1] * c[1] + A[2] * c[2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inverse[3 * i + j] = c[3 * j + i] * scale;
}

/// Four vectors by lanes become four by components, and the other way round.
STC_ALWAYS void transpose_lanes(const stc_lanes a[4], stc_lanes x[4]) {
  stc_lanes ab0 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
            ab1 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
            cd0 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6),
            cd1 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// Vectors of three of four bodies, to where they stand padded to four numbers.
STC_ALWAYS void scatter_lanes(const stc_lanes *x, const stc_lanes *y, const stc_lanes *z,
                              double *const to[4]) {
  stc_lanes by_body[4];
  transpose_lanes((stc_lanes[]){*x, *y, *z, {0}}, by_body);
  for (int l = 0; l < STC_FOUR; l++) stc_column_store(&by_body[l], to[l]);
}

/// Rotation matrix of q, whatever its length.
STC_ALWAYS void rotation_lanes(const stc_lanes q[4], stc_lanes R[9]) {
  stc_lanes s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  stc_lanes x = s * q[1], y = s * q[2], z = s * q[3];
  stc_lanes wx = q[0] * x, wy = q[0] * y, wz = q[0] * z, xx = q[1] * x, xy = q[1] * y,
            xz = q[1] * z, yy = q[2] * y, yz = q[2] * z, zz = q[3] * z;
  R[0] = 1 - (yy + zz), R[1] = xy - wz, R[2] = xz + wy;
  R[3] = xy + wz, R[4] = 1 - (xx + zz), R[5] = yz - wx;
  R[6] = xz - wy, R[7] = yz + wx, R[8] = 1 - (xx + yy);
}

// --- Four bodies ---

typedef struct stage {
  const stc_flight *f;
  bool first, rates;
} stage;

/// Rotation matrices at an end go to the moving bodies, by rows or by padded columns.
STC_ALWAYS void scatter_rotations(const stc_mechanism *m, const stc_four *b, int end,
                                  const stc_lanes R[9]) {
  stc_mover *mover[STC_FOUR];
  for (int l = 0; l < STC_FOUR; l++) mover[l] = &m->mover[b->body[l]];
  if (m->tree->points) {
    for (int k = 0; k < 3; k++)
      scatter_lanes(&R[k], &R[3 + k], &R[6 + k],
                    (double *const[]){mover[0]->column[end] + 4 * k, mover[1]->column[end] + 4 * k,
                                      mover[2]->column[end] + 4 * k,
                                      mover[3]->column[end] + 4 * k});
    return;
  }
  for (int l = 0; l < STC_FOUR; l++)
    for (int i = 0; i < 9; i++) mover[l]->R[end][i] = R[i][l];
}

STC_ALWAYS void begin_four_of(void *argument, int piece) {
  const stc_flight *f = ((const stage *)argument)->f;
  stc_mechanism *m = f->m;
  stc_four *b = &m->four[piece];
  for (int l = 0; l < STC_FOUR; l++) {
    const stc_place *from = &f->from[m->body[b->body[l]]];
    for (int i = 0; i < 3; i++) {
      b->x[i][l] = from->x[i];
      b->v[i][l] = from->v[i];
      b->omega[i][l] = from->omega[i];
    }
    for (int i = 0; i < 4; i++) b->q[i][l] = from->rotation[i];
  }
  rotation_lanes(b->q, b->R);
  scatter_rotations(m, b, 0, b->R);
}

/// A wrench of the moving bodies, by lanes.
STC_ALWAYS void gather_wrench(const stc_mechanism *m, const stc_four *b, size_t which,
                              stc_lanes force[4], stc_lanes moment[4]) {
  stc_lanes f[4], n[4];
  for (int l = 0; l < STC_FOUR; l++) {
    const void *mover = &m->mover[b->body[l]];
    const stc_wrench *wrench = (const stc_wrench *)(const void *)((const char *)mover + which);
    stc_column_load(&f[l], wrench->force);
    stc_column_load(&n[l], wrench->moment);
  }
  transpose_lanes(f, force);
  transpose_lanes(n, moment);
}

/// F = 2 J (m - omega') + k m x J m, and what J m is.
STC_ALWAYS void mean_lanes(const stc_four *b, double k, stc_lanes momentum[3], stc_lanes F[3]) {
  stc_lanes change[3], gyroscopic[3];
  for (int i = 0; i < 3; i++) change[i] = b->mean[i] - b->spin[i];
  multiply_lanes(b->J, change, F);
  multiply_lanes(b->J, b->mean, momentum);
  cross_lanes(b->mean, momentum, gyroscopic);
  for (int i = 0; i < 3; i++) F[i] = 2 * F[i] + k * gyroscopic[i];
}

/// K = (2 J + k (m^ J - (J m)^))^-1.
STC_ALWAYS void invert_mean_lanes(stc_four *b, double k) {
  stc_lanes momentum[3], F[3], A[9];
  mean_lanes(b, k, momentum, F);
  for (int j = 0; j < 3; j++) {
    stc_lanes across[3], column[3] = {b->J[j], b->J[3 + j], b->J[6 + j]};
    cross_lanes(b->mean, column, across);
    for (int i = 0; i < 3; i++) A[3 * i + j] = 2 * column[i] + k * across[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;  // the matrix p^ has p_i at (l, j)
    A[3 * l + j] -= k * momentum[i];
    A[3 * j + l] += k * momentum[i];
  }
  invert_lanes(A, b->K);
}

STC_ALWAYS void find_mean_lanes(stc_four *b, double k, bool first, bool plane) {
  stc_lanes momentum[3], F[3], d[3];
  if (first) {
    for (int i = 0; i < 3; i++) b->mean[i] = b->spin[i];
    if (!plane) invert_mean_lanes(b, k);
  }
  for (int step = 0; step < CORRECTIONS; step++) {
    mean_lanes(b, k, momentum, F);
    multiply_lanes(b->K, F, d);
    for (int i = 0; i < 3; i++) b->mean[i] -= d[i];
  }
  b->late = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/// q (1, k m/2), and the rates at the end in the world's axes.
STC_ALWAYS void rotate_lanes(stc_four *b, double k) {
  stc_lanes s[3], r[3];
  for (int i = 0; i < 3; i++) s[i] = k / 2 * b->mean[i];
  cross_lanes(b->q + 1, s, r);
  b->q1[0] = b->q[0] - (b->q[1] * s[0] + b->q[2] * s[1] + b->q[3] * s[2]);
  for (int i = 0; i < 3; i++) {
    b->q1[i + 1] = b->q[i + 1] + b->q[0] * s[i] + r[i];
    b->omega1[i] = 2 * b->mean[i] - b->spin[i];
  }
  rotation_lanes(b->q1, b->R1);
}

/// Velocities at the end go to the moving bodies.
STC_ALWAYS void scatter_velocities(const stc_mechanism *m, const stc_four *b) {
  stc_lanes rate[3];
  stc_mover *mover[STC_FOUR];
  multiply_lanes(b->R1, b->omega1, rate);
  for (int l = 0; l < STC_FOUR; l++) mover[l] = &m->mover[b->body[l]];
  scatter_lanes(&b->v1[0], &b->v1[1], &b->v1[2],
                (double *const[]){mover[0]->v, mover[1]->v, mover[2]->v, mover[3]->v});
  scatter_lanes(&rate[0], &rate[1], &rate[2],
                (double *const[]){mover[0]->rate, mover[1]->rate, mover[2]->rate, mover[3]->rate});
}

STC_ALWAYS void fly_four_of(void *argument, int piece) {
  const stage *s = argument;
  const stc_flight *f = s->f;
  stc_mechanism *m = f->m;
  stc_four *b = &m->four[piece];
  stc_lanes force[4], moment[4], local[3], x[3];
  stc_mover *mover[STC_FOUR];
  for (int l = 0; l < STC_FOUR; l++) mover[l] = &m->mover[b->body[l]];
  gather_wrench(m, b, offsetof(stc_mover, push), force, moment);
  multiply_transposed_lanes(b->R, moment, local);
  multiply_lanes(b->inverse, local, b->spin);
  for (int i = 0; i < 3; i++) {
    b->spin[i] += b->omega[i];
    b->v1[i] = b->v[i] + b->lightness * force[i];
    x[i] = b->x[i] + f->k * b->v1[i];
  }
  scatter_lanes(&x[0], &x[1], &x[2],
                (double *const[]){mover[0]->x, mover[1]->x, mover[2]->x, mover[3]->x});
  find_mean_lanes(b, f->k, s->first, f->world->settings.plane);
  rotate_lanes(b, f->k);
  scatter_velocities(m, b);
  scatter_rotations(m, b, 1, b->R1);
}

/// From what the push changed.
STC_ALWAYS void measure_push(stc_four *b) {
  stc_lanes change[3], momentum[3], square = {0};
  for (int i = 0; i < 3; i++) {
    stc_lanes v = b->v1[i] - b->v[i];
    square += v * v;
    change[i] = b->spin[i] - b->omega[i];
  }
  multiply_lanes(b->J, change, momentum);
  b->push = square / b->lightness + change[0] * momentum[0] + change[1] * momentum[1] +
            change[2] * momentum[2];
}

STC_ALWAYS void stop_four_of(void *argument, int piece) {
  const stc_mechanism *m = ((const stage *)argument)->f->m;
  stc_four *b = &m->four[piece];
  stc_lanes force[4], moment[4], local[3], change[3];
  gather_wrench(m, b, offsetof(stc_mover, stop), force, moment);
  multiply_transposed_lanes(b->R1, moment, local);
  multiply_lanes(b->inverse, local, change);
  measure_push(b);
  b->stop = local[0] * change[0] + local[1] * change[1] + local[2] * change[2];
  for (int i = 0; i < 3; i++) {
    b->stop += b->lightness * (force[i] * force[i]);
    b->v1[i] -= b->lightness * force[i];
    b->omega1[i] -= change[i];
  }
  scatter_velocities(m, b);
}

/// Of the places: R0 A R0^T with A = 2 (K + k/2 m^ K) / (1 + |k m / 2|^2).
STC_ALWAYS void answer_four_of(void *argument, int piece) {
  const stage *s = argument;
  const stc_mechanism *m = s->f->m;
  stc_four *b = &m->four[piece];
  stc_lanes T[9], A[9], half[3];
  if (s->rates) {
    turn_lanes(b->R1, b->inverse, T);
  } else {
    for (int i = 0; i < 3; i++) half[i] = s->f->k / 2 * b->mean[i];
    stc_lanes scale = 2 / (1 + half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    for (int j = 0; j < 3; j++) {
      stc_lanes across[3], column[3] = {b->K[j], b->K[3 + j], b->K[6 + j]};
      cross_lanes(half, column, across);
      for (int i = 0; i < 3; i++) A[3 * i + j] = scale * (column[i] + across[i]);
    }
    turn_lanes(b->R, A, T);
  }
  for (int l = 0; l < STC_FOUR; l++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        int at = m->tree->points ? 3 * j + i : 3 * i + j;
        m->turn[9 * b->body[l] + at] = T[3 * i + j][l];
      }
}

STC_JOB_VARIANTS(begin_four)
STC_JOB_VARIANTS(fly_four)
STC_JOB_VARIANTS(stop_four)
STC_JOB_VARIANTS(answer_four)

// --- All of them ---

static int fours_of(const stc_mechanism *m) { return (m->bodies + STC_FOUR - 1) / STC_FOUR; }

void stc_four_fill(stc_mechanism *m) {
  for (int n = 0; n < fours_of(m) * STC_FOUR; n++) {
    stc_four *b = &m->four[n / STC_FOUR];
    int l = n % STC_FOUR;
    b->body[l] = n < m->bodies ? n : m->bodies - 1;
    const stc_mover *mover = &m->mover[b->body[l]];
    b->lightness[l] = mover->lightness;
    for (int i = 0; i < 9; i++) {
      b->J[i][l] = mover->J[i];
      b->inverse[i][l] = mover->inverse[i];
      b->K[i][l] = mover->K[i];
    }
  }
}

void stc_four_begin(const stc_flight *f) {
  for (int p = 0; p < fours_of(f->m); p++) begin_four(&(stage){.f = f}, p);
}

double stc_four_fly(const stc_flight *f, bool first) {
  double most = 0;
  for (int p = 0; p < fours_of(f->m); p++) {
    fly_four(&(stage){.f = f, .first = first}, p);
    for (int l = 0; l < STC_FOUR; l++) most = fmax(most, f->m->four[p].late[l]);
  }
  return sqrt(most);
}

void stc_four_stop(const stc_flight *f, double *push, double *stop) {
  const stc_mechanism *m = f->m;
  for (int p = 0; p < fours_of(m); p++) stop_four(&(stage){.f = f}, p);
  *push = *stop = 0;
  for (int n = 0; n < m->bodies; n++) {
    *push += m->four[n / STC_FOUR].push[n % STC_FOUR];
    *stop += m->four[n / STC_FOUR].stop[n % STC_FOUR];
  }
}

void stc_four_answer(const stc_flight *f, bool rates) {
  for (int p = 0; p < fours_of(f->m); p++) answer_four(&(stage){.f = f, .rates = rates}, p);
}

void stc_four_arrive(const stc_flight *f) {
  const stc_mechanism *m = f->m;
  for (int n = 0; n < m->bodies; n++) {
    const stc_four *b = &m->four[n / STC_FOUR];
    int l = n % STC_FOUR;
    stc_place *to = &f->to[m->body[n]];
    memcpy(to->x, m->mover[n].x, sizeof to->x);
    for (int i = 0; i < 3; i++) to->v[i] = b->v1[i][l], to->omega[i] = b->omega1[i][l];
    for (int i = 0; i < 4; i++) to->rotation[i] = b->q1[i][l];
    stc_rotation_normalise(to->rotation);
  }
}
