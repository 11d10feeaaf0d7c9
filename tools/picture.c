// Draws the forces in a pile of rigid bodies, seen from the front: picture SOLVED.hdf5 PICTURE.svg
// Positions are not stored in the file, but H knows them. The row of direction e at a contact with
// lever arm a is (e, a x e), so that over the dim directions of the contact
//   a = sum of e x (a x e) / (dim - 1),
// and a contact between two bodies ties their places together. Also prints how many contacts carry
// how much.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <stiction/problem.h>

typedef struct point {
  double x, y;  // to the right and up
} point;

typedef struct side {
  int body;  // -1: the ground
  point arm;
} side;

typedef struct contact {
  side side[2];
  double force;
  stc_contact_state state;
} contact;

typedef struct pile {
  int contacts, bodies;
  contact *contact;  // [contacts]
  point *centre;     // [bodies]
  bool *placed;      // [bodies]
  point *corner;     // [4 * contacts] work space: corners of one body
  point low, high;
  double strongest, reach;  // largest force, longest arm
} pile;

static void *take(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) {
    fprintf(stderr, "picture: out of memory\n");
    exit(1);
  }
  return memory;
}

static point plus(point a, double factor, point b) {
  return (point){a.x + factor * b.x, a.y + factor * b.y};
}

static double cross(point o, point a, point b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

// ---- what H knows

// Adds e x (a x e) / (dim - 1) of one row; h = (e, a x e), in the plane with the turn last.
static void add_row(side *s, int dim, const double h[6]) {
  if (dim == 2) {
    s->arm = plus(s->arm, h[2], (point){h[1], -h[0]});
  } else {
    s->arm = plus(s->arm, 0.5, (point){h[1] * h[5] - h[2] * h[4], h[0] * h[4] - h[1] * h[3]});
  }
}

static void read_contact(const stc_global_data *p, int number, contact *c) {
  int n = p->dim == 3 ? 6 : 3;
  c->side[0].body = c->side[1].body = -1;
  for (int row = number * p->dim; row < (number + 1) * p->dim; row++) {
    double h[2][6] = {{0}};
    for (int j = p->H.p[row]; j < p->H.p[row + 1]; j++) {
      int body = p->H.i[j] / n;
      int k = c->side[0].body >= 0 && c->side[0].body != body;
      c->side[k].body = body;
      h[k][p->H.i[j] % n] = p->H.x[j];
    }
    for (int k = 0; k < 2; k++) add_row(&c->side[k], p->dim, h[k]);
  }
}

// Each body that touches one with a place gets its own, until nothing changes.
static void spread(pile *p) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int c = 0; c < 2 * p->contacts; c++) {
      const side *a = &p->contact[c / 2].side[c % 2], *b = &p->contact[c / 2].side[1 - c % 2];
      if (a->body < 0 || b->body < 0 || !p->placed[a->body] || p->placed[b->body]) continue;
      p->centre[b->body] = plus(plus(p->centre[a->body], 1, a->arm), -1, b->arm);
      p->placed[b->body] = changed = true;
    }
  }
}

static void widen(pile *p, point x) {
  p->low = (point){fmin(p->low.x, x.x), fmin(p->low.y, x.y)};
  p->high = (point){fmax(p->high.x, x.x), fmax(p->high.y, x.y)};
}

static void measure_pile(pile *p) {
  for (int c = 0; c < 2 * p->contacts; c++) {
    const side *s = &p->contact[c / 2].side[c % 2];
    p->strongest = fmax(p->strongest, p->contact[c / 2].force);
    p->reach = fmax(p->reach, hypot(s->arm.x, s->arm.y));
    if (s->body < 0 || !p->placed[s->body]) continue;
    widen(p, plus(p->centre[s->body], 1, s->arm));
    widen(p, plus(p->centre[s->body], -1, s->arm));
  }
}

// Parts that hang together only through the ground stand side by side.
static void place(pile *p) {
  for (int b = 0; b < p->bodies; b++) {
    if (p->placed[b]) continue;
    p->centre[b].x = b == 0 ? 0 : p->high.x + 2 * p->reach;
    p->placed[b] = true;
    spread(p);
    measure_pile(p);
  }
}

static pile read_pile(const stc_problem *problem, const double *r) {
  stc_global_data data = stc_problem_global_data(problem);
  size_t contacts = (size_t)data.contacts, bodies = (size_t)data.dofs / (data.dim == 3 ? 6 : 3);
  pile p = {.contacts = data.contacts, .bodies = (int)bodies};
  p.contact = take(contacts, sizeof *p.contact);
  p.centre = take(bodies, sizeof *p.centre);
  p.placed = take(bodies, sizeof *p.placed);
  p.corner = take(4 * contacts, sizeof *p.corner);
  stc_contact_state *state = take(contacts, sizeof *state);
  if (stc_problem_classify(problem, r, 1e-6, state, NULL) != STC_OK) p.contacts = 0;
  for (int c = 0; c < p.contacts; c++) {
    read_contact(&data, c, &p.contact[c]);
    p.contact[c].force = r[c * data.dim];
    p.contact[c].state = state[c];
  }
  free(state);
  place(&p);
  return p;
}

static void free_pile(pile *p) {
  free(p->contact);
  free(p->centre);
  free(p->placed);
  free(p->corner);
}

// ---- bodies

static int by_place(const void *first, const void *second) {
  const point *a = first, *b = second;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

// The corners of the convex hull of n sorted points; h [2 n] [Andrew's monotone chain].
static int hull(const point *x, int n, point *h) {
  int k = 0;
  for (int pass = 0; pass < 2; pass++) {
    int base = k + 1;
    for (int i = 0; i < n; i++) {
      point next = x[pass ? n - 1 - i : i];
      while (k > base && cross(h[k - 2], h[k - 1], next) <= 0) k--;
      h[k++] = next;
    }
    k--;  // the end of one chain begins the other
  }
  return k;
}

// A body is drawn as the hull of its contacts and their mirror images through its centre.
static void draw_body(FILE *svg, pile *p, int body) {
  int n = 0;
  for (int c = 0; c < 2 * p->contacts; c++) {
    const side *s = &p->contact[c / 2].side[c % 2];
    if (s->body != body) continue;
    p->corner[n++] = plus(p->centre[body], 1, s->arm);
    p->corner[n++] = plus(p->centre[body], -1, s->arm);
  }
  if (n < 3) return;
  qsort(p->corner, (size_t)n, sizeof *p->corner, by_place);
  point *outline = take(2 * (size_t)n, sizeof *outline);
  int corners = hull(p->corner, n, outline);
  fprintf(svg, "<polygon points='");
  for (int i = 0; i < corners; i++) fprintf(svg, "%.4g,%.4g ", outline[i].x, -outline[i].y);
  fprintf(svg, "'/>\n");
  free(outline);
}

// ---- the picture

// A line from each centre to each contact, as wide as the normal force.
static void draw_forces(FILE *svg, const pile *p) {
  static const char *color[] = {"#b0b0b0", "#2468ac", "#e8710a", "#c00000"};  // by state
  for (int c = 0; c < 2 * p->contacts; c++) {
    const contact *k = &p->contact[c / 2];
    const side *s = &k->side[c % 2];
    if (s->body < 0) continue;
    point from = p->centre[s->body];
    double width = p->reach * (0.02 + 0.5 * k->force / fmax(p->strongest, 1e-300));
    fprintf(svg, "<path d='M%.4g %.4gl%.4g %.4g' stroke='%s' stroke-width='%.3g'/>\n", from.x,
            -from.y, s->arm.x, -s->arm.y, color[k->state], width);
  }
}

static void draw(FILE *svg, pile *p) {
  double margin = p->reach / 2;
  fprintf(svg,
          "<svg xmlns='http://www.w3.org/2000/svg' width='900' viewBox='%g %g %g %g'>\n"
          "<title>Normal forces: blue sticks, orange slips</title>\n"
          "<g fill='#f4efe6' stroke='#c8bfae' stroke-width='%g'>\n",
          p->low.x - margin, -p->high.y - margin, p->high.x - p->low.x + 2 * margin,
          p->high.y - p->low.y + 2 * margin, 0.02 * p->reach);
  for (int b = 0; b < p->bodies; b++) draw_body(svg, p, b);
  fprintf(svg, "</g>\n<g stroke-linecap='round'>\n");
  draw_forces(svg, p);
  fprintf(svg, "</g>\n</svg>\n");
}

// How many contacts carry how much, in tenths of the largest normal force.
static void print_histogram(const pile *p) {
  enum { BINS = 10, WIDTH = 50 };
  int count[BINS] = {0}, most = 1;
  for (int c = 0; c < p->contacts; c++) {
    int bin = (int)(BINS * p->contact[c].force / fmax(p->strongest, 1e-300));
    bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
    count[bin]++;
    if (count[bin] > most) most = count[bin];
  }
  printf("normal impulse, N s         contacts\n");
  for (int bin = 0; bin < BINS; bin++) {
    int stars = (WIDTH * count[bin] + most - 1) / most;
    printf("%9.3g .. %-9.3g %6d  %.*s\n", bin * p->strongest / BINS,
           (bin + 1) * p->strongest / BINS, count[bin], stars,
           "##################################################");
  }
}

static int usage_error(const char *text) {
  fprintf(stderr, "picture: %s\nusage: picture SOLVED.hdf5 PICTURE.svg\n", text);
  return 1;
}

static int draw_file(const char *path, const stc_problem *problem, const double *r) {
  FILE *svg = fopen(path, "w");
  if (!svg) return usage_error("the picture cannot be written");
  pile p = read_pile(problem, r);
  draw(svg, &p);
  print_histogram(&p);
  free_pile(&p);
  return fclose(svg) ? usage_error("the picture cannot be written") : 0;
}

int main(int argc, char **argv) {
  stc_problem *problem = NULL;
  stc_solution solution = {0};
  int status = 0;
  if (argc != 3) return usage_error("two file names are needed");
  if (stc_problem_read(argv[1], &problem) || stc_solution_read(argv[1], problem, &solution)) {
    status = usage_error(stc_error_detail());
  } else if (stc_problem_form(problem) != STC_FORM_GLOBAL || !solution.r) {
    status = usage_error("the file holds no solved problem in the global form");
  } else {
    status = draw_file(argv[2], problem, solution.r);
  }
  stc_solution_free(&solution);
  stc_problem_free(&problem);
  return status;
}
