// Writes problems, solutions and guesses as FCLIB files.
//
// The file is built in memory and saved in one go; the same problem gives the same bytes. Local
// matrices go by rows (nz = -2), global ones as triplets: what Siconos writes and what every reader
// of FCLIB accepts.
#include "fclib_convert.h"

#include "../../base/number.h"
#include "../problem_data.h"
#include "h5_image.h"
#include "sections.h"

#define LOCAL  "fclib_local"
#define GLOBAL "fclib_global"

enum { NAME_ROOM = 64 };

// --- Parts of a file ---

static void put_matrix(stc_image *w, const char *group, const stc_matrix *A) {
  bool triplets = A->storage == STC_STORAGE_TRIPLET;
  int nz = triplets ? A->entries : A->storage == STC_STORAGE_CSC ? -1 : -2;
  int pointers = triplets ? A->entries : 1 + (nz == -1 ? A->cols : A->rows);
  stc_image_int(w, group, "nzmax", A->entries);
  stc_image_int(w, group, "m", A->rows);
  stc_image_int(w, group, "n", A->cols);
  stc_image_int(w, group, "nz", nz);
  stc_image_ints(w, group, "p", pointers, A->p);
  stc_image_ints(w, group, "i", A->entries, A->i);
  stc_image_doubles(w, group, "x", A->entries, A->x);
}

static void put_info(stc_image *w, const char *group, const stc_problem *problem) {
  stc_problem_text text = stc_problem_get_text(problem);
  stc_image_text(w, group, "title", text.title);
  stc_image_text(w, group, "description", text.description);
  stc_image_text(w, group, "math_info", text.math_info);
}

static void put_local(stc_image *w, const stc_problem *problem) {
  stc_local_data d = stc_problem_local_data(problem);
  stc_image_int(w, LOCAL, "spacedim", d.dim);
  put_matrix(w, LOCAL "/W", &d.W);
  stc_image_doubles(w, LOCAL "/vectors", "q", d.dim * d.contacts, d.q);
  stc_image_doubles(w, LOCAL "/vectors", "mu", d.contacts, d.mu);
  if (d.mu2) stc_image_doubles(w, LOCAL "/vectors", "mu2", d.contacts, d.mu2);
  if (d.equalities) {
    put_matrix(w, LOCAL "/V", &d.V);
    put_matrix(w, LOCAL "/R", &d.R);
    stc_image_doubles(w, LOCAL "/vectors", "s", d.equalities, d.s);
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

static stc_error put_global(stc_image *w, const stc_problem *problem, stc_arena *arena) {
  stc_global_data ours = stc_problem_global_data(problem), d;
  STC_TRY(triplets_of(arena, &ours.M));
  STC_TRY(triplets_of(arena, &ours.H));
  if (ours.equalities) STC_TRY(triplets_of(arena, &ours.G));
  STC_TRY(stc_fclib_convert(arena, &ours, &d));
  stc_image_int(w, GLOBAL, "spacedim", d.dim);
  put_matrix(w, GLOBAL "/M", &d.M);
  put_matrix(w, GLOBAL "/H", &d.H);
  stc_image_doubles(w, GLOBAL "/vectors", "f", d.dofs, d.f);
  stc_image_doubles(w, GLOBAL "/vectors", "w", d.dim * d.contacts, d.w);
  stc_image_doubles(w, GLOBAL "/vectors", "mu", d.contacts, d.mu);
  if (d.mu2) stc_image_doubles(w, GLOBAL "/vectors", "mu2", d.contacts, d.mu2);
  if (d.equalities) {
    put_matrix(w, GLOBAL "/G", &d.G);
    stc_image_doubles(w, GLOBAL "/vectors", "b", d.equalities, d.b);
  }
  put_info(w, GLOBAL "/info", problem);
  return STC_OK;
}

static void put_solution(stc_image *w, const char *group, const stc_problem *problem,
                         const stc_solution *solution) {
  int size = stc_problem_size(problem), dofs = stc_problem_dofs(problem);
  int equalities = stc_problem_equalities(problem);
  if (solution->r) stc_image_doubles(w, group, "r", size, solution->r);
  if (solution->u) stc_image_doubles(w, group, "u", size, solution->u);
  if (solution->v && dofs) stc_image_doubles(w, group, "v", dofs, solution->v);
  if (solution->l && equalities) stc_image_doubles(w, group, "l", equalities, solution->l);
}

// --- The file ---

// What goes into a file.
typedef struct content {
  const stc_problem *problem;
  const stc_solution *solution;  ///< or NULL
  const stc_solution *guesses;   ///< [count]
  int count;                     ///< -1: no group of guesses
} content;

static void put_guesses(stc_image *w, const content *c) {
  char group[NAME_ROOM];
  if (c->count < 0) return;
  stc_image_int(w, "guesses", "number_of_guesses", c->count);
  for (int k = 0; k < c->count; k++) {
    stc_snprintf(group, sizeof group, "guesses/%d", k + 1);
    put_solution(w, group, c->problem, &c->guesses[k]);
  }
}

static stc_error build(stc_image *w, const content *c, stc_arena *arena) {
  if (stc_problem_form(c->problem) == STC_FORM_LOCAL)
    put_local(w, c->problem);
  else
    STC_TRY(put_global(w, c->problem, arena));
  STC_TRY(stc_sections_put(w, c->problem, arena));
  if (c->solution) put_solution(w, "solution", c->problem, c->solution);
  put_guesses(w, c);
  return STC_OK;
}

static stc_error write_file(const content *given, const char *path) {
  STC_RELEASED_BY(stc_problem_free) stc_problem *own = NULL;
  STC_ARENA arena = {0};
  STC_RELEASED_BY(stc_image_close) stc_image w = {0};
  content c = *given;
  stc_error error = stc_problem_with_rows(given->problem, &own, &c.problem);
  if (!error) error = build(&w, &c, &arena);
  if (!error) error = stc_image_save(&w, path);
  return error ? stc_fail_in(error, path) : STC_OK;
}

// --- Interface ---

stc_error stc_problem_write(const stc_problem *problem, const stc_solution *solution,
                            const char *path) {
  if (!problem || !path)
    return stc_fail(STC_ERR_ARGUMENT, "stc_problem_write needs a problem and a path");
  if (solution && !solution->r)
    return stc_fail(STC_ERR_ARGUMENT, "stc_problem_write: a solution without r; give r or NULL");
  // FCLIB knows a friction coefficient and nothing else of a law; sections have a group of our own.
  for (int c = 0; c < stc_problem_contacts(problem); c++) {
    stc_law_kind kind = stc_problem_law(problem, c)->kind;
    bool dilates = stc_problem_law(problem, c)->dilatancy > 0;
    if ((kind < STC_LAW_CONTENSOU || kind == STC_LAW_SECTION) && !dilates) continue;
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "%s: contact %d obeys the %s law%s; files hold coulomb laws and sections in "
                    "2 or 3 dimensions only",
                    path, c, stc_law_name((int)kind), dilates ? " with a dilatancy" : "");
  }
  return write_file(&(content){problem, solution, NULL, -1}, path);
}

static bool same_sizes(const stc_problem *a, const stc_problem *b) {
  return stc_problem_moves(a) == stc_problem_moves(b) && stc_problem_dim(a) == stc_problem_dim(b) &&
         stc_problem_contacts(a) == stc_problem_contacts(b) &&
         stc_problem_dofs(a) == stc_problem_dofs(b) &&
         stc_problem_equalities(a) == stc_problem_equalities(b);
}

stc_error stc_guesses_write(const char *path, const stc_problem *problem,
                            const stc_solution *guesses, int count) {
  if (!path || !problem || count < 0 || (count && !guesses))
    return stc_fail(STC_ERR_ARGUMENT, "stc_guesses_write needs a path, a problem and guesses");
  for (int k = 0; k < count; k++)
    if (!guesses[k].r) return stc_fail(STC_ERR_ARGUMENT, "stc_guesses_write: guess %d has no r", k);
  STC_RELEASED_BY(stc_problem_free) stc_problem *stored = NULL;
  STC_TRY(stc_problem_read(path, &stored));
  // Problem and solution are those of the file; the file is written anew.
  STC_RELEASED_BY(stc_solution_free) stc_solution s = {0};
  if (!same_sizes(stored, problem))
    return stc_fail(STC_ERR_DIMENSION,
                    "%s: the problem in the file and that of the guesses differ "
                    "in size or form",
                    path);
  STC_TRY(stc_solution_read(path, stored, &s));
  bool solved = s.r || s.u || s.v || s.l;
  return write_file(&(content){stored, solved ? &s : NULL, guesses, count}, path);
}
