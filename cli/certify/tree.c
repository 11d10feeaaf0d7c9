// Contradictions: leaves, and trees of modes or sectors that leave nothing out.
//   y.u + (weights).(equations) = r.g - depth,   depth > 0,  but y.u >= 0 and r.g <= 0 in the modes
#include "checker.h"

#include <string.h>

// The sector of a child that slips; in 2D from and to are the same direction.
static bool read_sector(const checker *c, const value *child, number *a, number *b) {
  int sign;
  const value *from = value_member(child, "from"), *to = value_member(child, "to");
  if (c->dim == 2) {
    if (!value_integer(value_member(child, "sign"), -1, 1, &sign) || !sign) return false;
    a[0] = b[0] = real(sign), a[1] = b[1] = real(0.0);
    return true;
  }
  if (!from || !to || !from->first || !to->first) return false;
  for (int k = 0; k < 2; k++) {
    a[k] = exact_read(k ? from->first->next : from->first);
    b[k] = exact_read(k ? to->first->next : to->first);
    if (!a[k] || !b[k]) return false;
  }
  return compare(dot(2, a, a), real(1.0)) == 0 && compare(dot(2, b, b), real(1.0)) == 0;
}

static bool has_mode(const value *child, const char *name) {
  return value_is(value_member(child, "mode"), VALUE_STRING, name);
}

// y.u >= 0 and r.g <= 0 for all velocities and reactions that the mode of contact i allows.
static bool mode_holds(const checker *c, int i) {
  const value *child = c->mode[i];
  const number *y = c->x + c->first + c->dim * i, *g = c->y + c->first + c->dim * i;
  number a[2], b[2], gt[2], back[2], z[2] = {times(real(c->mu[i][1]), y[1]), real(0.0)};
  if (c->dim == 3) z[1] = times(real(c->mu[i][0]), y[2]);
  tangent(c, i, c->y, gt);
  bool polar = in_cone(minus(real(0.0), g[0]), gt), still = true;
  for (int k = 1; k < c->dim; k++)
    still = still && (!mpq_sgn(y[k]) || (has_mode(child, "stick") && c->mu[i][k - 1] > 0.0));
  if (!child || has_mode(child, "open")) return mpq_sgn(y[0]) >= 0 && still && (child || polar);
  if (has_mode(child, "stick")) return still && polar;
  read_sector(c, child, a, b);
  for (int k = 0; k < 2; k++) back[k] = minus(real(0.0), gt[k]);
  bool between = mpq_sgn(cross(a, back)) > 0 && mpq_sgn(cross(back, b)) > 0;
  return mpq_sgn(dot(2, z, a)) >= 0 && mpq_sgn(dot(2, z, b)) >= 0 && (polar || !between) &&
         compare(g[0], dot(2, a, gt)) <= 0 && compare(g[0], dot(2, b, gt)) <= 0;
}

// Depth over the largest weight y, kept where it is the least so far.
static void measure(checker *c, number depth) {
  number largest = real(0.0);
  for (int k = c->first; k < c->size; k++) largest = greater(largest, size_of(c->x[k]));
  if (mpq_sgn(largest)) keep_least(c, over(depth, largest));
}

bool leaf_holds(checker *c, const value *leaf) {
  if (!read_member(c, leaf, "lambda", c->dofs, c->x) ||
      !read_member(c, leaf, "kappa", c->joints, c->x + c->dofs) ||
      !read_member(c, leaf, "y", c->size - c->first, c->x + c->first))
    return false;
  for (int k = 0; k < c->dofs; k++) c->x[k] = minus(real(0.0), c->x[k]);
  number depth = minus(real(0.0), combine(c));
  for (int k = 0; k < c->first; k++)
    if (mpq_sgn(c->y[k])) return refuse(c, "the weights of a leaf do not cancel unknown %d", k);
  if (mpq_sgn(depth) <= 0) return refuse(c, "the depth of a leaf is not positive");
  for (int i = 0; i < c->contacts; i++)
    if (!mode_holds(c, i)) return refuse(c, "a leaf does not exclude its mode at contact %d", i);
  measure(c, depth);
  return true;
}

static bool same(const number *a, const number *b) {
  return compare(a[0], b[0]) == 0 && compare(a[1], b[1]) == 0;
}

// The children of a node leave out nothing that contact i may do.
static bool children_cover(const checker *c, int i, const value *children) {
  number a[2], b[2], start[2], reach[2];
  bool open = false, stick = false, signs[2] = {false, false};
  int slips = 0;
  for (const value *child = children->first; child; child = child->next) {
    if (has_mode(child, "open")) {
      open = true;
      continue;
    }
    if (has_mode(child, "stick")) {
      stick = true;
      continue;
    }
    if (!has_mode(child, "slip") || !read_sector(c, child, a, b)) return false;
    if (c->mu[i][0] <= 0.0 || c->mu[i][1] <= 0.0) return false;
    if (c->dim == 3 && ((slips && !same(a, reach)) || mpq_sgn(cross(a, b)) <= 0)) return false;
    if (!slips++) memcpy(start, a, sizeof start);
    memcpy(reach, b, sizeof reach);
    signs[mpq_sgn(a[0]) > 0] = true;
  }
  if (c->mode[i])  // a sector is divided
    return c->dim == 3 && slips && has_mode(c->mode[i], "slip") &&
           read_sector(c, c->mode[i], a, b) && same(start, a) && same(reach, b);
  bool round = c->dim == 2 ? signs[0] && signs[1] : slips && same(start, reach);
  return open && stick && (round || (c->mu[i][0] == 0.0 && c->mu[i][1] == 0.0));
}

bool node_holds(checker *c, const value *node, int sets) {
  const value *children = value_member(node, "children"), *set = value_member(node, "set");
  int i, k, mark = exact_mark();
  if (!children && set && value_integer(set, 0, sets - 1, &k)) return true;
  if (!children) {
    bool holds = leaf_holds(c, node);
    exact_forget(mark);
    return holds;
  }
  if (!value_integer(value_member(node, "contact"), 0, c->contacts - 1, &i))
    return refuse(c, "a node of the tree names no contact");
  if (!children_cover(c, i, children))
    return refuse(c, "a node of the tree leaves out something that contact %d may do", i);
  const value *before = c->mode[i];
  for (const value *child = children->first; child; child = child->next) {
    c->mode[i] = child;
    if (!node_holds(c, value_member(child, "node"), sets)) return false;
  }
  c->mode[i] = before;
  return true;
}
