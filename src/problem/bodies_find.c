// Finds the bodies of a global problem: sets of degrees of freedom that M couples, and which
// contacts touch them.
#include "bodies.h"

#include "../base/fail.h"
#include "../linalg/bsr.h"
#include "../linalg/envelope.h"
#include "../linalg/graph.h"

#include <string.h>

/// Which contacts touch each set of degrees of freedom: contact[ptr[k]] .. contact[ptr[k+1]],
/// increasing.
typedef struct touch_list {
  int *ptr;
  int *contact;
} touch_list;

/// Sets of degrees of freedom, numbered by their least member.
typedef struct partition {
  int count;
  int *of;    ///< [dofs] set of a degree of freedom
  int *size;  ///< [count]
} partition;

// --- Which degrees of freedom belong together ---

/// Connected sets of the graph of M.
static stc_error split_mass(const stc_csr *M, stc_arena *arena, partition *sets) {
  *sets = (partition){.of = STC_TAKE_RAW(arena, int, M->rows)};
  STC_TRY(stc_arena_check(arena));
  stc_graph_start(sets->of, M->rows);
  stc_graph_join_matrix(sets->of, M, 0, 0);
  sets->count = stc_graph_number(sets->of, M->rows);
  sets->size = STC_TAKE(arena, int, sets->count);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < M->rows; i++) sets->size[sets->of[i]]++;
  return STC_OK;
}

static int largest_set(const partition *sets) {
  int largest = 0;
  for (int k = 0; k < sets->count; k++)
    if (sets->size[k] > largest) largest = sets->size[k];
  return largest;
}

static int rigid_size(int dim) { return dim == 2 ? 3 : 6; }

/// Rigid bodies always are; larger blocks where they have no more degrees of freedom than the
/// contacts have components, else W is the smaller matrix.
static bool worthwhile(const stc_csr *H, int dim, int largest) {
  if (largest <= rigid_size(dim)) return largest > 0;
  return largest <= STC_ENVELOPE_MAX && H->cols <= H->rows;
}

/// Walks the contacts in order and each set it touches once. Counts in ptr[k + 1] if contact is
/// NULL, else writes at ptr[k]++.
static void walk_touches(const stc_csr *H, int dim, const partition *sets, int *last, int *ptr,
                         int *contact) {
  for (int k = 0; k < sets->count; k++) last[k] = -1;
  for (int c = 0; c < H->rows / dim; c++)
    for (int e = H->ptr[c * dim]; e < H->ptr[(c + 1) * dim]; e++) {
      int set = sets->of[H->col[e]];
      if (H->val[e] == 0 || last[set] == c) continue;
      last[set] = c;
      if (contact)
        contact[ptr[set]++] = c;
      else
        ptr[set + 1]++;
    }
}

static stc_error list_touches(const stc_csr *H, int dim, const partition *sets, stc_arena *arena,
                              touch_list *list) {
  int *last = STC_TAKE(arena, int, sets->count);
  list->ptr = STC_TAKE(arena, int, (size_t)sets->count + 1);
  STC_TRY(stc_arena_check(arena));
  walk_touches(H, dim, sets, last, list->ptr, NULL);
  for (int k = 0; k < sets->count; k++) list->ptr[k + 1] += list->ptr[k];
  list->contact = STC_TAKE(arena, int, list->ptr[sets->count]);
  STC_TRY(stc_arena_check(arena));
  walk_touches(H, dim, sets, last, list->ptr, list->contact);
  for (int k = sets->count; k > 0; k--) list->ptr[k] = list->ptr[k - 1];
  list->ptr[0] = 0;
  return STC_OK;
}

static int touch_count(const touch_list *list, int set) {
  return list->ptr[set + 1] - list->ptr[set];
}

/// Every contact of set `inner` is one of set `outer`.
static bool nested(const touch_list *list, int inner, int outer) {
  int b = list->ptr[outer], end = list->ptr[outer + 1];
  for (int a = list->ptr[inner]; a < list->ptr[inner + 1]; a++) {
    while (b < end && list->contact[b] < list->contact[a]) b++;
    if (b == end || list->contact[b] != list->contact[a]) return false;
  }
  return true;
}

/// Joins neighbouring blocks into bodies of at most six degrees of freedom (three in 2D) where the
/// contacts of one are contacts of the other, so that W gets no block it would not have anyway: a
/// sphere with a diagonal M becomes one body instead of six.
static void join_blocks(const touch_list *list, int rigid, partition *sets, int *body) {
  int count = 0, widest = 0;
  for (int k = 0; k < sets->count; k++) {
    int size = sets->size[k];
    bool fits = count > 0 && sets->size[count - 1] + size <= rigid;
    bool wider = touch_count(list, k) > touch_count(list, widest);
    bool join = fits && (wider ? nested(list, widest, k) : nested(list, k, widest));
    if (join) {
      sets->size[count - 1] += size;
    } else {
      sets->size[count++] = size;
    }
    if (!join || wider) widest = k;
    body[k] = count - 1;
  }
  sets->count = count;
}

static stc_error join_sets(const stc_csr *H, int dim, stc_arena *scratch, partition *sets) {
  touch_list list;
  STC_TRY(list_touches(H, dim, sets, scratch, &list));
  int *body = STC_TAKE(scratch, int, sets->count);
  STC_TRY(stc_arena_check(scratch));
  join_blocks(&list, rigid_size(dim), sets, body);
  for (int i = 0; i < H->cols; i++) sets->of[i] = body[sets->of[i]];
  return STC_OK;
}

// --- M_b and H_cb ---

static stc_error fill_masses(stc_arena *arena, const stc_csr *M, const partition *sets, int *place,
                             stc_bodies *bodies) {
  bodies->ptr = STC_TAKE(arena, int, (size_t)sets->count + 1);
  bodies->dof = STC_TAKE_RAW(arena, int, M->rows);
  bodies->inv_ptr = STC_TAKE(arena, size_t, (size_t)sets->count + 1);
  STC_TRY(stc_arena_check(arena));
  // place[dof] = position of a degree of freedom inside its body.
  for (int b = 0; b < sets->count; b++) {
    size_t n = (size_t)sets->size[b];
    bodies->ptr[b + 1] = bodies->ptr[b] + sets->size[b];
    bodies->inv_ptr[b + 1] = bodies->inv_ptr[b] + n * n;
    sets->size[b] = 0;
  }
  for (int i = 0; i < bodies->dofs; i++) {
    place[i] = sets->size[sets->of[i]]++;
    bodies->dof[bodies->ptr[sets->of[i]] + place[i]] = i;
  }
  bodies->M = STC_TAKE(arena, double, bodies->inv_ptr[sets->count]);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < M->rows; i++) {
    int b = sets->of[i], n = sets->size[b];
    double *block = bodies->M + bodies->inv_ptr[b];
    for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++)
      if (M->val[k] != 0) block[place[M->col[k]] * n + place[i]] = M->val[k];
  }
  return STC_OK;
}

static void fill_touch(const stc_csr *H, const partition *sets, const int *place,
                       stc_bodies *bodies, int t) {
  int dim = bodies->dim, b = bodies->touch_body[t];
  double *block = bodies->H + bodies->val_ptr[t];
  for (int k = 0; k < dim; k++) {
    int row = bodies->touch_contact[t] * dim + k;
    for (int e = H->ptr[row]; e < H->ptr[row + 1]; e++)
      if (sets->of[H->col[e]] == b) block[place[H->col[e]] * dim + k] = H->val[e];
  }
}

static stc_error fill_touches(stc_arena *arena, const stc_csr *H, const partition *sets,
                              const touch_list *list, const int *place, stc_bodies *bodies) {
  int touches = list->ptr[bodies->count];
  bodies->touch_ptr = STC_TAKE(arena, int, (size_t)bodies->contacts + 1);
  bodies->touch_body = STC_TAKE_RAW(arena, int, touches);
  bodies->touch_contact = STC_TAKE_RAW(arena, int, touches);
  bodies->val_ptr = STC_TAKE_RAW(arena, size_t, touches);
  STC_TRY(stc_arena_check(arena));
  // Touches numbered by contact and, inside a contact, by body.
  int count = bodies->count, *at = bodies->touch_ptr;
  for (int k = 0; k < list->ptr[count]; k++) at[list->contact[k] + 1]++;
  for (int c = 0; c < bodies->contacts; c++) at[c + 1] += at[c];
  for (int b = 0; b < count; b++)
    for (int k = list->ptr[b]; k < list->ptr[b + 1]; k++) {
      int t = at[list->contact[k]]++;
      bodies->touch_body[t] = b;
      bodies->touch_contact[t] = list->contact[k];
    }
  for (int c = bodies->contacts; c > 0; c--) at[c] = at[c - 1];
  at[0] = 0;
  for (int t = 0; t < touches; t++) {
    bodies->val_ptr[t] = bodies->entries;
    bodies->entries += (size_t)(sets->size[bodies->touch_body[t]] * bodies->dim);
  }
  bodies->H = stc_bsr_take_values(arena, bodies->entries, true);
  STC_TRY(stc_arena_check(arena));
  for (int t = 0; t < touches; t++) fill_touch(H, sets, place, bodies, t);
  return STC_OK;
}

static stc_error find(stc_arena *arena, stc_arena *scratch, const stc_csr *M, const stc_csr *H,
                      int dim, stc_bodies *bodies) {
  partition sets;
  touch_list list;
  STC_TRY(split_mass(M, scratch, &sets));
  if (!worthwhile(H, dim, largest_set(&sets))) return STC_OK;
  STC_TRY(join_sets(H, dim, scratch, &sets));
  STC_TRY(list_touches(H, dim, &sets, scratch, &list));
  int *place = STC_TAKE_RAW(scratch, int, M->rows), singular, row;
  STC_TRY(stc_arena_check(scratch));
  stc_bodies found = {
      .count = sets.count, .dim = dim, .contacts = H->rows / dim, .dofs = M->rows, .unit = 1};
  STC_TRY(fill_masses(arena, M, &sets, place, &found));
  STC_TRY(fill_touches(arena, H, &sets, &list, place, &found));
  STC_TRY(stc_bodies_finish(arena, &found, &singular, &row));
  if (singular < 0) *bodies = found;
  return STC_OK;
}

stc_error stc_bodies_find(stc_arena *arena, const stc_csr *M, const stc_csr *H, int dim,
                          stc_bodies *bodies) {
  stc_arena scratch = {0};
  *bodies = (stc_bodies){0};
  stc_error error = find(arena, &scratch, M, H, dim, bodies);
  stc_arena_free(&scratch);
  return error;
}
