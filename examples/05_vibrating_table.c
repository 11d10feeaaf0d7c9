// A block on a table that shakes with x = A sin(omega t), by Moreau's time stepping. The table
// carries the block along as long as A omega^2 <= mu g; from A omega^2 >= 1.862 mu g on it never
// sticks, and its velocity is a triangle wave of amplitude pi mu g / (2 omega), whatever A is.
#include <math.h>
#include <stdio.h>
#include <stiction/stiction.h>

static const double G = 9.81, MU = 0.3, OMEGA = 30;

// Coordinates x, y of a block of 2 kg.
static bool mass(void *user, double t, const double *q, double *M) {
  (void)user, (void)t, (void)q;
  M[0] = M[1] = 2;
  return true;
}

static bool force(void *user, double t, const double *q, const double *u, double *Q) {
  (void)user, (void)t, (void)q, (void)u;
  Q[1] = -2 * G;
  return true;
}

// The table: f = -y <= 0, moving with the velocity A omega cos(omega t) along x.
static bool table(void *user, int j, double t, const double *q, stc_wall_part part,
                  stc_wall *wall) {
  const double *A = user;
  (void)j, (void)part;
  wall->f = -q[1];
  wall->gradient[1] = -1;
  wall->velocity[0] = *A * OMEGA * cos(OMEGA * t);
  wall->law = stc_law_coulomb(2, MU);
  return true;
}

// Shakes for 10 s; half the peak-to-peak velocity of the last 2 s, and the largest slip.
static stc_error shake(double A, double *amplitude, double *slip) {
  stc_system system = {.dofs = 2,
                       .walls = 1,
                       .dim = 2,
                       .diagonal = true,
                       .user = &A,
                       .mass = mass,
                       .force = force,
                       .wall = table};
  stc_stepping stepping = stc_default_stepping();
  stepping.h = 2e-4;
  stc_simulation *sim = NULL;
  const double q[2] = {0, 0}, u0[2] = {A * OMEGA, 0};
  double least = INFINITY, most = -INFINITY, u[2];
  stc_step_report report = {.accepted = true};
  stc_error error = stc_simulation_create(&system, &stepping, &sim);
  if (!error) error = stc_simulation_place(sim, 0, q, u0);
  *slip = 0;
  while (!error && report.accepted && stc_simulation_time(sim) < 10) {
    error = stc_simulation_step(sim, &report);
    if (error || stc_simulation_time(sim) < 8) continue;
    stc_simulation_contact(sim, 0, NULL, u);
    *slip = fmax(*slip, fabs(u[1]));
    least = fmin(least, stc_simulation_u(sim)[0]);
    most = fmax(most, stc_simulation_u(sim)[0]);
  }
  if (!report.accepted) fprintf(stderr, "%s\n", report.reason);
  *amplitude = (most - least) / 2;
  stc_simulation_free(&sim);
  return error;
}

int main(void) {
  double limit = MU * G / (OMEGA * OMEGA), triangle = acos(-1) * MU * G / (2 * OMEGA), v, slip;
  const double part[] = {0.5, 0.99, 1.3, 2, 4};
  for (int k = 0; k < 5; k++) {
    stc_error error = shake(part[k] * limit, &v, &slip);
    if (error) return fprintf(stderr, "%s\n", stc_error_detail()), 1;
    printf("A omega^2 = %.2f mu g: %-6s amplitude %.4f m/s (triangle wave: %.4f)\n", part[k],
           slip < 1e-9 ? "sticks" : "slips", v, triangle);
    if ((slip < 1e-9) != (part[k] < 1)) return 1;
  }
  return fabs(v - triangle) < 0.01 * triangle ? 0 : 1;
}
