// Alternating directions in the metric of kinetic energy, the De Saxcé term updated at every
// iteration, with Anderson acceleration on xi. One factorisation of W + rho K serves all
// iterations:
//   z = P_K(xi),  y = xi - z,  s = shift(-rho K y),
//   (W + rho K) r = rho K (z - y) - q - s e_N,   xi <- r + y.
// At a fixed point r = z and u + s e_N = -rho K y.  [Douglas and Rachford 1956; Gabay and Mercier
// 1976.]
#include "anderson.h"
#include "method.h"

#include <math.h>
#include <string.h>

// Iterations between two judgements, and those after which progress is weighed.
enum { BATCH = 5, CHUNK = 60 };
// A chunk must gain this factor, or the next rho of the ladder is tried.
static const double CHUNK_GAIN = 0.4;
// Packings want the first rho; tall stacks, long elastic chains, want the last.
static const double LADDER[] = {1, 1e-2, 1e-4};
enum { RUNGS = sizeof LADDER / sizeof *LADDER };
// First rho in units of kappa: with many redundant contacts, and without.
static const double RHO_REDUNDANT = 0.03, RHO_PLAIN = 0.1;

typedef struct admm {
  stc_arena arena;
  stc_jacobian *jacobian;
  stc_anderson anderson;
  double *weight;  // [size] kappa
  double *xi, *image;
  double *F, *y;
  double first_rho, rho;
  int rung;
  long since;  // iterations since progress was weighed
  double chunk_merit;
} admm;

static void set_numbers(admm *a, const stc_solver *s) {
  const stc_reduced *p = s->problem;
  for (int k = 0; k < p->size; k++) a->weight[k] = p->kappa[k / p->dim];
}

static stc_error fill(stc_solver *s, admm *a) {
  stc_reduced *p = s->problem;
  STC_TRY(stc_solver_share_jacobian(s, &a->jacobian));
  double **vectors[] = {&a->weight, &a->xi, &a->image, &a->F, &a->y};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    *vectors[k] = STC_TAKE_RAW(&a->arena, double, p->size);
  STC_TRY(
      stc_anderson_create(&a->arena, p->size, s->settings.admm.anderson, a->weight, &a->anderson));
  double chosen = s->settings.admm.rho;
  a->first_rho = chosen > 0 ? chosen : stc_reduced_redundant(p) ? RHO_REDUNDANT : RHO_PLAIN;
  set_numbers(a, s);
  return STC_OK;
}

static void admm_free(void **state) {
  admm *a = *state;
  stc_arena_free(&a->arena);
  stc_release(state);
}

static stc_error setup(stc_solver *s, void **state) {
  admm *a = *state = stc_calloc(1, sizeof *a);
  if (!a) return stc_fail(STC_ERR_MEMORY, "out of memory");
  stc_error error = fill(s, a);
  if (error) admm_free(state);
  return error;
}

static stc_error update(stc_solver *s, void *state) {
  set_numbers(state, s);
  return STC_OK;
}

// W + rho K: A = 0, B = I, prox = rho kappa.
static void factorise(admm *a, const stc_reduced *p) {
  int d = p->dim;
  memset(a->jacobian->A, 0, (size_t)(p->size * d) * sizeof(double));
  memset(a->jacobian->B, 0, (size_t)(p->size * d) * sizeof(double));
  for (int c = 0; c < p->contacts; c++) {
    a->jacobian->prox[c] = a->rho * p->kappa[c];
    for (int k = 0; k < d; k++) a->jacobian->B[(ptrdiff_t)c * d * d + k * (d + 1)] = 1;
  }
  stc_jacobian_factorise(a->jacobian);
}

// xi = r - (u + s e_N) / (rho kappa): the fixed point if r is a solution.
static void enter(admm *a, const stc_solver *s, double rho) {
  const stc_reduced *p = s->problem;
  int d = p->dim;
  a->rho = rho;
  for (int c = 0; c < p->contacts; c++) {
    double shift = stc_law_shift(&p->law[c], s->u + c * d);
    for (int k = c * d; k < (c + 1) * d; k++)
      a->xi[k] = s->r[k] - (s->u[k] + (k == c * d ? shift : 0)) / (rho * p->kappa[c]);
  }
  factorise(a, p);
  stc_anderson_reset(&a->anderson);
  a->since = 0;
  a->chunk_merit = s->best_merit;
}

static void start(stc_solver *s, void *state) {
  admm *a = state;
  a->rung = 0;
  enter(a, s, a->first_rho);
}

// image = the next xi; z is left in r.
static void step(admm *a, const stc_reduced *p, double *z) {
  int d = p->dim;
  for (int c = 0; c < p->contacts; c++) {
    double weight = a->rho * p->kappa[c], u[STC_MAX_DIM];
    stc_law_project(&p->law[c], a->xi + c * d, z + c * d);
    for (int k = 0; k < d; k++) {
      int at = c * d + k;
      a->y[at] = a->xi[at] - z[at];
      u[k] = -weight * a->y[at];
      a->F[at] = p->q[at] - weight * (z[at] - a->y[at]);
    }
    a->F[c * d] += stc_law_shift(&p->law[c], u);
  }
  stc_jacobian_apply(a->jacobian, a->F, a->image);
  for (int k = 0; k < p->size; k++) a->image[k] += a->y[k];
}

static bool next_rung(admm *a, stc_solver *s) {
  if (a->since < CHUNK) return true;
  if (s->best_merit < CHUNK_GAIN * a->chunk_merit) {
    a->since = 0;
    a->chunk_merit = s->best_merit;
    return true;
  }
  if (++a->rung > s->settings.admm.ladder || a->rung >= RUNGS) return false;
  memcpy(s->r, s->best, (size_t)s->problem->size * sizeof *s->r);
  stc_reduced_velocity(s->problem, s->r, s->work, s->u);
  enter(a, s, a->first_rho * LADDER[a->rung]);
  return true;
}

static stc_step iterate(stc_solver *s, void *state) {
  admm *a = state;
  s->done = 0;
  if (!next_rung(a, s)) return STC_STEP_STALLED;
  long batch = BATCH < stc_solver_left(s) ? BATCH : stc_solver_left(s);
  for (; s->done < batch; s->done++) {
    step(a, s->problem, s->r);
    stc_anderson_step(&a->anderson, a->xi, a->image);
  }
  for (int c = 0; c < s->problem->contacts; c++)
    stc_law_project(&s->problem->law[c], a->xi + c * s->problem->dim, s->r + c * s->problem->dim);
  a->since += s->done;
  return STC_STEP_ON;
}

const stc_method stc_method_admm = {
    .name = "admm",
    .summary = "alternating directions with Anderson acceleration; walls, towers, stacks",
    .setup = setup,
    .start = start,
    .iterate = iterate,
    .free = admm_free,
    .update = update,
};
