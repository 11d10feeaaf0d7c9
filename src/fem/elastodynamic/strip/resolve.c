// Whether mesh and time step resolve the layer and what grows on it. A disturbance of wave number k
// on a surface that slides with the slope mu' of its coefficient obeys, for long times of growth,
//   rho eps u_tt - p |mu'| u_t + G k u = 0:
// it grows at once where (p mu')^2 > 4 rho eps G k, that is over lengths pi/k above
//   4 pi rho eps G / (p mu')^2,   and only rings while it grows below.
#include "../../../base/number.h"
#include "strip_data.h"

/// Inertia that the cells above add to a layer, beyond which the layer is not the one asked for.
static const double MASS_RATIO = 0.5;

/// Cells that a nucleation length needs.
static const double CELLS = 2;

static double edge_length(const stc_strip *s, const stc_face *f, int a, int b) {
  double d[3];
  for (int i = 0; i < s->dim; i++)
    d[i] = s->fibre[f->fibre[a]].foot[i] - s->fibre[f->fibre[b]].foot[i];
  return stc_interface_norm(s->dim, d);
}

// The longest side of the cells of Gamma_C.
static double longest_cell(const stc_strip *s) {
  double most = 0;
  for (int k = 0; k < s->faces; k++) {
    const stc_face *f = &s->face[k];
    int corners = s->dim == 2 ? 2 : f->nodes;
    for (int a = 0; a < corners; a++) most = fmax(most, edge_length(s, f, a, (a + 1) % corners));
  }
  return most;
}

static double nucleation(const stc_strip *s, double pressure) {
  const double pi = 3.14159265358979323846;
  const stc_strip_settings *set = &s->settings;
  double weakening = pressure * stc_interface_steepest(&s->surface.law);
  if (weakening <= sqrt(set->density * set->shear)) return INFINITY;
  return 4 * pi * set->density * set->eps * set->shear / (weakening * weakening);
}

/// A sentence that grows.
typedef struct sentence {
  char *text;
  size_t room, used;
} sentence;

static void say(sentence *s, const char *text) {
  int count = stc_snprintf(s->text + s->used, s->room - s->used, "%s%s", s->used ? "; " : "", text);
  if (count > 0)
    s->used += (size_t)count < s->room - s->used ? (size_t)count : s->room - s->used - 1;
}

static void warn(const stc_strip *s, stc_strip_resolution *r) {
  const stc_strip_settings *set = &s->settings;
  sentence all = {.text = r->warning, .room = sizeof r->warning};
  char part[200];
  if (r->uniqueness >= 1) {
    stc_snprintf(part, sizeof part,
                 "b p max|mu'| = %.3g: a step may have several answers, the rule '%s' takes one; a "
                 "smaller dt or a thicker layer lowers it",
                 r->uniqueness, stc_root_rule_name(set->rule));
    say(&all, part);
  }
  if (set->eps == 0 && isfinite(r->nucleation)) say(&all, "no layer: the cells decide what grows");
  if (set->eps > 0 && r->mass_ratio > MASS_RATIO) {
    stc_snprintf(part, sizeof part, "the cells add %.0f %% to the inertia of the layer, eps = %.3g",
                 100 * r->mass_ratio, set->eps);
    say(&all, part);
  }
  if (set->eps > 0 && r->cell * CELLS > r->nucleation) {
    stc_snprintf(part, sizeof part, "cells of %.3g for a nucleation length of %.3g", r->cell,
                 r->nucleation);
    say(&all, part);
  }
}

void stc_strip_resolve(const stc_strip *s, double pressure, stc_strip_resolution *resolution) {
  const stc_strip_settings *set = &s->settings;
  double h = s->above;
  *resolution = (stc_strip_resolution){.uniqueness = s->surface.b * pressure *
                                                     stc_interface_steepest(&s->surface.law),
                                       .mass_ratio = set->eps > 0 ? h / (3 * set->eps) : INFINITY,
                                       .nucleation = nucleation(s, pressure),
                                       .cell = longest_cell(s)};
  warn(s, resolution);
}
