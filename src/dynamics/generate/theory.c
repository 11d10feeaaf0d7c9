// Small problems whose solutions, or their absence, are known in closed form.
//   Painlevé  M = 1, H = (1, kappa), w = (0, w_T):  sliding needs r_N = f / (1 - mu kappa sign w_T)
//   wedge     two walls at angle a, mass point with v^- = V e_x, restitution e on the normals
#include "generators.h"

#include "../../base/elementary.h"

#include <math.h>
#include <string.h>

enum { MAX_DOFS = 3, MAX_SIZE = 6, MAX_CONTACTS = 2 };

// A dense problem with M = I.
typedef struct dense {
  int dim, contacts, dofs;
  double H[MAX_SIZE][MAX_DOFS];
  double f[MAX_DOFS];
  double w[MAX_SIZE];
  double mu[MAX_CONTACTS];
} dense;

// Entries of the leading block of H as triplets, zeros left out.
static int gather(const dense *d, int *row, int *col, double *value) {
  int entries = 0;
  for (int i = 0; i < d->dim * d->contacts; i++)
    for (int j = 0; j < d->dofs; j++)
      if (d->H[i][j] != 0.0) {
        row[entries] = i;
        col[entries] = j;
        value[entries++] = d->H[i][j];
      }
  return entries;
}

static stc_error create(const dense *d, double mu2, const char *known, stc_problem **problem) {
  static const int INDEX[MAX_DOFS] = {0, 1, 2};
  static const double ONE[MAX_DOFS] = {1.0, 1.0, 1.0};
  int row[MAX_SIZE * MAX_DOFS], col[MAX_SIZE * MAX_DOFS];
  double value[MAX_SIZE * MAX_DOFS], across[MAX_CONTACTS] = {mu2, mu2};
  stc_global_data data = {.dim = d->dim, .contacts = d->contacts, .dofs = d->dofs};
  data.M = (stc_matrix){.rows = d->dofs, .cols = d->dofs, .entries = d->dofs};
  data.M.storage = STC_STORAGE_TRIPLET;
  data.M.i = data.M.p = INDEX;
  data.M.x = ONE;
  data.H = (stc_matrix){.rows = d->dim * d->contacts, .cols = d->dofs};
  data.H.entries = gather(d, row, col, value);
  data.H.storage = STC_STORAGE_TRIPLET;
  data.H.i = row;
  data.H.p = col;
  data.H.x = value;
  data.f = d->f;
  data.w = d->w;
  data.mu = d->mu;
  data.mu2 = mu2 > 0.0 ? across : NULL;
  stc_error error = stc_problem_create_global(&data, problem);
  if (!error) error = stc_problem_set_text(*problem, &(stc_problem_text){.math_info = known});
  if (error) stc_problem_free(problem);
  return error;
}

// Sub-cases of the Painlevé problem with what is known for mu = 1, kappa = 2.
typedef struct painleve_case {
  double w_T, f;
  bool blocked;  // a second contact keeps v >= 1, so that the first one can never close
  const char *known;
} painleve_case;

static const painleve_case PAINLEVE[] = {
    {1, 1, false, "no solution where mu kappa > 1"},
    {1, -1, false,
     "mu = 1, kappa = 2: exactly two solutions, v = 1, u = (1, 3), r = 0 and v = 0, u = (0, 1), "
     "r = (1, -1)"},
    {-1, 1, false, "mu = 1, kappa = 2: one solution, v = 0, u = (0, -1), r = (1/3, 1/3)"},
    {-1, -1, false, "mu = 1, kappa = 2: one solution, v = 1, u = (1, 1), r = 0"},
    {1, 10, true, "v = 1, r = (0, 0) at contact 0, r_N = 11 and any |r_T| <= 5.5 at contact 1"}};

stc_error stc_generate_painleve(const stc_generator *options, stc_problem **problem) {
  const painleve_case *sub = &PAINLEVE[options->n];
  dense d = {.dim = 2, .contacts = 1, .dofs = 1, .mu = {options->mu, 0.5}};
  d.H[0][0] = 1.0;
  d.H[1][0] = options->param;
  d.w[1] = sub->w_T;
  d.f[0] = sub->f;
  if (sub->blocked) {
    d.contacts = 2;
    d.H[2][0] = 1.0;
    d.w[2] = -1.0;
  }
  return create(&d, 0.0, sub->known, problem);
}

stc_error stc_generate_painleve3d(const stc_generator *options, stc_problem **problem) {
  dense d = {.dim = 3, .contacts = 1, .dofs = 1, .mu = {options->mu}};
  d.H[0][0] = 1.0;
  d.H[1][0] = 2.0;
  d.w[1] = 1.0;
  d.w[2] = options->param;
  d.f[0] = 1.0;
  return create(&d, options->mu2,
                "mu = 1: no solution where param < sqrt(3), else one with "
                "r_N = 1 / (1 - 2 / sqrt(1 + param^2))",
                problem);
}

// Sub-cases of the wedge with what is known for mu = 0.5, V = 1.
typedef struct wedge_case {
  double angle, restitution;
  const char *known;
} wedge_case;

static const wedge_case WEDGE[] = {
    {0.3, 0.5, "mu = 0.5: no solution (the wedge jams, tan a < mu)"},
    {0.3, 0.0, "mu = 0.5: v = 0, with a continuum of reactions"},
    {0.6, 0.5, "mu = 0.5, param = 1: one solution, v = (-0.5, 0), r = (4.935, 2.4675) at both"},
    {0.6, 0.0, "mu = 0.5: v = 0, with a continuum of reactions"}};

// Rows N, T1 of the walls at angles +a and -a in the plane, T2 along z where dim is 3.
static dense make_wedge(const stc_generator *options, const wedge_case *sub, int dim) {
  double c = stc_cos(sub->angle), s = stc_sin(sub->angle);
  dense d = {.dim = dim, .contacts = 2, .dofs = dim, .mu = {options->mu, options->mu}};
  for (int wall = 0; wall < 2; wall++) {
    double side = wall == 0 ? 1.0 : -1.0;
    double(*row)[MAX_DOFS] = d.H + wall * dim;
    memcpy(row[0], (double[MAX_DOFS]){-s, side * c}, sizeof row[0]);
    memcpy(row[1], (double[MAX_DOFS]){c, side * s}, sizeof row[1]);
    if (dim == 3) row[2][2] = 1.0;
  }
  return d;
}

// v^- = (speed, 0[, v_z]), f = -v^-, w_N = e u_N^-.
static void set_impact(dense *d, double restitution, double speed, double v_z) {
  d->f[0] = -speed;
  if (d->dim == 3) d->f[2] = -v_z;
  for (int wall = 0; wall < 2; wall++)
    d->w[wall * d->dim] = restitution * speed * d->H[wall * d->dim][0];
}

stc_error stc_generate_wedge(const stc_generator *options, stc_problem **problem) {
  const wedge_case *sub = &WEDGE[options->n];
  dense d = make_wedge(options, sub, 2);
  set_impact(&d, sub->restitution, options->param, 0.0);
  return create(&d, 0.0, sub->known, problem);
}

stc_error stc_generate_wedge3d(const stc_generator *options, stc_problem **problem) {
  dense d = make_wedge(options, &WEDGE[0], 3);
  set_impact(&d, WEDGE[0].restitution, 1.0, options->param);
  return create(&d, options->mu2,
                "mu = 0.5: no solution where |param| < 5.952499, two where it is larger", problem);
}
