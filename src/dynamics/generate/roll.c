// How one ball moves until it rests. Its centre x obeys the steepest descent allowed by what it
// touches: d = projection of -z on { d . n_i >= 0 }, i.e. -z = d - sum lambda_i n_i, lambda >= 0.
// With no support it falls; with one or two it follows an arc
//   x(phi) = c + rho (cos phi e_r + sin phi e_t)
// up to the first event: an obstacle is met, or a support is left (its lambda reaches 0). Every
// event is a root of A cos phi + B sin phi = C.
#include "../../base/vec3.h"
#include "pack.h"

#include "../../base/elementary.h"

#include <float.h>
#include <string.h>

// Distances below this part of the largest radius count as touching: far above rounding (1e-15 of
// the box), far below the gaps of a packing (1e-3).
static const double TOUCHING = 1e-9;

// A ball deeper than this in an obstacle, relative to the largest radius, has slipped through a
// grazing event.
static const double PENETRATION = 1e-8;

// Slack for the signs of weights and direction cosines; a slower descent is rest.
static const double SLACK = 1e-9;

// Normals whose cross product (or triple product) is below this span no plane (no space). A slot as
// wide as the ball has normals this close to opposite.
static const double DEPENDENT = 1e-8;

// Arcs shorter than this from an obstacle already touched are the contact itself, not an event.
static const double ANGLE = 1e-7;

// A ball touches three obstacles where it rests, a few more in a lattice of equal balls; a path
// down the slope of a heap has one or two events per ball of the slope.
enum { MAX_SUPPORTS = 16, MAX_EVENTS = 10000 };

typedef struct support {
  int obstacle;
  double n[3];  // from the obstacle to the ball
} support;

// A ball on its path.
typedef struct roller {
  const stc_pack *pack;
  double radius;
  double x[3];
  int touching;
  support touch[MAX_SUPPORTS];
  int active;           // supports that carry weight
  int carrier[3];       // their places in touch
  double direction[3];  // of steepest descent; 0 at rest
} roller;

// An arc of the centre.
typedef struct arc {
  double c[3], e_r[3], e_t[3], rho;
} arc;

// Keeps the obstacle if the ball touches it; false where it is inside or touches too many.
static bool add_touch(roller *ball, int obstacle) {
  double n[3], unit = ball->pack->largest;
  double gap = stc_pack_gap(ball->pack, obstacle, ball->x, ball->radius, n);
  if (gap > TOUCHING * unit) return true;
  if (gap < -PENETRATION * unit || ball->touching == MAX_SUPPORTS) return false;
  support *touch = &ball->touch[ball->touching++];
  touch->obstacle = obstacle;
  memcpy(touch->n, n, sizeof touch->n);
  return true;
}

static stc_near around(const roller *ball, const double centre[3], double reach) {
  double all = reach + ball->radius + ball->pack->largest, low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = centre[k] - all;
    high[k] = centre[k] + all;
  }
  return stc_pack_near(ball->pack, low, high);
}

static bool find_touching(roller *ball) {
  ball->touching = 0;
  for (int plane = 0; plane < stc_pack_planes(ball->pack); plane++)
    if (!add_touch(ball, STC_FLOOR - plane)) return false;
  stc_near near = around(ball, ball->x, TOUCHING * ball->pack->largest);
  for (int b = stc_near_next(&near); b >= 0; b = stc_near_next(&near))
    if (!add_touch(ball, b)) return false;
  return true;
}

static bool is_touched(const roller *ball, int obstacle) {
  for (int k = 0; k < ball->touching; k++)
    if (ball->touch[k].obstacle == obstacle) return true;
  return false;
}

// What one, two or three supports with normals n leave of the fall: z = sum lambda_i n_i - d with d
// orthogonal to them. False where the normals are dependent.
static void carry_one(const double *n, double lambda[3], double d[3]) {
  lambda[0] = n[2];
  stc_scale3(n[2], n, d);
  d[2] -= 1.0;
}

static bool carry_two(const double *a, const double *b, double lambda[3], double d[3]) {
  double t[3];
  stc_cross3(a, b, t);  // the only direction left
  double det = stc_dot3(t, t), c = stc_dot3(a, b);
  if (det < DEPENDENT * DEPENDENT) return false;
  lambda[0] = (a[2] - c * b[2]) / det;
  lambda[1] = (b[2] - c * a[2]) / det;
  stc_scale3(-t[2] / det, t, d);
  return true;
}

static bool carry_three(const double *const n[3], double lambda[3], double d[3]) {
  for (int k = 0; k < 3; k++) {
    double t[3];
    stc_cross3(n[(k + 1) % 3], n[(k + 2) % 3], t);
    double det = stc_dot3(n[k], t);
    if (fabs(det) < DEPENDENT) return false;
    lambda[k] = t[2] / det;
    d[k] = 0.0;
  }
  return true;
}

// Is the ball carried by exactly these supports? Then keeps them and the direction of descent.
static bool try_carriers(roller *ball, int count, const int carrier[3]) {
  const double *n[3] = {0};
  double lambda[3] = {0}, d[3] = {0, 0, -1};
  for (int k = 0; k < count; k++) n[k] = ball->touch[carrier[k]].n;
  if (count == 1) carry_one(n[0], lambda, d);
  if (count == 2 && !carry_two(n[0], n[1], lambda, d)) return false;
  if (count == 3 && !carry_three(n, lambda, d)) return false;
  for (int k = 0; k < count; k++)
    if (lambda[k] < -SLACK) return false;
  for (int k = 0; k < ball->touching; k++)
    if (stc_dot3(d, ball->touch[k].n) < -SLACK) return false;
  ball->active = count;
  memcpy(ball->carrier, carrier, sizeof ball->carrier);
  memcpy(ball->direction, d, sizeof d);
  return true;
}

// Finds the supports that carry the weight, the fewest possible.
static bool find_descent(roller *ball) {
  int m = ball->touching;
  if (try_carriers(ball, 0, (int[3]){0})) return true;
  for (int i = 0; i < m; i++)
    if (try_carriers(ball, 1, (int[3]){i})) return true;
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++)
      if (try_carriers(ball, 2, (int[3]){i, j})) return true;
  for (int i = 0; i < m; i++)
    for (int j = i + 1; j < m; j++)
      for (int k = j + 1; k < m; k++)
        if (try_carriers(ball, 3, (int[3]){i, j, k})) return true;
  return false;
}

// Height at which the falling ball meets settled ball b; below every floor where it does not.
static double landing(const roller *ball, int b) {
  const double *c = ball->pack->centre[b];
  double s = ball->radius + ball->pack->radius[b];
  double across = stc_length2(ball->x[0] - c[0], ball->x[1] - c[1]);
  if (across >= s || is_touched(ball, b)) return -DBL_MAX;
  double z = c[2] + sqrt((s - across) * (s + across));
  return z < ball->x[2] ? z : -DBL_MAX;
}

// Straight down to the first obstacle, layer of cells by layer of cells.
static void fall(roller *ball) {
  const stc_pack *pack = ball->pack;
  double best = ball->radius, reach = ball->radius + pack->largest;
  double z = fmin(ball->x[2], pack->top);
  for (; z > 0.0 && best < z + reach; z -= pack->cell) {
    double low[3] = {ball->x[0] - reach, ball->x[1] - reach, z - pack->cell};
    double high[3] = {ball->x[0] + reach, ball->x[1] + reach, z};
    stc_near near = stc_pack_near(pack, low, high);
    for (int b = stc_near_next(&near); b >= 0; b = stc_near_next(&near))
      best = fmax(best, landing(ball, b));
  }
  ball->x[2] = best;
}

// First angle > 0 at which A cos + B sin - C changes from positive to negative; a full circle
// without one.
static double crossing(double A, double B, double C) {
  const double rotation = 6.283185307179586;
  double amplitude = stc_length2(A, B);
  if (!(fabs(C) < amplitude)) return rotation;
  double angle = stc_atan2(B, A) + stc_acos(C / amplitude);
  return angle < 0.0 ? angle + rotation : fmod(angle, rotation);
}

static double meets_plane(const roller *ball, const arc *path, int plane) {
  const double *n = stc_pack_normal(plane);
  return crossing(path->rho * stc_dot3(n, path->e_r), path->rho * stc_dot3(n, path->e_t),
                  stc_pack_offset(ball->pack, plane) + ball->radius - stc_dot3(n, path->c));
}

// |x(phi) - c_b|^2 = s^2
static double meets_ball(const roller *ball, const arc *path, int b) {
  double D[3], s = ball->radius + ball->pack->radius[b];
  stc_combine3(path->c, -1.0, ball->pack->centre[b], D);
  return crossing(2.0 * path->rho * stc_dot3(D, path->e_r),
                  2.0 * path->rho * stc_dot3(D, path->e_t),
                  s * s - path->rho * path->rho - stc_dot3(D, D));
}

static bool is_carrier(const roller *ball, int obstacle) {
  for (int k = 0; k < ball->active; k++)
    if (ball->touch[ball->carrier[k]].obstacle == obstacle) return true;
  return false;
}

// The smaller angle, unless `angle` belongs to a contact that is already there.
static double earlier(const roller *ball, double angle, int obstacle, double best) {
  bool contact_itself = angle < ANGLE && is_touched(ball, obstacle);
  return contact_itself ? best : fmin(angle, best);
}

static double first_event(const roller *ball, const arc *path) {
  double best = DBL_MAX;
  for (int k = 0; k < stc_pack_planes(ball->pack); k++) {
    int plane = STC_FLOOR - k;
    if (!is_carrier(ball, plane)) best = earlier(ball, meets_plane(ball, path, plane), plane, best);
  }
  stc_near near = around(ball, path->c, path->rho);
  for (int b = stc_near_next(&near); b >= 0; b = stc_near_next(&near))
    if (!is_carrier(ball, b)) best = earlier(ball, meets_ball(ball, path, b), b, best);
  return best;
}

// The angle at which one support is left: n_z = 0.
static double leaves_one(const arc *path) { return crossing(path->e_r[2], path->e_t[2], 0.0); }

// With n = alpha k + beta e_r for both supports and k the axis of the arc, the weights are
//   lambda_a = (k_z beta_b - alpha_b e_r.z) / det,   lambda_b = (alpha_a e_r.z - beta_a k_z) / det,
//   det = alpha_a beta_b - alpha_b beta_a,           e_r.z = e_r_z cos phi + e_t_z sin phi.
static double leaves_two(const arc *path, const double *na, const double *nb) {
  double k[3];
  stc_cross3(path->e_r, path->e_t, k);
  double alpha_a = stc_dot3(na, k), beta_a = stc_dot3(na, path->e_r);
  double alpha_b = stc_dot3(nb, k), beta_b = stc_dot3(nb, path->e_r);
  double det = alpha_a * beta_b - alpha_b * beta_a;
  double cos_part = path->e_r[2] / det, sin_part = path->e_t[2] / det, axis = k[2] / det;
  double a = crossing(-alpha_b * cos_part, -alpha_b * sin_part, -beta_b * axis);
  double b = crossing(alpha_a * cos_part, alpha_a * sin_part, beta_a * axis);
  return fmin(a, b);
}

// The axis of the arc over two supports: the line of centres, or the normal of the wall.
static void arc_axis(const roller *ball, int round, int other, double k[3]) {
  if (other < 0) {
    memcpy(k, stc_pack_normal(other), 3 * sizeof *k);
    return;
  }
  stc_combine3(ball->pack->centre[other], -1.0, ball->pack->centre[round], k);
  stc_scale3(1.0 / stc_norm3(k), k, k);
}

// Radius and radial direction of the circle around c through x; false where they coincide.
static bool set_radius(const roller *ball, arc *path) {
  stc_combine3(ball->x, -1.0, path->c, path->e_r);
  path->rho = stc_norm3(path->e_r);
  if (path->rho < SLACK * ball->pack->largest) return false;
  stc_scale3(1.0 / path->rho, path->e_r, path->e_r);
  return true;
}

// The great circle of steepest descent over one ball.
static bool arc_over_one(const roller *ball, arc *path) {
  int obstacle = ball->touch[ball->carrier[0]].obstacle;
  if (obstacle < 0) return false;
  memcpy(path->c, ball->pack->centre[obstacle], sizeof path->c);
  if (!set_radius(ball, path)) return false;
  const double *d = ball->direction;
  stc_combine3(d, -stc_dot3(d, path->e_r), path->e_r, path->e_t);
  stc_scale3(1.0 / stc_norm3(path->e_t), path->e_t, path->e_t);
  return true;
}

// The circle that keeps two supports, one of them a ball, the other a ball or a wall.
static bool arc_over_two(const roller *ball, arc *path) {
  int a = ball->touch[ball->carrier[0]].obstacle, b = ball->touch[ball->carrier[1]].obstacle;
  int round = a >= 0 ? a : b, other = a >= 0 ? b : a;
  if (round < 0) return false;
  double k[3], lever[3];
  arc_axis(ball, round, other, k);
  stc_combine3(ball->x, -1.0, ball->pack->centre[round], lever);
  stc_combine3(ball->pack->centre[round], stc_dot3(lever, k), k, path->c);
  if (!set_radius(ball, path)) return false;
  stc_cross3(k, path->e_r, path->e_t);
  if (path->e_t[2] > 0.0) stc_scale3(-1.0, path->e_t, path->e_t);
  return true;
}

// Along the arc over the carriers to the first event.
static bool roll(roller *ball) {
  const support *touch = ball->touch;
  const int *carrier = ball->carrier;
  arc path;
  if (!(ball->active == 1 ? arc_over_one(ball, &path) : arc_over_two(ball, &path))) return false;
  double leave = ball->active == 1 ? leaves_one(&path)
                                   : leaves_two(&path, touch[carrier[0]].n, touch[carrier[1]].n);
  double phi = fmin(leave, first_event(ball, &path));
  stc_combine3(path.c, path.rho * stc_cos(phi), path.e_r, ball->x);
  stc_combine3(ball->x, path.rho * stc_sin(phi), path.e_t, ball->x);
  return true;
}

bool stc_pack_roll(const stc_pack *pack, double x[3]) {
  roller ball = {.pack = pack, .radius = pack->radius[pack->balls], .x = {x[0], x[1], x[2]}};
  for (int event = 0; event < MAX_EVENTS; event++) {
    if (!find_touching(&ball) || !find_descent(&ball)) return false;
    if (stc_norm3(ball.direction) < SLACK) {
      memcpy(x, ball.x, sizeof ball.x);
      return true;
    }
    if (ball.active == 0)
      fall(&ball);
    else if (!roll(&ball))
      return false;
  }
  return false;
}
