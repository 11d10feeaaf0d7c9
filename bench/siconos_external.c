// A solver of Siconos as an external of `stiction bench`:
//   siconos_external SOLVER PROBLEM ANSWER [TOL]
// reads an FCLIB file, condenses it (u = W r + q), solves from r = 0 with the default options of
// Siconos 4.4 and writes problem and reactions. Siconos stops on |F_nat| / max(|q|, |r|, |u|),
// which says little where |r| is large: an answer that our judge does not find within TOL is sought
// again with a tighter tolerance, five times at most. Exit status 0: within TOL, 2: not, 1: an
// error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/stiction.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

enum { MANY = 10000000, OUTER = 100000, NEWTON = 20000 };  // iterations: the clock is the limit
enum { SPARE = 8 };  // numbers behind arrays that Siconos works in
enum { TRIALS = 5 };

static const struct choice {
  const char *name;
  int dim, id, inner, most;  // inner: solver of one contact instead of the usual one, or 0
} choices[] = {{"NSGS", 3, SICONOS_FRICTION_3D_NSGS, 0, MANY},
               {"NSGS_NSN", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, MANY},
               {"NSN_AC", 3, SICONOS_FRICTION_3D_NSN_AC, 0, NEWTON},
               {"PROX", 3, SICONOS_FRICTION_3D_PROX, 0, OUTER},
               {"ADMM", 3, SICONOS_FRICTION_3D_ADMM, 0, MANY},
               {"ACLMFP", 3, SICONOS_FRICTION_3D_ACLMFP, 0, OUTER},
               {"NSGS", 2, SICONOS_FRICTION_2D_NSGS, 0, MANY},
               {"LEMKE", 2, SICONOS_FRICTION_2D_LEMKE, 0, MANY},
               {"CPG", 2, SICONOS_FRICTION_2D_CPG, 0, MANY}};
enum { CHOICES = sizeof choices / sizeof *choices };

static int complain(const char *sentence) {
  fprintf(stderr, "siconos_external: %s\n", sentence);
  return 1;
}

static void *zeros(size_t count, size_t size) {
  void *room = calloc(count + SPARE, size);
  if (room) return room;
  complain("out of memory");
  exit(1);
}

// ---- W in blocks

// Blocks of W by rows, columns in rising order: counted with `index` NULL, then listed.
static size_t list_blocks(const stc_matrix *W, int dim, size_t *start, size_t *index) {
  int contacts = W->rows / dim;
  int *seen = zeros((size_t)contacts, sizeof *seen);
  size_t count = 0;
  for (int b = 0; b < contacts; b++) {
    if (start) start[b] = count;
    for (int k = W->p[b * dim]; k < W->p[(b + 1) * dim]; k++) seen[W->i[k] / dim] = b + 1;
    for (int c = 0; c < contacts; c++) {
      if (seen[c] != b + 1 && c != b) continue;
      if (index) index[count] = (size_t)c;
      count++;
    }
  }
  if (start) start[contacts] = count;
  free(seen);
  return count;
}

// Siconos keeps a block by columns.
static void fill_blocks(const stc_matrix *W, int dim, SparseBlockStructuredMatrix *B) {
  int contacts = W->rows / dim;
  size_t *slot = zeros((size_t)contacts, sizeof *slot);
  for (int b = 0; b < contacts; b++) {
    for (size_t k = B->index1_data[b]; k < B->index1_data[b + 1]; k++) slot[B->index2_data[k]] = k;
    for (int row = b * dim; row < (b + 1) * dim; row++)
      for (int k = W->p[row]; k < W->p[row + 1]; k++)
        B->block[slot[W->i[k] / dim]][row % dim + W->i[k] % dim * dim] = W->x[k];
  }
  free(slot);
}

static NumericsMatrix *to_blocks(const stc_matrix *W, int dim) {
  size_t contacts = (size_t)(W->rows / dim), blocks = list_blocks(W, dim, NULL, NULL);
  SparseBlockStructuredMatrix *B = SBM_new();
  B->nbblocks = (unsigned)blocks;
  B->blocknumber0 = B->blocknumber1 = (unsigned)contacts;
  B->blocksize0 = zeros(contacts, sizeof *B->blocksize0);
  B->blocksize1 = zeros(contacts, sizeof *B->blocksize1);
  for (size_t b = 0; b < contacts; b++)
    B->blocksize0[b] = B->blocksize1[b] = (unsigned)dim * (unsigned)(b + 1);
  B->index1_data = zeros(contacts + 1, sizeof *B->index1_data);
  B->index2_data = zeros(blocks, sizeof *B->index2_data);
  B->filled1 = contacts + 1;
  B->filled2 = blocks;
  list_blocks(W, dim, B->index1_data, B->index2_data);
  B->block = zeros(blocks, sizeof *B->block);
  for (size_t k = 0; k < blocks; k++) B->block[k] = zeros((size_t)(dim * dim), sizeof *B->block[k]);
  fill_blocks(W, dim, B);
  return NM_new_SBM(W->rows, W->rows, B);
}

// ---- a solve

static FrictionContactProblem *to_siconos(const stc_local_data *local) {
  size_t size = (size_t)(local->dim * local->contacts), contacts = (size_t)local->contacts;
  double *q = zeros(size, sizeof *q), *mu = zeros(contacts, sizeof *mu);
  memcpy(q, local->q, size * sizeof *q);
  for (size_t c = 0; c < contacts; c++) mu[c] = local->law ? local->law[c].mu[0] : local->mu[c];
  return frictionContactProblem_new_with_data(local->dim, local->contacts,
                                              to_blocks(&local->W, local->dim), q, mu);
}

static void run_choice(const struct choice *c, FrictionContactProblem *problem, double tol,
                       double *r) {
  size_t size = (size_t)(c->dim * problem->numberOfContacts);
  double *u = zeros(size, sizeof *u);
  SolverOptions *options = solver_options_create(c->id);
  if (c->inner) solver_options_update_internal(options, 0, c->inner);
  options->dparam[SICONOS_DPARAM_TOL] = tol;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = c->most;
  memset(r, 0, size * sizeof *r);
  if (c->dim == 3)
    fc3d_driver(problem, r, u, options);
  else
    fc2d_driver(problem, r, u, options);
  solver_options_delete(options);
  free(u);
}

// Tightens the tolerance until the judge agrees; true: it does.
static bool solve(const struct choice *c, const stc_problem *local, double tol, double *r) {
  stc_local_data data = stc_problem_local_data(local);
  FrictionContactProblem *problem = to_siconos(&data);
  double asked = tol;
  for (int k = 0; k < TRIALS; k++) {
    stc_residual found;
    run_choice(c, problem, asked, r);
    if (stc_problem_residual(local, &(stc_solution){.r = r}, &found)) return false;
    double error = found.eta > found.fclib_error ? found.eta : found.fclib_error;
    if (error <= tol) return true;
    if (!(error <= 1)) return false;  // far away, or not a number
    asked *= 0.5 * tol / error;
  }
  return false;
}

// ---- the program

static const struct choice *find_choice(const char *name, int dim) {
  for (int k = 0; k < CHOICES; k++)
    if (choices[k].dim == dim && !strcmp(choices[k].name, name)) return &choices[k];
  return NULL;
}

static int solve_file(const char *name, const char *in, const char *out, double tol) {
  stc_problem *problem = NULL, *local = NULL;
  if (stc_problem_read(in, &problem) || stc_problem_to_local(problem, &local))
    return complain(stc_error_detail());
  const struct choice *c = find_choice(name, stc_problem_dim(problem));
  if (!c) return complain("there is no such solver for this dimension");
  if (stc_problem_equalities(problem)) return complain("joints are not served");
  double *r = zeros((size_t)stc_problem_size(problem), sizeof *r);
  bool solved = solve(c, local, tol, r);
  if (stc_problem_write(problem, &(stc_solution){.r = r}, out)) return complain(stc_error_detail());
  free(r);
  stc_problem_free(&local);
  stc_problem_free(&problem);
  return solved ? 0 : 2;
}

int main(int argc, char **argv) {
  double tol = argc == 5 ? atof(argv[4]) : 1e-8;
  if ((argc == 4 || argc == 5) && tol > 0) return solve_file(argv[1], argv[2], argv[3], tol);
  return complain("usage: siconos_external SOLVER PROBLEM ANSWER [TOL]");
}
