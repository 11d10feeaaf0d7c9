// A model: description checked, unknowns numbered, pattern of the free unknowns made.
#include "../base/fail.h"
#include "fem_data.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

stc_fem_settings stc_default_fem_settings(void) {
  return (stc_fem_settings){
#define DEFAULT(type, name, initial, least, greatest, meaning) .name = initial,
      STC_FEM_FIELDS(DEFAULT)
#undef DEFAULT
  };
}

const char *stc_contact_method_name(stc_contact_method method) {
  static const char *const name[] = {"auto", "active-set", "adapted", "uzawa", "penalty"};
  return (unsigned)method < sizeof name / sizeof *name ? name[method] : "unknown";
}

static stc_error check_range(const char *name, double value, double least, double greatest) {
  if (value >= least && value <= greatest) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "%s = %g; give a number from %g to %g", name, value, least,
                  greatest);
}

static stc_error check_settings(const stc_fem_settings *s) {
  if ((unsigned)s->method > STC_CONTACT_PENALTY)
    return stc_fail(STC_ERR_VALUE, "method = %d is none of the methods of contact", (int)s->method);
#define CHECK(type, name, initial, least, greatest, meaning)                                       \
  STC_TRY(check_range(#name, (double)s->name, least, greatest));
  STC_FEM_FIELDS(CHECK)
#undef CHECK
  if (s->gap > 0 && s->first_gap > 0 && s->augmentations >= 0)
    return stc_fail(STC_ERR_VALUE,
                    "gap, first_gap and augmentations are given; choose two of them: "
                    "gap = first_gap / 10^augmentations");
  if (s->gap > s->first_gap && s->first_gap > 0)
    return stc_fail(STC_ERR_VALUE,
                    "gap = %g is above first_gap = %g; augmentations make it smaller", s->gap,
                    s->first_gap);
  if (s->method != STC_CONTACT_ADAPTED && (s->first_gap > 0 || s->augmentations >= 0))
    return stc_fail(STC_ERR_VALUE,
                    "first_gap and augmentations are settings of the method adapted");
  return STC_OK;
}

// --- Unknowns ---

static stc_error take_fem_vectors(stc_fem *f) {
  double **const all[] = {&f->u,    &f->u0,      &f->trial, &f->F,       &f->load,
                          &f->jump, &f->support, &f->full,  &f->reaction};
  double **const contact[] = {&f->r,  &f->slip,    &f->g,     &f->v,       &f->drive,
                              &f->rw, &f->r_start, &f->r_new, &f->r_trial, &f->v_new};
  STC_TAKE_ZEROS(&f->arena, f->size, all);
  STC_TAKE_ZEROS(&f->arena, (size_t)f->contacts * (size_t)f->dim, contact);
  f->moves = STC_TAKE(&f->arena, bool, (size_t)f->contacts *(size_t)f->dim);
  f->mu = STC_TAKE(&f->arena, double, f->contacts);
  f->area = STC_TAKE(&f->arena, double, f->contacts);
  f->slave = STC_TAKE(&f->arena, int, f->contacts);
  double **const inner[] = {&f->b, &f->du, &f->pulled};
  STC_TAKE_ZEROS(&f->arena, f->free, inner);
  return stc_arena_check(&f->arena);
}

static stc_error number_unknowns(stc_fem *f) {
  f->size = stc_solid_size(f->solid);
  f->number = STC_TAKE(&f->arena, int, f->size);
  f->unknown = STC_TAKE(&f->arena, int, f->size);
  f->node = STC_TAKE(&f->arena, int, f->size);
  f->fixed = STC_TAKE(&f->arena, bool, f->size);
  double *value = STC_TAKE(&f->arena, double, f->size);
  STC_TRY(stc_arena_check(&f->arena));
  STC_TRY(stc_solid_supports(f->solid, 0, f->fixed, value));
  for (int i = 0; i < f->size; i++) {
    f->number[i] = f->fixed[i] ? -1 : f->free;
    if (f->fixed[i]) continue;
    f->node[f->free] = i / f->dim;
    f->unknown[f->free++] = i;
  }
  return STC_OK;
}

// --- K over the free unknowns ---

static int free_entries(const stc_fem *f, const stc_csr *A, int row) {
  int n = 0;
  for (int e = A->ptr[row]; e < A->ptr[row + 1]; e++) n += f->number[A->col[e]] >= 0;
  return n;
}

static stc_error make_pattern(stc_fem *f) {
  const stc_csr *A = stc_solid_pattern(f->solid);
  stc_csr *K = &f->K;
  size_t entries = 0;
  for (int i = 0; i < f->free; i++) entries += (size_t)free_entries(f, A, f->unknown[i]);
  *K = (stc_csr){.rows = f->free, .cols = f->free};
  K->ptr = STC_TAKE(&f->arena, int, (size_t)f->free + 1);
  K->col = STC_TAKE_RAW(&f->arena, int, entries);
  f->diagonal = STC_TAKE(&f->arena, int, f->free);
  f->source = STC_TAKE_RAW(&f->arena, int, entries);
  K->val = STC_TAKE_RAW(&f->arena, double, entries);
  f->tangent = STC_TAKE_RAW(&f->arena, double, A->ptr[A->rows]);
  if (!f->elastic) f->spare = STC_TAKE_RAW(&f->arena, double, entries);
  STC_TRY(stc_arena_check(&f->arena));
  int at = 0;
  for (int i = 0; i < f->free; i++) {
    for (int e = A->ptr[f->unknown[i]]; e < A->ptr[f->unknown[i] + 1]; e++)
      if (f->number[A->col[e]] >= 0) {
        K->col[at] = f->number[A->col[e]];
        if (K->col[at] == i) f->diagonal[i] = at;
        f->source[at++] = e;
      }
    K->ptr[i + 1] = at;
  }
  return STC_OK;
}

bool stc_fem_tell(void *user, const char *stage, double done) {
  stc_fem *f = user;
  if (!f->settings.progress || f->settings.progress(f->settings.progress_user, stage, done))
    return true;
  f->stopped = true;
  return false;
}

static stc_error make_solver(stc_fem *f) {
  f->hints = (stc_sparse_hints){.modes = stc_fem_modes(f),
                                .mode = f->mode,
                                .node = f->node,
                                .dim = f->dim,
                                .x = f->mesh->x,
                                .memory = f->settings.memory,
                                .threads = f->settings.threads,
                                .progress = stc_fem_tell,
                                .progress_user = f};
  STC_TRY(stc_sparse_create(&f->K, &f->hints, &f->spd));
  return f->contacts && !stc_sparse_is_direct(f->spd) ? stc_large_create(&f->large) : STC_OK;
}

// --- Contact ---

// The first penalty is ten times the stiffness of a cell, the allowed penetration, of the adapted
// method before its augmentations, a small part of its size.
#define EPS_PER_STIFFNESS 10
#define GAP_PER_CELL      1e-3

// A gap that is not a tenth, a hundredth ... but for this part takes one augmentation more.
#define WHOLE_TENTHS 1e-9

// How often to augment and to what part of the first gap: two of three are chosen.
static int choose_augmentations(const stc_fem_settings *s, double *shrink) {
  int count = s->augmentations >= 0 ? s->augmentations : 1;
  *shrink = pow(10, -count);
  if (!(s->gap > 0 && s->first_gap > 0)) return count;
  *shrink = s->gap / s->first_gap;
  return (int)ceil(-log10(*shrink) - WHOLE_TENTHS);
}

// The gap at the first augmentation; of the other methods there is one gap only.
static double first_gap(const stc_fem_settings *s, double shrink, double length) {
  if (s->method != STC_CONTACT_ADAPTED) return s->gap > 0 ? s->gap : GAP_PER_CELL * length;
  return s->first_gap > 0 ? s->first_gap : s->gap > 0 ? s->gap / shrink : GAP_PER_CELL * length;
}

// A gap counts as zero below this part of a cell, or where it is rounding of the coordinates.
#define EXACT_GAP 1e-13
#define ROUNDINGS 8

// Largest coordinate.
static double extent(const stc_mesh *mesh) {
  double most = 0;
  for (ptrdiff_t i = 0; i < (ptrdiff_t)mesh->nodes * mesh->dim; i++)
    most = fmax(most, fabs(mesh->x[i]));
  return most;
}

static stc_error make_contact(stc_fem *f) {
  const stc_candidate *c = stc_surface_candidates(f->surface);
  stc_contact_solver *m = NULL;
  STC_TRY(stc_condenser_create(f->dim, f->contacts, &f->condenser));
  STC_TRY(stc_method_create(f->settings.method, f->dim, f->contacts, &f->method));
  m = f->method;
  m->yields = !f->elastic;
  m->damped = f->settings.line_search;
  m->planned = choose_augmentations(&f->settings, &m->shrink);
  m->mu = f->mu;
  m->area = f->area;
  m->moves = f->moves;
  for (int k = 0; k < f->contacts; k++) {
    double young, length;
    m->layer[k] = c[k].layer;
    m->layered = m->layered || c[k].layer;
    stc_solid_scales(f->solid, c[k].node, &young, &length);
    m->stiffness[k] = young / length;
    m->eps0[k] = f->settings.eps0 > 0 ? f->settings.eps0 : EPS_PER_STIFFNESS * young / length;
    m->limit[k] = first_gap(&f->settings, m->shrink, length);
    f->length = k ? fmin(f->length, length) : length;
  }
  if (m->layered && f->large)
    return stc_fail(STC_ERR_VALUE,
                    "contacts with a layer need a factor of the stiffness, which takes "
                    "more than the setting memory; raise it or take a smaller mesh");
  m->exact = fmax(EXACT_GAP * f->length, ROUNDINGS * DBL_EPSILON * extent(f->mesh));
  return STC_OK;
}

// A slave and a master facing nowhere is a mistake in the description.
static stc_error check_contact(const stc_fem *f, const stc_fem_description *d) {
  const stc_candidate *c = stc_surface_candidates(f->surface);
  for (int p = 0; p < d->pairs; p++) {
    int opposite = 0, first = stc_surface_first(f->surface, p);
    int last = stc_surface_first(f->surface, p + 1);
    for (int k = first; k < last; k++) opposite += c[k].opposite;
    if (!opposite && !d->pair[p].finite_sliding)
      return stc_fail(STC_ERR_VALUE,
                      "contact %d: no cell of '%s' faces '%s'; name surfaces that look at each "
                      "other, or let the pair slide (finite_sliding)",
                      p, d->pair[p].slave, d->pair[p].master ? d->pair[p].master : "the obstacle");
  }
  return STC_OK;
}

// --- Heat ---

static stc_error make_heat(stc_fem *f, const stc_fem_description *d) {
  STC_TRY(stc_thermal_create(d, f->settings.memory, f->contacts, &f->thermal));
  const stc_thermal *h = f->thermal;
  f->expansion = STC_TAKE(&f->arena, double, f->mesh->cells);
  f->begun = STC_TAKE(&f->arena, double, stc_fem_state_size(f));
  STC_TRY(stc_arena_check(&f->arena));
  bool any = false;
  for (int c = 0; c < f->mesh->cells; c++) {
    f->expansion[c] = h->body[c] < 0 ? 0 : h->conductor[h->body[c]].expansion;
    any = any || f->expansion[c] != 0;
  }
  if (any) stc_solid_expand(f->solid, f->expansion, h->warmth);
  return STC_OK;
}

// --- Creation ---

static stc_error build_fem(stc_fem *f, const stc_fem_description *d) {
  STC_TRY(check_settings(&f->settings));
  STC_TRY(stc_solid_create(d, f->settings.threads, &f->solid));
  f->mesh = stc_solid_mesh(f->solid);
  f->dim = stc_solid_dim(f->solid);
  f->elastic = stc_solid_is_elastic(f->solid);
  f->pairs = d->pairs;
  f->axisymmetric = d->kinematics == STC_AXISYMMETRIC;
  STC_TRY(stc_surface_create(d, &f->surface));
  f->contacts = stc_surface_count(f->surface);
  STC_TRY(number_unknowns(f));
  STC_TRY(take_fem_vectors(f));
  STC_TRY(stc_fem_make_past(f, d));
  if (d->thermal) STC_TRY(make_heat(f, d));
  f->saved = STC_TAKE(&f->arena, double, stc_fem_state_size(f));
  STC_TRY(make_pattern(f));
  STC_TRY(stc_fem_hold(f, d));
  STC_TRY(make_solver(f));
  STC_TRY(stc_arena_check(&f->arena));
  STC_TRY(stc_fem_refresh(f));
  STC_TRY(check_contact(f, d));
  return make_contact(f);
}

stc_error stc_fem_create(const stc_fem_description *description, const stc_fem_settings *settings,
                         stc_fem **fem) {
  if (!fem) return stc_fail(STC_ERR_ARGUMENT, "there is no place for the model");
  *fem = NULL;
  if (!description || !description->mesh)
    return stc_fail(STC_ERR_ARGUMENT, "a model needs a description with a mesh");
  STC_NEW(fem, "a model");
  (*fem)->settings = settings ? *settings : stc_default_fem_settings();
  (*fem)->H_version = (*fem)->moves_version = -1;
  stc_error error = build_fem(*fem, description);
  if (error) stc_fem_free(fem);
  return error;
}

void stc_fem_free(stc_fem **fem) {
  if (!fem || !*fem) return;
  stc_fem *f = *fem;
  stc_solid_free(&f->solid);
  stc_surface_free(&f->surface);
  stc_thermal_free(&f->thermal);
  stc_method_free(&f->method);
  stc_condenser_free(&f->condenser);
  stc_large_free(&f->large);
  stc_sparse_free(&f->spd);
  stc_csr_release(&f->H);
  stc_arena_free(&f->arena);
  stc_release(fem);
}
