// Walls, towers and stacks: boxes with axis-parallel edges that touch along horizontal rectangles,
// each rectangle held by its corners.
#include "body_assembly.h"
#include "generators.h"

#include <math.h>

// An axis-parallel box, low < high.
typedef struct block {
  double low[3], high[3];
} block;

static int add_block(stc_assembly *assembly, const block *box) {
  double centre[3], size[3];
  for (int k = 0; k < 3; k++) {
    centre[k] = 0.5 * (box->low[k] + box->high[k]);
    size[k] = box->high[k] - box->low[k];
  }
  stc_assembly_body body = stc_body_box(centre, size);
  return stc_assembly_add_body(assembly, &body);
}

// Contacts between the top of `below` and the bottom of `above`: the corners of the rectangle they
// share; in 2D its two ends. None where they share no area.
static void add_face(stc_assembly *assembly, int lower, const block *below, int upper,
                     const block *above) {
  double edge[2][2];
  for (int k = 0; k < 2; k++) {
    edge[k][0] = fmax(below->low[k], above->low[k]);
    edge[k][1] = fmin(below->high[k], above->high[k]);
    if (!(edge[k][0] < edge[k][1])) return;
  }
  bool flat = assembly->dim == 2;
  for (int j = 0; j < (flat ? 1 : 2); j++)
    for (int i = 0; i < 2; i++) {
      stc_assembly_contact contact = {.body = {upper, lower}, .normal = {0, 0, 1}};
      contact.x[0] = edge[0][i];
      contact.x[1] = flat ? 0.0 : edge[1][j];
      contact.x[2] = above->low[2];
      stc_assembly_add_contact(assembly, &contact);
    }
}

static void add_on_ground(stc_assembly *assembly, int body, const block *box) {
  add_face(assembly, STC_GROUND, box, body, box);
}

// Uniform in [-range, range].
static double jitter(stc_random *random, double range) {
  return range * (2.0 * stc_random_uniform(random) - 1.0);
}

static const double BRICK[3] = {0.4, 0.2, 0.2};  // a masonry block, m

// At disorder 1 brick ends move by this part of the length: bricks of neighbouring courses, half a
// brick apart, still overlap by at least a tenth of it.
static const double END_JITTER = 0.2;

// At disorder 1 courses differ in height by this part.
static const double COURSE_JITTER = 0.3;

// Brick k of an odd course lies on bricks k and k + 1 below it; of an even one on k - 1 and k.
static void rest_course(stc_assembly *assembly, int n2, bool odd, int base, const block *below,
                        const block *course) {
  for (int k = 0; k < n2; k++)
    for (int l = odd ? k : k - 1; l <= (odd ? k + 1 : k); l++)
      if (0 <= l && l < n2) add_face(assembly, base - n2 + l, &below[l], base + k, &course[k]);
}

static stc_error make_wall(const stc_generator *options, int dim, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_assembly assembly = {.dim = dim};
  int n2 = options->n2;
  double z = 0.0;
  block *row[2] = {STC_TAKE(&assembly.arena, block, n2), STC_TAKE(&assembly.arena, block, n2)};
  for (int j = 0; j < options->n && !assembly.arena.failed; j++) {
    bool odd = j % 2 == 1;
    block *course = row[odd], *below = row[!odd];
    int base = assembly.bodies;
    // The bricks of one course between z and z + height; odd courses start half a brick later.
    double height = BRICK[2] * (1.0 + jitter(&random, COURSE_JITTER * options->disorder));
    double range = END_JITTER * options->disorder * BRICK[0];
    double start = odd ? 0.5 * BRICK[0] : 0.0, end = start + jitter(&random, range);
    for (int k = 0; k < options->n2; k++) {
      course[k] = (block){{end, -0.5 * BRICK[1], z}, {0, 0.5 * BRICK[1], z + height}};
      end = start + (k + 1) * BRICK[0] + jitter(&random, range);
      course[k].high[0] = end;
    }
    for (int k = 0; k < n2; k++) {
      int body = add_block(&assembly, &course[k]);
      if (j == 0) add_on_ground(&assembly, body, &course[k]);
    }
    if (j > 0) rest_course(&assembly, n2, odd, base, below, course);
    z = course[0].high[2];
  }
  return stc_assembly_finish(&assembly, options, &random, problem);
}

stc_error stc_generate_wall(const stc_generator *options, stc_problem **problem) {
  return make_wall(options, 3, problem);
}

stc_error stc_generate_wall2d(const stc_generator *options, stc_problem **problem) {
  return make_wall(options, 2, problem);
}

static const double PLANK_LENGTH = 0.12;  // a toy plank, 15 : 3 : 1, m

// Plank k of a layer. Planks are as wide as the spaces between them, at most a fifth of the length;
// layers alternate between x and y. At disorder 1 a plank moves by half a space.
static block make_plank(const stc_generator *options, stc_random *random, int layer, int k) {
  int n2 = options->n2, along = layer % 2, across = 1 - along;
  double width = PLANK_LENGTH / (n2 > 3 ? 2 * n2 - 1 : 5), height = PLANK_LENGTH / 15.0;
  double pitch = n2 > 1 ? (PLANK_LENGTH - width) / (n2 - 1) : 0.0;
  double range = 0.5 * options->disorder * width;
  double middle = (k - 0.5 * (n2 - 1)) * pitch + jitter(random, 0.5 * range);
  double shift = jitter(random, range);
  block plank = {.low = {[2] = layer * height}, .high = {[2] = (layer + 1) * height}};
  plank.low[along] = shift - 0.5 * PLANK_LENGTH;
  plank.high[along] = shift + 0.5 * PLANK_LENGTH;
  plank.low[across] = middle - 0.5 * width;
  plank.high[across] = middle + 0.5 * width;
  return plank;
}

stc_error stc_generate_tower(const stc_generator *options, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_assembly assembly = {.dim = 3};
  int n2 = options->n2;
  block *row[2] = {STC_TAKE(&assembly.arena, block, n2), STC_TAKE(&assembly.arena, block, n2)};
  for (int j = 0; j < options->n && !assembly.arena.failed; j++) {
    block *layer = row[j % 2], *below = row[1 - j % 2];
    for (int k = 0; k < n2; k++) {
      layer[k] = make_plank(options, &random, j, k);
      int body = add_block(&assembly, &layer[k]);
      if (j == 0) add_on_ground(&assembly, body, &layer[k]);
      for (int l = 0; j > 0 && l < n2; l++)
        add_face(&assembly, (j - 1) * n2 + l, &below[l], body, &layer[k]);
    }
  }
  return stc_assembly_finish(&assembly, options, &random, problem);
}

static const double CUBE = 0.5;  // edge of a box of the stack, m

// At disorder 1 boxes stand up to this part of the edge away from the axis: the one above still
// rests on 60 % of the one below.
static const double STACK_JITTER = 0.2;

stc_error stc_generate_box(const stc_generator *options, stc_problem **problem) {
  stc_random random = stc_random_seed(options->seed);
  stc_assembly assembly = {.dim = 3};
  double range = STACK_JITTER * options->disorder * CUBE;
  block below = {0};
  for (int j = 0; j < options->n; j++) {
    block box = {.low = {[2] = j * CUBE}, .high = {[2] = (j + 1) * CUBE}};
    for (int k = 0; k < 2; k++) {
      box.low[k] = jitter(&random, range) - 0.5 * CUBE;
      box.high[k] = box.low[k] + CUBE;
    }
    int body = add_block(&assembly, &box);
    if (j == 0)
      add_on_ground(&assembly, body, &box);
    else
      add_face(&assembly, body - 1, &below, body, &box);
    below = box;
  }
  return stc_assembly_finish(&assembly, options, &random, problem);
}
