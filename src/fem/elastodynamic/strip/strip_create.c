// A strip from its settings; its state and what can be read of it.
#include "../../../base/fail.h"
#include "../../../base/tape.h"
#include "../../mesh/mesh.h"
#include "strip_data.h"

#include <string.h>

// --- Settings ---

stc_strip_settings stc_default_strip_settings(void) {
#define STC_FIELD_DEFAULT(type, name, initial, least, greatest, meaning) .name = initial,
  return (stc_strip_settings){.dim = 2,
                              .size = {1, 1, 1},
                              .cells = {10, 10, 10},
                              .law = {.mu_s = 0.6, .mu_d = 0.2, .v_c = 0.1},
                              STC_STRIP_FIELDS(STC_FIELD_DEFAULT)};
#undef STC_FIELD_DEFAULT
}

static stc_error check_fields(const stc_strip_settings *s) {
#define STC_FIELD_CHECK(type, name, initial, least, greatest, meaning)                             \
  if (!((double)s->name >= (double)(least) && (double)s->name <= (double)(greatest)))              \
    return stc_fail(STC_ERR_VALUE, "%s = %g; it must lie in %g .. %g (%s)", #name,                 \
                    (double)s->name, (double)(least), (double)(greatest), meaning);
  STC_STRIP_FIELDS(STC_FIELD_CHECK)
#undef STC_FIELD_CHECK
  return STC_OK;
}

static stc_error check_strip_shape(const stc_strip_settings *s) {
  static const char *const name[] = {"x", "y", "the depth"};
  if (s->dim != 2 && s->dim != 3) return stc_fail(STC_ERR_VALUE, "dim = %d; give 2 or 3", s->dim);
  for (int k = 0; k < s->dim; k++) {
    const char *axis = k == s->dim - 1 ? name[2] : name[k];
    if (!(s->size[k] > 0) || !isfinite(s->size[k]))
      return stc_fail(STC_ERR_VALUE, "size along %s is %g; give a length", axis, s->size[k]);
    if (s->cells[k] < 1)
      return stc_fail(STC_ERR_VALUE, "%d cells along %s; give 1 or more", s->cells[k], axis);
  }
  if (s->eps < s->size[s->dim - 1]) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "eps = %g; the layer must be thinner than the depth %g", s->eps,
                  s->size[s->dim - 1]);
}

static stc_error check_mesh_shape(const stc_strip_settings *s) {
  if (s->mesh->dim != 2 && s->mesh->dim != 3)
    return stc_fail(STC_ERR_VALUE, "the mesh has %d dimensions; give 2 or 3", s->mesh->dim);
  if (s->periodic)
    return stc_fail(STC_ERR_ARGUMENT, "a mesh cannot be periodic; that is for a cylinder");
  return stc_mesh_check(s->mesh);
}

static stc_error check_start(const stc_strip_settings *s) {
  bool given = false;
  for (int k = 0; k < 3; k++) given = given || s->u0[k].function || s->u0[k].value != 0;
  if (!given || !s->pressed) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT,
                  "a displacement u0 and a pressed start: the pressed one is the static one; give "
                  "one of them");
}

static stc_error check_strip(const stc_strip_settings *s) {
  STC_TRY(s->mesh ? check_mesh_shape(s) : check_strip_shape(s));
  STC_TRY(check_start(s));
  STC_TRY(check_fields(s));
  if ((unsigned)s->rule > STC_ROOT_MAX)
    return stc_fail(STC_ERR_ARGUMENT, "rule is %d; it must be one of stc_root_rule", (int)s->rule);
  if (s->mu) return stc_rate_curve_check(s->mu, s->eta_t);
  const stc_curve curve = {.impedance = 1, .load = 0, .law = s->law};
  STC_TRY(stc_curve_check(&curve));
  // w mu(w) rises up to v_c: beyond, rounding would itself make several answers.
  if (s->eta_t < s->law.v_c) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "eta_t = %g; it must be below v_c = %g", s->eta_t, s->law.v_c);
}

// --- Creating ---

static stc_error create_surface(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  const stc_interface_law law = {
      .rate = set->law,
      .curve = set->mu,
      .rule = set->rule,
      .eta_n = set->eta_n,
      .eta_t = set->eta_t,
      .cap = s->dim == 3 && set->eta_n > 0 ? 1 / (set->eta_n * set->eta_n) : INFINITY,
      .lever = set->dt / 2};
  return stc_interface_create(s->contacts, s->dim, &law, &s->surface);
}

// Lists of the caller, which need not outlive the call.
static stc_error copy_lists(stc_strip *s) {
  stc_strip_settings *set = &s->settings;
  stc_support *support = STC_TAKE(&s->arena, stc_support, set->supports);
  stc_traction *traction = STC_TAKE(&s->arena, stc_traction, set->tractions);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; k < set->supports; k++) {
    support[k] = set->support[k];
    support[k].group = stc_arena_text(&s->arena, support[k].group);
  }
  for (int k = 0; k < set->tractions; k++) {
    traction[k] = set->traction[k];
    traction[k].group = stc_arena_text(&s->arena, traction[k].group);
  }
  set->support = support;
  set->traction = traction;
  return stc_arena_check(&s->arena);
}

// The parts that two fibres which are tied have of one contact node.
static void add_areas(stc_strip *s) {
  for (int k = 0; k < s->fibres; k++) s->surface.area[s->fibre[k].contact] += s->fibre[k].area;
}

static stc_error take_vectors(stc_strip *s) {
  double **const by_size[] = {&s->u,    &s->v,   &s->Ku,  &s->Mv, &s->load,
                              &s->pull, &s->mid, &s->rhs, &s->x};
  STC_TAKE_ZEROS(&s->arena, s->size, by_size);
  s->fixed = STC_TAKE(&s->arena, bool, s->size);
  s->mesh_fixed = STC_TAKE(&s->arena, bool, s->mesh.nodes * s->dim);
  s->mesh_value = STC_TAKE(&s->arena, double, s->mesh.nodes * s->dim);
  s->pressure = STC_TAKE(&s->arena, double, s->contacts);
  s->traction = STC_TAKE(&s->arena, double, s->contacts *(s->dim - 1));
  if (s->loaded && !s->varies) s->weight = STC_TAKE(&s->arena, double, s->size);
  return stc_arena_check(&s->arena);
}

static stc_error copy_curve(stc_strip *s) {
  if (!s->settings.mu) return STC_OK;
  const stc_rate_curve *from = s->settings.mu;
  size_t points = from->function ? 0 : (size_t)from->points;
  stc_rate_curve *copy = STC_TAKE(&s->arena, stc_rate_curve, 1);
  double *speed = STC_TAKE(&s->arena, double, points), *mu = STC_TAKE(&s->arena, double, points);
  STC_TRY(stc_arena_check(&s->arena));
  *copy = *from;
  if (points) memcpy(speed, from->speed, points * sizeof *speed);
  if (points) memcpy(mu, from->mu, points * sizeof *mu);
  copy->speed = speed;
  copy->mu = mu;
  s->settings.mu = copy;
  return STC_OK;
}

static stc_error build_strip(stc_strip *s) {
  STC_TRY(copy_curve(s));
  STC_TRY(stc_strip_make_mesh(s));
  STC_TRY(copy_lists(s));
  STC_TRY(stc_strip_make_surface(s));
  STC_TRY(stc_layer_find_sides(s));
  STC_TRY(take_vectors(s));
  STC_TRY(create_surface(s));
  add_areas(s);
  if (s->weight) {
    STC_TRY(stc_region_load(s, 0, s->weight));
    STC_TRY(stc_layer_load(s, 0, s->weight));
  }
  STC_TRY(stc_strip_make_matrices(s));
  STC_TRY(stc_strip_condense(s, &s->surface, true));
  STC_TRY(stc_strip_begin(s));
  stc_strip_refresh(s);
  for (int i = 0; i < s->contacts; i++)
    s->pressure[i] = s->surface.f[i * s->dim] / s->surface.area[i];
  return stc_strip_check_finite(s);
}

stc_error stc_strip_create(const stc_strip_settings *settings, stc_strip **strip) {
  if (strip) *strip = NULL;
  if (!settings || !strip)
    return stc_fail(STC_ERR_ARGUMENT, "stc_strip_create needs settings and an address");
  STC_TRY(check_strip(settings));
  STC_NEW(strip, "a strip");
  stc_strip *made = *strip;
  made->settings = *settings;
  made->dim = settings->mesh ? settings->mesh->dim : settings->dim;
  stc_error error = build_strip(made);
  if (error) stc_strip_free(strip);
  return error;
}

void stc_strip_free(stc_strip **strip) {
  if (!strip || !*strip) return;
  stc_strip *s = *strip;
  stc_interface_free(&s->surface);
  stc_csr_release(&s->response);
  stc_sparse_free(&s->spd);
  stc_solid_free(&s->solid);
  stc_mesh_free(&s->grid);
  stc_arena_free(&s->arena);
  stc_release(strip);
}

// --- Reading ---

int stc_strip_dofs(const stc_strip *s) { return s->free; }
int stc_strip_contacts(const stc_strip *s) { return s->contacts; }
const double *stc_strip_place(const stc_strip *s) { return s->place; }
const double *stc_strip_point(const stc_strip *s) { return s->point; }
const double *stc_strip_frame(const stc_strip *s) { return s->frame; }
const double *stc_strip_pressure(const stc_strip *s) { return s->pressure; }
const double *stc_strip_traction(const stc_strip *s) { return s->traction; }
const double *stc_strip_slip(const stc_strip *s) { return s->surface.w_before; }
const stc_mesh *stc_strip_mesh(const stc_strip *s) { return &s->mesh; }

void stc_strip_in_space(const stc_strip *s, int contact, const double *along, double *vector) {
  for (int i = 0; i < s->dim; i++) {
    vector[i] = 0;
    for (int k = 1; k < s->dim; k++) vector[i] += along[k - 1] * stc_strip_axis(s, contact, k)[i];
  }
}

static void expand_to_mesh(const stc_strip *s, const double *from, double *to) {
  for (int a = 0; a < s->mesh.nodes; a++)
    for (int i = 0; i < s->dim; i++) to[a * s->dim + i] = from[s->number[a] * s->dim + i];
}

void stc_strip_displacement(const stc_strip *s, double *u) { expand_to_mesh(s, s->u, u); }
void stc_strip_velocity(const stc_strip *s, double *v) { expand_to_mesh(s, s->v, v); }

// --- State ---

static void pass_strip(stc_tape *tape, stc_strip *s) {
  size_t size = (size_t)s->size, contacts = (size_t)s->contacts, d = (size_t)s->dim;
  stc_tape_pass(tape, &s->steps, 1);
  stc_tape_pass(tape, s->u, size);
  stc_tape_pass(tape, s->v, size);
  stc_tape_pass(tape, s->surface.f, contacts * d);
  stc_tape_pass(tape, s->surface.w_before, contacts * (d - 1));
  if (!s->followed.on) return;
  stc_tape_pass(tape, &s->followed.integral, 1);
  stc_tape_pass(tape, s->followed.w, size);
  stc_tape_pass(tape, s->followed.w_t, size);
}

STC_TAPE_STATE(stc_strip, stc_strip, pass_strip)

stc_error stc_strip_restore(stc_strip *s, const double *state, size_t count) {
  int tangents = s->dim - 1;
  STC_TRY(stc_tape_fits(STC_ERR_ARGUMENT, "strip", stc_strip_state_size(s), state, count));
  pass_strip(&(stc_tape){.from = state}, s);
  for (int i = 0; i < s->contacts; i++) {
    const double *f = s->surface.f + i * s->dim;
    s->pressure[i] = f[0] / s->surface.area[i];
    for (int k = 0; k < tangents; k++)
      s->traction[i * tangents + k] = f[k + 1] / s->surface.area[i];
  }
  s->stepped = false;
  stc_strip_refresh(s);
  return STC_OK;
}
