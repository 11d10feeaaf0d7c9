// Reads problems, solutions and guesses from FCLIB files.
//   /fclib_local   spacedim, W, [V, R], vectors/{q, mu, [mu2, s]}, [info]
//   /fclib_global  spacedim, M, H, [G], vectors/{f, w, mu, [mu2, b]}, [info]
//   /solution      u, r, [v, l]        /guesses  number_of_guesses, 1/{u, r, [v, l]}, 2/...
#include "fclib_convert.h"

#include "../../base/number.h"
#include "matrix.h"
#include "sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOCAL  "fclib_local"
#define GLOBAL "fclib_global"

// --- Problems ---

static stc_error which_form(stc_fclib_file *file, stc_form *form) {
  bool local = false, global = false;
  STC_TRY(stc_fclib_has_group(file, LOCAL, &local));
  STC_TRY(stc_fclib_has_group(file, GLOBAL, &global));
  if (local && global)
    return stc_fail(STC_ERR_FORMAT, "the file holds a local and a global problem; keep one of the "
                                    "groups " LOCAL " and " GLOBAL);
  if (!local && !global)
    return stc_fail(STC_ERR_FORMAT, "no FCLIB problem: neither a group " LOCAL " nor " GLOBAL);
  *form = local ? STC_FORM_LOCAL : STC_FORM_GLOBAL;
  return STC_OK;
}

static stc_error read_dim(stc_fclib_file *file, const char *name, int *dim) {
  STC_TRY(stc_fclib_int(file, name, dim));
  if (*dim == 2 || *dim == 3) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s = %d; it should be 2 or 3", name, *dim);
}

static stc_error check_shape(const char *name, const stc_matrix *matrix, int rows, int cols) {
  if (matrix->rows == rows && matrix->cols == cols) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s is %d x %d (m x n); it should be %d x %d", name, matrix->rows,
                  matrix->cols, rows, cols);
}

// The length a vector of the file gives to a matrix: it bounds what is allocated.
static stc_error check_length(stc_fclib_file *file, const char *name, int length) {
  long long stored = 0;
  STC_TRY(stc_fclib_need_length(file, name, &stored));
  if (stored == length) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s has %lld elements; it should have %d", name, stored, length);
}

static stc_error contacts_of(const char *name, int size, int dim, int *contacts) {
  if (size % dim)
    return stc_fail(STC_ERR_FORMAT, "%s has %d elements, no multiple of spacedim = %d", name, size,
                    dim);
  *contacts = size / dim;
  return STC_OK;
}

// mu2 is Stiction's own addition: the coefficient along the second tangent.
static stc_error read_mu(stc_fclib_file *file, const char *mu_name, const char *mu2_name, int dim,
                         int contacts, const double **mu, const double **mu2) {
  long long length = -1;
  STC_TRY(stc_fclib_vector(file, mu_name, contacts, mu));
  *mu2 = NULL;
  STC_TRY(stc_fclib_length(file, mu2_name, &length));
  if (length < 0) return STC_OK;
  if (dim == 2) return stc_fail(STC_ERR_FORMAT, "%s has no meaning in 2D; remove it", mu2_name);
  return stc_fclib_vector(file, mu2_name, contacts, mu2);
}

// V, R and s: all or none.
static stc_error read_local_joints(stc_fclib_file *file, int size, stc_local_data *d) {
  bool has_V = false, has_R = false;
  STC_TRY(stc_fclib_has_group(file, LOCAL "/V", &has_V));
  STC_TRY(stc_fclib_has_group(file, LOCAL "/R", &has_R));
  if (!has_V && !has_R) return STC_OK;
  if (!has_V || !has_R)
    return stc_fail(STC_ERR_FORMAT, "the group " LOCAL "/%s is missing; joints need both V and R",
                    has_V ? "R" : "V");
  STC_TRY(stc_fclib_shape(file, LOCAL "/R", &d->R));
  STC_TRY(check_length(file, LOCAL "/vectors/s", d->R.rows));
  STC_TRY(check_shape(LOCAL "/R", &d->R, d->R.rows, d->R.rows));
  STC_TRY(stc_fclib_shape(file, LOCAL "/V", &d->V));
  STC_TRY(check_shape(LOCAL "/V", &d->V, size, d->R.rows));
  d->equalities = d->R.rows;
  STC_TRY(stc_fclib_matrix(file, LOCAL "/R", &d->R));
  STC_TRY(stc_fclib_matrix(file, LOCAL "/V", &d->V));
  return stc_fclib_vector(file, LOCAL "/vectors/s", d->equalities, &d->s);
}

// The problem with the sections of its contacts, which are its own.
static stc_error create_local(stc_fclib_file *file, stc_local_data *d, stc_problem **problem) {
  stc_stored_sections own;
  stc_error error = stc_sections_read(file, d->dim, d->contacts, d->mu, d->mu2, &own);
  d->law = own.law;
  if (!error) error = stc_problem_create_local(d, problem);
  if (error)
    stc_sections_free(&own.section, own.count);
  else
    stc_problem_keep_sections(*problem, own.section, own.count);
  return error;
}

static stc_error create_global(stc_fclib_file *file, stc_global_data *d, stc_problem **problem) {
  stc_stored_sections own;
  stc_error error = stc_sections_read(file, d->dim, d->contacts, d->mu, d->mu2, &own);
  d->law = own.law;
  if (!error) error = stc_problem_create_global(d, problem);
  if (error)
    stc_sections_free(&own.section, own.count);
  else
    stc_problem_keep_sections(*problem, own.section, own.count);
  return error;
}

static stc_error read_local(stc_fclib_file *file, stc_problem **problem) {
  stc_local_data d = {0};
  STC_TRY(read_dim(file, LOCAL "/spacedim", &d.dim));
  STC_TRY(stc_fclib_shape(file, LOCAL "/W", &d.W));
  int size = d.W.rows;
  STC_TRY(check_shape(LOCAL "/W", &d.W, size, size));
  STC_TRY(check_length(file, LOCAL "/vectors/q", size));
  STC_TRY(contacts_of(LOCAL "/vectors/q", size, d.dim, &d.contacts));
  STC_TRY(stc_fclib_matrix(file, LOCAL "/W", &d.W));
  STC_TRY(stc_fclib_vector(file, LOCAL "/vectors/q", size, &d.q));
  STC_TRY(
      read_mu(file, LOCAL "/vectors/mu", LOCAL "/vectors/mu2", d.dim, d.contacts, &d.mu, &d.mu2));
  STC_TRY(read_local_joints(file, size, &d));
  return create_local(file, &d, problem);
}

// G and b: both or none.
static stc_error read_global_joints(stc_fclib_file *file, stc_global_data *d) {
  bool has_G = false;
  STC_TRY(stc_fclib_has_group(file, GLOBAL "/G", &has_G));
  if (!has_G) return STC_OK;
  STC_TRY(stc_fclib_shape(file, GLOBAL "/G", &d->G));
  STC_TRY(check_shape(GLOBAL "/G", &d->G, d->dofs, d->G.cols));
  STC_TRY(check_length(file, GLOBAL "/vectors/b", d->G.cols));
  d->equalities = d->G.cols;
  STC_TRY(stc_fclib_matrix(file, GLOBAL "/G", &d->G));
  return stc_fclib_vector(file, GLOBAL "/vectors/b", d->equalities, &d->b);
}

static stc_error read_global(stc_fclib_file *file, stc_problem **problem) {
  stc_global_data d = {0}, ours;
  STC_TRY(read_dim(file, GLOBAL "/spacedim", &d.dim));
  STC_TRY(stc_fclib_shape(file, GLOBAL "/M", &d.M));
  STC_TRY(stc_fclib_shape(file, GLOBAL "/H", &d.H));
  d.dofs = d.M.rows;
  int size = d.H.cols;
  STC_TRY(check_shape(GLOBAL "/M", &d.M, d.dofs, d.dofs));
  STC_TRY(check_shape(GLOBAL "/H", &d.H, d.dofs, size));
  STC_TRY(check_length(file, GLOBAL "/vectors/f", d.dofs));
  STC_TRY(check_length(file, GLOBAL "/vectors/w", size));
  STC_TRY(contacts_of(GLOBAL "/vectors/w", size, d.dim, &d.contacts));
  STC_TRY(stc_fclib_matrix(file, GLOBAL "/M", &d.M));
  STC_TRY(stc_fclib_matrix(file, GLOBAL "/H", &d.H));
  STC_TRY(stc_fclib_vector(file, GLOBAL "/vectors/f", d.dofs, &d.f));
  STC_TRY(stc_fclib_vector(file, GLOBAL "/vectors/w", size, &d.w));
  STC_TRY(
      read_mu(file, GLOBAL "/vectors/mu", GLOBAL "/vectors/mu2", d.dim, d.contacts, &d.mu, &d.mu2));
  STC_TRY(read_global_joints(file, &d));
  STC_TRY(stc_fclib_convert(&file->arena, &d, &ours));
  return create_global(file, &ours, problem);
}

static stc_error read_texts(stc_fclib_file *file, const char *group, stc_problem *problem) {
  static const char *const names[] = {"title", "description", "math_info"};
  char path[STC_FCLIB_NAME], *text[3] = {NULL};
  for (int k = 0; k < 3; k++) {
    stc_snprintf(path, sizeof path, "%s/info/%s", group, names[k]);
    STC_TRY(stc_fclib_text(file, path, &text[k]));
  }
  return stc_problem_set_text(problem, &(stc_problem_text){text[0], text[1], text[2]});
}

static stc_error read_problem(stc_fclib_file *file, const char *path, stc_problem **problem) {
  stc_form form = STC_FORM_LOCAL;
  STC_TRY(stc_fclib_open(file, path));
  STC_TRY(which_form(file, &form));
  STC_TRY(form == STC_FORM_LOCAL ? read_local(file, problem) : read_global(file, problem));
  return read_texts(file, form == STC_FORM_LOCAL ? LOCAL : GLOBAL, *problem);
}

stc_error stc_problem_read(const char *path, stc_problem **problem) {
  if (problem) *problem = NULL;
  if (!path || !problem)
    return stc_fail(STC_ERR_ARGUMENT, "stc_problem_read needs a path and an address");
  STC_RELEASED_BY(stc_fclib_close) stc_fclib_file file;
  stc_error error = read_problem(&file, path, problem);
  if (!error) return STC_OK;
  stc_problem_free(problem);
  return stc_fail_in(error, path);
}

// --- Solutions and guesses ---

// What was never written reads as the fill value, which is not a solution; neither is NaN.
static stc_error check_part(stc_fclib_file *file, const char *path, int count,
                            const double *values) {
  bool is_written = true;
  STC_TRY(stc_fclib_is_written(file, path, &is_written));
  if (!is_written && count)
    return stc_fail(STC_ERR_FORMAT, "%s was never written, or not all of it", path);
  for (int k = 0; k < count; k++)
    if (!isfinite(values[k])) return stc_fail(STC_ERR_FORMAT, "%s[%d] is NaN or infinite", path, k);
  return STC_OK;
}

// One vector of a solution; NULL if it is not stored.
static stc_error read_part(stc_fclib_file *file, const char *group, const char *name, int count,
                           double **values) {
  char path[STC_FCLIB_NAME];
  long long length = -1;
  const double *stored = NULL;
  stc_snprintf(path, sizeof path, "%s/%s", group, name);
  STC_TRY(stc_fclib_length(file, path, &length));
  if (length < 0) return STC_OK;
  STC_TRY(stc_fclib_vector(file, path, count, &stored));
  STC_TRY(check_part(file, path, count, stored));
  *values = stc_calloc((size_t)count, sizeof **values);
  if (!*values) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", path);
  if (count) memcpy(*values, stored, (size_t)count * sizeof **values);
  return STC_OK;
}

static stc_error read_solution(stc_fclib_file *file, const char *group, const stc_problem *problem,
                               stc_solution *solution) {
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  int equalities = stc_problem_equalities(problem);
  STC_TRY(read_part(file, group, "r", size, &solution->r));
  STC_TRY(read_part(file, group, "u", size, &solution->u));
  if (dofs) STC_TRY(read_part(file, group, "v", dofs, &solution->v));
  if (equalities) STC_TRY(read_part(file, group, "l", equalities, &solution->l));
  return STC_OK;
}

// Opens a file and says whether it has a group of this name.
static stc_error open_group(stc_fclib_file *file, const char *path, const char *name, bool *has) {
  STC_TRY(stc_fclib_open(file, path));
  return stc_fclib_has_group(file, name, has);
}

stc_error stc_solution_read(const char *path, const stc_problem *problem, stc_solution *solution) {
  if (solution) *solution = (stc_solution){0};
  if (!path || !problem || !solution)
    return stc_fail(STC_ERR_ARGUMENT, "stc_solution_read needs a path, a problem and a solution");
  STC_RELEASED_BY(stc_fclib_close) stc_fclib_file file;
  bool has = false;
  stc_error error = open_group(&file, path, "solution", &has);
  if (!error && has) error = read_solution(&file, "solution", problem, solution);
  if (!error) return STC_OK;
  stc_solution_free(solution);
  return stc_fail_in(error, path);
}

// Guesses are groups 1, 2, ...; number_of_guesses holds their number.
static stc_error read_guesses(stc_fclib_file *file, const stc_problem *problem,
                              stc_solution **guesses, int *count) {
  int stored = 0;
  STC_TRY(stc_fclib_int(file, "guesses/number_of_guesses", &stored));
  if (stored < 0 || (uint64_t)stored > file->h5.size)
    return stc_fail(STC_ERR_FORMAT, "guesses/number_of_guesses = %d; it should count the groups",
                    stored);
  *guesses = stc_calloc((size_t)stored, sizeof **guesses);
  if (!*guesses) return stc_fail(STC_ERR_MEMORY, "out of memory for %d guesses", stored);
  for (; *count < stored; ++*count) {
    char group[STC_FCLIB_NAME];
    bool has = false;
    stc_snprintf(group, sizeof group, "guesses/%d", *count + 1);
    STC_TRY(stc_fclib_has_group(file, group, &has));
    if (!has) return stc_fail(STC_ERR_FORMAT, "the group %s is missing of %d", group, stored);
    stc_error error = read_solution(file, group, problem, *guesses + *count);
    if (error) stc_solution_free(*guesses + *count);
    STC_TRY(error);
  }
  return STC_OK;
}

stc_error stc_guesses_read(const char *path, const stc_problem *problem, stc_solution **guesses,
                           int *count) {
  if (guesses) *guesses = NULL;
  if (count) *count = 0;
  if (!path || !problem || !guesses || !count)
    return stc_fail(STC_ERR_ARGUMENT, "stc_guesses_read needs a path, a problem and addresses");
  STC_RELEASED_BY(stc_fclib_close) stc_fclib_file file;
  bool has = false;
  stc_error error = open_group(&file, path, "guesses", &has);
  if (!error && has) error = read_guesses(&file, problem, guesses, count);
  if (!error) return STC_OK;
  stc_guesses_free(guesses, *count);
  *count = 0;
  return stc_fail_in(error, path);
}

void stc_solution_free(stc_solution *solution) {
  if (!solution) return;
  stc_release(&solution->r);
  stc_release(&solution->u);
  stc_release(&solution->v);
  stc_release(&solution->l);
}

void stc_guesses_free(stc_solution **guesses, int count) {
  if (!guesses || !*guesses) return;
  for (int k = 0; k < count; k++) stc_solution_free(*guesses + k);
  stc_release(guesses);
}
