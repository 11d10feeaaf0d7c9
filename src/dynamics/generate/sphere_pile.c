// Piles: balls (3D) or discs (2D) settled in a box, in contact with what they touch or nearly
// touch.
#include "../../base/vec3.h"
#include "body_assembly.h"
#include "generators.h"
#include "pack.h"

#include "../../base/elementary.h"
#include "../../base/fail.h"

static const double RADIUS = 0.05;  // mean, m
static const double PI = 3.141592653589793;

// At disorder 1 radii spread over RADIUS (1 +- SPREAD): a ratio of 3 between extremes.
static const double SPREAD = 0.5;

// Pairs closer than this part of RADIUS are contacts: within reach of one time step.
static const double NEAR = 1e-2;

// Gaps below this part of RADIUS are the rounding of a resting contact.
static const double CLOSED = 1e-6;

// Depth of a disc across the plane, m.
static const double DEPTH = 1.0;

// Width, in mean diameters, of the box whose filling is as high as wide. Drop and roll fills about
// 0.58 of space and 0.82 of the plane, so n balls take n pi / (6 * 0.58) diameters cubed and n
// discs n pi / (4 * 0.82) diameters squared.
static double cubic_width(int n, bool flat) { return flat ? sqrt(0.96 * n) : stc_cbrt(0.90 * n); }

// Contact between an obstacle (first) and ball b (second) where they are near.
static void add_near_contact(stc_assembly *assembly, const stc_pack *pack, int obstacle, int b) {
  stc_assembly_contact contact = {.body = {b, obstacle < 0 ? STC_GROUND : obstacle}};
  double r = pack->radius[b];
  double gap = stc_pack_gap(pack, obstacle, pack->centre[b], r, contact.normal);
  if (gap > NEAR * RADIUS) return;
  contact.gap = gap > CLOSED * RADIUS ? gap : 0.0;
  stc_combine3(pack->centre[b], -(r + 0.5 * contact.gap), contact.normal, contact.x);
  stc_assembly_add_contact(assembly, &contact);
}

static void find_contacts(stc_assembly *assembly, const stc_pack *pack, int b) {
  for (int plane = 0; plane < stc_pack_planes(pack); plane++)
    add_near_contact(assembly, pack, STC_FLOOR - plane, b);
  double low[3], high[3], reach = pack->radius[b] + pack->largest + NEAR * RADIUS;
  for (int k = 0; k < 3; k++) {
    low[k] = pack->centre[b][k] - reach;
    high[k] = pack->centre[b][k] + reach;
  }
  stc_near near = stc_pack_near(pack, low, high);
  for (int other = stc_near_next(&near); other >= 0; other = stc_near_next(&near))
    if (other < b) add_near_contact(assembly, pack, other, b);
}

static stc_error pack_balls(const stc_generator *options, bool flat, stc_random *random,
                            stc_pack *pack) {
  double width[2], *radius = stc_calloc((size_t)options->n, sizeof *radius);
  if (!radius) return stc_fail(STC_ERR_MEMORY, "no memory for %d radii", options->n);
  for (int b = 0; b < options->n; b++)
    radius[b] =
        RADIUS * (1.0 + SPREAD * options->disorder * (2.0 * stc_random_uniform(random) - 1.0));
  double wanted = options->n2 > 0 ? options->n2 : cubic_width(options->n, flat);
  double largest = 0.0;
  for (int b = 0; b < options->n; b++) largest = fmax(largest, radius[b]);
  width[0] = fmax(wanted * 2.0 * RADIUS, 4.0 * largest);  // two balls always fit side by side
  width[1] = flat ? 0.0 : width[0];
  stc_error error = stc_pack_fill(pack, flat, width, options->n, radius, random);
  stc_release(&radius);
  return error;
}

static stc_error make_pile(const stc_generator *options, bool flat, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_pack pack = {0};
  stc_assembly assembly = {.dim = flat ? 2 : 3};
  stc_error error = pack_balls(options, flat, &random, &pack);
  if (!error) {
    for (int b = 0; b < pack.balls; b++) {
      double r = pack.radius[b];
      const double *x = pack.centre[b];
      stc_assembly_body body = {.x = {x[0], x[1], x[2]}};
      body.mass = STC_DENSITY * PI * r * r * (flat ? DEPTH : 4.0 / 3.0 * r);
      for (int k = 0; k < 3; k++) body.inertia[k][k] = (flat ? 0.5 : 0.4) * body.mass * r * r;
      stc_assembly_add_body(&assembly, &body);
      find_contacts(&assembly, &pack, b);
    }
    error = stc_assembly_finish(&assembly, options, &random, problem);
  }
  stc_pack_free(&pack);
  return error;
}

stc_error stc_generate_spheres(const stc_generator *options, stc_problem **problem) {
  return make_pile(options, false, problem);
}

stc_error stc_generate_discs(const stc_generator *options, stc_problem **problem) {
  return make_pile(options, true, problem);
}
