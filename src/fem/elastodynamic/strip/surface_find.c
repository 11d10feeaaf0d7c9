// Gamma_C as a strip has it: its cells, the fibres across the layer over its nodes, areas and
// normals, and which nodes are one unknown.
#include "strip_data.h"

#include <string.h>

#include "../../../base/fail.h"
#include "../../../base/number.h"
#include "../../mesh/mesh.h"

/// Of eps: how exactly a row of cells has the thickness of the layer.
static const double SAME_THICKNESS = 1e-6;

// --- The cells ---

static const char *contact_name(const stc_strip *s) {
  return s->settings.contact ? s->settings.contact : "bottom";
}

static stc_error find_group(const stc_strip *s, const stc_group **group) {
  const char *name = contact_name(s);
  int k = stc_mesh_find(&s->mesh, name);
  if (k < 0)
    return stc_fail(STC_ERR_ARGUMENT, "the mesh has no group '%s' for the contact surface", name);
  *group = &s->mesh.group[k];
  if ((*group)->dim != s->dim - 1)
    return stc_fail(STC_ERR_DIMENSION,
                    "the contact surface '%s' has dimension %d; a surface in this mesh has %d",
                    name, (*group)->dim, s->dim - 1);
  if ((*group)->cells > 0) return STC_OK;
  return stc_fail(STC_ERR_ARGUMENT, "the contact surface '%s' has no cells", name);
}

// Until fibres have numbers, those of a face are nodes of the mesh.
static stc_error take_faces(stc_strip *s, const stc_around *around, const stc_group *group,
                            double *sign) {
  char what[160];
  stc_snprintf(what, sizeof what, "the contact surface '%s'", contact_name(s));
  for (int k = 0; k < group->cells; k++) {
    int cell = group->cell[k], first = s->mesh.ptr[cell];
    stc_face *f = &s->face[k];
    f->type = s->mesh.type[cell];
    f->nodes = s->mesh.ptr[cell + 1] - first;
    STC_TRY(stc_mesh_side(&s->mesh, around, cell, what, &f->body, &sign[k]));
    f->region = stc_solid_body(s->solid, f->body);
    for (int a = 0; a < f->nodes; a++) f->fibre[a] = s->mesh.node[first + a];
  }
  return STC_OK;
}

// --- The order of the fibres ---

static void add_fibre(stc_strip *s, int node, int *fibre_of) {
  if (fibre_of[node] >= 0) return;
  fibre_of[node] = s->fibres;
  s->fibre[s->fibres++] = (stc_fibre){.node = node, .inner = node};
}

/// The lines of Gamma_C that end in a node; -1: none.
typedef struct line_ends {
  int face[2];
} line_ends;

// Follows the lines of a plane surface from a node, the corners and what lies between them.
static void walk_from(stc_strip *s, const line_ends *faces, int node, bool *seen, int *fibre_of) {
  for (int k = faces[node].face[0]; k >= 0;) {
    const stc_face *f = &s->face[k];
    seen[k] = true;
    add_fibre(s, node, fibre_of);
    for (int a = 2; a < f->nodes; a++) add_fibre(s, f->fibre[a], fibre_of);
    node = f->fibre[0] == node ? f->fibre[1] : f->fibre[0];
    add_fibre(s, node, fibre_of);
    k = faces[node].face[0] == k ? faces[node].face[1] : faces[node].face[0];
    if (k >= 0 && seen[k]) k = -1;
  }
}

// Open lines from their end with the lower number, then closed ones.
static void walk_lines(stc_strip *s, line_ends *faces, bool *seen, int *fibre_of) {
  int nodes = s->mesh.nodes;
  for (int a = 0; a < nodes; a++) faces[a] = (line_ends){{-1, -1}};
  for (int k = 0; k < s->faces; k++)
    for (int a = 0; a < 2; a++) {
      int *of = faces[s->face[k].fibre[a]].face;
      of[of[0] >= 0] = k;
    }
  for (int closed = 0; closed <= 1; closed++)
    for (int a = 0; a < nodes; a++)
      if (faces[a].face[0] >= 0 && !seen[faces[a].face[0]] && (closed || faces[a].face[1] < 0))
        walk_from(s, faces, a, seen, fibre_of);
}

static stc_error order_fibres(stc_strip *s, stc_arena *work) {
  int nodes = s->mesh.nodes;
  int *fibre_of = STC_TAKE(work, int, nodes);
  line_ends *faces = STC_TAKE(work, line_ends, nodes);
  bool *seen = STC_TAKE(work, bool, s->faces), *on = STC_TAKE(work, bool, nodes);
  s->fibre = STC_TAKE(&s->arena, stc_fibre, STC_FACE_FIBRES * s->faces);
  STC_TRY(stc_arena_check(work));
  STC_TRY(stc_arena_check(&s->arena));
  for (int a = 0; a < nodes; a++) fibre_of[a] = -1;
  if (s->dim == 2 && s->settings.mesh) walk_lines(s, faces, seen, fibre_of);
  for (int k = 0; k < s->faces; k++)
    for (int a = 0; a < s->face[k].nodes; a++) on[s->face[k].fibre[a]] = true;
  for (int a = 0; a < nodes; a++)
    if (on[a]) add_fibre(s, a, fibre_of);
  for (int k = 0; k < s->faces; k++)
    for (int a = 0; a < s->face[k].nodes; a++) s->face[k].fibre[a] = fibre_of[s->face[k].fibre[a]];
  return STC_OK;
}

// --- Areas and normals ---

static void add_area(stc_strip *s, const stc_face *f, const stc_table *t, int q, double sign) {
  static const int own[STC_FACE_FIBRES] = {0, 1, 2, 3};
  double x[3 * STC_FACE_FIBRES], J[9], n[3] = {0}, size = 0;
  for (int a = 0; a < f->nodes; a++)
    memcpy(x + a * s->dim, s->fibre[f->fibre[a]].foot, (size_t)s->dim * sizeof *x);
  stc_cell_jacobian(f->type, s->dim, x, own, t->dN[q], J);
  stc_cell_area(s->dim, J, n);
  for (int i = 0; i < s->dim; i++) size += n[i] * n[i];
  for (int a = 0; a < f->nodes; a++) {
    stc_fibre *fibre = &s->fibre[f->fibre[a]];
    double weight = t->rule.weight[q] * t->N[q][a];
    fibre->area += weight * sqrt(size);
    for (int i = 0; i < s->dim; i++) fibre->normal[i] -= sign * weight * n[i];
  }
}

static stc_error measure_surface(stc_strip *s, const double *sign) {
  for (int k = 0; k < s->fibres; k++) {
    s->fibre[k].area = 0;
    memset(s->fibre[k].normal, 0, sizeof s->fibre[k].normal);
  }
  for (int k = 0; k < s->faces; k++) {
    stc_table table;
    stc_table_create(s->face[k].type, STC_RULE_MASS, &table);
    for (int q = 0; q < table.rule.points; q++) add_area(s, &s->face[k], &table, q, sign[k]);
  }
  for (int k = 0; k < s->fibres; k++) {
    double *n = s->fibre[k].normal, length = stc_interface_norm(s->dim, n);
    if (!(length > 0))
      return stc_fail(STC_ERR_VALUE,
                      "the contact surface '%s' folds back at node %d: it has no normal there",
                      contact_name(s), s->fibre[k].node);
    for (int i = 0; i < s->dim; i++) n[i] /= length;
  }
  return STC_OK;
}

// --- The layer ---

// The node of the cell behind a face across from the face's node a: the one along the only edge
// that leaves the face.
static int across_from(const stc_strip *s, const stc_face *f, int node) {
  stc_cell_type type = s->mesh.type[f->body];
  const int *of = s->mesh.node + s->mesh.ptr[f->body];
  int corners = stc_cell_nodes(type), own = 0;
  double here[3], there[3];
  while (own < corners && of[own] != node) own++;
  stc_cell_node_place(type, own, here);
  for (int b = 0; b < corners; b++) {
    bool on_face = false;
    int differences = 0;
    for (int a = 0; a < f->nodes; a++) on_face = on_face || s->fibre[f->fibre[a]].node == of[b];
    stc_cell_node_place(type, b, there);
    for (int i = 0; i < s->dim; i++) differences += here[i] != there[i];
    if (!on_face && differences == 1) return of[b];
  }
  return node;
}

// Whether the cells behind Gamma_C are a row of thickness eps; then fibres reach across it.
static bool find_row(stc_strip *s) {
  stc_cell_type wanted = s->dim == 2 ? STC_CELL_Q4 : STC_CELL_H8;
  for (int k = 0; k < s->faces; k++) {
    const stc_face *f = &s->face[k];
    if (s->mesh.type[f->body] != (unsigned char)wanted) return false;
    for (int a = 0; a < f->nodes; a++) {
      stc_fibre *fibre = &s->fibre[f->fibre[a]];
      int inner = across_from(s, f, fibre->node);
      if (fibre->inner != fibre->node && fibre->inner != inner) return false;
      fibre->inner = inner;
      double d[3];
      for (int i = 0; i < s->dim; i++)
        d[i] = s->mesh.x[inner * s->dim + i] - s->mesh.x[fibre->node * s->dim + i];
      double eps = s->settings.eps;
      if (fabs(stc_interface_norm(s->dim, d) - eps) > SAME_THICKNESS * eps) return false;
    }
  }
  return true;
}

static stc_error place_fibres(stc_strip *s, const double *sign) {
  size_t bytes = (size_t)s->dim * sizeof(double);
  for (int k = 0; k < s->fibres; k++)
    memcpy(s->fibre[k].foot, s->mesh.x + s->fibre[k].node * s->dim, bytes);
  STC_TRY(measure_surface(s, sign));
  s->inside = stc_strip_has_layer(s) && find_row(s);
  for (int k = 0; k < s->fibres; k++) {
    stc_fibre *f = &s->fibre[k];
    if (!s->inside) f->inner = f->node;
    memcpy(f->head, s->mesh.x + f->inner * s->dim, bytes);
    for (int i = 0; i < s->dim && !s->inside; i++)
      f->foot[i] = f->head[i] - s->settings.eps * f->normal[i];
  }
  for (int k = 0; k < s->faces && s->inside; k++) s->layered[s->face[k].body] = true;
  return s->inside || !stc_strip_has_layer(s) ? STC_OK : measure_surface(s, sign);
}

// --- Numbers ---

// Contact nodes first, then the nodes of the mesh; ties of the cylinder are there.
static void number_nodes(stc_strip *s) {
  bool below = stc_strip_has_layer(s) && !s->inside && s->settings.degree > 0;
  if (s->inside && s->settings.degree == 0)
    for (int k = 0; k < s->fibres; k++) s->tie[s->fibre[k].inner] = s->tie[s->fibre[k].node];
  for (int a = 0; a < s->mesh.nodes; a++) s->number[a] = -1;
  for (int k = 0; k < s->fibres; k++) {
    stc_fibre *f = &s->fibre[k];
    if (s->tie[f->node] != f->node) continue;
    f->contact = s->contacts++;
    f->low = s->plain++;
    if (!below) s->number[f->node] = f->low;
  }
  for (int a = 0; a < s->mesh.nodes; a++)
    if (s->tie[a] == a && s->number[a] < 0) s->number[a] = s->plain++;
  for (int a = 0; a < s->mesh.nodes; a++) s->number[a] = s->number[s->tie[a]];
  for (int k = 0; k < s->fibres; k++) {
    stc_fibre *f = &s->fibre[k];
    if (s->tie[f->node] != f->node) f->contact = f->low = s->number[f->node];
    f->high = s->number[f->inner];
  }
  bool bubbles = stc_strip_has_layer(s) && s->settings.degree > 1;
  s->reduced = s->plain + (bubbles ? s->contacts * (s->settings.degree - 1) : 0);
  s->size = s->reduced * s->dim;
}

// --- Contact nodes ---

static void make_frame(int dim, const double *n, double *frame) {
  memcpy(frame, n, (size_t)dim * sizeof *n);
  if (dim == 2) {
    frame[2] = n[1], frame[3] = -n[0];
    return;
  }
  const double nearly = 0.9;  // a normal along x takes y as the first tangent
  int axis = fabs(n[0]) < nearly ? 0 : 1;
  double *t = frame + 3, *b = frame + 6;
  for (int i = 0; i < 3; i++) t[i] = (i == axis) - n[axis] * n[i];
  double length = stc_interface_norm(3, t);
  for (int i = 0; i < 3; i++) t[i] /= length;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = n[j] * t[k] - n[k] * t[j];
  }
}

static void measure_along(stc_strip *s) {
  for (int k = 1; k < s->fibres; k++) {
    const double *here = s->fibre[k].foot, *before = s->fibre[k - 1].foot;
    s->fibre[k].along = s->fibre[k - 1].along + hypot(here[0] - before[0], here[1] - before[1]);
  }
}

static stc_error make_contacts(stc_strip *s) {
  int d = s->dim, tangents = d - 1;
  s->contact = STC_TAKE(&s->arena, int, s->contacts);
  s->frame = STC_TAKE(&s->arena, double, s->contacts *d *d);
  s->place = STC_TAKE(&s->arena, double, s->contacts *tangents);
  s->point = STC_TAKE(&s->arena, double, s->contacts *d);
  s->gap = STC_TAKE(&s->arena, double, s->contacts);
  STC_TRY(stc_arena_check(&s->arena));
  bool lengths = d == 2 && s->settings.mesh;
  if (lengths) measure_along(s);
  for (int k = 0; k < s->fibres; k++) {
    const stc_fibre *f = &s->fibre[k];
    int c = f->contact;
    if (s->tie[f->node] != f->node) continue;
    s->contact[c] = f->low;
    make_frame(d, f->normal, s->frame + c * d * d);
    memcpy(s->point + c * d, f->foot, (size_t)d * sizeof *f->foot);
    for (int i = 0; i < tangents; i++) s->place[c * tangents + i] = f->foot[i];
    if (lengths) s->place[c] = f->along;
    STC_TRY(
        stc_given_value(&s->settings.gap, 0, f->foot, d, "the gap", contact_name(s), &s->gap[c]));
  }
  return STC_OK;
}

// How far a cell reaches from the head of a fibre.
static double reach_above(const stc_strip *s, const stc_fibre *f, int cell) {
  double most = 0;
  for (int e = s->mesh.ptr[cell]; e < s->mesh.ptr[cell + 1]; e++) {
    double reach = 0;
    for (int i = 0; i < s->dim; i++)
      reach += f->normal[i] * (s->mesh.x[s->mesh.node[e] * s->dim + i] - f->head[i]);
    most = fmax(most, reach);
  }
  return most;
}

static void measure_cells_above(stc_strip *s, const stc_around *around) {
  for (int k = 0; k < s->fibres; k++) {
    const stc_fibre *f = &s->fibre[k];
    for (int e = around->ptr[f->inner]; e < around->ptr[f->inner + 1]; e++)
      if (!s->layered[around->cell[e]])
        s->above = fmax(s->above, reach_above(s, f, around->cell[e]));
  }
}

static stc_error find_surface(stc_strip *s, stc_arena *work) {
  const stc_group *group = NULL;
  stc_around around;
  STC_TRY(find_group(s, &group));
  STC_TRY(stc_mesh_around(work, &s->mesh, s->dim, &around));
  double *sign = STC_TAKE(work, double, group->cells);
  s->faces = group->cells;
  s->face = STC_TAKE(&s->arena, stc_face, s->faces);
  s->layered = STC_TAKE(&s->arena, bool, s->mesh.cells);
  s->number = STC_TAKE(&s->arena, int, s->mesh.nodes);
  STC_TRY(stc_arena_check(work));
  STC_TRY(stc_arena_check(&s->arena));
  STC_TRY(take_faces(s, &around, group, sign));
  STC_TRY(order_fibres(s, work));
  STC_TRY(place_fibres(s, sign));
  measure_cells_above(s, &around);
  number_nodes(s);
  return make_contacts(s);
}

stc_error stc_strip_make_surface(stc_strip *strip) {
  STC_ARENA work = {0};
  return find_surface(strip, &work);
}
