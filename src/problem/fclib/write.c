// Writes problems, solutions and guesses as FCLIB files.
//
// The file is built in memory and saved in one go, so that a full disk or a crash leaves no half
// file; no time stamps, so that the same problem gives the same bytes. Local matrices go by rows
// (nz = -2), global ones as triplets: what Siconos writes and what every reader of FCLIB accepts.
#include "convert.h"
#include "save.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#define LOCAL  "fclib_local"
#define GLOBAL "fclib_global"

enum {
  NAME_ROOM = 64,
  IMAGE_STEP = 1 << 20  // bytes by which the file in memory grows
};

// libhdf5 looks for a file of this name before it builds one in memory; there cannot be one.
static const char image_name[] = "/dev/null/stiction";

// A file being built. Failures are remembered and asked for once, at the end.
typedef struct writer {
  hid_t file;
  hid_t links;  ///< makes the groups on the way to a name
  hid_t plain;  ///< datasets without time stamps
  bool failed;
} writer;

// --- Datasets ---

static void put(writer *w, const char *name, hid_t type, hid_t space, const void *values) {
  hid_t data = H5Dcreate2(w->file, name, type, space, w->links, w->plain, H5P_DEFAULT);
  if (data < 0 || (values && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    w->failed = true;
  if (data >= 0) H5Dclose(data);
}

static void put_vector(writer *w, const char *group, const char *name, hid_t type, int count,
                       const void *values) {
  char path[NAME_ROOM];
  hsize_t extent = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &extent, NULL);
  snprintf(path, sizeof path, "%s/%s", group, name);
  put(w, path, type, space, count ? values : NULL);
  H5Sclose(space);
}

static void put_ints(writer *w, const char *group, const char *name, int count, const int *values) {
  put_vector(w, group, name, H5T_NATIVE_INT, count, values);
}

static void put_doubles(writer *w, const char *group, const char *name, int count,
                        const double *values) {
  put_vector(w, group, name, H5T_NATIVE_DOUBLE, count, values);
}

static void put_text(writer *w, const char *group, const char *name, const char *text) {
  char path[NAME_ROOM];
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  snprintf(path, sizeof path, "%s/%s", group, name);
  w->failed |= H5Tset_size(type, strlen(text) + 1) < 0;
  put(w, path, type, space, text);
  H5Sclose(space);
  H5Tclose(type);
}

// --- Parts of a file ---

static void put_matrix(writer *w, const char *group, const stc_matrix *A) {
  bool triplets = A->storage == STC_STORAGE_TRIPLET;
  int nz = triplets ? A->entries : A->storage == STC_STORAGE_CSC ? -1 : -2;
  int pointers = triplets ? A->entries : 1 + (nz == -1 ? A->cols : A->rows);
  put_ints(w, group, "nzmax", 1, &A->entries);
  put_ints(w, group, "m", 1, &A->rows);
  put_ints(w, group, "n", 1, &A->cols);
  put_ints(w, group, "nz", 1, &nz);
  put_ints(w, group, "p", pointers, A->p);
  put_ints(w, group, "i", A->entries, A->i);
  put_doubles(w, group, "x", A->entries, A->x);
}

static void put_info(writer *w, const char *group, const stc_problem *problem) {
  stc_problem_text text = stc_problem_get_text(problem);
  put_text(w, group, "title", text.title);
  put_text(w, group, "description", text.description);
  put_text(w, group, "math_info", text.math_info);
}

static void put_local(writer *w, const stc_problem *problem) {
  stc_local_data d = stc_problem_local_data(problem);
  put_ints(w, LOCAL, "spacedim", 1, &d.dim);
  put_matrix(w, LOCAL "/W", &d.W);
  put_doubles(w, LOCAL "/vectors", "q", d.dim * d.contacts, d.q);
  put_doubles(w, LOCAL "/vectors", "mu", d.contacts, d.mu);
  if (d.mu2) put_doubles(w, LOCAL "/vectors", "mu2", d.contacts, d.mu2);
  if (d.equalities) {
    put_matrix(w, LOCAL "/V", &d.V);
    put_matrix(w, LOCAL "/R", &d.R);
    put_doubles(w, LOCAL "/vectors", "s", d.equalities, d.s);
  }
  put_info(w, LOCAL "/info", problem);
}

// The triplets of a matrix by rows.
static stc_error triplets_of(stc_arena *arena, stc_matrix *A) {
  int *row = STC_TAKE(arena, int, A->entries);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < A->rows; i++)
    for (int k = A->p[i]; k < A->p[i + 1]; k++) row[k] = i;
  A->p = A->i;
  A->i = row;
  A->storage = STC_STORAGE_TRIPLET;
  return STC_OK;
}

static stc_error put_global(writer *w, const stc_problem *problem, stc_arena *arena) {
  stc_global_data ours = stc_problem_global_data(problem), d;
  STC_TRY(triplets_of(arena, &ours.M));
  STC_TRY(triplets_of(arena, &ours.H));
  if (ours.equalities) STC_TRY(triplets_of(arena, &ours.G));
  STC_TRY(stc_fclib_convert(arena, &ours, &d));
  put_ints(w, GLOBAL, "spacedim", 1, &d.dim);
  put_matrix(w, GLOBAL "/M", &d.M);
  put_matrix(w, GLOBAL "/H", &d.H);
  put_doubles(w, GLOBAL "/vectors", "f", d.dofs, d.f);
  put_doubles(w, GLOBAL "/vectors", "w", d.dim * d.contacts, d.w);
  put_doubles(w, GLOBAL "/vectors", "mu", d.contacts, d.mu);
  if (d.mu2) put_doubles(w, GLOBAL "/vectors", "mu2", d.contacts, d.mu2);
  if (d.equalities) {
    put_matrix(w, GLOBAL "/G", &d.G);
    put_doubles(w, GLOBAL "/vectors", "b", d.equalities, d.b);
  }
  put_info(w, GLOBAL "/info", problem);
  return STC_OK;
}

static void put_solution(writer *w, const char *group, const stc_problem *problem,
                         const stc_solution *solution) {
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  int equalities = stc_problem_equalities(problem);
  if (solution->r) put_doubles(w, group, "r", size, solution->r);
  if (solution->u) put_doubles(w, group, "u", size, solution->u);
  if (solution->v && dofs) put_doubles(w, group, "v", dofs, solution->v);
  if (solution->l && equalities) put_doubles(w, group, "l", equalities, solution->l);
}

// --- The file in memory ---

static writer open_image(void) {
  writer w = {.links = H5Pcreate(H5P_LINK_CREATE), .plain = H5Pcreate(H5P_DATASET_CREATE)};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  w.failed = H5Pset_create_intermediate_group(w.links, 1) < 0;
  w.failed |= H5Pset_obj_track_times(w.plain, false) < 0;
  w.failed |= H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0;
  w.failed |= H5Pset_fapl_core(access, IMAGE_STEP, false) < 0;
  w.file = H5Fcreate(image_name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  w.failed |= w.file < 0;
  H5Pclose(access);
  return w;
}

static void close_image(writer *w) {
  if (w->file >= 0) H5Fclose(w->file);
  H5Pclose(w->links);
  H5Pclose(w->plain);
}

// Saves what was built, if nothing failed on the way.
static stc_error save_image(writer *w, const char *path) {
  bool flushed = !w->failed && H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
  ssize_t bytes = flushed ? H5Fget_file_image(w->file, NULL, 0) : -1;
  void *image = bytes > 0 ? stc_calloc((size_t)bytes, 1) : NULL;
  stc_error error = STC_OK;
  if (!image || H5Fget_file_image(w->file, image, (size_t)bytes) != bytes)
    error = stc_fail(STC_ERR_MEMORY, "libhdf5 cannot build the file; is there enough memory?");
  else
    error = stc_save(path, image, (size_t)bytes);
  stc_release(&image);
  return error;
}

// What goes into a file.
typedef struct content {
  const stc_problem *problem;
  const stc_solution *solution;  ///< or NULL
  const stc_solution *guesses;   ///< [count]
  int count;                     ///< -1: no group of guesses
} content;

static void put_guesses(writer *w, const content *c) {
  char group[NAME_ROOM];
  if (c->count < 0) return;
  put_ints(w, "guesses", "number_of_guesses", 1, &c->count);
  for (int k = 0; k < c->count && !w->failed; k++) {
    snprintf(group, sizeof group, "guesses/%d", k + 1);
    put_solution(w, group, c->problem, &c->guesses[k]);
  }
}

static stc_error build(writer *w, const content *c, stc_arena *arena) {
  if (stc_problem_form(c->problem) == STC_FORM_LOCAL)
    put_local(w, c->problem);
  else
    STC_TRY(put_global(w, c->problem, arena));
  if (c->solution) put_solution(w, "solution", c->problem, c->solution);
  put_guesses(w, c);
  return STC_OK;
}

static stc_error write_file(const content *c, const char *path) {
  stc_arena arena = {0};
  stc_error error = STC_OK;
  H5E_BEGIN_TRY {
    writer w = open_image();
    if (!w.failed) error = build(&w, c, &arena);
    if (!error) error = save_image(&w, path);
    close_image(&w);
  }
  H5E_END_TRY
  stc_arena_free(&arena);
  return error ? stc_fail_in(error, path) : STC_OK;
}

// --- Interface ---

stc_error stc_problem_write(const stc_problem *problem, const stc_solution *solution,
                            const char *path) {
  if (!problem || !path)
    return stc_fail(STC_ERR_ARGUMENT, "stc_problem_write needs a problem and a path");
  if (solution && !solution->r)
    return stc_fail(STC_ERR_ARGUMENT, "stc_problem_write: a solution without r; give r or NULL");
  return write_file(&(content){problem, solution, NULL, -1}, path);
}

static bool same_sizes(const stc_problem *a, const stc_problem *b) {
  return stc_problem_form(a) == stc_problem_form(b) && stc_problem_dim(a) == stc_problem_dim(b) &&
         stc_problem_contacts(a) == stc_problem_contacts(b) &&
         stc_problem_dofs(a) == stc_problem_dofs(b) &&
         stc_problem_equalities(a) == stc_problem_equalities(b);
}

// Problem and solution are those of the file; the file is written anew.
static stc_error add_guesses(const char *path, const stc_problem *stored, const stc_problem *given,
                             const stc_solution *guesses, int count) {
  stc_solution s;
  if (!same_sizes(stored, given))
    return stc_fail(STC_ERR_DIMENSION,
                    "%s: the problem in the file and that of the guesses differ "
                    "in size or form",
                    path);
  STC_TRY(stc_solution_read(path, stored, &s));
  bool solved = s.r || s.u || s.v || s.l;
  stc_error error = write_file(&(content){stored, solved ? &s : NULL, guesses, count}, path);
  stc_solution_free(&s);
  return error;
}

stc_error stc_guesses_write(const char *path, const stc_problem *problem,
                            const stc_solution *guesses, int count) {
  if (!path || !problem || count < 0 || (count && !guesses))
    return stc_fail(STC_ERR_ARGUMENT, "stc_guesses_write needs a path, a problem and guesses");
  for (int k = 0; k < count; k++)
    if (!guesses[k].r) return stc_fail(STC_ERR_ARGUMENT, "stc_guesses_write: guess %d has no r", k);
  stc_problem *stored = NULL;
  STC_TRY(stc_problem_read(path, &stored));
  stc_error error = add_guesses(path, stored, problem, guesses, count);
  stc_problem_free(&stored);
  return error;
}
