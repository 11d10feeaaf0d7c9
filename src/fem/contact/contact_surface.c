// All contact pairs of a model: frames, gaps and the rows of H.
//   H_N(k) = n_k . c_k,   H_T(k) = t_k . c_k,   c_k the weights of mortar.h
// n_k points from the master to the slave. Against an obstacle every node keeps its own normal.
#include "contact_surface.h"
#include "../../base/fail.h"
#include "layer.h"
#include "mortar.h"

#include <math.h>
#include <string.h>

typedef struct side_pair {
  stc_pair pair;  // names are not kept
  bool has_master, fixed_normal;
  int first;  // number of its first candidate
  stc_slaves slaves;
  stc_sheet master;
  stc_arena arena;  // of the pairing, which is found again
  stc_weights weights;
  bool found;
  double (*normal)[3];  // [slaves.count] of the nodes: master to slave
  double *distance;     // [slaves.count] to the obstacle
} side_pair;

struct stc_surface {
  const stc_mesh *mesh;
  int dim, pairs, count, version;
  stc_area_measure measure;
  side_pair *pair;
  stc_candidate *candidate;
  double *x;  // [nodes*dim] where the nodes are
  stc_csr rows;
  size_t room;  // entries rows has memory for
  int *slot;    // [nodes] candidate of an obstacle's node
  stc_arena arena;
};

// --- Creation ---

static stc_error check_pair(const stc_fem_description *d, int p) {
  const stc_pair *pair = &d->pair[p];
  if (!(pair->mu >= 0) || !isfinite(pair->mu))
    return stc_fail(STC_ERR_VALUE, "contact %d: mu = %g; give a number >= 0", p, pair->mu);
  if (pair->coefficient && stc_coefficient_check(pair->coefficient))
    return stc_fail(STC_ERR_VALUE, "contact %d: %s", p, stc_error_detail());
  if (!pair->master && !pair->obstacle.distance)
    return stc_fail(STC_ERR_ARGUMENT,
                    "contact %d has neither a master surface nor an obstacle with a distance", p);
  STC_TRY(stc_layer_check(&pair->layer, p));
  for (int i = 0; i < 3; i++)
    if (!isfinite(pair->normal[i]) || (i >= d->mesh->dim && pair->normal[i] != 0))
      return stc_fail(STC_ERR_VALUE, "contact %d: normal[%d] = %g", p, i, pair->normal[i]);
  return STC_OK;
}

// A surface may not touch itself: the gap of a node to its own cell says nothing.
static stc_error check_apart(const side_pair *s, int p) {
  const stc_mesh *mesh = s->slaves.sheet.mesh;
  bool *slave = stc_calloc((size_t)mesh->nodes, sizeof *slave);
  if (!slave) return stc_fail(STC_ERR_MEMORY, "out of memory for contact %d", p);
  int shared = -1;
  for (int k = 0; k < s->slaves.count; k++) slave[s->slaves.node[k]] = true;
  for (int k = 0; k < s->master.cells && shared < 0; k++)
    for (int a = mesh->ptr[s->master.cell[k]]; a < mesh->ptr[s->master.cell[k] + 1]; a++)
      if (slave[mesh->node[a]]) shared = mesh->node[a];
  stc_release(&slave);
  if (shared < 0) return STC_OK;
  return stc_fail(STC_ERR_VALUE,
                  "contact %d: node %d belongs to the slave and to the master; the surfaces of a "
                  "pair have no node in common",
                  p, shared);
}

static stc_error create_pair(stc_surface *s, const stc_fem_description *d, const stc_around *bodies,
                             int p) {
  side_pair *q = &s->pair[p];
  stc_sheet slave;
  STC_TRY(check_pair(d, p));
  q->pair = d->pair[p];
  q->has_master = q->pair.master != NULL;
  double size = sqrt(stc_dot3(q->pair.normal, q->pair.normal));
  q->fixed_normal = size > 0;
  for (int i = 0; q->fixed_normal && i < 3; i++) q->pair.normal[i] /= size;
  STC_TRY(stc_sheet_create(&s->arena, d->mesh, bodies, q->pair.slave, "contact", p, &slave));
  STC_TRY(stc_slaves_create(&s->arena, &slave, &q->slaves));
  if (q->has_master) {
    STC_TRY(stc_sheet_create(&s->arena, d->mesh, bodies, q->pair.master, "contact", p, &q->master));
    STC_TRY(check_apart(q, p));
  }
  q->normal = stc_arena_take(&s->arena, (size_t)q->slaves.count, sizeof *q->normal);
  q->distance = STC_TAKE(&s->arena, double, q->slaves.count);
  q->first = s->count;
  s->count += q->slaves.count;
  q->pair.name = q->pair.slave = q->pair.master = NULL;
  q->pair.coefficient = NULL;
  return stc_arena_check(&s->arena);
}

static stc_error create_surface_rows(stc_surface *s, const stc_fem_description *d) {
  stc_around bodies;
  const double two_pi = 6.28318530717958647693;
  bool plane = d->kinematics == STC_PLANE_STRAIN || d->kinematics == STC_PLANE_STRESS;
  s->mesh = d->mesh;
  s->dim = d->mesh->dim;
  s->pairs = d->pairs;
  s->measure.radial = d->kinematics == STC_AXISYMMETRIC;
  s->measure.factor = s->measure.radial ? two_pi : plane && d->thickness > 0 ? d->thickness : 1;
  s->pair = STC_TAKE(&s->arena, side_pair, d->pairs);
  s->x = STC_TAKE(&s->arena, double, (size_t)s->mesh->nodes *(size_t)s->dim);
  s->slot = STC_TAKE(&s->arena, int, s->mesh->nodes);
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(stc_mesh_around(&s->arena, d->mesh, s->dim, &bodies));
  for (int p = 0; p < d->pairs; p++) STC_TRY(create_pair(s, d, &bodies, p));
  s->candidate = STC_TAKE(&s->arena, stc_candidate, s->count);
  s->rows = (stc_csr){.rows = s->count * s->dim, .cols = s->mesh->nodes * s->dim};
  s->rows.ptr = STC_TAKE(&s->arena, int, (size_t)s->rows.rows + 1);
  return stc_arena_check(&s->arena);
}

stc_error stc_surface_create(const stc_fem_description *description, stc_surface **surface) {
  STC_NEW(surface, "contact surfaces");
  stc_error error = create_surface_rows(*surface, description);
  if (error) stc_surface_free(surface);
  return error;
}

void stc_surface_free(stc_surface **surface) {
  if (!surface || !*surface) return;
  stc_surface *s = *surface;
  for (int p = 0; s->pair && p < s->pairs; p++) stc_arena_free(&s->pair[p].arena);
  stc_release(&s->rows.col);
  stc_release(&s->rows.val);
  stc_arena_free(&s->arena);
  stc_release(surface);
}

int stc_surface_count(const stc_surface *surface) { return surface->count; }
int stc_surface_version(const stc_surface *surface) { return surface->version; }
const stc_candidate *stc_surface_candidates(const stc_surface *s) { return s->candidate; }
const stc_csr *stc_surface_rows(const stc_surface *surface) { return &surface->rows; }

int stc_surface_first(const stc_surface *surface, int pair) {
  return pair < surface->pairs ? surface->pair[pair].first : surface->count;
}

stc_jump stc_surface_jump(const stc_surface *surface, int k) {
  const side_pair *p = &surface->pair[surface->candidate[k].pair];
  const stc_weights *w = &p->weights;
  int first = w->ptr[k - p->first];
  return (stc_jump){w->ptr[k - p->first + 1] - first, w->node + first, w->value + first};
}

// --- Places and normals ---

// Where the pair looks at the nodes: the reference, or with the displacements.
static const double *places(const stc_surface *s, const side_pair *p) {
  return p->pair.finite_sliding ? s->x : s->mesh->x;
}

static stc_error obstacle_at(const stc_surface *s, side_pair *p, double t, int k) {
  int dim = s->dim, node = p->slaves.node[k];
  double n[3] = {0}, *normal = p->normal[k];
  const stc_obstacle *o = &p->pair.obstacle;
  if (!o->distance(o->user, t, places(s, p) + (ptrdiff_t)node * dim, &p->distance[k], n))
    return stc_fail(STC_ERR_CALLBACK, "the obstacle's distance at node %d, t = %g, stopped the run",
                    node, t);
  double size = sqrt(stc_dot3(n, n));
  if (!isfinite(p->distance[k]) || !(size > 0) || !isfinite(size))
    return stc_fail(STC_ERR_VALUE,
                    "the obstacle's distance at node %d, t = %g, is %g with a normal of length %g",
                    node, t, p->distance[k], size);
  for (int i = 0; i < 3; i++) normal[i] = n[i] / size;
  if (!p->fixed_normal) return STC_OK;
  double sign = stc_dot3(normal, p->pair.normal) < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++) normal[i] = sign * p->pair.normal[i];
  return STC_OK;
}

static stc_error find_pair(stc_surface *s, side_pair *p, double t) {
  if (!p->has_master)
    for (int k = 0; k < p->slaves.count; k++) STC_TRY(obstacle_at(s, p, t, k));
  if (p->found && !p->pair.finite_sliding) return STC_OK;
  stc_arena_free(&p->arena);
  p->arena = (stc_arena){0};
  p->found = true;
  if (!p->has_master)
    return stc_own_weights(&p->arena, &p->slaves, places(s, p), s->measure, &p->weights);
  // Against a master: the mean normal of the slave around the node, reversed; or the given one.
  STC_TRY(stc_slaves_normals(&p->slaves, places(s, p), p->normal));
  for (int k = 0; k < p->slaves.count; k++) {
    double *n = p->normal[k];
    double sign = stc_dot3(n, p->pair.normal) > 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) n[i] = p->fixed_normal ? sign * p->pair.normal[i] : -n[i];
  }
  return stc_mortar_weights(&p->arena, &p->slaves, &p->master, places(s, p),
                            p->fixed_normal ? p->pair.normal : NULL, s->measure, &p->weights);
}

// --- Frames, gaps, rows ---

// t1 is the axis least like n, made perpendicular to it; so supports along axes stay apart.
static void make_frame(int dim, const double n[3], double frame[3][3]) {
  memset(frame, 0, 3 * sizeof *frame);
  memcpy(frame[0], n, sizeof frame[0]);
  if (dim == 2) {
    frame[1][0] = n[1];
    frame[1][1] = -n[0];
    return;
  }
  int axis = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[axis]) - 1e-9) axis = i;
  double size = sqrt(fmax(0, 1 - n[axis] * n[axis]));
  for (int i = 0; i < 3; i++) frame[1][i] = ((i == axis) - n[axis] * n[i]) / size;
  stc_cross3(frame[0], frame[1], frame[2]);
}

// Gap of candidate k of a pair: of the weighted places, or of the nodes' distances.
static double gap_of(const stc_surface *s, const side_pair *p, int k, const double *u) {
  const stc_weights *w = &p->weights;
  double gap = 0;
  int dim = s->dim;
  for (int e = w->ptr[k]; e < w->ptr[k + 1]; e++) {
    ptrdiff_t at = (ptrdiff_t)w->node[e] * dim;
    if (p->has_master) {
      for (int i = 0; i < dim; i++) gap += w->value[e] * p->normal[k][i] * s->x[at + i];
      continue;
    }
    int j = s->slot[w->node[e]];
    double d = p->distance[j];
    for (int i = 0; !p->pair.finite_sliding && i < dim; i++) d += p->normal[j][i] * u[at + i];
    gap += w->value[e] * d;
  }
  return gap;
}

// Grows the rows' memory to `entries`.
static stc_error grow_rows(stc_surface *s, size_t entries) {
  if (entries <= s->room && s->rows.val) return STC_OK;
  stc_release(&s->rows.col);
  stc_release(&s->rows.val);
  s->room = entries + entries / 4 + 16;
  s->rows.col = stc_calloc(s->room, sizeof *s->rows.col);
  s->rows.val = stc_calloc(s->room, sizeof *s->rows.val);
  s->version++;
  if (!s->rows.col || !s->rows.val)
    return stc_fail(STC_ERR_MEMORY, "out of memory for %zu entries of contact rows", entries);
  return STC_OK;
}

// Writes a number of the rows and remembers whether it differs from what was there.
static void put_entry(stc_surface *s, int at, int col, double val, bool *changed) {
  if (s->rows.col[at] != col || s->rows.val[at] != val) *changed = true;
  s->rows.col[at] = col;
  s->rows.val[at] = val;
}

// Row `a` of candidate k: its weights times the axis, by components.
static int write_row(stc_surface *s, const side_pair *p, int k, int a, int at, bool *changed) {
  const stc_weights *w = &p->weights;
  const stc_candidate *c = &s->candidate[p->first + k];
  for (int e = w->ptr[k]; c->opposite && e < w->ptr[k + 1]; e++) {
    const double *axis = c->frame[a];
    if (a == 0 && !p->has_master) axis = p->normal[s->slot[w->node[e]]];
    for (int i = 0; i < s->dim; i++)
      if (axis[i] != 0) put_entry(s, at++, w->node[e] * s->dim + i, w->value[e] * axis[i], changed);
  }
  return at;
}

static stc_error write_surface_rows(stc_surface *s) {
  size_t entries = 0;
  for (int p = 0; p < s->pairs; p++)
    entries += (size_t)s->pair[p].weights.ptr[s->pair[p].slaves.count];
  STC_TRY(grow_rows(s, entries * (size_t)(s->dim * s->dim)));
  bool changed = false;
  int at = 0, row = 0;
  for (int p = 0; p < s->pairs; p++) {
    const side_pair *q = &s->pair[p];
    if (!q->has_master)
      for (int k = 0; k < q->slaves.count; k++) s->slot[q->slaves.node[k]] = k;
    for (int k = 0; k < q->slaves.count; k++)
      for (int a = 0; a < s->dim; a++) {
        at = write_row(s, q, k, a, at, &changed);
        if (s->rows.ptr[++row] != at) changed = true;
        s->rows.ptr[row] = at;
      }
  }
  if (changed) s->version++;
  return STC_OK;
}

stc_error stc_surface_find(stc_surface *s, double t, const double *u) {
  size_t size = (size_t)s->mesh->nodes * (size_t)s->dim;
  for (size_t i = 0; i < size; i++) s->x[i] = s->mesh->x[i] + u[i];
  for (int p = 0; p < s->pairs; p++) {
    side_pair *q = &s->pair[p];
    STC_TRY(find_pair(s, q, t));
    for (int k = 0; !q->has_master && k < q->slaves.count; k++) s->slot[q->slaves.node[k]] = k;
    for (int k = 0; k < q->slaves.count; k++) {
      stc_candidate *c = &s->candidate[q->first + k];
      *c = (stc_candidate){.node = q->slaves.node[k], .pair = p, .mu = q->pair.mu};
      c->layer = q->pair.layer.law ? &q->pair.layer : NULL;
      c->area = q->weights.area[k];
      c->opposite = c->area > 0 && q->weights.ptr[k + 1] > q->weights.ptr[k];
      make_frame(s->dim, q->normal[k], c->frame);
      if (c->opposite) c->gap = gap_of(s, q, k, u);
    }
  }
  return write_surface_rows(s);
}

// --- Obstacles that move ---

static stc_error drive_one(const stc_surface *s, const side_pair *p, int k, const double t[2],
                           double *w) {
  const stc_obstacle *o = &p->pair.obstacle;
  const stc_candidate *c = &s->candidate[p->first + k];
  double m[2][3] = {{0}};
  const double *x = places(s, p) + (ptrdiff_t)c->node * s->dim;
  for (int i = 0; i < 2; i++)
    if (!o->motion(o->user, t[i], x, m[i]))
      return stc_fail(STC_ERR_CALLBACK, "the obstacle's motion at node %d, t = %g, stopped the run",
                      c->node, t[i]);
  for (int a = 1; a < s->dim; a++) w[a] = stc_dot3(c->frame[a], m[0]) - stc_dot3(c->frame[a], m[1]);
  return isfinite(w[1]) && (s->dim < 3 || isfinite(w[2]))
             ? STC_OK
             : stc_fail(STC_ERR_VALUE, "the obstacle's motion at node %d is not finite", c->node);
}

stc_error stc_surface_drive(const stc_surface *s, double t0, double t, double *w) {
  memset(w, 0, (size_t)s->count * (size_t)s->dim * sizeof *w);
  for (int p = 0; p < s->pairs; p++) {
    const side_pair *q = &s->pair[p];
    if (q->has_master || !q->pair.obstacle.motion) continue;
    for (int k = 0; k < q->slaves.count; k++)
      STC_TRY(drive_one(s, q, k, (double[]){t0, t}, w + (ptrdiff_t)(q->first + k) * s->dim));
  }
  return STC_OK;
}
