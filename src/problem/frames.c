// Rotation into contact frames, H_c <- F_c H_c: the rows of a contact share one pattern afterwards.
#include "frames.h"

#include "../base/fail.h"

#include <limits.h>

/// Reads the dim rows of one contact side by side, column after column.
typedef struct cursor {
  const stc_csr *H;
  int dim;
  int first;  ///< row of the normal
  int at[3];  ///< next entry of each row
} cursor;

static cursor start_contact(const stc_csr *H, int dim, int contact) {
  cursor c = {.H = H, .dim = dim, .first = contact * dim};
  for (int k = 0; k < dim; k++) c.at[k] = H->ptr[c.first + k];
  return c;
}

/// Least column not read yet and the contact's entries in it; -1 at the end.
static int next_column(cursor *c, double *entries) {
  int least = INT_MAX;
  for (int k = 0; k < c->dim; k++)
    if (c->at[k] < c->H->ptr[c->first + k + 1] && c->H->col[c->at[k]] < least)
      least = c->H->col[c->at[k]];
  if (least == INT_MAX) return -1;
  for (int k = 0; k < c->dim; k++) {
    bool here = c->at[k] < c->H->ptr[c->first + k + 1] && c->H->col[c->at[k]] == least;
    entries[k] = here ? c->H->val[c->at[k]++] : 0;
  }
  return least;
}

/// y = F x; F by rows.
static void rotate(const double *F, int dim, const double *x, double *y) {
  for (int k = 0; k < dim; k++) {
    y[k] = 0;
    for (int l = 0; l < dim; l++) y[k] += F[k * dim + l] * x[l];
  }
}

static void fill_contact(const stc_csr *H, int dim, int contact, const double *F, stc_csr *out) {
  double column[3], rotated[3];
  int first = contact * dim, width = 0;
  cursor c = start_contact(H, dim, contact);
  while (next_column(&c, column) >= 0) width++;
  for (int k = 0; k < dim; k++) out->ptr[first + k + 1] = out->ptr[first + k] + width;
  c = start_contact(H, dim, contact);
  for (int at = 0; at < width; at++) {
    int col = next_column(&c, column);
    rotate(F, dim, column, rotated);
    for (int k = 0; k < dim; k++) {
      out->col[out->ptr[first + k] + at] = col;
      out->val[out->ptr[first + k] + at] = rotated[k];
    }
  }
}

stc_error stc_frames_rotate_rows(stc_arena *arena, const double *frame, int dim, const stc_csr *H,
                                 stc_csr *rotated) {
  // Entries after rotation: every row of a contact gets the columns of all of them.
  size_t entries = 0;
  double column[3];
  for (int contact = 0; contact < H->rows / dim; contact++) {
    cursor c = start_contact(H, dim, contact);
    while (next_column(&c, column) >= 0) entries += (size_t)dim;
  }
  if (entries > INT_MAX)
    return stc_fail(STC_ERR_MEMORY, "H has %zu entries in the contact frames, more than %d",
                    entries, INT_MAX);
  *rotated = (stc_csr){.rows = H->rows, .cols = H->cols};
  rotated->ptr = STC_TAKE(arena, int, (size_t)H->rows + 1);
  rotated->col = STC_TAKE(arena, int, entries);
  rotated->val = STC_TAKE(arena, double, entries);
  STC_TRY(stc_arena_check(arena));
  for (int contact = 0; contact < H->rows / dim; contact++)
    fill_contact(H, dim, contact, frame + (size_t)contact * (size_t)(dim * dim), rotated);
  return STC_OK;
}

void stc_frames_rotate(const double *frame, int dim, int contacts, double *x) {
  for (int contact = 0; contact < contacts; contact++, frame += dim * dim, x += dim) {
    double rotated[3];
    rotate(frame, dim, x, rotated);
    for (int k = 0; k < dim; k++) x[k] = rotated[k];
  }
}
