// The performance profile of methods s over problems p [Dolan and Moré 2002]:
//   rho_s(tau) = share of the problems with t_ps <= tau min_s t_ps,
// a step curve per method over log tau, as one SVG picture. At tau = 1 it is how often a method is
// the fastest, at the right end how many problems it solves.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

// Pixels. The legend stands to the right of the plot and makes the picture higher if it must.
enum {
  WIDTH = 860,
  LEAST_HEIGHT = 500,
  LEFT = 72,
  RIGHT = 230,
  TOP = 56,
  BOTTOM = 66,
  LEGEND_STEP = 24
};

static const double Y_GREATEST = 1.02;       // a curve at 1 stays clear of the frame
static const double LEAST_TAU_MAX = 10;      // at least one decade of tau is shown
static const double TICKS_125_UP_TO = 1000;  // a longer axis has labels at the decades only

// Colours that people with any colour vision tell apart [Okabe and Ito 2008], yellow darkened; the
// numbers of colours and dashes have no common factor, so that all pairs come up before one
// returns.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#000000", "#e69f00", "#56b4e9", "#8c7a00"};
static const char *const dashes[] = {"none", "16 4", "9 4", "14 3 2.5 3", "10 3 2.5 3 2.5 3",
                                     "5 3",  "2.5 3"};
enum { COLOURS = sizeof colours / sizeof *colours, DASHES = sizeof dashes / sizeof *dashes };

typedef struct picture {
  const bench_job *job;
  const bench_summary *summary;
  double *ratio;  // [problems] room for one method: t / best, in rising order
  double tau_max;
  int *order;  // [methods] as the legend lists them
  int height;
  FILE *out;
} picture;

// ---- the data

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The ratios of the problems that a method solved; returns their number.
static int fill_ratios(const picture *p, int method) {
  int count = 0;
  for (int k = 0; k < p->job->problems.count; k++) {
    double seconds = bench_seconds(p->job, k, method);
    if (isfinite(seconds)) p->ratio[count++] = seconds / bench_best(p->job, k);
  }
  qsort(p->ratio, (size_t)count, sizeof *p->ratio, by_size);
  return count;
}

// The next of 1, 2, 5, 10, 20 ... that is not below x.
static double round_up(double x) {
  double decade = pow(10, floor(log10(x)));
  if (x <= decade) return decade;
  return decade * (x <= 2 * decade ? 2 : x <= 5 * decade ? 5 : 10);
}

static double greatest_ratio(const picture *p) {
  double greatest = LEAST_TAU_MAX;
  for (int m = 0; m < p->job->methods.count; m++) {
    int count = fill_ratios(p, m);
    if (count > 0) greatest = fmax(greatest, p->ratio[count - 1]);
  }
  return round_up(greatest);
}

static bool stands_before(const bench_score *a, const bench_score *b) {
  if (a->solved != b->solved) return a->solved > b->solved;
  return a->fastest > b->fastest;
}

// The best method first; equals in the order they were asked for.
static void fill_order(const picture *p) {
  for (int m = 0; m < p->job->methods.count; m++) {
    int k = m;
    for (; k > 0; k--) {
      const bench_score *score = p->summary->score;
      if (!stands_before(&score[m], &score[p->order[k - 1]])) break;
      p->order[k] = p->order[k - 1];
    }
    p->order[k] = m;
  }
}

// ---- the picture

static double bottom(const picture *p) { return p->height - BOTTOM; }

static double x_of(const picture *p, double tau) {
  return LEFT + (WIDTH - LEFT - RIGHT) * log(tau) / log(p->tau_max);
}

static double y_of(const picture *p, double rho) {
  return bottom(p) - (bottom(p) - TOP) * rho / Y_GREATEST;
}

static void open_picture(const picture *p) {
  int problems = p->job->problems.count;
  fprintf(p->out,
          "<?xml version='1.0' encoding='UTF-8'?>\n"
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
          "font-family='Helvetica, Arial, sans-serif' font-size='13' fill='#222'>\n"
          "<title>Performance profile</title>\n"
          "<rect width='%d' height='%d' fill='#fff'/>\n"
          "<text x='%g' y='32' font-size='16' text-anchor='middle'>"
          "Performance profile: %d problem%s, tolerance %g</text>\n",
          WIDTH, p->height, WIDTH, p->height, WIDTH, p->height, (LEFT + WIDTH - RIGHT) / 2.0,
          problems, cli_s(problems), p->job->settings.tol);
}

static void draw_y_axis(const picture *p) {
  for (int k = 0; k <= 5; k++) {
    double y = y_of(p, k / 5.0);
    fprintf(p->out, "<path d='M%d %.1fH%d' stroke='#ddd'/>\n", LEFT, y, WIDTH - RIGHT);
    fprintf(p->out, "<text x='%d' y='%.1f' text-anchor='end'>%.1f</text>\n", LEFT - 8, y + 4.5,
            k / 5.0);
  }
  double middle = (TOP + bottom(p)) / 2;
  fprintf(p->out,
          "<text transform='translate(22 %.1f) rotate(-90)' text-anchor='middle' "
          "font-size='14'>fraction of problems</text>\n",
          middle);
}

// 1000 as it is, 10000 as a power.
static void draw_x_label(const picture *p, double tau) {
  fprintf(p->out, "<text x='%.1f' y='%.1f' text-anchor='middle'>", x_of(p, tau), bottom(p) + 20);
  if (tau <= TICKS_125_UP_TO) {
    fprintf(p->out, "%g</text>\n", tau);
  } else {
    fprintf(p->out, "10<tspan dy='-6' font-size='10'>%.0f</tspan></text>\n", log10(tau));
  }
}

// Decades have a label, and 2 and 5 between them if there are few.
static bool has_label(const picture *p, int digit) {
  return digit == 1 || (p->tau_max <= TICKS_125_UP_TO && (digit == 2 || digit == 5));
}

static void draw_x_axis(const picture *p) {
  static const double rounding = 1 + 1e-9;
  for (double decade = 1; decade <= p->tau_max * rounding; decade *= 10) {
    for (int digit = 1; digit < 10; digit++) {
      double tau = digit * decade;
      if (tau > p->tau_max * rounding) break;
      bool label = has_label(p, digit);
      fprintf(p->out, "<path d='M%.1f %dV%.1f' stroke='%s'/>\n", x_of(p, tau), TOP, bottom(p),
              label ? "#ddd" : "#f2f2f2");
      if (label) draw_x_label(p, tau);
    }
  }
  fprintf(p->out,
          "<text x='%g' y='%.1f' text-anchor='middle' font-size='14'>"
          "τ = time / least time of any method (log scale)</text>\n",
          (LEFT + WIDTH - RIGHT) / 2.0, bottom(p) + 46);
}

static void draw_frame(const picture *p) {
  fprintf(p->out, "<rect x='%d' y='%d' width='%d' height='%.1f' fill='none' stroke='#888'/>\n",
          LEFT, TOP, WIDTH - LEFT - RIGHT, bottom(p) - TOP);
}

static void put_stroke(const picture *p, int method) {
  fprintf(p->out, "fill='none' stroke='%s' stroke-width='2.2' stroke-dasharray='%s'",
          colours[method % COLOURS], dashes[method % DASHES]);
}

// Equal ratios make one step.
static void draw_curve(const picture *p, int method) {
  int count = fill_ratios(p, method), k = 0;
  double problems = p->job->problems.count;
  while (k < count && p->ratio[k] <= 1) k++;
  fprintf(p->out, "<path d='M%d %.2f", LEFT, y_of(p, k / problems));
  while (k < count) {
    double tau = p->ratio[k];
    while (k < count && p->ratio[k] <= tau) k++;
    fprintf(p->out, "H%.2fV%.2f", x_of(p, tau), y_of(p, k / problems));
  }
  fprintf(p->out, "H%d' ", WIDTH - RIGHT);
  put_stroke(p, method);
  fprintf(p->out, "/>\n");
}

static void draw_legend(const picture *p) {
  int left = WIDTH - RIGHT + 16;
  fprintf(p->out, "<text x='%d' y='%d' text-anchor='end' fill='#666'>solved</text>\n", WIDTH - 12,
          TOP + 4);
  for (int k = 0; k < p->job->methods.count; k++) {
    int method = p->order[k], y = TOP + (k + 1) * LEGEND_STEP;
    const bench_score *score = &p->summary->score[method];
    fprintf(p->out, "<path d='M%d %dh44' ", left, y - 4);
    put_stroke(p, method);
    fprintf(p->out, "/>\n<text x='%d' y='%d'>%s</text>\n", left + 52, y, score->name);
    fprintf(p->out, "<text x='%d' y='%d' text-anchor='end'>%.1f %%</text>\n", WIDTH - 12, y,
            100.0 * score->solved / p->job->problems.count);
  }
}

// Where curves lie upon each other, the one below shows through the gaps: those with wide gaps are
// drawn last.
static void draw_curves(const picture *p) {
  for (int dash = 0; dash < DASHES; dash++) {
    for (int m = dash; m < p->job->methods.count; m += DASHES) draw_curve(p, m);
  }
}

static void draw(FILE *out, const void *user) {
  picture p = *(const picture *)user;
  p.out = out;
  open_picture(&p);
  draw_y_axis(&p);
  draw_x_axis(&p);
  draw_frame(&p);
  draw_curves(&p);
  draw_legend(&p);
  fprintf(out, "</svg>\n");
}

int bench_profile(const bench_job *job, const bench_summary *summary) {
  int methods = job->methods.count, legend = TOP + BOTTOM + (methods + 1) * LEGEND_STEP;
  picture p = {.job = job,
               .summary = summary,
               .ratio = calloc((size_t)job->problems.count, sizeof *p.ratio),
               .order = calloc((size_t)methods, sizeof *p.order),
               .height = legend > LEAST_HEIGHT ? legend : LEAST_HEIGHT};
  int status = CLI_WRONG;
  if (p.ratio && p.order) {
    p.tau_max = greatest_ratio(&p);
    fill_order(&p);
    status = cli_save(job->profile, draw, &p);
  } else {
    cli_complain("out of memory for a profile of %d problems", job->problems.count);
  }
  free(p.ratio);
  free(p.order);
  return status;
}
