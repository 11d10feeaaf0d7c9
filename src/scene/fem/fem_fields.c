// Fields of deformable bodies as blocks of a row: displacement, reaction, stress, alpha, one block
// of contact points per pair ("contact|PAIR"), one per curve ("curve|PLOT|NAME|PAIR|ALONG|WHAT").
#include "../view.h"
#include "fem_run.h"

#include <string.h>

// --- Contact points ---

// Behind node and state a point is numbers only, in this order.
enum { BEHIND = offsetof(stc_fem_contact_point, x), IN_POINT = STC_POINT_NUMBERS - 2 };
_Static_assert(sizeof(stc_fem_contact_point) == BEHIND + IN_POINT * sizeof(double),
               "x, gap, normal, tangent, area, pressure, shear, slip");

void stc_point_pack(const stc_fem_contact_point *p, double *n) {
  n[0] = p->node;
  n[1] = p->state;
  memcpy(n + 2, (const char *)p + BEHIND, IN_POINT * sizeof *n);
}

// Numbers of a file: whatever they are, a node and a state come out.
static int whole(double x, int most) { return x >= 0 && x <= most ? (int)x : 0; }

void stc_point_unpack(const double *n, stc_fem_contact_point *p) {
  p->node = whole(n[0], 2000000000);
  p->state = (stc_contact_state)whole(n[1], STC_CONTACT_SLIP);
  memcpy((char *)p + BEHIND, n + 2, IN_POINT * sizeof *n);
}

// --- The list ---

// A plot without curves has its range: two points of a curve without a name.
enum { RANGE_NUMBERS = 4 };

static void list_plot(stc_moving *run, const stc_scene_plot *plot) {
  for (int k = 0; k < plot->curves || k == 0; k++) {
    bool any = plot->curves > 0;
    stc_show_block(run,
                   stc_run_print(run, "curve|%s|%s|%s|%s|%s", plot->name,
                                 any ? plot->curve[k].name : "", plot->pair, plot->along,
                                 plot->quantity),
                   any ? 2 * plot->points : RANGE_NUMBERS);
  }
}

void stc_loading_list_blocks(stc_loading *l) {
  const stc_deform *d = l->deform;
  stc_moving *run = &l->run;
  run->mesh = d->used;
  stc_show_block(run, "displacement", d->used->nodes * d->used->dim);
  stc_show_block(run, "reaction", d->used->nodes * d->used->dim);
  stc_show_block(run, "stress", 6 * d->used->cells);
  stc_show_block(run, "alpha", d->used->cells);
  if (d->heat.described) {
    stc_show_block(run, "temperature", d->used->nodes);
    stc_show_block(run, "potential", d->used->nodes);
  }
  for (int k = 0; k < d->pairs.count; k++)
    stc_show_block(run, stc_run_print(run, "contact|%s", d->pair[k].pair.name),
                   STC_POINT_NUMBERS * stc_fem_contacts(l->fem, k));
  for (int k = 0; k < d->plots.count; k++) list_plot(run, &d->plot[k]);
}

// --- Filling ---

static double *fill_points(const stc_loading *l, int pair, double *numbers) {
  stc_fem_contact_point point;
  for (int k = 0; k < stc_fem_contacts(l->fem, pair); k++) {
    stc_fem_contact(l->fem, pair, k, &point);
    stc_point_pack(&point, numbers);
    numbers += STC_POINT_NUMBERS;
  }
  return numbers;
}

static stc_error fill_plot(stc_loading *l, const stc_scene_plot *plot, double **numbers) {
  if (!plot->curves) {
    const double range[RANGE_NUMBERS] = {plot->low, plot->high};
    memcpy(*numbers, range, sizeof range);
    *numbers += RANGE_NUMBERS;
  }
  for (int k = 0; k < plot->curves; k++) {
    double *x = *numbers, *y = x + plot->points;
    for (int i = 0; i < plot->points; i++)
      x[i] = plot->low + (plot->high - plot->low) * i / (plot->points - 1);
    STC_TRY(stc_view_curve(l->run.scene, &plot->curve[k].function, plot->curve[k].name, x,
                           plot->points, y));
    *numbers += 2 * plot->points;
  }
  return STC_OK;
}

stc_error stc_loading_fill_blocks(void *moving, double *numbers) {
  stc_loading *l = moving;
  size_t size = (size_t)l->run.block[0].count;
  memcpy(numbers, stc_fem_displacement(l->fem), size * sizeof *numbers);
  memcpy(numbers + size, stc_fem_reaction(l->fem), size * sizeof *numbers);
  double *stress = numbers + 2 * size;
  const stc_mesh *mesh = l->deform->used;
  double *alpha = stress + 6 * (size_t)mesh->cells;
  memset(stress, 0, 7 * (size_t)mesh->cells * sizeof *stress);
  for (int c = 0; c < mesh->cells; c++)
    if (stc_cell_dim((stc_cell_type)mesh->type[c]) == mesh->dim)
      stc_fem_stress(l->fem, c, stress + 6 * (size_t)c, alpha + c);
  numbers = alpha + mesh->cells;
  if (l->deform->heat.described) {
    size_t nodes = (size_t)mesh->nodes;
    memcpy(numbers, stc_fem_temperature(l->fem), nodes * sizeof *numbers);
    memcpy(numbers + nodes, stc_fem_potential(l->fem), nodes * sizeof *numbers);
    numbers += 2 * nodes;
  }
  for (int k = 0; k < l->deform->pairs.count; k++) numbers = fill_points(l, k, numbers);
  for (int k = 0; k < l->deform->plots.count; k++)
    STC_TRY(fill_plot(l, &l->deform->plot[k], &numbers));
  return STC_OK;
}
