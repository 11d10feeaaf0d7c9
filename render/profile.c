// The performance profile of methods s over problems p [Dolan and Moré 2002]:
//   rho_s(tau) = share of the problems with t_ps <= tau min_s t_ps,
// a step curve per method over log tau. At tau = 1 it is how often a method is the fastest, at the
// right end how many problems it solves.
#include "plot.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_HEIGHT = 378, LEGEND_STEP = 24, NOTE = 16 };  // pixels; characters

static const double Y_GREATEST = 1.02;   // a curve at 1 stays clear of the frame
static const double LEAST_TAU_MAX = 10;  // at least one decade of tau is shown

// The curve of one method.
typedef struct method_curve {
  int method, solved, fastest;
  double *x, *y;  // [count] tau and rho, [problems + 1] at most
  int count;
  char note[NOTE];
} method_curve;

static int by_ratio(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double least_time(const profile *p, int problem) {
  double best = INFINITY;
  for (int m = 0; m < p->methods; m++) best = fmin(best, p->seconds[problem * p->methods + m]);
  return best;
}

// Equal ratios make one step.
static void make_curve(const profile *p, int method, method_curve *c) {
  double *ratio = c->x + 1;  // written over by the steps, which are fewer
  c->method = method;
  for (int k = 0; k < p->problems; k++) {
    double seconds = p->seconds[k * p->methods + method], best = least_time(p, k);
    if (isfinite(seconds)) ratio[c->solved++] = seconds / best;
    c->fastest += isfinite(seconds) && seconds <= best;
  }
  qsort(ratio, (size_t)c->solved, sizeof *ratio, by_ratio);
  c->x[0] = 1, c->y[0] = (double)c->fastest / p->problems, c->count = 1;
  for (int k = c->fastest; k < c->solved;) {
    double tau = ratio[k];
    while (k < c->solved && ratio[k] <= tau) k++;
    c->x[c->count] = tau, c->y[c->count++] = (double)k / p->problems;
  }
  snprintf(c->note, NOTE, "%.1f %%", 100.0 * c->solved / p->problems);
}

// The best method first; equals in the order they were asked for.
static int by_score(const void *a, const void *b) {
  const method_curve *c = a, *d = b;
  if (c->solved != d->solved) return d->solved - c->solved;
  return c->fastest != d->fastest ? d->fastest - c->fastest : c->method - d->method;
}

static void draw_profile(FILE *out, const profile *p, const method_curve *list, plot_curve *curve) {
  double tau_max = LEAST_TAU_MAX;
  int legend = (p->methods + 1) * LEGEND_STEP;
  for (int k = 0; k < p->methods; k++) {
    const method_curve *c = &list[k];
    curve[k] = (plot_curve){.name = p->method[c->method],
                            .x = c->x,
                            .y = c->y,
                            .count = c->count,
                            .stride = 1,
                            .style = PLOT_STEPS,
                            .pen = c->method + 1,
                            .note = c->note};
    tau_max = fmax(tau_max, c->x[c->count - 1]);
  }
  const plot_layout layout = {
      558, legend > LEAST_HEIGHT ? legend : LEAST_HEIGHT, 72, 230, 56, 66, 0, false};
  const plot_panel panel = {.curve = curve,
                            .curves = p->methods,
                            .x_label = "τ = time / least time of any method (log scale)",
                            .y_label = "fraction of problems",
                            .x = {1, plot_round_up(tau_max)},
                            .y = {0, Y_GREATEST},
                            .log_x = true,
                            .dashed = true,
                            .legend_head = "solved"};
  plot_draw(out, &(plot_figure){p->title, NULL, &panel, 1, &layout});
}

bool profile_draw(FILE *out, const profile *p) {
  size_t methods = (size_t)p->methods, points = (size_t)p->problems + 1;
  method_curve *list = calloc(methods, sizeof *list);
  plot_curve *curve = calloc(methods, sizeof *curve);
  double *room = calloc(2 * methods * points, sizeof *room);
  bool good = list && curve && room;
  for (int m = 0; good && m < p->methods; m++) {
    list[m].x = room + 2 * (size_t)m * points;
    list[m].y = list[m].x + points;
    make_curve(p, m, &list[m]);
  }
  if (good) qsort(list, methods, sizeof *list, by_score);
  if (good) draw_profile(out, p, list, curve);
  free(list);
  free(curve);
  free(room);
  return good;
}
