// Contacts whose cone stands over an interval or a polygon: rays (1, p_k), edge k from p_k to
// p_k+1.
#include <string.h>

#include "check_parts.h"

static bool has_mode(const value *child, const char *mode) {
  return value_is(member(child, "mode"), '"', mode);
}

// x_N + p.x_T of ray k of contact i.
static number along_ray(const rows *p, int i, const number *x, int k) {
  const cone *own = &p->cone[i];
  const number *at = x + p->first + p->dim * i, *ray = own->p + 2 * (k % own->corners);
  number sum = plus(at[0], times(ray[0], at[1]));
  return p->dim == 3 ? plus(sum, times(ray[1], at[2])) : sum;
}

// e x x_T for edge k in space: with the outward normal n of the edge it is -n.x_T.
static number across_edge(const rows *p, int i, const number *x, int k) {
  const cone *own = &p->cone[i];
  const number *at = x + p->first + p->dim * i;
  const number *a = own->p + 2 * (k % own->corners), *b = own->p + 2 * ((k + 1) % own->corners);
  return minus(times(minus(b[0], a[0]), at[2]), times(minus(b[1], a[1]), at[1]));
}

// ---- modes

// The faces of a slip: corners first..last with the edges between them, or one edge.
typedef struct faces {
  int first, last;
  bool edge;
} faces;

static bool read_faces(const cone *own, const value *child, faces *out) {
  const value *list = member(child, "corners"), *edge = member(child, "edge");
  *out = (faces){.edge = edge != NULL};
  if (edge) return !list && value_integer(edge, 0, own->corners - 1, &out->first);
  return list && list->kind == '[' && list->first && list->first->next &&
         value_integer(list->first, 0, own->corners - 1, &out->first) &&
         value_integer(list->first->next, out->first, own->corners - 1, &out->last);
}

// In the plane: sign 1 slips at the lower ray, -1 at the upper one.
static bool slip_in_plane(const checker *c, int i, const value *child) {
  const rows *p = &c->p;
  int sign;
  number y = p->x[p->first + 2 * i + 1];
  if (!value_integer(member(child, "sign"), -1, 1, &sign) || !sign) return false;
  return sign * mpq_sgn(y) >= 0 && mpq_sgn(along_ray(p, i, p->y, sign < 0)) <= 0;
}

// -u_T lies between the normals of the edges from before the first corner to after the last, each
// next to the other, and r between the rays.
static bool slip_in_space(const checker *c, int i, const value *child) {
  const rows *p = &c->p;
  int m = p->cone[i].corners;
  faces of;
  if (!read_faces(&p->cone[i], child, &of)) return false;
  int first = of.first, last = of.edge ? of.first + 1 : of.last;
  int from = of.edge ? first : first + m - 1, to = of.edge ? first : last + m;
  for (int k = first; k <= last; k++)
    if (mpq_sgn(along_ray(p, i, p->y, k)) > 0) return false;
  for (int k = from; k <= to; k++)
    if (mpq_sgn(across_edge(p, i, p->x, k)) < 0) return false;
  return true;
}

bool polygon_excludes(const checker *c, int i) {
  const rows *p = &c->p;
  const value *child = c->mode[i];
  const number *y = p->x + p->first + p->dim * i;
  bool open = has_mode(child, "open"), stick = has_mode(child, "stick"), polar = true;
  for (int k = 0; !open && k < p->cone[i].corners && (stick || !child); k++)
    polar = polar && mpq_sgn(along_ray(p, i, p->y, k)) <= 0;
  if (stick) return polar;
  if (!open && child) return (p->dim == 2 ? slip_in_plane : slip_in_space)(c, i, child);
  for (int k = 1; k < p->dim; k++)
    if (mpq_sgn(y[k])) return false;
  return mpq_sgn(y[0]) >= 0 && polar;
}

// ---- trees

static void mark_faces(const cone *own, const faces *of, bool *corner, bool *edge) {
  for (int k = of->first; !of->edge && k <= of->last; k++) corner[k % own->corners] = true;
  for (int k = of->first; of->edge ? k == of->first : k < of->last; k++)
    edge[k % own->corners] = true;
}

static bool covered_in_plane(const value *children) {
  int sign, seen = 0;
  for (const value *child = children->first; child; child = child->next) {
    if (has_mode(child, "open") || has_mode(child, "stick")) continue;
    if (!has_mode(child, "slip") || !value_integer(member(child, "sign"), -1, 1, &sign))
      return false;
    seen |= sign > 0 ? 1 : sign < 0 ? 2 : 0;
  }
  return seen == 3;
}

// The faces of the children are all faces, or those of the slip that is divided.
static bool covered_in_space(const checker *c, int i, const value *children) {
  const cone *own = &c->p.cone[i];
  int m = own->corners;
  bool *seen = exact_room(2 * m, sizeof *seen), *asked = exact_room(2 * m, sizeof *asked);
  faces of;
  memset(asked, !c->mode[i], 2 * (size_t)m * sizeof *asked);
  if (c->mode[i] && !read_faces(own, c->mode[i], &of)) return false;
  if (c->mode[i]) mark_faces(own, &of, asked, asked + m);
  for (const value *child = children->first; child; child = child->next) {
    if (has_mode(child, "open") || has_mode(child, "stick")) continue;
    if (!has_mode(child, "slip") || !read_faces(own, child, &of)) return false;
    mark_faces(own, &of, seen, seen + m);
  }
  for (int k = 0; k < 2 * m; k++)
    if (asked[k] && !seen[k]) return false;
  return true;
}

bool polygon_covered(const checker *c, int i, const value *children) {
  bool open = false, stick = false;
  for (const value *child = children->first; child; child = child->next) {
    open = open || has_mode(child, "open");
    stick = stick || has_mode(child, "stick");
  }
  if (c->mode[i] && (c->p.dim == 2 || open || stick || !has_mode(c->mode[i], "slip"))) return false;
  if (!c->mode[i] && !(open && stick)) return false;
  return c->p.dim == 2 ? covered_in_plane(children) : covered_in_space(c, i, children);
}

// ---- points

// r in K, u_N = 0, and no ray of r_N takes more power from u_T than r does.
bool polygon_law_holds(const rows *p, int i) {
  const cone *own = &p->cone[i];
  const number *r = p->x + p->first + p->dim * i, *u = p->y + p->first + p->dim * i;
  if (mpq_sgn(u[0]) || mpq_sgn(r[0]) < 0) return false;
  for (int k = 0; k < own->corners; k++) {
    number a[2], taken = real(0.0);
    for (int l = 0; l + 1 < p->dim; l++) {
      a[l] = minus(r[1 + l], times(r[0], own->p[2 * k + l]));  // from the ray to r
      taken = plus(taken, times(a[l], u[1 + l]));
    }
    if (mpq_sgn(taken) > 0) return false;
    if (p->dim == 2 && (k ? -1 : 1) * mpq_sgn(a[0]) < 0) return false;
    if (p->dim == 2) continue;
    const number *from = own->p + 2 * k, *to = own->p + 2 * ((k + 1) % own->corners);
    number x = minus(to[0], from[0]), y = minus(to[1], from[1]);
    if (mpq_sgn(minus(times(x, a[1]), times(y, a[0]))) < 0) return false;
  }
  return true;
}

bool polygon_has_margin(const rows *p, int i, number t) {
  for (int k = 0; k < p->cone[i].corners; k++)
    if (mpq_cmp(along_ray(p, i, p->y, k), t) < 0) return false;
  return true;
}
