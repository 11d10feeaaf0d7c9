// Mechanisms: components of bodies that joints connect, and the matrix A = G M^-1 G^T of each. Its
// blocks couple joints that share a free body; the order of elimination is found once.
#include "../../linalg/graph.h"
#include "flight_lanes.h"
#include "tree_factor.h"

// Rows of joints that repeat each other (closed loops, two joints between two bodies) are told
// apart by this part of the diagonal, and by larger ones where rounding hides it. Solutions are
// refined against A itself.
static const double REPEATED[] = {1e-11, 1e-8, 1e-5};  // [rounding]
enum { SHIFTS = sizeof REPEATED / sizeof *REPEATED };

// --- Components ---

static int free_body(const stc_world *world, int body) {
  return body >= 0 && STC_NODES(world)[body].dof >= 0 ? body : -1;
}

/// member [bodies]: the mechanism of each free body that a joint holds, from 0 in the order of
/// bodies; -1 for the others.
static stc_error number_mechanisms(stc_world *world, int *forest) {
  STC_TRY(stc_pool_grow(&world->member, (size_t)world->bodies, sizeof(int), 0));
  int *member = world->member.data, *number = forest + world->bodies;
  stc_graph_start(forest, world->bodies);
  for (int b = 0; b < world->bodies; b++) member[b] = number[b] = -1;
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    int a = free_body(world, link->body[0]), b = free_body(world, link->body[1]);
    if (!stc_link_holds(link)) continue;
    if (a >= 0 && b >= 0) stc_graph_join(forest, a, b);
    if (a >= 0) member[a] = 0;
    if (b >= 0) member[b] = 0;
  }
  stc_graph_number(forest, world->bodies);
  world->mechanisms = 0;
  for (int b = 0; b < world->bodies; b++) {
    if (member[b] < 0) continue;
    int *mine = &number[forest[b]];
    if (*mine < 0) *mine = world->mechanisms++;
    member[b] = *mine;
  }
  return STC_OK;
}

/// The mechanism of a joint.
static stc_mechanism *owner_of(stc_world *world, const stc_link *link) {
  int body = free_body(world, link->body[0]);
  if (body < 0) body = link->body[1];
  return &world->mechanism[((const int *)world->member.data)[body]];
}

static void count_members(stc_world *world) {
  for (int b = 0; b < world->bodies; b++) {
    int k = ((const int *)world->member.data)[b];
    if (k >= 0) world->mechanism[k].bodies++;
  }
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    if (!stc_link_holds(link)) continue;
    stc_mechanism *m = owner_of(world, link);
    m->links++;
    m->rows += link->rows + link->acting;
  }
}

static stc_error take_members(stc_mechanism *m) {
  stc_arena *arena = &m->arena;
  m->body = STC_TAKE(arena, int, (size_t)m->bodies + 2 * (size_t)m->links);
  m->link = STC_TAKE(arena, int, m->links);
  m->first = STC_TAKE(arena, int, m->links + 1);
  m->near_ptr = STC_TAKE(arena, int, m->links + 1);
  m->begin = STC_TAKE(arena, stc_joint_row, m->rows);
  m->mean = STC_TAKE(arena, stc_joint_row, m->rows);
  m->end = STC_TAKE(arena, stc_joint_row, m->rows);
  m->y = STC_TAKE(arena, double, m->rows);
  m->lambda = STC_TAKE(arena, double, m->rows);
  m->alpha = STC_TAKE(arena, double, m->rows);
  m->off = STC_TAKE(arena, double, 2 * (size_t)m->rows);
  m->step = STC_TAKE(arena, double, 2 * (size_t)m->rows);
  m->held = STC_TAKE(arena, bool, m->rows);
  m->compliance = STC_TAKE(arena, double, m->rows);
  m->bias = STC_TAKE(arena, double, m->rows);
  m->total = STC_TAKE(arena, double, m->rows);
  m->flown = STC_TAKE(arena, double, 6 * (size_t)m->links);
  m->kept = STC_TAKE(arena, stc_place, (size_t)m->bodies + 2 * (size_t)m->links);
  m->arrived = STC_TAKE(arena, stc_place, 2 * (size_t)m->links);
  m->mover = STC_TAKE(arena, stc_mover, (size_t)m->bodies + 2 * (size_t)m->links + 1);
  m->four = STC_TAKE(arena, stc_four, (m->bodies + STC_FOUR - 1) / STC_FOUR);
  m->known_at = STC_TAKE(arena, stc_place, (size_t)m->bodies + 2 * (size_t)m->links);
  m->mover_of = STC_TAKE(arena, int, 2 * (size_t)m->links);
  m->equations = STC_TAKE(arena, int, m->links);
  m->meets = STC_TAKE(arena, int, m->links);
  m->whole = STC_TAKE(arena, double, m->rows);
  for (int k = 0; k < 2; k++) m->side[k] = STC_TAKE(arena, stc_joint_side, 2 * (size_t)m->links);
  m->lightness = STC_TAKE(arena, double, m->bodies);
  m->turn = STC_TAKE(arena, double, 9 * (size_t)m->bodies + 1);
  m->bodies = m->links = m->rows = 0;
  return stc_arena_check(arena);
}

static void add_obstacle(const stc_world *world, stc_mechanism *m, int body) {
  if (body < 0 || STC_NODES(world)[body].dof >= 0) return;
  for (int k = 0; k < m->obstacles; k++)
    if (m->body[m->bodies + k] == body) return;
  m->body[m->bodies + m->obstacles++] = body;
}

static void list_members(stc_world *world) {
  for (int b = 0; b < world->bodies; b++) {
    int k = ((const int *)world->member.data)[b];
    if (k >= 0) world->mechanism[k].body[world->mechanism[k].bodies++] = b;
  }
  for (int j = 0; j < world->links; j++) {
    const stc_link *link = &STC_LINKS(world)[j];
    if (!stc_link_holds(link)) continue;
    stc_mechanism *m = owner_of(world, link);
    m->link[m->links] = j;
    for (int k = 0; k < link->rows; k++) m->held[m->rows + k] = true;
    m->rows += link->rows + link->acting;
    m->first[++m->links] = m->rows;
    for (int k = 0; k < 2; k++) add_obstacle(world, m, link->body[k]);
  }
}

// --- Bodies in a flight ---

/// In the plane a body answers to moments about z only.
static void fill_mover(const stc_world *world, const stc_body_data *node, stc_mover *mover) {
  mover->lightness = 1 / node->mass;
  memcpy(mover->J, node->inertia, sizeof mover->J);
  memcpy(mover->inverse, node->inverse, sizeof mover->inverse);
  if (!world->settings.plane) return;
  memset(mover->J, 0, sizeof mover->J);
  memset(mover->inverse, 0, sizeof mover->inverse);
  mover->J[8] = node->inertia[8];
  mover->inverse[8] = 1 / node->inertia[8];
  mover->K[8] = mover->inverse[8] / 2;
}

static int mover_of(const stc_mechanism *m, int body) {
  int n = 0, count = m->bodies + m->obstacles;
  while (n < count && m->body[n] != body) n++;
  return n;
}

static void fill_moving(const stc_world *world, stc_mechanism *m, int *number) {
  int world_itself = m->bodies + m->obstacles;
  for (int n = 0; n < m->bodies; n++) {
    fill_mover(world, &STC_NODES(world)[m->body[n]], &m->mover[n]);
    m->lightness[n] = m->mover[n].lightness;
    number[m->body[n]] = n;
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      m->mover[world_itself].R[k][4 * i] = m->mover[world_itself].column[k][5 * i] = 1;
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    m->equations[j] = link->rows;
    m->meets[j] = stc_joint_meets(world, link);
    for (int k = 0; k < 2; k++) {
      bool moves = free_body(world, link->body[k]) >= 0;
      m->mover_of[2 * j + k] = moves ? number[link->body[k]] : mover_of(m, link->body[k]);
    }
  }
}

// --- Pattern of A ---

/// Joints at each free body, by their numbers in their mechanism: at[ptr[body]] ...
typedef struct incidence {
  int *ptr, *at, *mark;
} incidence;

// Joints at one body, each of which is coupled with all the others there.
enum { MOST_JOINTS = 1000 };  // [input]

/// `joints` [bodies]
static stc_error check_incidence(const stc_world *world, const int *joints) {
  for (int b = 0; b < world->bodies; b++)
    if (joints[b] > MOST_JOINTS)
      return stc_fail(
          STC_ERR_VALUE,
          "body %s holds %d joints; at most %d at a body that moves are solved together",
          STC_NODES(world)[b].name, joints[b], MOST_JOINTS);
  return STC_OK;
}

static stc_error list_incidence(const stc_world *world, stc_arena *arena, incidence *list) {
  list->ptr = STC_TAKE(arena, int, world->bodies + 2);
  list->at = STC_TAKE(arena, int, 2 * (size_t)world->links);
  list->mark = STC_TAKE(arena, int, world->links);
  STC_TRY(stc_arena_check(arena));
  for (int j = 0; j < world->links; j++)
    for (int k = 0; k < 2; k++) {
      int body = free_body(world, STC_LINKS(world)[j].body[k]);
      if (body >= 0 && stc_link_holds(&STC_LINKS(world)[j])) list->ptr[body + 2]++;
    }
  STC_TRY(check_incidence(world, list->ptr + 2));
  for (int b = 0; b < world->bodies; b++) list->ptr[b + 2] += list->ptr[b + 1];
  for (int n = 0; n < world->mechanisms; n++)
    for (int j = 0; j < world->mechanism[n].links; j++)
      for (int k = 0; k < 2; k++) {
        int body = free_body(world, STC_LINKS(world)[world->mechanism[n].link[j]].body[k]);
        if (body >= 0) list->at[list->ptr[body + 1]++] = j;
      }
  return STC_OK;
}

/// Neighbours of joint j, sorted, each once; returns how many. mark: [links], without j + 1.
static int list_near(const stc_world *world, const stc_mechanism *m, const incidence *list, int j,
                     int *near) {
  int count = 0;
  const stc_link *link = &STC_LINKS(world)[m->link[j]];
  for (int k = 0; k < 2; k++) {
    int body = free_body(world, link->body[k]);
    if (body < 0) continue;
    for (int e = list->ptr[body]; e < list->ptr[body + 1]; e++) {
      int other = list->at[e];
      if (list->mark[other] == j + 1) continue;
      list->mark[other] = j + 1;
      if (near) near[count] = other;
      count++;
    }
  }
  if (near) stc_csr_sort(near, count);
  return count;
}

static stc_error find_near(const stc_world *world, stc_mechanism *m, const incidence *list) {
  size_t bytes = (size_t)m->links * sizeof *list->mark;
  memset(list->mark, 0, bytes);
  for (int j = 0; j < m->links; j++)
    m->near_ptr[j + 1] = m->near_ptr[j] + list_near(world, m, list, j, NULL);
  m->near = STC_TAKE(&m->arena, int, m->near_ptr[m->links]);
  m->offset = STC_TAKE(&m->arena, int, m->near_ptr[m->links]);
  STC_TRY(stc_arena_check(&m->arena));
  memset(list->mark, 0, bytes);
  for (int j = 0; j < m->links; j++) list_near(world, m, list, j, m->near + m->near_ptr[j]);
  return STC_OK;
}

static int rows_of(const stc_mechanism *m, int j) { return m->first[j + 1] - m->first[j]; }

static stc_error make_pattern(stc_mechanism *m) {
  size_t entries = 0;
  for (int j = 0; j < m->links; j++)
    for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++)
      entries += (size_t)rows_of(m, j) * (size_t)rows_of(m, m->near[e]);
  m->A.rows = m->A.cols = m->rows;
  m->A.ptr = STC_TAKE(&m->arena, int, m->rows + 1);
  m->A.col = STC_TAKE(&m->arena, int, entries);
  m->A.val = STC_TAKE(&m->arena, double, entries);
  STC_TRY(stc_arena_check(&m->arena));
  int at = 0;
  for (int j = 0; j < m->links; j++)
    for (int row = m->first[j]; row < m->first[j + 1]; row++) {
      for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++) {
        m->offset[e] = at - m->A.ptr[row];
        for (int col = m->first[m->near[e]]; col < m->first[m->near[e] + 1]; col++)
          m->A.col[at++] = col;
      }
      m->A.ptr[row + 1] = at;
    }
  stc_sparse_hints hints = {.kind = STC_SPARSE_CHOLESKY, .threads = 1};
  return stc_sparse_create(&m->A, &hints, &m->spd);
}

/// The forces in the rows of points that meet, which stay.
static void begin_point_rows(stc_mechanism *m) {
  for (int i = 0; i < m->rows && m->tree && m->tree->points; i++) m->end[i].force[i % 3] = 1;
}

static stc_error create_all(stc_world *world, stc_arena *scratch) {
  int *forest = STC_TAKE(scratch, int, 2 * (size_t)world->bodies);
  STC_TRY(stc_arena_check(scratch));
  STC_TRY(number_mechanisms(world, forest));
  world->mechanism = stc_calloc((size_t)world->mechanisms, sizeof *world->mechanism);
  if (!world->mechanism) return stc_fail(STC_ERR_MEMORY, "out of memory for mechanisms");
  count_members(world);
  for (int k = 0; k < world->mechanisms; k++) STC_TRY(take_members(&world->mechanism[k]));
  list_members(world);
  incidence list;
  STC_TRY(list_incidence(world, scratch, &list));
  for (int k = 0; k < world->mechanisms; k++) {
    STC_TRY(find_near(world, &world->mechanism[k], &list));
    STC_TRY(make_pattern(&world->mechanism[k]));
    fill_moving(world, &world->mechanism[k], forest);  // lent
    stc_four_fill(&world->mechanism[k]);
    STC_TRY(stc_joint_tree_create(&world->mechanism[k]));
    begin_point_rows(&world->mechanism[k]);
    world->mechanism[k].hinge_side = stc_hinge_side(world, &world->mechanism[k]);
  }
  STC_TRY(stc_pool_grow(&world->origin, (size_t)world->bodies, sizeof(stc_place), 0));
  return stc_pool_grow(&world->wrench, (size_t)world->bodies, sizeof(stc_wrench), 0);
}

stc_error stc_mechanisms_create(stc_world *world) {
  stc_arena scratch = {0};
  if (world->links == 0) return STC_OK;
  stc_error error = create_all(world, &scratch);
  stc_arena_free(&scratch);
  return error;
}

void stc_mechanisms_free(stc_world *world) {
  for (int k = 0; world->mechanism && k < world->mechanisms; k++) {
    stc_sparse_free(&world->mechanism[k].spd);
    stc_arena_free(&world->mechanism[k].arena);
  }
  stc_release(&world->mechanism);
  world->mechanisms = 0;
}

// --- Rows ---

void stc_mechanism_side(const stc_world *world, const stc_mechanism *m, int j, int end,
                        const stc_place *places) {
  const stc_link *link = &STC_LINKS(world)[m->link[j]];
  static const double nowhere[3] = {0, 0, 0};
  for (int k = 0; k < 2; k++) {
    const stc_mover *mover = &m->mover[m->mover_of[2 * j + k]];
    const double *x = link->body[k] < 0 ? nowhere : places[link->body[k]].x;
    stc_joint_side *side = &m->side[end][2 * j + k];
    if (m->meets[j] == m->equations[j]) {
      memcpy(side->x, x, sizeof side->x);
      stc_mul3(mover->R[end], link->anchor[k], side->lever);
    } else {
      stc_joint_side_at(link, k, x, mover->R[end], side);
    }
  }
}

void stc_mechanism_sides(const stc_world *world, const stc_mechanism *m, int end,
                         const stc_place *places) {
  for (int n = 0; n < m->bodies + m->obstacles; n++)
    stc_rotation_matrix(places[m->body[n]].rotation, m->mover[n].R[end]);
  for (int j = 0; j < m->links; j++) stc_mechanism_side(world, m, j, end, places);
}

void stc_mechanism_rows(const stc_world *world, const stc_mechanism *m, const stc_place *from,
                        const stc_place *to, stc_joint_row *row) {
  stc_mechanism_sides(world, m, 1, to);
  if (from != to) stc_mechanism_sides(world, m, 0, from);
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    const stc_joint_side *last = m->side[1] + 2 * j, *first = m->side[0] + 2 * j;
    stc_joint_rows_of(world, link, 0, from == to ? last : first, last, row + m->first[j]);
    for (int k = 0; k < link->acting; k++) {
      int i = m->first[j] + link->rows + k;
      row[i] = (stc_joint_row){0};
      if (m->held[i]) stc_joint_value_row(world, link, link->acts_on[k], to, &row[i]);
    }
  }
}

bool stc_mechanism_release(const stc_world *world, stc_mechanism *m) {
  bool some = false;
  for (int j = 0; j < m->links; j++)
    for (int i = m->first[j] + STC_LINKS(world)[m->link[j]].rows; i < m->first[j + 1]; i++) {
      some = some || m->held[i];
      m->held[i] = false;
      m->compliance[i] = 1;  // its row is empty
      m->bias[i] = m->total[i] = 0;
    }
  return some;
}

void stc_mechanism_hold(stc_mechanism *m, int i, double compliance, double bias) {
  m->held[i] = true;
  m->compliance[i] = compliance;
  m->bias[i] = bias;
}

void stc_mechanism_react(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                         double factor, const double *x, double *reaction) {
  for (int j = 0; j < m->links; j++)
    for (int i = m->first[j]; i < m->first[j] + STC_LINKS(world)[m->link[j]].rows; i++) {
      bool pulls = stc_norm3(row[i].force) > 0;  // through the anchor
      stc_add3(reaction + 6 * j, factor * x[i], row[i].force);
      if (!pulls) stc_add3(reaction + 6 * j + 3, factor * x[i], row[i].moment[0]);
    }
}

/// Velocities of the bodies and obstacles in the world's axes, into the moving bodies.
static void find_rates(const stc_world *world, const stc_mechanism *m, const stc_place *places) {
  for (int n = 0; n < m->bodies + m->obstacles; n++) {
    stc_mover *mover = &m->mover[n];
    const stc_place *place = &places[m->body[n]];
    memcpy(mover->v, place->v, sizeof place->v);
    if (n < m->bodies)
      stc_world_rate(world, place, m->body[n], mover->rate);
    else
      stc_joint_driven_rate(world, place->omega, mover->rate);
  }
}

void stc_mechanism_rates(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                         const stc_place *places, double *rate) {
  find_rates(world, m, places);
  for (int j = 0; j < m->links; j++) {
    const stc_mover *a = &m->mover[m->mover_of[2 * j]], *b = &m->mover[m->mover_of[2 * j + 1]];
    double apart[3];
    stc_sub3(a->v, b->v, apart);
    for (int k = m->first[j]; k < m->first[j + 1]; k++)
      rate[k] = stc_dot3(row[k].force, apart) + stc_dot3(row[k].moment[0], a->rate) +
                stc_dot3(row[k].moment[1], b->rate) + m->bias[k] + m->compliance[k] * m->total[k];
  }
}

void stc_mechanism_note(stc_world *world, const stc_mechanism *m) {
  double *reaction = world->reaction.data;
  for (int j = 0; j < m->links; j++)
    for (int i = 0; i < 6; i++) reaction[6 * m->link[j] + i] += m->flown[6 * j + i];
}

// --- Values of A ---

/// J^-1 of a body in the world's axes, times x.
static void turn_answer(const stc_world *world, const stc_body_data *node, const double R[9],
                        const double x[3], double y[3]) {
  double local[3], answer[3];
  if (world->settings.plane) {
    y[0] = y[1] = 0;
    y[2] = x[2] / node->inertia[8];
    return;
  }
  stc_mul3_transposed(R, x, local);
  stc_mul3(node->inverse, local, answer);
  stc_mul3(R, answer, y);
}

/// Adds what body `side` of joint j couples row i of j with.
static void couple(const stc_world *world, stc_mechanism *m, const stc_joint_row *row, int j,
                   int side, const double R[9]) {
  const stc_link *link = &STC_LINKS(world)[m->link[j]];
  const stc_body_data *node = &STC_NODES(world)[link->body[side]];
  for (int i = m->first[j]; i < m->first[j + 1]; i++) {
    double answer[3], sign = side == 0 ? 1 : -1;
    turn_answer(world, node, R, row[i].moment[side], answer);
    for (int e = m->near_ptr[j]; e < m->near_ptr[j + 1]; e++) {
      const stc_link *other = &STC_LINKS(world)[m->link[m->near[e]]];
      double *val = m->A.val + m->A.ptr[i] + m->offset[e];
      for (int k = 0; k < 2; k++) {
        if (other->body[k] != link->body[side]) continue;
        double both = (k == 0 ? sign : -sign) / node->mass;
        for (int c = m->first[m->near[e]], n = 0; c < m->first[m->near[e] + 1]; c++, n++)
          val[n] +=
              both * stc_dot3(row[i].force, row[c].force) + stc_dot3(answer, row[c].moment[k]);
      }
    }
  }
}

/// Position of the diagonal entry of row i.
static int diagonal_at(const stc_mechanism *m, int i) {
  int e = m->A.ptr[i];
  while (m->A.col[e] != i) e++;
  return e;
}

static void assemble_joint_matrix(const stc_world *world, stc_mechanism *m,
                                  const stc_joint_row *row, const stc_place *places) {
  memset(m->A.val, 0, (size_t)m->A.ptr[m->rows] * sizeof *m->A.val);
  for (int j = 0; j < m->links; j++)
    for (int k = 0; k < 2; k++) {
      double R[9];
      int body = free_body(world, STC_LINKS(world)[m->link[j]].body[k]);
      if (body < 0) continue;
      stc_rotation_matrix(places[body].rotation, R);
      couple(world, m, row, j, k, R);
    }
  for (int i = 0; i < m->rows; i++)
    if (m->compliance[i] > 0) m->A.val[diagonal_at(m, i)] += m->compliance[i];
}

void stc_turn_answer(const double inverse[9], const double R[9], double T[9]) {
  double C[9];
  stc_mul33_transposed(inverse, R, C);
  stc_mul33(R, C, T);
}

/// By the factor of a tree; false where a pivot is bad.
static bool factorise_tree(stc_mechanism *m, const stc_joint_row *row, const stc_place *places) {
  if (!m->tree) return false;
  for (int n = 0; n < m->bodies; n++) {
    double R[9];
    stc_rotation_matrix(places[m->body[n]].rotation, R);
    stc_turn_answer(m->mover[n].inverse, R, m->turn + 9 * (size_t)n);
  }
  stc_joint_tree_rows rows = {row, row, m->side[1], m->side[1]};
  return stc_joint_tree_factorise(m, &rows, m->tree->middle);
}

stc_error stc_mechanism_factorise(stc_world *world, stc_mechanism *m, const stc_joint_row *row,
                                  const stc_place *places) {
  stc_error error = STC_OK;
  m->known = false;
  m->straight = factorise_tree(m, row, places);
  if (m->straight) return STC_OK;
  assemble_joint_matrix(world, m, row, places);
  for (int k = 0; k < SHIFTS; k++) {
    for (int i = 0; i < m->rows; i++) m->A.val[diagonal_at(m, i)] *= 1 + REPEATED[k];
    error = stc_sparse_factorise(m->spd, m->A.val);
    if (error != STC_ERR_NUMERIC) return error;
  }
  return error;
}

stc_error stc_mechanism_solve(stc_mechanism *m, int count, const double *b, double *x) {
  for (int k = 0; k < count && m->straight; k++)
    stc_joint_tree_solve(m, m->tree->middle, b + (size_t)k * (size_t)m->rows,
                         x + (size_t)k * (size_t)m->rows);
  if (m->straight) return STC_OK;
  const double as_it_is = INFINITY;  // who asks for more, repeats it with what is left
  return stc_sparse_solve(m->spd, count, b, x, as_it_is, NULL);
}

// --- Wrenches and velocities ---

void stc_mechanism_wrench(const stc_world *world, const stc_mechanism *m, const stc_joint_row *row,
                          const double *x, stc_wrench *wrench) {
  for (int b = 0; b < m->bodies; b++) wrench[m->body[b]] = (stc_wrench){{0}, {0}};
  for (int j = 0; j < m->links; j++)
    for (int k = 0; k < 2; k++) {
      int body = free_body(world, STC_LINKS(world)[m->link[j]].body[k]);
      if (body < 0) continue;
      for (int i = m->first[j]; i < m->first[j + 1]; i++) {
        stc_add3(wrench[body].force, k == 0 ? x[i] : -x[i], row[i].force);
        stc_add3(wrench[body].moment, x[i], row[i].moment[k]);
      }
    }
}

/// M^-1 times a wrench: velocity, and angular velocity in the body's axes.
static void answer_of(const stc_world *world, const stc_body_data *node, const stc_place *place,
                      const stc_wrench *wrench, double v[3], double omega[3]) {
  double R[9], local[3];
  for (int i = 0; i < 3; i++) v[i] = wrench->force[i] / node->mass;
  omega[0] = omega[1] = 0;
  omega[2] = wrench->moment[2] / node->inertia[8];
  if (world->settings.plane) return;
  stc_rotation_matrix(place->rotation, R);
  stc_mul3_transposed(R, wrench->moment, local);
  stc_mul3(node->inverse, local, omega);
}

void stc_mechanism_push(const stc_world *world, const stc_mechanism *m, double factor,
                        const stc_wrench *wrench, stc_place *places) {
  for (int k = 0; k < m->bodies; k++) {
    int b = m->body[k];
    double v[3], omega[3];
    answer_of(world, &STC_NODES(world)[b], &places[b], &wrench[b], v, omega);
    stc_add3(places[b].v, factor, v);
    stc_add3(places[b].omega, factor, omega);
  }
}

double stc_mechanism_square(const stc_world *world, const stc_mechanism *m,
                            const stc_wrench *wrench, const stc_place *places) {
  double sum = 0;
  for (int k = 0; k < m->bodies; k++) {
    int b = m->body[k];
    const stc_body_data *node = &STC_NODES(world)[b];
    double v[3], omega[3], momentum[3];
    answer_of(world, node, &places[b], &wrench[b], v, omega);
    stc_mul3(node->inertia, omega, momentum);
    sum += node->mass * stc_dot3(v, v);
    sum +=
        world->settings.plane ? node->inertia[8] * omega[2] * omega[2] : stc_dot3(momentum, omega);
  }
  return sum;
}

double stc_mechanism_kinetic(const stc_world *world, const stc_mechanism *m,
                             const stc_place *places) {
  double sum = 0;
  for (int k = 0; k < m->bodies; k++)
    sum += stc_world_ledger_kinetic(world, m->body[k], &places[m->body[k]]);
  return sum;
}

double stc_mechanism_reach(const stc_world *world, const stc_mechanism *m,
                           const stc_place *places) {
  double reach = 0;
  for (int k = 0; k < m->bodies; k++) reach = fmax(reach, stc_norm3(places[m->body[k]].x));
  for (int j = 0; j < m->links; j++) reach = fmax(reach, STC_LINKS(world)[m->link[j]].reach);
  return reach;
}

double stc_mechanism_speed(const stc_world *world, const stc_mechanism *m,
                           const stc_place *places) {
  double speed = 0;
  for (int j = 0; j < m->links; j++) {
    const stc_link *link = &STC_LINKS(world)[m->link[j]];
    for (int k = 0; k < 2; k++) {
      if (link->body[k] < 0) continue;
      const stc_place *place = &places[link->body[k]];
      speed = fmax(speed, stc_norm3(place->v) + link->reach * stc_norm3(place->omega));
    }
  }
  return speed;
}

bool stc_mechanism_rests(const stc_mechanism *m, const stc_place *places) {
  for (int k = 0; k < m->bodies + m->obstacles; k++)
    for (int i = 0; i < 3; i++)
      if (places[m->body[k]].v[i] != 0 || places[m->body[k]].omega[i] != 0) return false;
  return true;
}

bool stc_mechanism_is_driven(const stc_world *world, const stc_mechanism *m) {
  for (int k = m->bodies; k < m->bodies + m->obstacles; k++)
    if (STC_NODES(world)[m->body[k]].mobility == STC_MOBILITY_DRIVEN) return true;
  return false;
}
