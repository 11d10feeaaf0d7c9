// A part of a reduced problem: contacts with their rows of W or their bodies, in the units of the
// whole.
#include "reduced_parts.h"

#include "../../linalg/graph.h"

#include <string.h>

// --- Components ---

static bool all_zero(const double *x, int count) {
  for (int k = 0; k < count; k++)
    if (x[k] != 0) return false;
  return true;
}

int stc_reduced_components(const stc_reduced *p, int *component) {
  stc_graph_start(component, p->contacts);
  if (p->bodies.count > 0) {
    const stc_bodies *bodies = &p->bodies;
    for (int b = 0; b < bodies->count; b++) {
      int first = bodies->on_ptr[b];
      for (int k = first + 1; k < bodies->on_ptr[b + 1]; k++)
        stc_graph_join(component, bodies->touch_contact[bodies->on_touch[first]],
                       bodies->touch_contact[bodies->on_touch[k]]);
    }
  } else {
    const stc_bsr *W = &p->W;
    int area = W->dim * W->dim;
    for (int i = 0; i < W->rows; i++)
      for (int e = W->ptr[i]; e < W->ptr[i + 1]; e++)
        if (W->col[e] != i && !all_zero(W->val + (ptrdiff_t)e * area, area))
          stc_graph_join(component, i, W->col[e]);
  }
  return stc_graph_number(component, p->contacts);
}

// --- W ---

static stc_error cut_rows(const stc_bsr *W, const int *contact, const int *place, stc_reduced *p) {
  size_t area = (size_t)(W->dim * W->dim), blocks = 0;
  for (int c = 0; c < p->contacts; c++)
    for (int e = W->ptr[contact[c]]; e < W->ptr[contact[c] + 1]; e++)
      blocks += place[W->col[e]] >= 0;
  stc_bsr part;
  STC_TRY(stc_bsr_take(&p->arena, p->contacts, W->dim, blocks, false, &part));
  int at = 0;
  for (int c = 0; c < p->contacts; c++) {
    part.ptr[c] = at;
    for (int e = W->ptr[contact[c]]; e < W->ptr[contact[c] + 1]; e++) {
      if (place[W->col[e]] < 0) continue;  // not in the part
      if (W->col[e] == contact[c]) part.diag[c] = at;
      part.col[at] = place[W->col[e]];
      memcpy(part.val + (size_t)at++ * area, W->val + (size_t)e * area, area * sizeof *part.val);
    }
  }
  part.ptr[p->contacts] = at;
  p->W = part;
  p->has_W = true;
  p->blocks = blocks;
  return STC_OK;
}

// --- Bodies ---

/// The bodies that the contacts touch, as they are met, and how much there is of them.
typedef struct body_list {
  int count, dofs, touches;
  size_t masses, entries;
  int *body;          ///< [count] number in the whole
  const int *place;   ///< number in the part
  const bool *moves;  ///< those of the whole that do not are left out; NULL: all move
} body_list;

static size_t touch_entries(const stc_bodies *b, int t) {
  return (size_t)(stc_body_size(b, b->touch_body[t]) * b->dim);
}

static bool kept(const body_list *list, int body) { return !list->moves || list->moves[body]; }

static void meet_body(const stc_bodies *whole, int b, int *place, body_list *list) {
  if (place[b] >= 0) return;
  place[b] = list->count;
  list->body[list->count++] = b;
  list->dofs += whole->ptr[b + 1] - whole->ptr[b];
  list->masses += whole->inv_ptr[b + 1] - whole->inv_ptr[b];
}

static stc_error list_bodies(const stc_bodies *whole, const int *contact, int contacts, int *place,
                             stc_arena *scratch, body_list *list) {
  for (int c = 0; c < contacts; c++)
    list->touches += whole->touch_ptr[contact[c] + 1] - whole->touch_ptr[contact[c]];
  list->body = STC_TAKE_RAW(scratch, int, list->touches);
  STC_TRY(stc_arena_check(scratch));
  for (int c = 0; c < contacts; c++)
    for (int t = whole->touch_ptr[contact[c]]; t < whole->touch_ptr[contact[c] + 1]; t++) {
      if (!kept(list, whole->touch_body[t])) continue;
      meet_body(whole, whole->touch_body[t], place, list);
      list->entries += touch_entries(whole, t);
    }
  return STC_OK;
}

static stc_error take_bodies(stc_arena *arena, const stc_bodies *whole, const body_list *list,
                             int contacts, stc_bodies *b) {
  *b = (stc_bodies){.count = list->count,
                    .dim = whole->dim,
                    .contacts = contacts,
                    .dofs = list->dofs,
                    .symmetric = whole->symmetric,
                    .unit = whole->unit,
                    .entries = list->entries};
  b->ptr = STC_TAKE_RAW(arena, int, (size_t)list->count + 1);
  b->inv_ptr = STC_TAKE_RAW(arena, size_t, (size_t)list->count + 1);
  b->dof = STC_TAKE_RAW(arena, int, list->dofs);
  b->origin = STC_TAKE_RAW(arena, int, list->count);
  b->free = STC_TAKE_RAW(arena, double, list->dofs);
  b->M = STC_TAKE_RAW(arena, double, list->masses);
  b->inverse = STC_TAKE_RAW(arena, double, list->masses);
  b->touch_ptr = STC_TAKE_RAW(arena, int, (size_t)contacts + 1);
  b->touch_body = STC_TAKE_RAW(arena, int, list->touches);
  b->touch_contact = STC_TAKE_RAW(arena, int, list->touches);
  b->val_ptr = STC_TAKE_RAW(arena, size_t, list->touches);
  b->H = stc_bsr_take_values(arena, list->entries, false);
  b->Y = STC_TAKE_RAW(arena, double, list->entries);
  b->on_ptr = STC_TAKE(arena, int, (size_t)list->count + 1);
  b->on_touch = STC_TAKE_RAW(arena, int, list->touches);
  return stc_arena_check(arena);
}

static void copy_masses(const stc_bodies *whole, const body_list *list, stc_bodies *b) {
  b->ptr[0] = 0;
  b->inv_ptr[0] = 0;
  for (int k = 0; k < list->count; k++) {
    int from = list->body[k], n = whole->ptr[from + 1] - whole->ptr[from];
    size_t area = whole->inv_ptr[from + 1] - whole->inv_ptr[from];
    b->origin[k] = from;
    b->ptr[k + 1] = b->ptr[k] + n;
    b->inv_ptr[k + 1] = b->inv_ptr[k] + area;
    memcpy(b->dof + b->ptr[k], whole->dof + whole->ptr[from], (size_t)n * sizeof *b->dof);
    memcpy(b->M + b->inv_ptr[k], whole->M + whole->inv_ptr[from], area * sizeof *b->M);
    memcpy(b->inverse + b->inv_ptr[k], whole->inverse + whole->inv_ptr[from],
           area * sizeof *b->inverse);
  }
}

static void copy_touches(const stc_bodies *whole, const int *contact, int contacts,
                         const body_list *list, stc_bodies *b) {
  int at = 0;
  size_t place = 0;
  for (int c = 0; c < contacts; c++) {
    b->touch_ptr[c] = at;
    for (int t = whole->touch_ptr[contact[c]]; t < whole->touch_ptr[contact[c] + 1]; t++) {
      if (!kept(list, whole->touch_body[t])) continue;
      size_t first = whole->val_ptr[t], count = touch_entries(whole, t);
      b->touch_body[at] = list->place[whole->touch_body[t]];
      b->touch_contact[at] = c;
      b->val_ptr[at++] = place;
      memcpy(b->H + place, whole->H + first, count * sizeof *b->H);
      memcpy(b->Y + place, whole->Y + first, count * sizeof *b->Y);
      place += count;
    }
  }
  b->touch_ptr[contacts] = at;
}

static stc_error cut_bodies(const stc_reduced *whole, const bool *moves, const int *contact,
                            int *place, stc_arena *scratch, stc_reduced *p) {
  body_list list = {.place = place, .moves = moves};
  STC_TRY(list_bodies(&whole->bodies, contact, p->contacts, place, scratch, &list));
  stc_error error = take_bodies(&p->arena, &whole->bodies, &list, p->contacts, &p->bodies);
  if (!error) {
    copy_masses(&whole->bodies, &list, &p->bodies);
    copy_touches(&whole->bodies, contact, p->contacts, &list, &p->bodies);
    stc_bodies_sort(&p->bodies);
    if (!whole->bodies.free) p->bodies.free = NULL;
  }
  for (int k = 0; k < list.count; k++) place[list.body[k]] = -1;
  if (error) return error;
  p->bodies.kappa = p->kappa;
  p->bodies.diagonal = p->diagonal;
  p->bodies.immovable = p->immovable;
  STC_TRY(stc_bodies_count_blocks(&p->bodies));
  p->blocks = p->bodies.blocks;
  return STC_OK;
}

// --- Contacts ---

static void copy_contacts(const stc_reduced *whole, const int *contact, stc_reduced *p) {
  size_t area = (size_t)(p->dim * p->dim);
  for (int c = 0; c < p->contacts; c++) {
    p->kappa[c] = whole->kappa[contact[c]];
    p->immovable[c] = whole->immovable[contact[c]];
    memcpy(p->diagonal + (size_t)c * area, whole->diagonal + (size_t)contact[c] * area,
           area * sizeof *p->diagonal);
  }
}

static stc_error cut(const stc_reduced *whole, const bool *moves, const int *contact, int *place,
                     stc_arena *scratch, stc_reduced *p) {
  size_t area = (size_t)(p->dim * p->dim), contacts = (size_t)p->contacts;
  p->law = STC_TAKE_RAW(&p->arena, stc_law, contacts);
  p->q = STC_TAKE_RAW(&p->arena, double, p->size);
  p->kappa = STC_TAKE_RAW(&p->arena, double, contacts);
  p->diagonal = stc_bsr_take_values(&p->arena, contacts * area, false);
  p->immovable = STC_TAKE_RAW(&p->arena, bool, contacts);
  STC_TRY(stc_arena_check(&p->arena));
  copy_contacts(whole, contact, p);
  if (whole->bodies.count > 0) {
    STC_TRY(cut_bodies(whole, moves, contact, place, scratch, p));
  } else {
    for (int c = 0; c < p->contacts; c++) place[contact[c]] = c;
    stc_error error = cut_rows(&whole->W, contact, place, p);
    for (int c = 0; c < p->contacts; c++) place[contact[c]] = -1;
    if (error) return error;
  }
  p->scratch = p->bodies.dofs + p->contacts;
  return STC_OK;
}

static stc_error create_part(const stc_reduced *whole, const bool *moves, const int *contact,
                             int contacts, int *place, stc_reduced **part) {
  STC_NEW(part, "a part of the problem");
  stc_reduced *p = *part;
  p->problem = whole->problem;
  p->any_law = whole->any_law;
  p->dim = whole->dim;
  p->contacts = contacts;
  p->size = contacts * whole->dim;
  stc_arena scratch = {0};
  stc_error error = cut(whole, moves, contact, place, &scratch, p);
  stc_arena_free(&scratch);
  if (error) stc_reduced_free(part);
  return error;
}

stc_error stc_reduced_cut(const stc_reduced *whole, const int *contact, int contacts, int *place,
                          stc_reduced **part) {
  return create_part(whole, NULL, contact, contacts, place, part);
}

// --- Bodies that move among bodies at rest ---

stc_error stc_reduced_cut_moving(const stc_reduced *whole, const bool *moves, const int *contact,
                                 int contacts, int *place, stc_magnitude of_whole,
                                 stc_reduced **part) {
  const stc_bodies *b = &whole->bodies;
  STC_TRY(create_part(whole, moves, contact, contacts, place, part));
  (*part)->among_rest = true;
  for (int c = 0; c < contacts; c++) stc_bodies_measure(&(*part)->bodies, c);
  stc_fill_kappa(contacts, (*part)->kappa);
  stc_reduced_follow(*part, whole, contact, of_whole);
  for (int c = 0; c < contacts; c++)
    for (int t = b->touch_ptr[contact[c]]; t < b->touch_ptr[contact[c] + 1]; t++)
      if (!moves[b->touch_body[t]])
        stc_bodies_add_motion(b, t, b->free, -1, (*part)->q + (ptrdiff_t)c * whole->dim);
  return STC_OK;
}

// --- Numbers ---

stc_magnitude stc_reduced_magnitude(const stc_reduced *p) {
  stc_magnitude sum = {0};
  for (int c = 0; c < p->contacts; c++)
    for (int k = c * p->dim; k < (c + 1) * p->dim; k++) {
      sum.energy += p->q[k] * p->q[k] / p->kappa[c];
      sum.square += p->q[k] * p->q[k];
    }
  return sum;
}

static void copy_free(const stc_bodies *whole, stc_bodies *part) {
  for (int k = 0; k < part->count; k++) {
    int from = whole->ptr[part->origin[k]], n = part->ptr[k + 1] - part->ptr[k];
    memcpy(part->free + part->ptr[k], whole->free + from, (size_t)n * sizeof *part->free);
  }
}

void stc_reduced_follow(stc_reduced *part, const stc_reduced *whole, const int *contact,
                        stc_magnitude of_whole) {
  int d = whole->dim;
  double share = (double)part->contacts / whole->contacts;
  part->least = (stc_magnitude){share * of_whole.energy, share * of_whole.square};
  part->scale_u = whole->scale_u;
  part->scale_r = whole->scale_r;
  for (int c = 0; c < part->contacts; c++) {
    part->law[c] = whole->law[contact[c]];
    memcpy(part->q + (ptrdiff_t)c * d, whole->q + (ptrdiff_t)contact[c] * d,
           (size_t)d * sizeof *part->q);
  }
  if (part->bodies.free) copy_free(&whole->bodies, &part->bodies);
}
