// A name for the data of a problem: FNV-1a over its numbers, twice (docs/certificates.md).
#include "problem_data.h"

#include "../base/stop.h"

#include "../base/number.h"
#include "../law/section/convex_curve.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t FNV_START = 0xcbf29ce484222325u, FNV_PRIME = 0x100000001b3u;

static void add_word(uint64_t *h, uint64_t word) {
  for (int k = 0; k < 8; k++) *h = (*h ^ (word >> (8 * k) & 0xff)) * FNV_PRIME;
}

static void add_int(uint64_t *h, long value) { add_word(h, (uint64_t)value); }

static void add_double(uint64_t *h, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_word(h, bits);
}

static void add_vector(uint64_t *h, const double *x, int n) {
  for (int k = 0; k < n; k++) add_double(h, x[k]);
}

// Operations per entry, about.
static const double ENTRY = 30;

static void add_entry(uint64_t *h, int row, int col, double value) {
  if (value == 0) return;
  add_int(h, row);
  add_int(h, col);
  add_double(h, value);
}

static void add_matrix(uint64_t *h, const stc_csr *A) {
  for (int i = 0; i < A->rows && !stc_stop_due(ENTRY * (A->ptr[i + 1] - A->ptr[i])); i++)
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) add_entry(h, i, A->col[k], A->val[k]);
}

static void add_body_rows(uint64_t *h, const stc_body_matrix *A) {
  for (int i = 0; i < A->count * A->dim && !stc_stop_due(ENTRY * A->width); i++) {
    int order[STC_BODY_SIDES], count = stc_body_order(A, i / A->dim, order);
    for (int s = 0; s < count; s++) {
      const double *row = stc_body_row(A, i, order[s]);
      int body = stc_body_pair(A, i / A->dim)[order[s]];
      for (int l = 0; l < A->width; l++) add_entry(h, i, body * A->width + l, row[l * A->dim]);
    }
  }
}

static void add_matrices(uint64_t *h, const stc_problem *p) {
  if (p->form == STC_FORM_BODIES) {
    // M of the bodies form by rows, as that of the global form.
    int n = p->width;
    for (int i = 0; i < p->dofs && !stc_stop_due(ENTRY * n); i++) {
      const double *row = p->mass + (size_t)(i / n) * (size_t)(n * n) + i % n;
      for (int j = 0; j < n; j++) add_entry(h, i, i / n * n + j, row[j * n]);
    }
    add_body_rows(h, &p->H_bodies);
    add_matrix(h, &p->G);
    return;
  }
  bool global = p->form == STC_FORM_GLOBAL;
  add_matrix(h, global ? &p->M : &p->W);
  add_matrix(h, global ? &p->H : &p->V);
  add_matrix(h, global ? &p->G : &p->R);
}

// Corners where the section is an interval or a polygon, else its arcs.
static void add_section(uint64_t *h, const stc_cone_section *s) {
  int corners = stc_cone_section_corners(s, NULL);
  add_int(h, corners);
  if (s->dim == 2) {
    add_vector(h, (const double[]){s->low, 0, s->high, 0}, 4);
    return;
  }
  if (corners == 0) add_int(h, s->arcs);
  add_vector(h, s->centre, 2 * s->arcs);
  if (corners > 0) return;
  add_vector(h, s->radius, s->arcs);
  add_vector(h, s->normal, 2 * s->arcs);
}

static void add_problem(uint64_t *h, const stc_problem *p) {
  bool global = stc_problem_moves(p);
  const int head[] = {global, p->dim, p->contacts, p->dofs, p->equalities};
  for (size_t k = 0; k < sizeof head / sizeof *head; k++) add_int(h, head[k]);
  for (int c = 0; c < p->contacts; c++) {
    const stc_law *law = &p->law[c];
    add_int(h, (long)law->kind);
    add_vector(h, law->mu, 2);
    if (law->kind == STC_LAW_CONTENSOU) add_double(h, law->radius);
    if (law->kind == STC_LAW_ROLLING) add_double(h, law->length);
    if (law->kind == STC_LAW_SECTION) add_section(h, law->section);
    if (law->dilatancy > 0) add_double(h, law->dilatancy);
  }
  add_matrices(h, p);
  add_vector(h, global ? p->f : p->q, global ? p->dofs : p->size);
  add_vector(h, global ? p->w : p->s, global ? p->size : p->equalities);
  if (global) add_vector(h, p->b, p->equalities);
}

void stc_problem_fingerprint(const stc_problem *problem, char text[33]) {
  uint64_t h = FNV_START;
  for (int pass = 0; pass < 2; pass++) {
    add_problem(&h, problem);
    stc_snprintf(text + 16 * pass, 17, "%016" PRIx64, h);
  }
}
