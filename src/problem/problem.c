// The problem: created from the caller's arrays, checked and copied; what it holds can be read
// back.
#include "problem_data.h"

#include "../law/scale.h"
#include "data_check.h"
#include "frames.h"

#include <string.h>

// --- Creation ---

static stc_error copy_vector(stc_arena *arena, const double *x, int n, double **copy) {
  *copy = STC_TAKE(arena, double, n);
  STC_TRY(stc_arena_check(arena));
  if (n) memcpy(*copy, x, (size_t)n * sizeof *x);
  return STC_OK;
}

static void set_sizes(stc_problem *p, int dim, int contacts, int dofs, int equalities) {
  p->dim = dim;
  p->contacts = contacts;
  p->size = dim * contacts;
  p->dofs = dofs;
  p->equalities = equalities;
}

/// Coefficients and the law of each contact: elliptic only where the two coefficients differ.
static stc_error set_laws(stc_problem *p, const stc_law *law, const double *mu, const double *mu2) {
  if (law) {
    // The laws as they are given, and their coefficients as far as mu and mu2 can hold them.
    bool elliptic = false;
    double D[STC_MAX_DIM];
    STC_TRY(stc_check_laws(law, p->dim, p->contacts));
    for (int c = 0; c < p->contacts; c++) elliptic = elliptic || law[c].kind == STC_LAW_ELLIPTIC;
    p->law = STC_TAKE(&p->arena, stc_law, p->contacts);
    p->mu = STC_TAKE(&p->arena, double, p->contacts);
    if (elliptic) p->mu2 = STC_TAKE(&p->arena, double, p->contacts);
    STC_TRY(stc_arena_check(&p->arena));
    for (int c = 0; c < p->contacts; c++) {
      p->law[c] = law[c];
      p->mu[c] = law[c].mu[0];
      if (p->mu2) p->mu2[c] = law[c].mu[1];
      p->any_law = p->any_law || !stc_law_scale(&law[c], D);
    }
    return STC_OK;
  }
  STC_TRY(stc_check_coefficients(mu, mu2, p->dim, p->contacts));
  STC_TRY(copy_vector(&p->arena, mu, p->contacts, &p->mu));
  if (mu2) STC_TRY(copy_vector(&p->arena, mu2, p->contacts, &p->mu2));
  p->law = STC_TAKE(&p->arena, stc_law, p->contacts);
  STC_TRY(stc_arena_check(&p->arena));
  for (int c = 0; c < p->contacts; c++) {
    bool elliptic = mu2 && mu2[c] != mu[c];
    p->law[c] = elliptic ? stc_law_elliptic(mu[c], mu2[c]) : stc_law_coulomb(p->dim, mu[c]);
  }
  return STC_OK;
}

static stc_error fill_local(stc_problem *p, const stc_local_data *d) {
  p->form = STC_FORM_LOCAL;
  STC_TRY(stc_check_sizes(d->dim, d->law, d->contacts, 0, d->equalities));
  set_sizes(p, d->dim, d->contacts, 0, d->equalities);
  STC_TRY(stc_csr_from_matrix(&p->arena, "W", &d->W, p->size, p->size, &p->W));
  STC_TRY(stc_check_diagonal("W", &p->W));
  STC_TRY(stc_csr_from_matrix(&p->arena, "V", &d->V, p->size, p->equalities, &p->V));
  STC_TRY(stc_csr_from_matrix(&p->arena, "R", &d->R, p->equalities, p->equalities, &p->R));
  STC_TRY(stc_check_symmetric("R", &p->R));
  STC_TRY(stc_check_diagonal("R", &p->R));
  STC_TRY(stc_check_contact_vector("q", d->q, p->dim, p->contacts));
  STC_TRY(stc_check_vector("s", d->s, p->equalities));
  STC_TRY(copy_vector(&p->arena, d->q, p->size, &p->q));
  STC_TRY(copy_vector(&p->arena, d->s, p->equalities, &p->s));
  return set_laws(p, d->law, d->mu, d->mu2);
}

/// H and w in the contact frames; given in space axes where frames are given.
static stc_error set_kinematics(stc_problem *p, const stc_global_data *d) {
  stc_arena *keep = &p->arena, scratch = {0};
  STC_TRY(stc_check_contact_vector("w", d->w, p->dim, p->contacts));
  STC_TRY(copy_vector(keep, d->w, p->size, &p->w));
  if (!d->frame) return stc_csr_from_matrix(keep, "H", &d->H, p->size, p->dofs, &p->H);
  STC_TRY(stc_check_frames(d->frame, p->dim, p->contacts));
  stc_csr H;
  stc_error error = stc_csr_from_matrix(&scratch, "H", &d->H, p->size, p->dofs, &H);
  if (!error) error = stc_frames_rotate_rows(keep, d->frame, p->dim, &H, &p->H);
  if (!error) stc_frames_rotate(d->frame, p->dim, p->contacts, p->w);
  stc_arena_free(&scratch);
  return error;
}

static stc_error fill_global(stc_problem *p, const stc_global_data *d) {
  p->form = STC_FORM_GLOBAL;
  STC_TRY(stc_check_sizes(d->dim, d->law, d->contacts, d->dofs, d->equalities));
  set_sizes(p, d->dim, d->contacts, d->dofs, d->equalities);
  STC_TRY(stc_csr_from_matrix(&p->arena, "M", &d->M, p->dofs, p->dofs, &p->M));
  STC_TRY(stc_check_mass(&p->M, p->equalities > 0));
  STC_TRY(set_kinematics(p, d));
  STC_TRY(stc_csr_from_matrix(&p->arena, "G", &d->G, p->equalities, p->dofs, &p->G));
  STC_TRY(stc_check_vector("f", d->f, p->dofs));
  STC_TRY(stc_check_vector("b", d->b, p->equalities));
  STC_TRY(copy_vector(&p->arena, d->f, p->dofs, &p->f));
  STC_TRY(copy_vector(&p->arena, d->b, p->equalities, &p->b));
  STC_TRY(set_laws(p, d->law, d->mu, d->mu2));
  return stc_bodies_find(&p->arena, &p->M, &p->H, p->dim, &p->bodies);
}

static stc_error fill_bodies(stc_problem *p, const stc_bodies_data *d) {
  p->form = STC_FORM_BODIES;
  STC_TRY(stc_check_sizes(d->dim, d->law, d->contacts, 0, d->equalities));
  set_sizes(p, d->dim, d->contacts, 0, d->equalities);
  STC_TRY(stc_check_contact_vector("w", d->w, p->dim, p->contacts));
  STC_TRY(copy_vector(&p->arena, d->w, p->size, &p->w));
  STC_TRY(stc_check_vector("b", d->b, p->equalities));
  STC_TRY(copy_vector(&p->arena, d->b, p->equalities, &p->b));
  STC_TRY(stc_problem_take_bodies(p, d));
  STC_TRY(stc_check_vector("f", d->f, p->dofs));
  STC_TRY(copy_vector(&p->arena, d->f, p->dofs, &p->f));
  return set_laws(p, d->law, d->mu, d->mu2);
}

/// A problem with neither data nor text.
static stc_error create_empty(stc_problem **problem) {
  STC_NEW(problem, "a problem");
  stc_error error = stc_problem_set_text(*problem, &(stc_problem_text){"", "", ""});
  if (error) stc_problem_free(problem);
  return error;
}

/// stc_problem_create_FORM: an empty problem, filled by fill_FORM.
#define CREATE(form)                                                                               \
  stc_error stc_problem_create_##form(const stc_##form##_data *data, stc_problem **problem) {      \
    if (problem) *problem = NULL;                                                                  \
    if (!data || !problem)                                                                         \
      return stc_fail(STC_ERR_ARGUMENT, "stc_problem_create_" #form " needs data and an address"); \
    STC_TRY(create_empty(problem));                                                                \
    stc_error error = fill_##form(*problem, data);                                                 \
    if (error) stc_problem_free(problem);                                                          \
    return error;                                                                                  \
  }
CREATE(local)
CREATE(global)
CREATE(bodies)

void stc_problem_keep_sections(stc_problem *problem, stc_cone_section **section, int count) {
  problem->section = section;
  problem->sections = count;
}

void stc_sections_free(stc_cone_section ***section, int count) {
  for (int k = 0; *section && k < count; k++) stc_cone_section_free(&(*section)[k]);
  stc_release(section);
}

void stc_problem_free(stc_problem **problem) {
  if (!problem || !*problem) return;
  stc_problem *p = *problem;
  stc_release(&p->title);
  stc_release(&p->description);
  stc_release(&p->math_info);
  stc_sections_free(&p->section, p->sections);
  stc_arena_free(&p->arena);
  stc_release(problem);
}

// --- Reading back ---

stc_form stc_problem_form(const stc_problem *problem) { return problem->form; }
const char *stc_form_name(stc_form form) {
  static const char *const names[] = {"local", "global", "bodies"};
  return form >= STC_FORM_LOCAL && form <= STC_FORM_BODIES ? names[form] : "unknown";
}
int stc_problem_dim(const stc_problem *problem) { return problem->dim; }
int stc_problem_contacts(const stc_problem *problem) { return problem->contacts; }
int stc_problem_size(const stc_problem *problem) { return problem->size; }
int stc_problem_dofs(const stc_problem *problem) { return problem->dofs; }
int stc_problem_equalities(const stc_problem *problem) { return problem->equalities; }

const stc_law *stc_problem_law(const stc_problem *problem, int contact) {
  bool exists = contact >= 0 && contact < problem->contacts;
  return exists ? &problem->law[contact] : NULL;
}

stc_local_data stc_problem_local_data(const stc_problem *problem) {
  const stc_problem *p = problem;
  return (stc_local_data){.dim = p->dim,
                          .contacts = p->contacts,
                          .equalities = p->equalities,
                          .W = stc_csr_view(&p->W),
                          .V = stc_csr_view(&p->V),
                          .R = stc_csr_view(&p->R),
                          .q = p->q,
                          .s = p->s,
                          .mu = p->mu,
                          .mu2 = p->mu2,
                          .law = p->any_law ? p->law : NULL};
}

stc_global_data stc_problem_global_data(const stc_problem *problem) {
  const stc_problem *p = problem;
  bool bodies = p->form == STC_FORM_BODIES;
  return (stc_global_data){.dim = p->dim,
                           .contacts = p->contacts,
                           .dofs = p->dofs,
                           .equalities = p->equalities,
                           .M = bodies ? (stc_matrix){0} : stc_csr_view(&p->M),
                           .H = bodies ? (stc_matrix){0} : stc_csr_view(&p->H),
                           .G = bodies ? (stc_matrix){0} : stc_csr_view(&p->G),
                           .f = p->f,
                           .w = p->w,
                           .b = p->b,
                           .mu = p->mu,
                           .mu2 = p->mu2,
                           .law = p->any_law ? p->law : NULL};
}

stc_bodies_data stc_problem_bodies_data(const stc_problem *problem) {
  const stc_problem *p = problem;
  bool bodies = p->form == STC_FORM_BODIES;
  return (stc_bodies_data){.dim = p->dim,
                           .contacts = p->contacts,
                           .bodies = bodies ? p->bodies.count : 0,
                           .width = p->width,
                           .equalities = p->equalities,
                           .M = p->mass,
                           .f = p->f,
                           .H = p->H_bodies.rows,
                           .w = p->w,
                           .G = p->G_bodies.rows,
                           .b = p->b,
                           .mu = p->mu,
                           .mu2 = p->mu2,
                           .law = p->any_law ? p->law : NULL};
}

// --- Text ---

stc_problem_text stc_problem_get_text(const stc_problem *problem) {
  return (stc_problem_text){problem->title, problem->description, problem->math_info};
}

/// A copy of `text`, or of `old` where text is NULL; NULL if out of memory.
static char *copy_text(const char *text, const char *old) {
  const char *source = text ? text : old;
  size_t length = strlen(source);
  char *copy = stc_calloc(length + 1, 1);
  if (copy) memcpy(copy, source, length);
  return copy;
}

static void replace_text(char **field, char *text) {
  stc_release(field);
  *field = text;
}

stc_error stc_problem_set_text(stc_problem *problem, const stc_problem_text *text) {
  char *title = copy_text(text->title, problem->title);
  char *description = copy_text(text->description, problem->description);
  char *math_info = copy_text(text->math_info, problem->math_info);
  if (!title || !description || !math_info) {
    stc_release(&title);
    stc_release(&description);
    stc_release(&math_info);
    return stc_fail(STC_ERR_MEMORY, "out of memory for the text of a problem");
  }
  replace_text(&problem->title, title);
  replace_text(&problem->description, description);
  replace_text(&problem->math_info, math_info);
  return STC_OK;
}
