// Checks a certificate (docs/certificates.md): its seal, the problem it names, the proof it gives.
#include "certificate_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_parts.h"

static bool says(const value *object, const char *name, const char *text) {
  return value_is(member(object, name), '"', text);
}

bool read_member(const checker *c, const value *object, const char *name, int length, number *out) {
  if (read_vector(member(object, name), length, out)) return true;
  return REFUSE("'%s' is not a vector of length %d, or has a bad entry", name, length);
}

// D x_T of contact i: two numbers, also in the plane.
void tangent(const rows *p, int i, const number *x, number *out) {
  const number *at = x + p->first + p->dim * i;
  out[0] = times(real(p->mu[i][0]), at[1]);
  out[1] = p->dim == 3 ? times(real(p->mu[i][1]), at[2]) : real(0.0);
}

// |t| <= normal
bool in_cone(number normal, const number *t) {
  return mpq_sgn(normal) >= 0 && mpq_cmp(dot(2, t, t), times(normal, normal)) <= 0;
}

static number cross(const number *a, const number *b) {
  return minus(times(a[0], b[1]), times(a[1], b[0]));
}

static bool same(const number *a, const number *b) {
  return !mpq_cmp(a[0], b[0]) && !mpq_cmp(a[1], b[1]);
}

// ---- no solution: leaves, and trees of modes or sectors that leave nothing out

// The sector of a child that slips; in 2D from and to are the same direction.
static bool read_sector(const rows *p, const value *child, number *a, number *b) {
  const value *from = member(child, "from"), *to = member(child, "to");
  int sign;
  if (p->dim == 2) {
    if (!value_integer(member(child, "sign"), -1, 1, &sign) || !sign) return false;
    a[0] = b[0] = real(sign), a[1] = b[1] = real(0.0);
    return true;
  }
  if (!from || !to || !from->first || !to->first) return false;
  for (int k = 0; k < 2; k++) {
    a[k] = exact_read(k ? from->first->next : from->first);
    b[k] = exact_read(k ? to->first->next : to->first);
    if (!a[k] || !b[k]) return false;
  }
  return !mpq_cmp_ui(dot(2, a, a), 1, 1) && !mpq_cmp_ui(dot(2, b, b), 1, 1);
}

// y.u >= 0 and r.g <= 0 for all velocities and reactions that the mode of contact i allows.
static bool mode_holds(const checker *c, int i) {
  const rows *p = &c->p;
  const value *child = c->mode[i];
  const number *y = p->x + p->first + p->dim * i, *g = p->y + p->first + p->dim * i;
  bool open = says(child, "mode", "open"), stick = says(child, "mode", "stick"), still = true;
  if (p->cone[i].corners) return polygon_excludes(c, i);
  number a[2], b[2], gt[2], z[2] = {times(real(p->mu[i][1]), y[1]), real(0.0)};
  if (p->dim == 3) z[1] = times(real(p->mu[i][0]), y[2]);
  for (int k = 1; k < p->dim; k++)
    still = still && (!mpq_sgn(y[k]) || (stick && p->mu[i][k - 1] > 0.0));
  tangent(p, i, p->y, gt);
  bool polar = in_cone(negative(g[0]), gt);
  if (stick) return still && polar;
  if (open || !child) return still && mpq_sgn(y[0]) >= 0 && (open || polar);
  read_sector(p, child, a, b);
  bool between = mpq_sgn(cross(a, gt)) < 0 && mpq_sgn(cross(gt, b)) < 0;  // -g', of a and b
  return mpq_sgn(dot(2, z, a)) >= 0 && mpq_sgn(dot(2, z, b)) >= 0 && (polar || !between) &&
         mpq_cmp(g[0], dot(2, a, gt)) <= 0 && mpq_cmp(g[0], dot(2, b, gt)) <= 0;
}

// y.u + (weights).(equations) = r.g - depth,   depth > 0,   but y.u >= 0 and r.g <= 0 in the modes
static bool leaf_holds(const checker *c, const value *leaf) {
  const rows *p = &c->p;
  if (!read_member(c, leaf, "lambda", p->dofs, p->x) ||
      !read_member(c, leaf, "kappa", p->joints, p->x + p->dofs) ||
      !read_member(c, leaf, "y", p->size - p->first, p->x + p->first))
    return false;
  for (int k = 0; k < p->dofs; k++) p->x[k] = negative(p->x[k]);
  number depth = negative(rows_combine(p));
  for (int k = 0; k < p->first; k++)
    if (mpq_sgn(p->y[k])) return REFUSE("the weights of a leaf do not cancel unknown %d", k);
  if (mpq_sgn(depth) <= 0) return REFUSE("the depth of a leaf is not positive");
  number slack = c->reach ? over(depth, c->reach) : real(0.0);  // r.g <= slack r_N
  for (int i = 0; c->reach && i < p->contacts; i++) {
    number *g_N = &p->y[p->first + p->dim * i];
    *g_N = minus(*g_N, slack);
  }
  for (int i = 0; i < p->contacts; i++)
    if (!mode_holds(c, i)) return REFUSE("a leaf does not exclude its mode at contact %d", i);
  for (int k = p->first; k < p->size; k++)
    if (mpq_cmp(depth, times(c->margin, size_of(p->x[k]))) < 0)
      return REFUSE("the margin is not that of the proof");
  return true;
}

// The children of a node leave out nothing that contact i may do.
static bool children_cover(const checker *c, int i, const value *children) {
  const rows *p = &c->p;
  if (p->cone[i].corners) return polygon_covered(c, i, children);
  number a[2], b[2], start[2] = {NULL}, reach[2] = {NULL};
  bool open = false, stick = false;
  int slips = 0;
  for (const value *child = children->first; child; child = child->next) {
    bool opens = says(child, "mode", "open"), sticks = says(child, "mode", "stick");
    open = open || opens, stick = stick || sticks;
    if (opens || sticks) continue;
    if (!says(child, "mode", "slip") || !read_sector(p, child, a, b)) return false;
    if (p->mu[i][0] <= 0.0 || p->mu[i][1] <= 0.0) return false;
    if (p->dim == 3 && ((slips && !same(a, reach)) || mpq_sgn(cross(a, b)) <= 0)) return false;
    if (!slips++) memcpy(start, a, sizeof start);
    memcpy(reach, b, sizeof reach);
  }
  if (c->mode[i])  // a sector is divided
    return p->dim == 3 && slips && says(c->mode[i], "mode", "slip") &&
           read_sector(p, c->mode[i], a, b) && same(start, a) && same(reach, b);
  bool round = p->dim == 2 ? slips == 2 && !same(start, reach) : slips && same(start, reach);
  return open && stick && (round || (p->mu[i][0] == 0.0 && p->mu[i][1] == 0.0));
}

// A leaf may be one of `sets` solution sets instead of a contradiction.
static bool node_holds(const checker *c, const value *node, int sets) {
  const value *children = member(node, "children"), *before;
  int i, k, mark = exact_mark();
  bool holds = true;
  if (!children && value_integer(member(node, "set"), 0, sets - 1, &k)) return true;
  if (!children) {
    holds = leaf_holds(c, node);
    exact_forget(mark);
    return holds;
  }
  if (!value_integer(member(node, "contact"), 0, c->p.contacts - 1, &i))
    return REFUSE("a node of the tree names no contact");
  if (!children_cover(c, i, children))
    return REFUSE("a node of the tree leaves out something that contact %d may do", i);
  before = c->mode[i];
  for (const value *child = children->first; child && holds; child = child->next) {
    c->mode[i] = child;
    holds = node_holds(c, member(child, "node"), sets);
  }
  c->mode[i] = before;
  return holds;
}

// What a reach leaves aside is beyond 2^28 |q| / |W| in the component of contact i.
static bool reach_is_wide(const checker *c, int i) {
  const rows *p = &c->p;
  int of = rows_component(p, p->first + p->dim * i);
  double W = 0.0, q = 0.0;
  for (int k = 0; k < p->entries; k++)
    if (rows_component(p, p->row[k]) == of) W = fmax(W, fabs(p->entry[k]));
  for (int k = p->first; k < p->size; k++)
    if (rows_component(p, k) == of) q = fmax(q, fabs(p->constant[k]));
  return mpq_cmp(times(c->reach, real(W)), times(real(0x1p28), real(q))) >= 0;
}

// A contact of the component that a tree is about: that it branches on, or that its only leaf
// weighs.
static bool contact_of_tree(const checker *c, const value *tree, int *contact) {
  const value *y = member(tree, "y"), *pair = y ? y->first : NULL;
  if (value_integer(member(tree, "contact"), 0, c->p.contacts - 1, contact)) return true;
  if (!pair || !value_integer(pair->first, 0, c->p.size - c->p.first - 1, contact)) return false;
  *contact /= c->p.dim;
  return true;
}

// The tree of a component: with a reach, one that is wide enough.
static bool tree_holds(const checker *c, const value *tree, int sets) {
  int i;
  if (!c->reach) return node_holds(c, tree, sets);
  if (!contact_of_tree(c, tree, &i)) return REFUSE("a tree with a reach names no contact");
  return reach_is_wide(c, i) ? node_holds(c, tree, sets) : REFUSE("the reach is too small");
}

// Whether some contact slips in a sector of directions.
static bool has_sectors(const value *node) {
  const value *children = member(node, "children");
  for (const value *child = children ? children->first : NULL; child; child = child->next)
    if (member(child, "from") || has_sectors(member(child, "node"))) return true;
  return false;
}

static bool has_none(const checker *c, const value *head) {
  const rows *p = &c->p;
  const value *leaf = member(head, "leaf"), *tree = member(head, "tree");
  if (says(head, "proof", "mode_tree") && tree)
    return tree_holds(c, tree, 0) &&
           (p->dim == 2 || !has_sectors(tree) || REFUSE("the proof is sector_tree"));
  if (says(head, "proof", "sector_tree") && tree && p->dim == 3) return tree_holds(c, tree, 0);
  if (!says(head, "proof", "kinematic") || !leaf) return REFUSE("there is no known proof");
  if (c->reach) return REFUSE("a kinematic proof has no reach");
  if (!leaf_holds(c, leaf)) return false;
  for (int k = 0; k < p->size; k++)
    if (k < p->dofs ? mpq_sgn(p->x[k]) : k >= p->first && mpq_sgn(p->y[k]))
      return REFUSE("a kinematic proof uses forces");
  return true;
}

// ---- existence: exact solutions and the criterion

// Evaluates (v, l, r) of a part; false unless the equations from row `least` on hold.
static bool evaluate_point(const checker *c, const value *point, int part, int least) {
  const rows *p = &c->p;
  if (!read_member(c, point, "v", p->dofs, p->x) ||
      !read_member(c, point, "l", p->joints, p->x + p->dofs) ||
      !read_member(c, point, "r", p->size - p->first, p->x + p->first))
    return false;
  rows_evaluate(p);
  for (int k = least; k < p->first; k++)
    if (mpq_sgn(p->y[k])) return REFUSE("the point of a part violates equation %d", k);
  return rounding_allows(c, part);
}

// A point where the law of contact i holds exactly; outside the part r must be zero.
static bool law_holds(const rows *p, int i, bool inside) {
  const number *r = p->x + p->first + p->dim * i, *u = p->y + p->first + p->dim * i;
  number t[2] = {real(0.0), real(0.0)}, ut[2];
  bool zero = !mpq_sgn(r[0]), known = true;
  for (int k = 0; k < p->dim - 1; k++) {
    zero = zero && !mpq_sgn(r[k + 1]);
    known = known && (p->mu[i][k] > 0.0 || !mpq_sgn(r[k + 1]));
    if (p->mu[i][k] > 0.0) t[k] = negative(over(r[k + 1], real(p->mu[i][k])));
  }
  if (zero && (!inside || mpq_sgn(u[0]) >= 0)) return true;
  if (p->cone[i].corners) return inside && polygon_law_holds(p, i);
  tangent(p, i, p->y, ut);
  bool still = !mpq_sgn(ut[0]) && !mpq_sgn(ut[1]);
  bool along = !mpq_sgn(cross(ut, t)) && mpq_sgn(dot(2, ut, t)) >= 0 &&
               !mpq_cmp(dot(2, t, t), times(r[0], r[0]));
  return inside && known && !mpq_sgn(u[0]) && in_cone(r[0], t) && (still || along);
}

static bool solution_holds(const checker *c, const value *point, int part) {
  if (!evaluate_point(c, point, part, 0)) return false;
  for (int i = 0; i < c->p.contacts; i++)
    if (!law_holds(&c->p, i, c->owner[i] == part)) return REFUSE("contact %d breaks its law", i);
  return true;
}

// u_N(j) is a sum with weights y >= 0 of u_N at other contacts of the part, and a constant >= 0.
static bool never_closes(const checker *c, const value *item, int j, int part) {
  const rows *p = &c->p;
  number *y = exact_room(p->contacts, sizeof *y);
  for (int k = 0; k < p->size; k++) p->x[k] = real(0.0);
  if (!read_member(c, item, "kappa", p->joints, p->x + p->dofs) ||
      !read_member(c, item, "y", p->contacts, y))
    return false;
  for (int k = p->dofs; k < p->first; k++) p->x[k] = negative(p->x[k]);
  for (int i = 0; i < p->contacts; i++) {
    if (mpq_sgn(y[i]) < 0 || (mpq_sgn(y[i]) > 0 && c->owner[i] != part)) return false;
    p->x[p->first + p->dim * i] = i == j ? real(1.0) : negative(y[i]);
  }
  bool holds = mpq_sgn(rows_combine(p)) >= 0;
  for (int k = 0; k < p->size; k++) holds = holds && !mpq_sgn(p->y[k]);
  return holds;
}

// Marks the contacts that are left out of the criterion, then checks each.
static bool set_aside(const checker *c, const value *list, int part) {
  int j;
  for (const value *item = list ? list->first : NULL; item; item = item->next) {
    if (!value_integer(member(item, "contact"), 0, c->p.contacts - 1, &j) || c->owner[j] != part)
      return REFUSE("'never_closing' names a contact that is not in its part");
    c->owner[j] = -part;
  }
  for (const value *item = list ? list->first : NULL; item; item = item->next) {
    value_integer(member(item, "contact"), 0, c->p.contacts - 1, &j);
    if (!never_closes(c, item, j, part))
      return REFUSE("it is not shown that contact %d never closes", j);
  }
  return true;
}

// M is positive definite, or W is semi-definite but for the slack that the head names; once.
static bool premise_holds(const checker *c, const value *head) {
  const rows *p = &c->p;
  number slack = member(head, "slack") ? exact_read(member(head, "slack")) : real(0.0);
  if (!slack || mpq_sgn(slack) < 0 || (mpq_sgn(slack) && (!p->local || p->joints)))
    return REFUSE("the slack is not a number >= 0, or not zero where it has to be");
  *c->premise = premise_check(p, mpq_get_d(slack));
  *c->slack = slack;
  const char *matrix = p->local ? "W" : "M";
  if (c->premise->too_large) return REFUSE("the premise is not checked: %s is too large", matrix);
  if (!c->premise->known) return REFUSE("the premise fails: %s is not semi-definite", matrix);
  if (!p->local && !c->premise->regular)
    return REFUSE("the premise fails: M is not positive definite");
  if (p->joints && p->local && !c->premise->symmetric)
    return REFUSE("the premise fails: W is not symmetric");
  c->result->premise = p->local ? mpq_sgn(slack) ? "W is positive semi-definite but for a slack"
                                                 : "W is positive semi-definite"
                                : "M is positive definite";
  return true;
}

// What the slack and the skew part of W cost in one connected component.
typedef struct cost {
  number energy, weight, most, skew;  // r.W r, sum S_kk r_k^2, max S_NN + mu^2 S_TT, max |A r|
} cost;

static number larger(number a, number b) { return mpq_cmp(a, b) > 0 ? a : b; }

// Adds contact i: y = W r + q, transposed = W^T r.
static void add_cost(const rows *p, int i, const number *transposed, const double *diagonal,
                     cost *sum) {
  number across = real(0.0), skew = real(0.0);
  for (int k = 0; k < p->dim; k++) {
    int at = p->first + p->dim * i + k;
    number mu = real(k ? p->mu[i][k - 1] : 1.0), S = real(diagonal[at]);
    number Wr = minus(p->y[at], real(p->constant[at]));
    sum->energy = plus(sum->energy, times(p->x[at], Wr));
    sum->weight = plus(sum->weight, times(S, times(p->x[at], p->x[at])));
    number part = times(times(mu, mu), S);
    if (k) across = p->cone[i].corners ? plus(across, part) : larger(across, part);
    skew = plus(skew, times(mu, times(real(0.5), size_of(minus(Wr, transposed[at])))));
  }
  sum->most = larger(sum->most, plus(real(diagonal[p->first + p->dim * i]), across));
  sum->skew = larger(sum->skew, skew);
}

// (t - skew)^2 > slack most (2 max(energy, 0) + 4 slack weight)
static bool is_paid(number slack, number t, const cost *sum) {
  number left = minus(t, sum->skew), energy = larger(sum->energy, real(0.0));
  number all = plus(times(real(2.0), energy), times(real(4.0), times(slack, sum->weight)));
  return mpq_sgn(left) > 0 && mpq_cmp(times(left, left), times(slack, times(sum->most, all))) > 0;
}

// The margin t of part k pays for the slack and for the skew part of W in each of its components.
static bool premise_allows(const checker *c, int k, number t) {
  const rows *p = &c->p;
  if (!p->local || (!mpq_sgn(*c->slack) && (c->premise->symmetric || c->premise->regular)))
    return true;
  number *transposed = exact_room(p->size, sizeof *transposed), *y = exact_room(p->size, sizeof *y);
  double *diagonal = exact_room(p->size, sizeof *diagonal);
  cost *sum = exact_room(p->size, sizeof *sum);
  memcpy(y, p->y, (size_t)p->size * sizeof *y);
  rows_combine(p);
  memcpy(transposed, p->y, (size_t)p->size * sizeof *transposed);
  memcpy(p->y, y, (size_t)p->size * sizeof *y);
  for (int n = 0; n < p->entries; n++)
    if (p->row[n] == p->col[n]) diagonal[p->row[n]] = p->entry[n];
  for (int n = 0; n < p->size; n++) sum[n] = (cost){real(0.0), real(0.0), real(0.0), real(0.0)};
  for (int i = 0; i < p->contacts; i++)
    if (abs(c->owner[i]) == k)
      add_cost(p, i, transposed, diagonal, &sum[rows_component(p, p->first + p->dim * i)]);
  for (int i = 0; i < p->contacts; i++)
    if (abs(c->owner[i]) == k &&
        !is_paid(*c->slack, t, &sum[rows_component(p, p->first + p->dim * i)]))
      return REFUSE("the margin of part %d does not pay for what W lacks", k - 1);
  return true;
}

// ---- existence: the parts

// Gives the contacts of each part their owner: each has one, and connected contacts have the same.
static bool divide_parts(const checker *c, const value *parts) {
  const rows *p = &c->p;
  int *seen = exact_room(p->size, sizeof *seen), i, k = 1;
  memset(c->owner, 0, (size_t)p->contacts * sizeof *c->owner);
  for (const value *part = parts->first; part; part = part->next, k++) {
    const value *list = member(part, "contacts");
    for (const value *v = list ? list->first : NULL; v; v = v->next) {
      if (!value_integer(v, 0, p->contacts - 1, &i) || c->owner[i])
        return REFUSE("part %d names a wrong contact", k - 1);
      c->owner[i] = k;
    }
  }
  for (i = 0; i < p->contacts; i++) {
    int *of = &seen[rows_component(p, p->first + p->dim * i)];
    if (!c->owner[i]) return REFUSE("contact %d is in no part", i);
    if (*of && *of != c->owner[i]) return REFUSE("contact %d is cut off from its part", i);
    *of = c->owner[i];
  }
  return true;
}

// The proofs of a part, from the best to the last.
static const char *const PART_PROOFS[] = {"strict_margin", "weak_2d", "weak_polyhedral",
                                          "verified_solution"};
enum { STRICT, WEAK, FLAT, VERIFIED, UNKNOWN };

static int proof_of(const value *object) {
  int proof = STRICT;
  while (proof < UNKNOWN && !says(object, "proof", PART_PROOFS[proof])) proof++;
  return proof;
}

// Whether the cone of contact i is polyhedral: in the plane, over a polygon, without friction.
static bool is_flat(const rows *p, int i) {
  return p->dim == 2 || p->cone[i].corners || (p->mu[i][0] == 0.0 && p->mu[i][1] == 0.0);
}

// u_N - t >= s(u) at contact i.
static bool has_margin(const rows *p, int i, number t) {
  number ut[2];
  if (p->cone[i].corners) return polygon_has_margin(p, i, t);
  tangent(p, i, p->y, ut);
  return in_cone(minus(p->y[p->first + p->dim * i], t), ut);
}

// t > 0; or t = 0 where the constraints of the theorem are linear.
static bool may_have_margin(const checker *c, int proof, int k, number t) {
  bool flat = proof != WEAK || c->p.dim == 2;
  for (int i = 0; proof == FLAT && i < c->p.contacts; i++)
    flat = flat && (c->owner[i] != k || is_flat(&c->p, i));
  if (!t || mpq_cmp(t, c->margin) < 0) return false;
  return proof == STRICT ? mpq_sgn(t) > 0 : flat && !mpq_sgn(t);
}

static bool part_holds(const checker *c, const value *part, int k) {
  int proof = proof_of(part);
  if (proof == UNKNOWN) return REFUSE("part %d has no known proof", k - 1);
  if (proof == VERIFIED)
    return member(part, "x") ? box_holds(c, part, k) : solution_holds(c, part, k);
  number t = exact_read(member(part, "margin"));
  if (!may_have_margin(c, proof, k, t))
    return REFUSE("a part has a margin that its proof cannot have");
  if (!set_aside(c, member(part, "never_closing"), k) || !evaluate_point(c, part, k, c->p.dofs))
    return false;
  for (int i = 0; i < c->p.contacts; i++)
    if (c->owner[i] == k && !has_margin(&c->p, i, t))
      return REFUSE("contact %d has not the margin of its part", i);
  return premise_allows(c, k, t);
}

static bool exists(const checker *c, const value *head) {
  const value *parts = member(head, "parts");
  int k = 1, last = STRICT, first = VERIFIED;
  if (!parts) return REFUSE("there are no parts");
  if (!divide_parts(c, parts)) return false;
  for (const value *part = parts->first; part; part = part->next)
    if (proof_of(part) < first) first = proof_of(part);
  if (first < VERIFIED && !premise_holds(c, head)) return false;
  for (const value *part = parts->first; part; part = part->next, k++) {
    if (!part_holds(c, part, k)) return false;
    if (proof_of(part) > last) last = proof_of(part);
  }
  if (proof_of(head) != last) return REFUSE("the proof is %s", PART_PROOFS[last]);
  return k > 1 || c->p.joints == 0 || REFUSE("nothing shows that the joints can move");
}

// All solutions: the points of the sets are solutions, and no mode outside the sets has one.
static bool enumeration_holds(const checker *c, const value *list) {
  int k = 1;
  for (int i = 0; i < c->p.contacts; i++)
    if (!is_flat(&c->p, i)) return REFUSE("solutions are not enumerated for round cones");
  if (!divide_parts(c, list)) return false;
  for (const value *part = list->first; part; part = part->next, k++) {
    const value *sets = member(part, "sets");
    int count = 0;
    for (const value *set = sets ? sets->first : NULL; set; set = set->next, count++)
      if (!solution_holds(c, set, k)) return false;
    if (!tree_holds(c, member(part, "tree"), count)) return false;
  }
  return true;
}

// ---- all of it

static bool seal_holds(const checker *c, const value *head, const char *text) {
  const value *seal = member(head, "seal");
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  char digits[17];
  if (!seal || seal->next) return REFUSE("the certificate does not end with a seal");
  for (; text < seal->name - 1; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3u;
  snprintf(digits, sizeof digits, "%016" PRIx64, h);
  return value_is(seal, '"', digits) ||
         REFUSE("the certificate was altered: its seal is not %s", digits);
}

static bool names_problem(const checker *c, const value *head, const stc_problem *problem) {
  const value *data = member(head, "problem");
  const char *name[] = {"dim", "contacts", "dofs", "equalities"};
  const int size[] = {c->p.dim, c->p.contacts, c->p.dofs, c->p.joints};
  bool fits = says(data, "form", c->p.local ? "local" : "global");
  int found;
  char digits[33];
  for (int k = 0; k < 4; k++)
    fits = fits && value_integer(member(data, name[k]), size[k], size[k], &found);
  stc_problem_fingerprint(problem, digits);
  return (fits && says(data, "fingerprint", digits)) ||
         REFUSE("the certificate is about another problem: the fingerprint is %s", digits);
}

// Trees of the local form may exclude only reactions whose normal parts sum to no more than this.
static bool read_reach(checker *c, const value *reach) {
  if (!reach) return true;
  c->reach = exact_read(reach);
  if (!c->p.local || !c->reach || mpq_sgn(c->reach) <= 0)
    return REFUSE("the reach is not a number > 0 of the local form");
  c->result->premise = "reactions sum to no more than the reach";
  return true;
}

static bool certificate_holds(checker *c, const value *head, const char *text,
                              const stc_problem *problem) {
  const value *all = member(head, "enumeration"), *margin = member(head, "margin");
  int version;
  if (!says(head, "format", "stiction-certificate") ||
      !value_integer(member(head, "version"), 1, 1, &version))
    return REFUSE("this is no certificate of version 1");
  if (!seal_holds(c, head, text) || !names_problem(c, head, problem)) return false;
  c->result->undecided = says(head, "verdict", "undecided");
  if (c->result->undecided) return REFUSE("the certificate proves nothing: undecided");
  bool yes = says(head, "verdict", "exists");
  if (!yes && !says(head, "verdict", "no_solution")) return REFUSE("the verdict is unknown");
  c->margin = value_is(margin, 'w', "null") ? real(0.0) : exact_read(margin);
  if (!c->margin || mpq_sgn(c->margin) < 0) return REFUSE("the margin is not a number >= 0");
  if (!read_reach(c, member(head, "reach"))) return false;
  if (!(yes ? exists(c, head) : has_none(c, head))) return false;
  c->margin = real(0.0);  // the leaves of an enumeration claim none
  return !all || !yes || enumeration_holds(c, all);
}

static void copy(char *out, size_t room, const value *v) {
  snprintf(out, room, "%.*s", v && v->kind == '"' ? (int)v->length : 0, v ? v->text : "");
}

check_result check_certificate(const stc_problem *problem, const char *text, size_t size) {
  check_result result = {.valid = false, .premise = ""};
  premise known = {.known = false};
  number slack = NULL;
  checker this = {.result = &result, .premise = &known, .slack = &slack}, *c = &this;
  value *head = value_read(text, size);
  if (!head) {
    result.valid = REFUSE("this is not JSON");
  } else if (!rows_load(&c->p, problem)) {
    result.valid =
        REFUSE("laws with spin, rolling or dilatancy and round sections have no certificates");
  } else {
    c->owner = exact_room(c->p.contacts, sizeof *c->owner);
    c->mode = exact_room(c->p.contacts, sizeof *c->mode);
    result.valid = certificate_holds(c, head, text, problem);
    copy(result.verdict, sizeof result.verdict, member(head, "verdict"));
    copy(result.proof, sizeof result.proof, member(head, "proof"));
  }
  exact_forget(-1);
  free(head);
  return result;
}
