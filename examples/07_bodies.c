// Bodies as a simulator knows them: a crate of 20 kg on a plank of 10 kg that lies on the ground,
// in the plane; the plank is pulled. Per body: mass, inertia, v = (v_x, v_y, omega). Per contact:
// two bodies, the point and mu; the normal points up. One step of 10 ms.
#include <stdio.h>
#include <stiction/stiction.h>

enum { CRATE, PLANK, BODIES, CONTACTS = 4, WIDTH = 3 };

static const double STEP = 0.01, GRAVITY = 9.81, PULL = 120;  // s, m/s^2, N
static const double MASS[] = {20, 10}, INERTIA[] = {0.6, 3.4};
static const double CENTRE[][2] = {{0, 0.25}, {0, 0.05}};

/// A contact point: `above` rests on `below`, -1 is the ground.
static const struct {
  int above, below;
  double x, y, mu;
} TOUCH[CONTACTS] = {
    {CRATE, PLANK, -0.15, 0.1, 0.6},
    {CRATE, PLANK, 0.15, 0.1, 0.6},
    {PLANK, -1, -1, 0, 0.2},
    {PLANK, -1, 1, 0, 0.2},
};

/// The block of a body in a contact: rows N = y and T = x, by columns. The velocity of the point is
/// v + omega x lever.
static void fill_block(int body, double sign, double x, double y, double *H) {
  double lever[] = {x - CENTRE[body][0], y - CENTRE[body][1]};
  const double columns[] = {0, 1, 1, 0, lever[0], -lever[1]};
  for (int k = 0; k < 2 * WIDTH; k++) H[k] = sign * columns[k];
}

static stc_error create(stc_problem **problem) {
  double M[BODIES * WIDTH * WIDTH] = {0}, f[BODIES * WIDTH] = {0}, mu[CONTACTS];
  double H[CONTACTS * 2 * 2 * WIDTH] = {0}, w[2 * CONTACTS] = {0};
  int body[2 * CONTACTS];
  for (int b = 0; b < BODIES; b++) {
    for (int k = 0; k < WIDTH; k++) M[(b * WIDTH + k) * WIDTH + k] = k < 2 ? MASS[b] : INERTIA[b];
    f[b * WIDTH + 1] = STEP * MASS[b] * GRAVITY;  // f = -M v - h F, and all are at rest
  }
  f[PLANK * WIDTH] = -STEP * PULL;
  for (int c = 0; c < CONTACTS; c++) {
    body[2 * c] = TOUCH[c].above;
    body[2 * c + 1] = TOUCH[c].below;
    mu[c] = TOUCH[c].mu;
    fill_block(TOUCH[c].above, 1, TOUCH[c].x, TOUCH[c].y, H + 4 * WIDTH * c);
    if (TOUCH[c].below >= 0)
      fill_block(TOUCH[c].below, -1, TOUCH[c].x, TOUCH[c].y, H + 4 * WIDTH * c + 2 * WIDTH);
  }
  return stc_problem_create_bodies(&(stc_bodies_data){.dim = 2,
                                                      .contacts = CONTACTS,
                                                      .bodies = BODIES,
                                                      .width = WIDTH,
                                                      .M = M,
                                                      .f = f,
                                                      .H = {.body = body, .block = H},
                                                      .w = w,
                                                      .mu = mu},
                                   problem);
}

int main(void) {
  double r[2 * CONTACTS] = {0}, v[BODIES * WIDTH];
  stc_problem *problem = NULL;
  stc_solver *solver = NULL;
  stc_settings settings = stc_default_settings();
  stc_info info;
  stc_error error = create(&problem);
  if (!error) error = stc_solver_setup(&solver, problem, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r, .v = v}, &info);
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  for (int c = 0; !error && c < CONTACTS; c++)
    printf("contact %d: r_N = %5.3f, r_T = %6.3f N s\n", c, r[2 * c], r[2 * c + 1]);
  if (!error)
    printf("crate %.4f m/s, plank %.4f m/s, eta = %.0e\n", v[0], v[WIDTH], info.residual.eta);
  stc_solver_free(&solver);
  stc_problem_free(&problem);
  return error ? 1 : 0;
}
