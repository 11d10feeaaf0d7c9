// What lies on the sides of the layer and no node of the mesh has: tractions on its functions, and
// functions that a support gives. A side of a group reaches into the layer over the edges of
// Gamma_C that it has in common with it.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../../linalg/small.h"

/// Points of the Gauss rule along an edge.
enum { ALONG = 3 };

// --- Finding ---

/// Nodes of the mesh as the surface knows them.
typedef struct side_map {
  int *fibre;    ///< [nodes] over this node; -1: none
  bool *inner;   ///< [nodes] at the other side of a layer inside of the mesh
  bool *listed;  ///< [cells] of Gamma_C itself
} side_map;

static stc_error open_map(const stc_strip *s, stc_arena *work, side_map *map) {
  map->fibre = STC_TAKE(work, int, s->mesh.nodes);
  map->inner = STC_TAKE(work, bool, s->mesh.nodes);
  map->listed = STC_TAKE(work, bool, s->mesh.cells);
  STC_TRY(stc_arena_check(work));
  for (int a = 0; a < s->mesh.nodes; a++) map->fibre[a] = -1;
  for (int k = 0; k < s->fibres; k++) {
    map->fibre[s->fibre[k].node] = k;
    if (s->inside) map->inner[s->fibre[k].inner] = true;
  }
  const char *name = s->settings.contact ? s->settings.contact : "bottom";
  const stc_group *contact = &s->mesh.group[stc_mesh_find(&s->mesh, name)];
  for (int k = 0; k < contact->cells; k++) map->listed[contact->cell[k]] = true;
  return STC_OK;
}

// A cell of a group reaches along the layer, or it only touches it.
static bool reaches(const stc_strip *s, const side_map *map, int cell) {
  bool across = !s->inside;
  for (int e = s->mesh.ptr[cell]; e < s->mesh.ptr[cell + 1]; e++)
    across = across || map->inner[s->mesh.node[e]];
  return across && !map->listed[cell];
}

static const stc_group *group_of(const stc_strip *s, const char *name) {
  int k = name ? stc_mesh_find(&s->mesh, name) : -1;
  return k < 0 ? NULL : &s->mesh.group[k];
}

// The fibres whose ends in the mesh a support holds.
static stc_error find_held(stc_strip *s, const char *name, stc_layer_side *side) {
  const stc_group *group = group_of(s, name);
  STC_ARENA work = {0};
  bool *on = STC_TAKE(&work, bool, s->mesh.nodes);
  side->edge = STC_TAKE(&s->arena, stc_layer_edge, s->fibres);
  STC_TRY(stc_arena_check(&work));
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; group && k < group->cells; k++)
    for (int e = s->mesh.ptr[group->cell[k]]; e < s->mesh.ptr[group->cell[k] + 1]; e++)
      on[s->mesh.node[e]] = true;
  for (int k = 0; k < s->fibres; k++) {
    if (!on[s->fibre[k].node] || !on[s->fibre[k].inner]) continue;
    side->edge[side->count++] = (stc_layer_edge){{k, k}, -1};
  }
  return STC_OK;
}

// The face of Gamma_C that has both fibres; -1: none.
static int face_with(const stc_strip *s, int a, int b) {
  for (int k = 0; k < s->faces; k++) {
    bool first = false, second = false;
    for (int i = 0; i < s->face[k].nodes; i++) {
      first = first || s->face[k].fibre[i] == a;
      second = second || s->face[k].fibre[i] == b;
    }
    if (first && second) return k;
  }
  return -1;
}

// The edge of Gamma_C in a cell of a group: in the plane a node, in space two that follow each
// other.
static void take_edge(const stc_strip *s, const side_map *map, int cell, stc_layer_side *side) {
  const int *node = s->mesh.node + s->mesh.ptr[cell];
  int nodes = s->mesh.ptr[cell + 1] - s->mesh.ptr[cell];
  for (int a = 0; a < nodes; a++) {
    int first = map->fibre[node[a]];
    int second = s->dim == 2 ? first : map->fibre[node[(a + 1) % nodes]];
    int face = first < 0 || second < 0 ? -1 : face_with(s, first, second);
    if (face < 0) continue;
    side->edge[side->count++] = (stc_layer_edge){{first, second}, face};
    return;
  }
}

static stc_error find_pushed(stc_strip *s, const side_map *map, const char *name,
                             stc_layer_side *side) {
  const stc_group *group = group_of(s, name);
  side->edge = STC_TAKE(&s->arena, stc_layer_edge, group ? group->cells : 0);
  STC_TRY(stc_arena_check(&s->arena));
  for (int k = 0; group && k < group->cells; k++)
    if (reaches(s, map, group->cell[k])) take_edge(s, map, group->cell[k], side);
  return STC_OK;
}

stc_error stc_layer_find_sides(stc_strip *s) {
  const stc_strip_settings *set = &s->settings;
  STC_ARENA work = {0};
  side_map map;
  if (!stc_strip_has_layer(s)) return STC_OK;
  s->held = STC_TAKE(&s->arena, stc_layer_side, set->supports);
  s->pushed = STC_TAKE(&s->arena, stc_layer_side, set->tractions);
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(open_map(s, &work, &map));
  for (int k = 0; k < set->supports; k++) STC_TRY(find_held(s, set->support[k].group, &s->held[k]));
  for (int k = 0; k < set->tractions; k++)
    STC_TRY(find_pushed(s, &map, set->traction[k].group, &s->pushed[k]));
  return STC_OK;
}

// --- Tractions ---

/// An edge of a side under a traction.
typedef struct side_edge {
  const stc_strip *strip;
  const stc_traction *traction;
  const stc_fibre *fibre[2];
  double inward[3];  ///< from the edge into the layer, about
} side_edge;

static side_edge open_edge(const stc_strip *s, const stc_traction *traction,
                           const stc_layer_edge *edge) {
  side_edge e = {.strip = s,
                 .traction = traction,
                 .fibre = {&s->fibre[edge->fibre[0]], &s->fibre[edge->fibre[1]]}};
  const stc_face *face = &s->face[edge->face];
  for (int i = 0; i < s->dim; i++) {
    for (int a = 0; a < face->nodes; a++)
      e.inward[i] += s->fibre[face->fibre[a]].foot[i] / face->nodes;
    e.inward[i] -= (e.fibre[0]->foot[i] + e.fibre[1]->foot[i]) / 2;
  }
  return e;
}

// The place at the parts `a` of the edge and `up` of the layer, and the vector of area there, into
// the body.
static void place_on_side(const side_edge *e, double a, double up, double *x, double *n) {
  double along[3] = {0}, across[3] = {0}, inward = 0;
  int d = e->strip->dim;
  for (int i = 0; i < d; i++) {
    const stc_fibre *f = e->fibre[0], *g = e->fibre[1];
    double foot = (1 - a) * f->foot[i] + a * g->foot[i];
    double head = (1 - a) * f->head[i] + a * g->head[i];
    x[i] = foot + up * (head - foot);
    across[i] = head - foot;
    along[i] = (1 - up) * (g->foot[i] - f->foot[i]) + up * (g->head[i] - f->head[i]);
  }
  if (d == 2) along[2] = 1;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = along[j] * across[k] - along[k] * across[j];
    inward += n[i] * e->inward[i];
  }
  for (int i = 0; i < 3 && inward < 0; i++) n[i] = -n[i];
}

// Functions that the mesh has already get nothing.
static void push_fibre(const side_edge *e, const stc_fibre *fibre, const double *N, double part,
                       const double *force, double *load) {
  const stc_strip *s = e->strip;
  for (int j = s->inside ? 2 : 0; j < stc_layer_functions(s); j++)
    for (int i = 0; i < s->dim; i++)
      load[stc_fibre_function(s, fibre, j) * s->dim + i] += part * N[j] * force[i];
}

static stc_error push_point(const side_edge *e, double t, double a, double up, double weight,
                            double *load) {
  const stc_strip *s = e->strip;
  double x[3] = {0}, n[3], value, force[3], N[STC_ACROSS_MAX];
  place_on_side(e, a, up, x, n);
  STC_TRY(stc_given_value(&e->traction->traction, t, x, s->dim, "the traction", e->traction->group,
                          &value));
  for (int i = 0; i < s->dim; i++)
    force[i] = weight * value *
               (e->traction->component < 0    ? n[i]
                : e->traction->component == i ? stc_interface_norm(3, n)
                                              : 0);
  stc_layer_across(s->settings.degree, up, N, NULL);
  push_fibre(e, e->fibre[0], N, s->dim == 2 ? 1 : 1 - a, force, load);
  if (s->dim == 3) push_fibre(e, e->fibre[1], N, a, force, load);
  return STC_OK;
}

static stc_error push_edge(const side_edge *e, double t, double *load) {
  double at[STC_ACROSS_MAX + 1], weight[STC_ACROSS_MAX + 1], edge_at[ALONG], edge_weight[ALONG];
  int across = stc_layer_functions(e->strip) + 1, along = e->strip->dim == 2 ? 1 : ALONG;
  stc_gauss(across, at, weight);
  stc_gauss(along, edge_at, edge_weight);
  for (int p = 0; p < along; p++)
    for (int q = 0; q < across; q++)
      STC_TRY(push_point(e, t, edge_at[p], at[q], edge_weight[p] * weight[q], load));
  return STC_OK;
}

stc_error stc_layer_push_sides(const stc_strip *s, double t, double *load) {
  for (int k = 0; s->pushed && k < s->settings.tractions; k++)
    for (int i = 0; i < s->pushed[k].count; i++) {
      side_edge e = open_edge(s, &s->settings.traction[k], &s->pushed[k].edge[i]);
      STC_TRY(push_edge(&e, t, load));
    }
  return STC_OK;
}

// --- Values across the layer ---

stc_error stc_layer_fit(const stc_strip *s, const stc_fibre *f, int i, stc_layer_value value,
                        void *user, double *out) {
  int degree = s->settings.degree, bubbles = degree - 1;
  double A[STC_ACROSS_MAX * STC_ACROSS_MAX], inverse[STC_ACROSS_MAX * STC_ACROSS_MAX];
  double rest[STC_ACROSS_MAX], N[STC_ACROSS_MAX];
  for (int k = 0; k < bubbles; k++) {
    double up = (double)(k + 1) / degree, x[3] = {0};
    for (int j = 0; j < s->dim; j++) x[j] = f->foot[j] + up * (f->head[j] - f->foot[j]);
    STC_TRY(value(user, x, &rest[k]));
    stc_layer_across(degree, up, N, NULL);
    rest[k] -= N[0] * out[f->low * s->dim + i] + N[1] * out[f->high * s->dim + i];
    memcpy(A + k * bubbles, N + 2, (size_t)bubbles * sizeof *A);
  }
  stc_small_invert(bubbles, A, 0, inverse);
  for (int j = 0; j < bubbles; j++) {
    double *at = &out[stc_fibre_function(s, f, j + 2) * s->dim + i];
    *at = 0;
    for (int k = 0; k < bubbles; k++) *at += inverse[j * bubbles + k] * rest[k];
  }
  return STC_OK;
}

/// The displacement of a support at t.
typedef struct held_value {
  const stc_strip *strip;
  const stc_support *support;
  double t;
} held_value;

static stc_error held_at(void *user, const double *x, double *value) {
  const held_value *h = user;
  return stc_given_value(&h->support->displacement, h->t, x, h->strip->dim, "the displacement",
                         h->support->group, value);
}

static stc_error hold_fibre(stc_strip *s, held_value *h, const stc_fibre *f, double *value) {
  int i = h->support->component;
  if (!s->inside && s->settings.degree > 0) {
    s->fixed[f->low * s->dim + i] = true;
    STC_TRY(held_at(h, f->foot, &value[f->low * s->dim + i]));
  }
  for (int j = 2; j < stc_layer_functions(s); j++)
    s->fixed[stc_fibre_function(s, f, j) * s->dim + i] = true;
  return stc_layer_fit(s, f, i, held_at, h, value);
}

stc_error stc_layer_hold_sides(stc_strip *s, double t, double *value) {
  for (int k = 0; s->held && k < s->settings.supports; k++) {
    held_value h = {.strip = s, .support = &s->settings.support[k], .t = t};
    for (int i = 0; i < s->held[k].count; i++)
      STC_TRY(hold_fibre(s, &h, &s->fibre[s->held[k].edge[i].fibre[0]], value));
  }
  return STC_OK;
}
