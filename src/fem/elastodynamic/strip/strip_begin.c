// How a strip begins: the displacement and the velocity of t = 0 in the space of its functions,
// where no support gives them.
#include "strip_data.h"

#include "../../../base/fail.h"

/// One component of u0 or u1.
typedef struct start_value {
  const stc_strip *strip;
  const stc_given *given;
  const char *what;
} start_value;

static stc_error start_at(void *user, const double *x, double *value) {
  const start_value *s = user;
  return stc_given_value(s->given, 0, x, s->strip->dim, s->what, "the body", value);
}

static stc_error start_component(const stc_strip *s, start_value *v, int i, double *x) {
  int d = s->dim;
  for (int a = 0; a < s->mesh.nodes; a++)
    STC_TRY(start_at(v, s->mesh.x + a * d, &x[s->number[a] * d + i]));
  for (int k = 0; k < s->fibres && stc_strip_has_layer(s); k++) {
    const stc_fibre *f = &s->fibre[k];
    STC_TRY(start_at(v, f->head, &x[f->high * d + i]));
    if (f->low != f->high) STC_TRY(start_at(v, f->foot, &x[f->low * d + i]));
    STC_TRY(stc_layer_fit(s, f, i, start_at, v, x));
  }
  return STC_OK;
}

// `all` [size] is work space; what is fixed in x stays.
static stc_error start_field(const stc_strip *s, const stc_given *given, const char *what,
                             double *all, double *x) {
  bool any = false;
  for (int i = 0; i < s->dim; i++) any = any || given[i].function || given[i].value != 0;
  if (!any) return STC_OK;
  for (int i = 0; i < s->dim; i++)
    STC_TRY(start_component(s, &(start_value){s, &given[i], what}, i, all));
  for (int i = 0; i < s->size; i++)
    if (!s->fixed[i]) x[i] = all[i];
  return STC_OK;
}

// Speeds of the supports at t = 0, from three values close to it: exact for uniform and for
// uniformly accelerated motions.
static stc_error start_supports(stc_strip *s) {
  double h = s->settings.dt / 16;
  STC_TRY(stc_strip_supports(s, h, s->mid));
  for (int i = 0; i < s->size; i++)
    if (s->fixed[i]) s->v[i] = 4 * (s->mid[i] - s->u[i]);
  STC_TRY(stc_strip_supports(s, 2 * h, s->mid));
  for (int i = 0; i < s->size; i++)
    if (s->fixed[i]) s->v[i] = (s->v[i] - (s->mid[i] - s->u[i])) / (2 * h);
  return STC_OK;
}

stc_error stc_strip_begin(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  if (!set->pressed) STC_TRY(start_field(s, set->u0, "the displacement u0", s->mid, s->u));
  STC_TRY(start_field(s, set->u1, "the velocity u1", s->mid, s->v));
  return start_supports(s);
}
