// Which bodies the supports hold. A body is made of nodes joined by cells; one with rigid motions
// left that no contact can reach either is refused with these motions named.
#include "../base/fail.h"
#include "../base/number.h"
#include "fem_data.h"
#include "mesh/mesh.h"

#include <math.h>

int stc_fem_modes(const stc_fem *f) {
  return stc_motions_count(&(stc_motions){.dim = f->dim, .axisymmetric = f->axisymmetric});
}

void stc_fem_say_place(const stc_fem *f, int node, char *text, size_t room) {
  stc_say_place(text, room, f->mesh->x + (ptrdiff_t)node * f->dim, f->dim);
}

static const double *place_of_node(const stc_fem *f, int unknown) {
  return f->mesh->x + (ptrdiff_t)(unknown / f->dim) * f->dim;
}

// --- Bodies: nodes joined by cells ---

static int root(int *parent, int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

static void join_nodes(const stc_mesh *mesh, int *parent) {
  for (int a = 0; a < mesh->nodes; a++) parent[a] = a;
  for (int c = 0; c < mesh->cells; c++) {
    if (stc_cell_dim(mesh->type[c]) != mesh->dim) continue;
    int first = root(parent, mesh->node[mesh->ptr[c]]);
    for (int k = mesh->ptr[c] + 1; k < mesh->ptr[c + 1]; k++) {
      int other = root(parent, mesh->node[k]);
      int low = first < other ? first : other;
      parent[first] = parent[other] = low;
      first = low;
    }
  }
}

// The body of every node, numbered by its first node; how many.
static int number_bodies(const stc_mesh *mesh, int *body) {
  int count = 0;
  join_nodes(mesh, body);
  for (int a = 0; a < mesh->nodes; a++) body[a] = root(body, a);
  for (int a = 0; a < mesh->nodes; a++) body[a] = body[a] == a ? count++ : body[body[a]];
  return count;
}

// --- What supports leave ---

static void mark_group(const stc_mesh *mesh, const char *name, const int *body, stc_loose *b) {
  int k = name ? stc_mesh_find(mesh, name) : -1;
  if (k < 0) return;
  for (int c = 0; c < mesh->group[k].cells; c++)
    for (int a = mesh->ptr[mesh->group[k].cell[c]]; a < mesh->ptr[mesh->group[k].cell[c] + 1]; a++)
      b[body[mesh->node[a]]].touches = true;
}

// Boxes, names, contacts and supports of all bodies.
static void look_at_bodies(const stc_fem *f, const stc_fem_description *d, const int *body,
                           int count, stc_loose *b) {
  const stc_mesh *mesh = f->mesh;
  double z[STC_RIGID_MODES];
  for (int k = 0; k < count; k++)
    b[k].motions = (stc_motions){.dim = f->dim, .axisymmetric = f->axisymmetric};
  for (int a = 0; a < mesh->nodes; a++)
    stc_motions_add(&b[body[a]].motions, mesh->x + (ptrdiff_t)a * f->dim);
  for (int c = mesh->cells - 1; c >= 0; c--)
    if (stc_cell_dim(mesh->type[c]) == mesh->dim)
      b[body[mesh->node[mesh->ptr[c]]]].name = d->body[stc_solid_body(f->solid, c)].group;
  for (int p = 0; p < d->pairs; p++) {
    mark_group(mesh, d->pair[p].slave, body, b);
    mark_group(mesh, d->pair[p].master, body, b);
  }
  for (int i = 0; i < f->size; i++) {
    if (!f->fixed[i]) continue;
    stc_motions_at(&b[body[i / f->dim]].motions, i % f->dim, place_of_node(f, i), z);
    stc_motions_hold(&b[body[i / f->dim]].motions, z);
  }
  for (int k = 0; k < count; k++) stc_motions_find(&b[k].motions);
}

// Keeps the bodies with motions left, and numbers them.
static stc_error list_loose(stc_fem *f, const int *body, int count, stc_loose *b) {
  for (int k = 0; k < count; k++) f->loose += b[k].motions.left > 0;
  f->body = STC_TAKE(&f->arena, stc_loose, f->loose);
  f->loose_of = STC_TAKE(&f->arena, int, f->free);
  STC_TRY(stc_arena_check(&f->arena));
  for (int k = 0, at = 0; k < count; k++) {
    b[k].number = b[k].motions.left > 0 ? at++ : -1;
    if (b[k].number < 0) continue;
    f->body[b[k].number] = b[k];
    f->body[b[k].number].name = stc_arena_text(&f->arena, b[k].name);
  }
  for (int i = 0; i < f->free; i++) f->loose_of[i] = b[body[f->node[i]]].number;
  return stc_arena_check(&f->arena);
}

static stc_error refuse_loose(const stc_fem *f) {
  for (int k = 0; k < f->loose; k++) {
    const stc_loose *b = &f->body[k];
    char motions[700], place[80];
    double centre[3];
    if (b->touches) continue;
    stc_motions_say_all(&b->motions, motions, sizeof motions);
    stc_motions_centre(&b->motions, centre);
    stc_say_place(place, sizeof place, centre, f->dim);
    return stc_fail(STC_ERR_VALUE,
                    "body '%s' around %s is not held: it can %s; support it there, or let a "
                    "contact hold it",
                    b->name, place, motions);
  }
  return STC_OK;
}

// --- All of it ---

static stc_error find_loose(stc_fem *f, const stc_fem_description *d, int *body) {
  int count = number_bodies(f->mesh, body);
  stc_loose *b = stc_calloc((size_t)count, sizeof *b);
  if (!b) return stc_fail(STC_ERR_MEMORY, "out of memory for %d bodies", count);
  look_at_bodies(f, d, body, count, b);
  stc_error error = list_loose(f, body, count, b);
  stc_release(&b);
  return error;
}

stc_error stc_fem_hold(stc_fem *f, const stc_fem_description *d) {
  int *body = stc_calloc((size_t)f->mesh->nodes, sizeof *body);
  if (!body) return stc_fail(STC_ERR_MEMORY, "out of memory for the supports of the bodies");
  stc_error error = find_loose(f, d, body);
  stc_release(&body);
  if (error) return error;
  STC_TRY(refuse_loose(f));
  // Near-null vectors of the whole model, in one frame.
  stc_motions whole = {.dim = f->dim, .axisymmetric = f->axisymmetric};
  int modes = stc_motions_count(&whole);
  double z[STC_RIGID_MODES];
  f->mode = STC_TAKE(&f->arena, double, (size_t)modes *(size_t)f->free);
  STC_TRY(stc_arena_check(&f->arena));
  for (int a = 0; a < f->mesh->nodes; a++)
    stc_motions_add(&whole, f->mesh->x + (ptrdiff_t)a * f->dim);
  for (int i = 0; i < f->free; i++) {
    stc_motions_at(&whole, f->unknown[i] % f->dim, place_of_node(f, f->unknown[i]), z);
    for (int m = 0; m < modes; m++) f->mode[(ptrdiff_t)m * f->free + i] = z[m];
  }
  return STC_OK;
}

// --- What contacts do not hold ---

// The part of a body's forces that drives its motion k; *scale is what all of them would.
static double drive_springs(const stc_fem *f, int body, int k, const double *left,
                            const double *size, double *scale) {
  const stc_motions *m = &f->body[body].motions;
  double sum = 0, z[STC_RIGID_MODES];
  *scale = 0;
  for (int i = 0; i < f->free; i++) {
    if (f->loose_of[i] != body) continue;
    double value = 0;
    stc_motions_at(m, f->unknown[i] % f->dim, place_of_node(f, f->unknown[i]), z);
    for (int j = 0; j < stc_motions_count(m); j++) value += m->motion[k][j] * z[j];
    sum += value * left[i];
    *scale += fabs(value) * size[i];
  }
  return sum;
}

bool stc_fem_say_unheld(const stc_fem *f, const double *left, const double *size, char *text,
                        size_t room) {
  const double counts = 1e-6;  // a part of the forces that is not what an iteration left over
  double most = counts;
  text[0] = 0;
  for (int b = 0; b < f->loose; b++)
    for (int k = 0; k < f->body[b].motions.left; k++) {
      double scale, force = fabs(drive_springs(f, b, k, left, size, &scale));
      if (!(force > most * scale)) continue;
      most = force / scale;
      char one[250];
      stc_motions_say(&f->body[b].motions, k, one, sizeof one);
      stc_snprintf(text, room,
                   "body '%s' is held by contact only, and the contacts do not hold it: it can %s, "
                   "driven by what is left of its loads",
                   f->body[b].name, one);
    }
  return text[0];
}
