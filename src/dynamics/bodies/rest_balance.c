// Impulses that hold a cluster of bodies at rest: r and l with
//   H^T r + G^T l = -M v_free   to rounding,   every r inside its cone.
// They are sought from the impulses of the step, which balance the bodies only within the
// tolerance, by steps of an interior-point method with the barrier phi = -log det of the cones:
//   dr = (1 - sigma) D H y + sigma (g + D H z),   (H^T D H + G^T E G) (y, z) = (e, -H^T g)
// with e what is not balanced, D the inverse of the barrier's Hessian at r, and g = r - D c, which
// leads away from the boundary and, by c, from impulses that grow without bound.
#include "rest_balance.h"

#include <stdlib.h>

// What rounding may leave of balanced terms, and outside a cone.
static const double ROUNDING = 1e-12;  // [rounding]

// Impulses nearer to the boundary of their cone than this part of the mean impulse are moved inside
// before the first step: at first no further than what eta leaves open, in few steps; then further,
// for the methods leave impulses on the boundary that need not be there.
enum { STARTS = 2 };  // [size]

// Shift of the factor, against a diagonal of ones: a cluster with free motions is singular.
static const double SHIFT = 1e-11;  // [rounding]

enum { HALVINGS = 30, MOST_WIDTH = 6 };  // [bound]

/// Work space of a cluster.
typedef struct work {
  int width;   ///< degrees of freedom of a body
  int *first;  ///< [bodies+1] of the neighbours of a body
  int *near;   ///< [first[bodies]] neighbours of each body, itself among them, sorted
  stc_csr A;   ///< scaled to a diagonal of ones
  double *scale, *y, *b, *rhs;  ///< [rows of A]
  size_t size, rows;            ///< of r and l
  double *metric;  ///< [contacts * STC_MAX_DIM] d of each, at the impulses of this step
  double *dr, *dl, *affine_r, *affine_l, *start_r, *start_l;
} work;

// --- What is not balanced ---

static void momentum(const stc_world *world, const stc_body_data *node, double p[MOST_WIDTH]) {
  const double *v = STC_SPEED(world, STC_SPEED_FREE) + node->dof;
  for (int i = 0; i < (world->settings.plane ? 2 : 3); i++) p[i] = node->mass * v[i];
  if (world->settings.plane)
    p[2] = node->inertia[8] * v[2];
  else
    stc_mul3(node->inertia, v + 3, p + 3);
}

/// Takes the impulse x of a row off e.
static void take_off(const stc_body_matrix *A, int row, double x, double *e, double *term) {
  for (int side = 0; side < 2; side++) {
    int body = A->rows.body[2 * (row / A->dim) + side], first = body * A->width;
    const double *entry = stc_body_row(A, row, side);
    for (int l = 0; body >= 0 && l < A->width; l++) {
      e[first + l] -= entry[l * A->dim] * x;
      term[first + l] += fabs(entry[l * A->dim] * x);
    }
  }
}

static void find_imbalance(const stc_cluster *z) {
  const stc_world *world = z->world;
  int width = stc_body_dofs(world), dim = world->dim;
  for (int k = 0; k < z->bodies; k++) {
    const stc_body_data *node = &STC_NODES(world)[z->body[k]];
    double p[MOST_WIDTH];
    momentum(world, node, p);
    for (int i = 0; i < width; i++) {
      z->e[node->dof + i] = -p[i];
      z->term[node->dof + i] = fabs(p[i]);
    }
  }
  for (int k = 0; k < z->contacts; k++)
    for (int row = z->contact[k] * dim; row < (z->contact[k] + 1) * dim; row++)
      take_off(&world->H.view, row, z->r[row], z->e, z->term);
  for (int k = 0; k < z->links; k++) {
    const stc_link *link = &STC_LINKS(world)[z->link[k]];
    for (int row = link->first_row; row < link->first_row + link->rows; row++)
      take_off(&world->G.view, row, z->l[row], z->e, z->term);
  }
}

/// Forces are measured by all forces on the body, moments by what these make at its radius and by
/// all moments: where nothing pushes sideways nothing but rounding is there.
bool stc_cluster_is_balanced(const stc_cluster *z, int b) {
  const stc_body_data *node = &STC_NODES(z->world)[b];
  const double *e = z->e + node->dof, *term = z->term + node->dof;
  int width = stc_body_dofs(z->world), linear = width / 2 + width % 2;
  double force = 0, moment = 0;
  for (int i = 0; i < linear; i++) force = fmax(force, term[i]);
  for (int i = linear; i < width; i++) moment = fmax(moment, term[i]);
  moment = fmax(moment, force * node->size);
  for (int i = 0; i < width; i++)
    if (!(fabs(e[i]) <= ROUNDING * (i < linear ? force : moment))) return false;
  return true;
}

static bool all_balanced(const stc_cluster *z) {
  for (int k = 0; k < z->bodies; k++)
    if (!stc_cluster_is_balanced(z, z->body[k])) return false;
  return true;
}

// --- Cones ---

static bool is_in_cone(const stc_law *law, int dim, const double *r) {
  double p[STC_MAX_DIM], away = 0, size = 0;
  stc_law_project(law, r, p);
  for (int k = 0; k < dim; k++) {
    away += (r[k] - p[k]) * (r[k] - p[k]);
    size += r[k] * r[k];
  }
  return away <= ROUNDING * ROUNDING * size;
}

static bool all_in_cones(const stc_cluster *z) {
  int dim = z->world->dim;
  for (int k = 0; k < z->contacts; k++) {
    int c = z->contact[k];
    if (z->free[c] && !is_in_cone(&STC_CONTACT_PAIRS(z->world)[c].law, dim, z->r + c * dim))
      return false;
  }
  return true;
}

static bool is_circular(const stc_law *law) {
  return law->kind == STC_LAW_COULOMB || law->kind == STC_LAW_FRICTIONLESS;
}

/// The same by the quadratic (mu r_N)^2 - |r_T|^2 along the way, for a circular cone.
static double part_inside_circle(const stc_law *law, int dim, const double *r, const double *dr,
                                 double most) {
  double mu = law->kind == STC_LAW_COULOMB ? law->mu[0] : 0;
  double a = mu * mu * dr[0] * dr[0], b = mu * mu * r[0] * dr[0], c = mu * mu * r[0] * r[0];
  double first = dr[0] < 0 ? fmin(most, -r[0] / dr[0]) : most;
  if (mu == 0) return first;
  for (int k = 1; k < dim; k++) {
    a -= dr[k] * dr[k];
    b -= r[k] * dr[k];
    c -= r[k] * r[k];
  }
  if (!(c > 0)) return a * first + 2 * b >= 0 ? first : 0;
  double discriminant = b * b - a * c;
  if (discriminant < 0 || (a >= 0 && b >= 0)) return first;
  double root = c / (-b + sqrt(discriminant));  // the least positive one, where there is one
  return root > 0 ? fmin(first, root) : first;
}

/// The largest part t <= most of dr after which r + t dr is in the cone, which holds r.
static double part_inside(const stc_law *law, int dim, const double *r, const double *dr,
                          double most) {
  double in = 0, out = most, x[STC_MAX_DIM];
  if (is_circular(law)) return part_inside_circle(law, dim, r, dr, most);
  for (int n = 0; n <= HALVINGS; n++) {
    double t = n == 0 ? most : (in + out) / 2;
    for (int k = 0; k < dim; k++) x[k] = r[k] + t * dr[k];
    bool inside = is_in_cone(law, dim, x);
    if (inside && n == 0) return most;
    *(inside ? &in : &out) = t;
  }
  return in;
}

/// The part of r_N that could go before the cone is left.
static double room(const stc_law *law, int dim, const double *r) {
  double less[STC_MAX_DIM] = {-r[0]};
  if (r[0] > 0 && law->kind == STC_LAW_COULOMB && law->mu[0] > 0)
    return fmax(0, 1 - hypot(r[1], dim > 2 ? r[2] : 0) / (law->mu[0] * r[0]));
  return r[0] > 0 ? part_inside(law, dim, r, less, 1) : 0;
}

/// Half the width of a section along T1 or T2.
static double width_of_section(const stc_law *law, int k) {
  double forth[2] = {k == 1, k == 2}, back[2] = {-forth[0], -forth[1]};
  return law->mu[0] *
         (stc_cone_section_reach(law->section, forth, NULL) +
          stc_cone_section_reach(law->section, back, NULL)) /
         2;
}

/// Half the width of the cone along component k, at r_N = 1.
static double width_of_cone(const stc_law *law, int k) {
  bool plane = law->dim == 2 || (law->kind == STC_LAW_ROLLING && law->dim == 3);
  if (k == 0) return 1;
  if (law->kind == STC_LAW_SECTION) return width_of_section(law, k);
  if (k < (plane ? 2 : 3)) return law->mu[law->kind == STC_LAW_ELLIPTIC ? k - 1 : 0];
  return law->kind == STC_LAW_ROLLING ? law->length : law->mu[0] * law->radius;
}

/// d of the metric D = r r^T + diag(d), in a Coulomb cone the inverse of the Hessian of phi.
static void metric(const stc_law *law, const double *r, double d[STC_MAX_DIM]) {
  double s = room(law, law->dim, r), half = r[0] * r[0] * s * (2 - s) / 2;
  for (int k = 0; k < law->dim; k++) {
    double wide = width_of_cone(law, k);
    d[k] = half * wide * wide;
  }
  d[0] = law->kind == STC_LAW_COULOMB ? -half : 0;
}

static double mean_impulse(const stc_cluster *z) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < z->contacts; k++) {
    if (!z->free[z->contact[k]]) continue;
    sum += fmax(z->r[z->contact[k] * z->world->dim], 0);
    count++;
  }
  return sum > 0 ? sum / count : 1;
}

/// Projects the impulses on their cones and moves those near the boundary inside.
static void move_inside(stc_cluster *z, double part) {
  int dim = z->world->dim;
  double least = part * mean_impulse(z);
  for (int k = 0; k < z->contacts; k++) {
    const stc_law *law = &STC_CONTACT_PAIRS(z->world)[z->contact[k]].law;
    double *r = z->r + z->contact[k] * dim;
    if (!z->free[z->contact[k]]) continue;
    stc_law_project(law, r, r);
    if (r[0] * room(law, dim, r) < least) r[0] += least;
  }
}

// --- The matrix ---

static int compare_pairs(const void *a, const void *b) {
  const int *p = a, *q = b;
  for (int k = 0; k < 2; k++)
    if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
  return 0;
}

/// Numbers in the cluster of the bodies that are in it; returns how many.
static int locals_of(const stc_cluster *z, const int body[2], int local[2]) {
  int count = 0;
  for (int k = 0; k < 2; k++)
    if (body[k] >= 0 && z->local[body[k]] >= 0) local[count++] = z->local[body[k]];
  return count;
}

static int add_pairs(const stc_cluster *z, const int body[2], int (*pair)[2], int pairs) {
  int local[2], count = locals_of(z, body, local);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      pair[pairs][0] = local[i];
      pair[pairs++][1] = local[j];
    }
  return pairs;
}

/// Bodies that each body is coupled with, itself included.
static stc_error list_neighbours(const stc_cluster *z, stc_arena *arena, work *w) {
  int pairs = 0, most = z->bodies + 4 * (z->contacts + z->links);
  int(*pair)[2] = stc_arena_take_raw(arena, (size_t)most, sizeof *pair);
  w->first = STC_TAKE(arena, int, z->bodies + 1);
  w->near = STC_TAKE_RAW(arena, int, most);
  STC_TRY(stc_arena_check(arena));
  for (int k = 0; k < z->bodies; k++) pair[pairs][0] = k, pair[pairs++][1] = k;
  for (int k = 0; k < z->contacts; k++)
    if (z->free[z->contact[k]])
      pairs = add_pairs(z, STC_CONTACT_PAIRS(z->world)[z->contact[k]].body, pair, pairs);
  for (int k = 0; k < z->links; k++)
    if (z->link_free[z->link[k]])
      pairs = add_pairs(z, STC_LINKS(z->world)[z->link[k]].body, pair, pairs);
  qsort(pair, (size_t)pairs, sizeof *pair, compare_pairs);
  int kept = 0;
  for (int k = 0; k < pairs; k++) {
    if (k > 0 && compare_pairs(pair[k], pair[k - 1]) == 0) continue;
    w->near[kept++] = pair[k][1];
    w->first[pair[k][0] + 1] = kept;
  }
  return STC_OK;
}

static stc_error shape_matrix(const stc_cluster *z, stc_arena *arena, work *w) {
  int n = z->bodies * w->width, at = 0;
  int entries = w->first[z->bodies] * w->width * w->width;
  w->A = (stc_csr){n, n, STC_TAKE_RAW(arena, int, n + 1), STC_TAKE_RAW(arena, int, entries),
                   STC_TAKE_RAW(arena, double, entries)};
  w->scale = STC_TAKE_RAW(arena, double, n);
  w->y = STC_TAKE_RAW(arena, double, n);
  w->b = STC_TAKE_RAW(arena, double, n);
  w->rhs = STC_TAKE_RAW(arena, double, n);
  w->metric = STC_TAKE_RAW(arena, double, z->contacts *STC_MAX_DIM);
  double **of_contacts[] = {&w->dr, &w->affine_r, &w->start_r};
  double **of_links[] = {&w->dl, &w->affine_l, &w->start_l};
  STC_TAKE_VECTORS(arena, w->size, of_contacts);
  STC_TAKE_VECTORS(arena, w->rows, of_links);
  STC_TRY(stc_arena_check(arena));
  w->A.ptr[0] = 0;
  for (int row = 0; row < n; row++) {
    for (int k = w->first[row / w->width]; k < w->first[row / w->width + 1]; k++)
      for (int i = 0; i < w->width; i++) w->A.col[at++] = w->near[k] * w->width + i;
    w->A.ptr[row + 1] = at;
  }
  return STC_OK;
}

/// The entries of body `other` in a row of A.
static double *entries_of(const work *w, int row, int other) {
  int body = row / w->width, first = w->first[body];
  int at = stc_first_from(w->near, first, w->first[body + 1] - 1, other);
  return w->A.val + w->A.ptr[row] + (at - first) * w->width;
}

/// The place in the cluster of the body on a side of a row; -1: it is not in it.
static int local_of(const stc_cluster *z, const stc_body_matrix *A, int row, int side) {
  int body = A->rows.body[2 * (row / A->dim) + side];
  return body < 0 ? -1 : z->local[((const int *)z->world->owner.data)[body]];
}

/// Row `row` of H or G over the bodies of the cluster, side by side.
static void spread_row(const stc_cluster *z, const stc_body_matrix *A, int row, const int *local,
                       int count, double x[2 * MOST_WIDTH]) {
  for (int i = 0; i < count * A->width; i++) x[i] = 0;
  for (int side = 0; side < 2; side++) {
    int at = local_of(z, A, row, side);
    const double *entry = stc_body_row(A, row, side);
    for (int i = 0; i < count; i++)
      for (int l = 0; at >= 0 && at == local[i] && l < A->width; l++)
        x[i * A->width + l] = entry[l * A->dim];
  }
}

/// block += weight x x^T, of n rows.
static void add_square(double *block, int n, double weight, const double *x) {
  for (int i = 0; i < n; i++) {
    double scaled = weight * x[i];
    for (int j = 0; scaled != 0 && j < n; j++) block[i * n + j] += scaled * x[j];
  }
}

/// A += a block over the bodies `local`, side by side.
static void scatter_block(const work *w, const int *local, int count, const double *block) {
  int width = w->width, n = count * width;
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) {
      double *entry = entries_of(w, local[a] * width, local[b]);
      int row = w->A.ptr[local[a] * width + 1] - w->A.ptr[local[a] * width];
      for (int i = 0; i < width; i++, entry += row)
        for (int j = 0; j < width; j++) entry[j] += block[(a * width + i) * n + b * width + j];
    }
}

static void add_contact_block(const stc_cluster *z, const work *w, int c, const double *d) {
  const stc_contact_pair *m = &STC_CONTACT_PAIRS(z->world)[c];
  int dim = z->world->dim, local[2], count = locals_of(z, m->body, local), n = count * w->width;
  const double *r = z->r + c * dim;
  double along[2 * MOST_WIDTH] = {0}, x[2 * MOST_WIDTH], block[4 * MOST_WIDTH * MOST_WIDTH] = {0};
  for (int k = 0; k < dim; k++) {
    spread_row(z, &z->world->H.view, c * dim + k, local, count, x);
    add_square(block, n, d[k], x);
    for (int i = 0; i < n; i++) along[i] += r[k] * x[i];
  }
  add_square(block, n, 1, along);
  scatter_block(w, local, count, block);
}

/// The impulse of a joint is free: its weight is that of a contact with the impulse `typical` and a
/// row as long as that of a unit vector.
static void add_link(const stc_cluster *z, const work *w, int j, double typical) {
  const stc_link *link = &STC_LINKS(z->world)[j];
  int local[2], count = locals_of(z, link->body, local);
  double x[2 * MOST_WIDTH], block[4 * MOST_WIDTH * MOST_WIDTH] = {0};
  for (int row = link->first_row; row < link->first_row + link->rows; row++) {
    spread_row(z, &z->world->G.view, row, local, count, x);
    add_square(block, count * w->width, typical * typical, x);
  }
  scatter_block(w, local, count, block);
}

static double largest_impulse(const stc_cluster *z) {
  double most = 0;
  for (int k = 0; k < z->contacts; k++) most = fmax(most, z->r[z->contact[k] * z->world->dim]);
  return most;
}

/// A = S (H^T D H + G^T E G) S with S such that its diagonal is one, or zero.
static void fill_matrix(const stc_cluster *z, const work *w) {
  double typical = largest_impulse(z);
  for (int k = 0; k < w->A.ptr[w->A.rows]; k++) w->A.val[k] = 0;
  for (int k = 0; k < z->contacts; k++) {
    int c = z->contact[k];
    double *d = w->metric + (ptrdiff_t)k * STC_MAX_DIM;
    if (!z->free[c]) continue;
    metric(&STC_CONTACT_PAIRS(z->world)[c].law, z->r + c * z->world->dim, d);
    add_contact_block(z, w, c, d);
  }
  for (int k = 0; k < z->links; k++)
    if (z->link_free[z->link[k]]) add_link(z, w, z->link[k], typical);
  for (int i = 0; i < w->A.rows; i++) {
    double square = entries_of(w, i, i / w->width)[i % w->width];
    w->scale[i] = square > 0 ? 1 / sqrt(square) : 0;
  }
  for (int i = 0; i < w->A.rows; i++)
    for (int k = w->A.ptr[i]; k < w->A.ptr[i + 1]; k++)
      w->A.val[k] *= w->scale[i] * w->scale[w->A.col[k]];
}

// --- Steps ---

/// x . y over the bodies of the cluster.
static double along_row(const stc_cluster *z, const work *w, const stc_body_matrix *A, int row) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int local = local_of(z, A, row, side);
    const double *entry = stc_body_row(A, row, side), *y = w->y + (ptrdiff_t)local * w->width;
    for (int l = 0; local >= 0 && l < w->width; l++) sum += entry[l * A->dim] * y[l];
  }
  return sum;
}

/// dr += part D H y and dl += part E G y.
static void add_step(const stc_cluster *z, const work *w, double part) {
  int dim = z->world->dim;
  double typical = largest_impulse(z);
  for (int k = 0; k < z->contacts; k++) {
    int c = z->contact[k];
    const double *r = z->r + c * dim, *d = w->metric + (ptrdiff_t)k * STC_MAX_DIM;
    double x[STC_MAX_DIM], along = 0;
    if (!z->free[c]) continue;
    for (int i = 0; i < dim; i++) {
      x[i] = along_row(z, w, &z->world->H.view, c * dim + i);
      along += r[i] * x[i];
    }
    for (int i = 0; i < dim; i++) w->dr[c * dim + i] += part * (r[i] * along + d[i] * x[i]);
  }
  for (int k = 0; k < z->links; k++) {
    const stc_link *link = &STC_LINKS(z->world)[z->link[k]];
    for (int i = link->first_row; z->link_free[z->link[k]] && i < link->first_row + link->rows; i++)
      w->dl[i] += part * typical * typical * along_row(z, w, &z->world->G.view, i);
  }
}

/// g = r - D c of each contact into `dr`, and -H^T g into `rhs`.
static void find_centre(const stc_cluster *z, const work *w) {
  const stc_body_matrix *H = &z->world->H.view;
  int dim = z->world->dim;
  double c_N = 1 / (2 * mean_impulse(z));  // where nothing else bounds them
  for (int i = 0; i < w->A.rows; i++) w->rhs[i] = 0;
  for (int k = 0; k < z->contacts * dim; k++) {
    int c = z->contact[k / dim], row = c * dim + k % dim;
    const double *r = z->r + c * dim, *d = w->metric + (ptrdiff_t)(k / dim) * STC_MAX_DIM;
    if (!z->free[c]) continue;
    w->dr[row] = z->r[row] - c_N * (r[0] * z->r[row] + (row == c * dim ? d[0] : 0));
    for (int side = 0; side < 2; side++) {
      int local = local_of(z, H, row, side);
      const double *entry = stc_body_row(H, row, side);
      for (int l = 0; local >= 0 && l < w->width; l++)
        w->rhs[local * w->width + l] -= entry[l * dim] * w->dr[row];
    }
  }
}

static double length_of_step(const stc_cluster *z, const work *w) {
  int dim = z->world->dim;
  double t = 1;
  for (int k = 0; k < z->contacts; k++) {
    int c = z->contact[k];
    if (z->free[c])
      t = part_inside(&STC_CONTACT_PAIRS(z->world)[c].law, dim, z->r + c * dim, w->dr + c * dim, t);
  }
  return t < 1 ? z->world->settings.solver.ipm.near * t : 1;
}

static void take_step(const stc_cluster *z, const work *w, double t) {
  int dim = z->world->dim;
  for (int k = 0; k < z->contacts; k++)
    for (int i = z->contact[k] * dim; i < (z->contact[k] + 1) * dim; i++) z->r[i] += t * w->dr[i];
  for (int k = 0; k < z->links; k++) {
    const stc_link *link = &STC_LINKS(z->world)[z->link[k]];
    for (int i = link->first_row; i < link->first_row + link->rows; i++) z->l[i] += t * w->dl[i];
  }
}

/// y with (H^T D H + G^T E G) y = rhs.
static stc_error solve_for(const work *w, stc_sparse_solver *factor) {
  for (int i = 0; i < w->A.rows; i++) w->b[i] = w->scale[i] * w->rhs[i];
  STC_TRY(stc_sparse_solve(factor, 1, w->b, w->y, 0, NULL));
  for (int i = 0; i < w->A.rows; i++) w->y[i] *= w->scale[i];
  return STC_OK;
}

/// The rows of the contacts and joints of the cluster, from one pair of arrays to another; NULL:
/// zeros.
static void copy_rows(const stc_cluster *z, const double *r, const double *l, double *to_r,
                      double *to_l) {
  int dim = z->world->dim;
  for (int k = 0; k < z->contacts; k++)
    for (int i = z->contact[k] * dim; i < (z->contact[k] + 1) * dim; i++) to_r[i] = r ? r[i] : 0;
  for (int k = 0; k < z->links; k++) {
    const stc_link *link = &STC_LINKS(z->world)[z->link[k]];
    for (int i = link->first_row; i < link->first_row + link->rows; i++) to_l[i] = l ? l[i] : 0;
  }
}

/// The step to the balance into `dr` and `dl`, and the part of it that stays in the cones.
static stc_error find_affine(const stc_cluster *z, const work *w, stc_sparse_solver *factor,
                             double *t) {
  for (int i = 0; i < w->A.rows; i++)
    w->rhs[i] = z->e[STC_NODES(z->world)[z->body[i / w->width]].dof + i % w->width];
  STC_TRY(solve_for(w, factor));
  copy_rows(z, NULL, NULL, w->dr, w->dl);
  add_step(z, w, 1);
  *t = length_of_step(z, w);
  return STC_OK;
}

/// x = (1 - sigma) y + sigma x over the rows of the cluster.
static void mix_rows(const stc_cluster *z, const work *w, double sigma) {
  int dim = z->world->dim;
  for (int k = 0; k < z->contacts; k++)
    for (int i = z->contact[k] * dim; i < (z->contact[k] + 1) * dim; i++)
      w->dr[i] = (1 - sigma) * w->affine_r[i] + sigma * w->dr[i];
  for (int k = 0; k < z->links; k++) {
    const stc_link *link = &STC_LINKS(z->world)[z->link[k]];
    for (int i = link->first_row; i < link->first_row + link->rows; i++)
      w->dl[i] = (1 - sigma) * w->affine_l[i] + sigma * w->dl[i];
  }
}

/// The same, mixed with a step to the centre: sigma of it.
static stc_error find_mixed(const stc_cluster *z, const work *w, stc_sparse_solver *factor,
                            double sigma, double *t) {
  copy_rows(z, w->dr, w->dl, w->affine_r, w->affine_l);
  copy_rows(z, NULL, NULL, w->dr, w->dl);
  find_centre(z, w);
  STC_TRY(solve_for(w, factor));
  add_step(z, w, 1);
  mix_rows(z, w, sigma);
  *t = length_of_step(z, w);
  return STC_OK;
}

/// One step; *t is 1 where it leads to the balance.
static stc_error take_balance_step(const stc_cluster *z, const work *w, double *t) {
  stc_sparse_solver *factor = NULL;
  fill_matrix(z, w);
  stc_error error = stc_sparse_factor(&w->A, "the balance of bodies at rest", NULL, SHIFT, &factor);
  if (!error) error = find_affine(z, w, factor, t);
  if (!error && *t < 1) {
    double sigma = (1 - *t) * (1 - *t);
    error = find_mixed(z, w, factor, sigma, t);
    if (!error) take_step(z, w, *t);
    *t = fmin(*t, 1 - sigma);
  } else if (!error) {
    take_step(z, w, 1);
  }
  stc_sparse_free(&factor);
  return error;
}

static double norm_of_imbalance(const stc_cluster *z) {
  double sum = 0;
  int width = stc_body_dofs(z->world);
  for (int k = 0; k < z->bodies; k++) {
    int dof = STC_NODES(z->world)[z->body[k]].dof;
    for (int i = dof; i < dof + width; i++) sum += z->e[i] * z->e[i];
  }
  return sqrt(sum);
}

/// Whether the budget of the step is worth more than what was begun.
static bool goes_on(const stc_cluster *z) { return z->world->work < z->world->work_limit; }

/// Steps until all is balanced; *free says that whole steps do not lead there although no cone
/// stands in the way: some body can move as it likes.
static stc_error approach(stc_cluster *z, const work *w, int steps, bool *balanced, bool *free) {
  const double gain = z->world->settings.solver.rule.gain;
  *free = false;
  find_imbalance(z);
  for (int n = 0; n < steps && !*balanced && !*free && (n == 0 || goes_on(z)); n++) {
    double before = norm_of_imbalance(z), t = 0;
    z->world->work += z->contacts + z->links;
    stc_error error = take_balance_step(z, w, &t);
    if (error == STC_ERR_NUMERIC) break;  // nothing that could change holds the bodies
    STC_TRY(error);
    find_imbalance(z);
    *balanced = all_balanced(z);
    *free = t == 1 && norm_of_imbalance(z) > gain * before && !*balanced;
    if (t < (1 - gain) * (1 - gain)) break;
  }
  return STC_OK;
}

static stc_error approach_from_inside(stc_cluster *z, stc_arena *arena, bool *balanced) {
  work w = {.width = stc_body_dofs(z->world),
            .size = (size_t)(z->world->count * z->world->dim),
            .rows = (size_t)z->world->equalities};
  bool free = false;
  STC_TRY(list_neighbours(z, arena, &w));
  STC_TRY(shape_matrix(z, arena, &w));
  copy_rows(z, z->r, z->l, w.start_r, w.start_l);
  for (int k = 0; k < STARTS && !*balanced && (k == 0 || goes_on(z)); k++) {
    copy_rows(z, w.start_r, w.start_l, z->r, z->l);
    double open = 10 * fmax(z->eta, ROUNDING);
    move_inside(z, k == 0 ? open : fmax(open, 1 - z->world->settings.solver.rule.gain));
    STC_TRY(approach(z, &w, z->world->settings.solver.rule.steps * (k + 1), balanced, &free));
    if (free && k > 0) break;  // at k = 0 it may be rounding: the cones are almost flat there
  }
  return STC_OK;
}

stc_error stc_cluster_balance(stc_cluster *z, bool *balanced) {
  stc_arena arena = {0};
  find_imbalance(z);
  *balanced = all_balanced(z) && all_in_cones(z);
  stc_error error = *balanced ? STC_OK : approach_from_inside(z, &arena, balanced);
  stc_arena_free(&arena);
  return error;
}
