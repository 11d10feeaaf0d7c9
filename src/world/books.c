// The books of a step. Gravity has a potential, and free flight keeps the energy, so that
//   E+ - E = r.(U + U+)/2 + r.drive + l.(G (v + v+)/2 + driven) - l.driven
// exactly: shock (normal parts, joints), friction (the rest), drive (moving obstacles).
#include "world_data.h"

static void add(stc_tally *sum, double x) {
  double total = sum->value + x;
  bool kept = fabs(sum->value) >= fabs(x);
  sum->rest += kept ? (sum->value - total) + x : (x - total) + sum->value;
  sum->value = total;
}

static double value(const stc_tally *sum) { return sum->value + sum->rest; }

static double kinetic_of(const stc_world *world, const stc_node *node, const stc_place *place) {
  double momentum[3];
  if (world->settings.plane)
    return node->mass * stc_dot3(place->v, place->v) / 2 +
           node->inertia[8] * place->omega[2] * place->omega[2] / 2;
  stc_mul3(node->inertia, place->omega, momentum);
  return (node->mass * stc_dot3(place->v, place->v) + stc_dot3(momentum, place->omega)) / 2;
}

double stc_books_energy(const stc_world *world, const stc_place *place, double *kinetic,
                        double *potential) {
  stc_tally T = {0}, V = {0};
  for (int b = 0; b < world->bodies; b++) {
    const stc_node *node = &STC_NODES(world)[b];
    if (node->dof < 0) continue;
    add(&T, kinetic_of(world, node, &place[b]));
    add(&V, -node->mass * stc_dot3(world->settings.gravity, place[b].x));
  }
  *kinetic = value(&T);
  *potential = value(&V);
  return *kinetic + *potential;
}

void stc_books_open(stc_world *world) {
  stc_ledger *ledger = &world->ledger;
  memset(world->sum, 0, sizeof world->sum);
  *ledger = (stc_ledger){0};
  ledger->start = stc_books_energy(world, STC_PLACES(world), &ledger->kinetic, &ledger->potential);
}

/// A contact gives no energy. One part of its work may be positive where a shock couples the normal
/// and the tangent: then the other part holds both. Where the frame or the velocity turns within
/// the step even their sum may be, by the order of h: what the time step gives counts as
/// correction.
static void book_contact(stc_world *world, double normal, double tangential) {
  double sum = normal + tangential;
  if (sum > 0)
    add(&world->trial[STC_BOOK_CORRECTION], sum);
  else if (tangential > 0)
    add(&world->trial[STC_BOOK_SHOCK], sum);
  else if (normal > 0)
    add(&world->trial[STC_BOOK_FRICTION], sum);
  if (sum > 0 || tangential > 0 || normal > 0) return;
  add(&world->trial[STC_BOOK_SHOCK], normal);
  add(&world->trial[STC_BOOK_FRICTION], tangential);
}

static void book_contacts(stc_world *world) {
  const double *r = STC_ROW(world, STC_ROW_R), *drive = STC_ROW(world, STC_ROW_DRIVE);
  const double *before = STC_ROW(world, STC_ROW_BEFORE), *after = STC_ROW(world, STC_ROW_AFTER);
  for (int first = 0; first < world->count * world->dim; first += world->dim) {
    double part[2] = {0};
    for (int k = first; k < first + world->dim; k++) {
      part[k > first] += r[k] * (before[k] + after[k]) / 2;
      add(&world->trial[STC_BOOK_DRIVE], r[k] * drive[k]);
    }
    book_contact(world, part[0], part[1]);
  }
}

static double row_product(const stc_rows *A, int row, const double *x) {
  const int *ptr = A->ptr.data, *col = A->col.data;
  const double *val = A->val.data;
  double sum = 0;
  for (int e = ptr[row]; e < ptr[row + 1]; e++) sum += val[e] * x[col[e]];
  return sum;
}

static void book_joints(stc_world *world) {
  const double *l = world->multiplier.data, *driven = world->driven.data;
  for (int k = 0; k < world->equalities; k++) {
    double before = row_product(&world->G, k, STC_SPEED(world, STC_SPEED_BEFORE));
    double after = row_product(&world->G, k, STC_SPEED(world, STC_SPEED_AFTER));
    add(&world->trial[STC_BOOK_SHOCK], l[k] * ((before + after) / 2 + driven[k]));
    add(&world->trial[STC_BOOK_DRIVE], -l[k] * driven[k]);
  }
}

void stc_books_motion(stc_world *world) {
  memcpy(world->trial, world->sum, sizeof world->trial);
  book_contacts(world);
  book_joints(world);
}

/// Strikes the balance.
void stc_books_close(stc_world *world, double before) {
  stc_ledger *ledger = &world->trial_ledger;
  stc_tally *sum = world->trial, error = {0};
  *ledger = (stc_ledger){.start = world->ledger.start};
  double now = stc_books_energy(world, STC_NEXT(world), &ledger->kinetic, &ledger->potential);
  add(&sum[STC_BOOK_CORRECTION], now - before);
  ledger->work = value(&sum[STC_BOOK_WORK]);
  ledger->drive = value(&sum[STC_BOOK_DRIVE]);
  ledger->friction = value(&sum[STC_BOOK_FRICTION]);
  ledger->shock = value(&sum[STC_BOOK_SHOCK]);
  ledger->correction = value(&sum[STC_BOOK_CORRECTION]);
  add(&error, ledger->kinetic);
  add(&error, ledger->potential);
  add(&error, -ledger->start);
  for (int k = 0; k < STC_BOOKS; k++) {
    add(&error, -sum[k].value);
    add(&error, -sum[k].rest);
  }
  ledger->error = value(&error);
}
