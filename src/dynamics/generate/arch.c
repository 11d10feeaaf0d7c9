// A semicircular arch of voussoirs between two fixed abutments. Joint k is the half-plane at angle
// theta_k through the axis y of the arch, theta_0 = 0, theta_n = pi; stone k lies between joints k
// and k + 1 and is a sector of an annulus, whose mass, centre and inertia are exact.
#include "../../base/vec3.h"
#include "body_assembly.h"
#include "generators.h"

#include "../../base/elementary.h"
#include "../../base/fail.h"

static const double PI = 3.141592653589793;
static const double INNER = 1.8;  // intrados radius, m
static const double OUTER = 2.2;  // extrados radius: thickness 0.2 of the mean radius, twice what a
                                  // semicircular arch needs to stand under its own weight
static const double DEPTH = 0.4;  // along y, m

// At disorder 1 joints rotate by this part of the mean angle of a stone.
static const double JOINT_JITTER = 0.4;

static stc_assembly_body voussoir(double start, double end) {
  double alpha = end - start, middle = 0.5 * (start + end);
  double ring2 = (OUTER * OUTER - INNER * INNER) / 2.0;
  double ring3 = (OUTER * OUTER * OUTER - INNER * INNER * INNER) / 3.0;
  double ring4 = (OUTER * OUTER * OUTER * OUTER - INNER * INNER * INNER * INNER) / 4.0;
  double c = stc_cos(middle), s = stc_sin(middle), rho = STC_DENSITY * DEPTH;
  double centre = ring3 / ring2 * stc_sin(0.5 * alpha) / (0.5 * alpha);
  stc_assembly_body body = {.x = {centre * c, 0.0, centre * s}, .mass = rho * ring2 * alpha};
  // second moments about the centre: a along the radius, b along the tangent, y along the depth
  double a = rho * ring4 * 0.5 * (alpha + stc_sin(alpha)) - body.mass * centre * centre;
  double b = rho * ring4 * 0.5 * (alpha - stc_sin(alpha));
  double y = body.mass * DEPTH * DEPTH / 12.0;
  body.inertia[0][0] = y + a * s * s + b * c * c;
  body.inertia[2][2] = y + a * c * c + b * s * s;
  body.inertia[0][2] = body.inertia[2][0] = (b - a) * s * c;
  body.inertia[1][1] = a + b;
  return body;
}

// The four corners of the joint at angle theta, normal along increasing theta times sign.
static void add_joint_face(stc_assembly *assembly, int first, int second, double theta,
                           double sign) {
  double c = stc_cos(theta), s = stc_sin(theta);
  for (int j = 0; j < 4; j++) {
    double radius = j % 2 ? OUTER : INNER, y = (j < 2 ? -0.5 : 0.5) * DEPTH;
    stc_assembly_contact contact = {.body = {second, first},
                                    .x = {radius * c, y, radius * s},
                                    .normal = {-sign * s, 0.0, sign * c}};
    stc_assembly_add_contact(assembly, &contact);
  }
}

stc_error stc_generate_arch(const stc_generator *options, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_assembly assembly = {.dim = 3};
  int n = options->n;
  double start = 0.0, range = JOINT_JITTER * options->disorder * PI / n;
  for (int k = 0; k < n; k++) {
    double end = PI * (k + 1) / n;
    if (k + 1 < n) end += range * (2.0 * stc_random_uniform(&random) - 1.0);
    stc_assembly_body body = voussoir(start, end);
    stc_assembly_add_body(&assembly, &body);
    add_joint_face(&assembly, k - 1, k, start, 1.0);  // body -1 is the ground
    start = end;
  }
  add_joint_face(&assembly, STC_GROUND, n - 1, PI, -1.0);
  return stc_assembly_finish(&assembly, options, &random, problem);
}
