// The table of kinds, the checks of the options and the texts of a generated problem.
#include <stiction/generate.h>

#include "../../base/fail.h"
#include "../../base/number.h"
#include "generators.h"

#include <math.h>
#include <string.h>

// Contacts a generated problem may have: near 1.5 kB each while it is made, so that the largest
// takes about 6 GB; their 36 matrix entries stay far inside 32-bit indices.
static const double MAX_CONTACTS = 4e6;

enum {
  MANY = 100000000,       // no limit of its own: the number of contacts decides
  MOST_POINTS = 1000000,  // contacts of a theory problem: far beyond what can be enumerated
  WIDEST = 2000  // diameters across a box of balls: the largest pile of discs is as high as wide
};

// Gravity may lean this far, rad: just short of a right angle, where nothing rests any more.
#define MAX_TILT 1.5

// Bound on the free number of a theory problem: beyond it the numbers stop meaning anything.
#define MAX_PARAM 1e6

typedef struct generator {
  const char *name, *summary;
  int dim;
  int n_min, n_max, n2_min, n2_max;
  double param_max;                           // bound on |param|
  double (*contacts)(const stc_generator *);  // their number, or an upper estimate
  stc_error (*generate)(const stc_generator *, stc_problem **);
  stc_generator defaults;
} generator;

// Drop and roll leaves 3 contacts per sphere and 2 per disc; neighbours that are merely near add a
// few in a hundred.
static double pile_contacts(const stc_generator *o) { return 4.0 * o->n; }

static double wall_contacts(const stc_generator *o) {
  return 4.0 * (o->n2 + (o->n - 1.0) * (2.0 * o->n2 - 1.0));
}

static double arch_contacts(const stc_generator *o) { return 4.0 * (o->n + 1.0); }

static double tower_contacts(const stc_generator *o) {
  return 4.0 * (o->n2 + (o->n - 1.0) * o->n2 * o->n2);
}

static double box_contacts(const stc_generator *o) { return 4.0 * o->n; }

static double chain_contacts(const stc_generator *o) { return 2.0 * o->n; }

// clang-format off
static const generator KINDS[] = {
    {"spheres", "pile of n spheres settled in a box n2 diameters wide (0: as wide as high); param: tilt",
     3, 1, MANY, 0, WIDEST, MAX_TILT, pile_contacts, stc_generate_spheres,
     {.n = 300, .mu = 0.5, .step = 0.01, .seed = 1}},
    {"wall", "brick wall in running bond: n courses of n2 bricks; param: tilt",
     3, 1, MANY, 1, MANY, MAX_TILT, wall_contacts, stc_generate_wall,
     {.n = 12, .n2 = 12, .mu = 0.6, .step = 0.005, .seed = 1, .disorder = 0.3, .param = 0.1}},
    {"arch", "semicircular arch of n stones between fixed abutments; param: tilt",
     3, 2, MANY, 0, MANY, MAX_TILT, arch_contacts, stc_generate_arch,
     {.n = 20, .mu = 0.6, .step = 0.005, .seed = 1}},
    {"tower", "tower of planks: n layers of n2 planks, each layer across the one below; param: tilt",
     3, 1, MANY, 1, 1000, MAX_TILT, tower_contacts, stc_generate_tower,
     {.n = 10, .n2 = 3, .mu = 0.3, .step = 0.005, .seed = 1, .disorder = 0.2, .param = 0.1}},
    {"box", "stack of n boxes on a plane; param: slope of the plane",
     3, 1, MANY, 0, MANY, MAX_TILT, box_contacts, stc_generate_box,
     {.n = 1, .mu = 0.5, .step = 0.01, .seed = 1, .param = 0.2}},
    {"chain", "n rods joined end to end on a plane, tied to it at the top if n2 = 1; param: slope",
     3, 1, MANY, 0, 1, MAX_TILT, chain_contacts, stc_generate_chain,
     {.n = 20, .n2 = 1, .mu = 0.3, .step = 0.01, .seed = 1, .disorder = 0.5, .param = 0.4}},
    {"discs", "2D pile of n discs settled in a box n2 diameters wide (0: as wide as high); param: tilt",
     2, 1, MANY, 0, WIDEST, MAX_TILT, pile_contacts, stc_generate_discs,
     {.n = 300, .mu = 0.5, .step = 0.01, .seed = 1, .disorder = 0.5}},
    {"wall2d", "2D brick wall in running bond: n courses of n2 bricks; param: tilt",
     2, 1, MANY, 1, MANY, MAX_TILT, wall_contacts, stc_generate_wall2d,
     {.n = 12, .n2 = 12, .mu = 0.6, .step = 0.005, .seed = 1, .disorder = 0.3, .param = 0.1}},
    {"painleve", "2D, one contact, M = 1, H = (1, kappa), none, two or one solution; n: case 0 to 4; param: kappa",
     2, 0, 4, 0, MANY, MAX_PARAM, NULL, stc_generate_painleve,
     {.mu = 1.0, .step = 1.0, .param = 2.0}},
    {"painleve3d", "one contact, H = (1, 2, 0), w = (0, 1, delta), no solution for small delta; param: delta",
     3, 0, 0, 0, MANY, MAX_PARAM, NULL, stc_generate_painleve3d,
     {.mu = 1.0, .step = 1.0, .param = 1.0}},
    {"wedge", "2D, impact of a point into a wedge, with or without solution; n: case 0 to 3; param: speed",
     2, 0, 3, 0, MANY, MAX_PARAM, NULL, stc_generate_wedge,
     {.mu = 0.5, .step = 1.0, .param = 1.0}},
    {"wedge3d", "impact into a jamming wedge, no solution for |v_z| < 5.9525; param: v_z before the impact",
     3, 0, 0, 0, MANY, MAX_PARAM, NULL, stc_generate_wedge3d,
     {.mu = 0.5, .step = 1.0, .param = 0.4}},
    {"jammed", "2D, slider driven into a groove and held by n points, no solution; param: restitution",
     2, 2, MOST_POINTS, 0, MANY, 1.0, NULL, stc_generate_jammed,
     {.n = 4, .mu = 0.5, .step = 1.0, .param = 0.5}},
    {"multiple", "2D, n coupled rods of Painleve, exactly 2^n solutions; param: coupling",
     2, 1, MOST_POINTS, 0, MANY, 0.5, NULL, stc_generate_multiple,
     {.n = 3, .mu = 1.0, .step = 1.0, .param = 0.25}},
};
// clang-format on
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const char *stc_generator_name(int k) { return 0 <= k && k < KIND_COUNT ? KINDS[k].name : NULL; }

const char *stc_generator_summary(int k) {
  return 0 <= k && k < KIND_COUNT ? KINDS[k].summary : NULL;
}

static const generator *find_kind(const char *name) {
  for (int k = 0; name && k < KIND_COUNT; k++)
    if (strcmp(KINDS[k].name, name) == 0) return &KINDS[k];
  return NULL;
}

stc_generator stc_default_generator(const char *name) {
  const generator *found = find_kind(name);
  if (!found) return (stc_generator){0};
  stc_generator options = found->defaults;
  options.kind = found->name;
  return options;
}

static stc_error check_count(const generator *kind, const char *field, int value, int min,
                             int max) {
  if (min <= value && value <= max) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s: %s = %d, must be between %d and %d", kind->name, field, value,
                  min, max);
}

// NaN fails the comparison as well.
static stc_error check_number(const generator *kind, const char *field, double value, double min,
                              double max) {
  if (min <= value && value <= max) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s: %s = %g, must be between %g and %g", kind->name, field, value,
                  min, max);
}

// Bounds far outside any material and any simulation; they keep h g and gap / h finite.
static const double MAX_MU = 1e6, MIN_STEP = 1e-9, MAX_STEP = 1e6;

static stc_error check_options(const generator *kind, const stc_generator *options) {
  STC_TRY(check_count(kind, "n", options->n, kind->n_min, kind->n_max));
  STC_TRY(check_count(kind, "n2", options->n2, kind->n2_min, kind->n2_max));
  STC_TRY(check_number(kind, "mu", options->mu, 0.0, MAX_MU));
  STC_TRY(check_number(kind, "mu2", options->mu2, 0.0, MAX_MU));
  STC_TRY(check_number(kind, "step", options->step, MIN_STEP, MAX_STEP));
  STC_TRY(check_number(kind, "disorder", options->disorder, 0.0, 1.0));
  STC_TRY(check_number(kind, "param", options->param, -kind->param_max, kind->param_max));
  if (kind->dim == 2 && options->mu2 > 0.0)
    return stc_fail(STC_ERR_VALUE, "%s is a 2D problem: it has no direction T2, set mu2 to 0",
                    kind->name);
  double contacts = kind->contacts ? kind->contacts(options) : 0.0;
  if (contacts > MAX_CONTACTS)
    return stc_fail(
        STC_ERR_VALUE,
        "%s with n = %d, n2 = %d may have %.3g contacts, more than the %.3g a generated "
        "problem may have; choose n or n2 smaller",
        kind->name, options->n, options->n2, contacts, MAX_CONTACTS);
  return STC_OK;
}

// Appends " name=value" with the fewest digits that read back as the same number.
static void append_names(char *text, size_t room, const char *name, double value) {
  char digits[32];
  for (int precision = 1; precision <= 17; precision++) {
    stc_snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (stc_strtod(digits, NULL) == value) break;
  }
  size_t used = strlen(text);
  stc_snprintf(text + used, room - used, " %s=%s", name, digits);
}

// Title: kind, sizes, mu, seed. Description: everything needed to make the problem again.
static stc_error describe_kind(const generator *kind, const stc_generator *options,
                               stc_problem *problem) {
  char title[128], description[512];
  stc_snprintf(title, sizeof title, "%s n=%d n2=%d", kind->name, options->n, options->n2);
  append_names(title, sizeof title, "mu", options->mu);
  size_t used = strlen(title);
  stc_snprintf(title + used, sizeof title - used, " seed=%lu", options->seed);
  stc_snprintf(description, sizeof description, "generated by stiction: %s", title);
  append_names(description, sizeof description, "mu2", options->mu2);
  append_names(description, sizeof description, "step", options->step);
  append_names(description, sizeof description, "disorder", options->disorder);
  append_names(description, sizeof description, "param", options->param);
  stc_problem_text text = {.title = title, .description = description};
  if (kind->contacts) text.math_info = "M block-diagonal, W = H M^-1 H^T symmetric and PSD";
  return stc_problem_set_text(problem, &text);
}

stc_error stc_generate(const stc_generator *options, stc_problem **problem) {
  if (!options || !problem)
    return stc_fail(STC_ERR_ARGUMENT, "stc_generate needs options and a place for the "
                                      "problem");
  *problem = NULL;
  const generator *found = find_kind(options->kind);
  if (!found) {
    const char *name = options->kind;
    char names[256] = "";
    size_t used = 0;
    for (int k = 0; k < KIND_COUNT && used < sizeof names; k++)
      used += (size_t)stc_snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                   KINDS[k].name);
    return stc_fail(STC_ERR_ARGUMENT, "no generator '%s'; there are %s", name ? name : "", names);
  }
  STC_TRY(check_options(found, options));
  STC_TRY(found->generate(options, problem));
  stc_error error = describe_kind(found, options, *problem);
  if (error) stc_problem_free(problem);
  return error;
}
