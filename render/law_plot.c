// Pictures of friction laws: panels side by side whose axes begin at 0.
#include "plot.h"

#include <math.h>

enum { POINTS = 1200 };

static const plot_layout row = {300, 300, 64, 26, 78, 60, 0, true};

bool law_slips(const stc_coefficient *c) { return c->kind == STC_COEFFICIENT_SLIP_WEAKENING; }

double law_end(const stc_coefficient *c) {
  switch (c->kind) {
  case STC_COEFFICIENT_STATIC_KINETIC:
    return c->v_c > 0 ? 2 * c->v_c : 1;
  case STC_COEFFICIENT_STRIBECK:
    return 4 * c->v_c;
  case STC_COEFFICIENT_SLIP_WEAKENING:
    return 2 * c->distance;
  default:
    return 1;
  }
}

void law_tabulate(const stc_coefficient *c, double end, int points, double *x, double *mu) {
  bool slips = law_slips(c);
  for (int i = 0; i < points; i++) {
    x[i] = i == points - 1 ? end : end * i / (points - 1);
    stc_contact_past past = {.speed = slips ? 0 : x[i], .slip = slips ? x[i] : 0};
    mu[i] = stc_coefficient_mu(c, &past);
  }
}

void law_draw(FILE *out, const char *law, const stc_coefficient *c, double end) {
  double x[POINTS + 1], mu[POINTS + 1], most = 0;
  law_tabulate(c, end, POINTS + 1, x, mu);
  for (int i = 0; i <= POINTS; i++) most = fmax(most, mu[i]);
  const plot_curve curve = {.name = law, .x = x, .y = mu, .count = POINTS + 1, .stride = 1};
  const plot_panel panel = {
      .title = "coefficient of friction",
      .curve = &curve,
      .curves = 1,
      .x_label = law_slips(c) ? "distance slid, m" : "speed of sliding, m/s",
      .y_label = "μ",
      .x = {0, end},
      .y = {0, most > 0 ? 1.2 * most : 1},
  };
  plot_draw(out, &(plot_figure){law, NULL, &panel, 1, &row});
}

static plot_panel two_curves(const char *title, const char *x_label, const char *y_label,
                             double x_high, double y_high, const plot_curve *curve) {
  return (plot_panel){.title = title,
                      .curve = curve,
                      .curves = 2,
                      .x_label = x_label,
                      .y_label = y_label,
                      .x = {0, x_high},
                      .y = {0, y_high},
                      .dashed = true};
}

// k = tan(angle) from 0 to infinity, so that the limit curve has both its ends.
void law_draw_contensou(FILE *out) {
  static double k[POINTS], F[2][POINTS], M[2][POINTS];
  for (int i = 0; i < POINTS; i++) {
    k[i] = i == POINTS - 1 ? INFINITY : tan(i * acos(-1) / (2 * (POINTS - 1)));
    stc_contensou(k[i], &F[0][i], &M[0][i]);
    stc_contensou_pade(k[i], &F[1][i], &M[1][i]);
  }
  plot_curve force[2], moment[2], limit[2];
  for (int j = 0; j < 2; j++) {
    plot_curve c = {.name = j ? "first-order Padé" : "exact", .count = POINTS, .stride = 1};
    c.x = k, c.y = F[j], force[j] = c;
    c.y = M[j], moment[j] = c;
    c.x = F[j], limit[j] = c;
  }
  const plot_panel panels[] = {
      two_curves("force", "k = v / (ε ω)", "F / (μ N)", 5, 1.2, force),
      two_curves("moment", "k = v / (ε ω)", "M / (μ N ε)", 5, 0.7, moment),
      two_curves("limit curve", "F / (μ N)", "M / (μ N ε)", 1, 0.7, limit)};
  plot_draw(out,
            &(plot_figure){"Coulomb–Contensou friction of a Hertz patch", NULL, panels, 3, &row});
}
