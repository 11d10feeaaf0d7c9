// Cutting parts out of a problem.
#include "cut.h"

#include <string.h>

// Shared memory is taken this much larger than its first user asks for: others may ask for more.
enum { HEADROOM = 2 };  // [size]

stc_error stc_cut_places(stc_arena *scratch, const stc_reduced *p, int **place) {
  int places = p->contacts > p->bodies.count ? p->contacts : p->bodies.count;
  *place = STC_TAKE_RAW(scratch, int, places);
  STC_TRY(stc_arena_check(scratch));
  for (int k = 0; k < places; k++) (*place)[k] = -1;
  return STC_OK;
}

stc_error stc_cut_solver(stc_solver *whole, const int *contact, int contacts,
                         const stc_settings *settings, int *place, stc_slab *mark, bool *shared,
                         stc_solver **part) {
  stc_reduced *problem = NULL;
  stc_slab elsewhere = stc_arena_mark(whole->arena);
  STC_TRY(stc_reduced_cut(whole->problem, contact, contacts, place, &problem));
  *shared = stc_jacobian_is_small(problem);
  if (*shared) {
    stc_arena_return(whole->arena, *mark);
    stc_arena_expect(whole->arena, HEADROOM * stc_auto_bytes(problem));
    *mark = stc_arena_mark(whole->arena);
  }
  stc_error error = stc_solver_setup_part(whole, problem, settings, part);
  if (*shared) stc_arena_return(whole->arena, elsewhere);
  return error;
}

void stc_cut_read(const int *contact, int contacts, int dim, const double *whole, double *part) {
  for (int c = 0; c < contacts; c++)
    memcpy(part + (ptrdiff_t)c * dim, whole + (ptrdiff_t)contact[c] * dim,
           (size_t)dim * sizeof *part);
}

void stc_cut_write(const int *contact, int contacts, int dim, const double *part, double *whole) {
  for (int c = 0; c < contacts; c++)
    memcpy(whole + (ptrdiff_t)contact[c] * dim, part + (ptrdiff_t)c * dim,
           (size_t)dim * sizeof *part);
}

// q of the part: the velocity that the reactions around it leave, u_P - W_PP r_P.
static stc_error hold_others(const stc_solver *s, const int *contact, const double *r,
                             stc_reduced *part) {
  stc_arena scratch = {0};
  double *Wr = STC_TAKE_RAW(&scratch, double, part->size);
  double *work = STC_TAKE_RAW(&scratch, double, part->scratch);
  stc_error error = stc_arena_check(&scratch);
  if (!error) {
    stc_cut_read(contact, part->contacts, part->dim, s->u, part->q);
    stc_reduced_multiply(part, r, work, Wr);
    for (int k = 0; k < part->size; k++) part->q[k] -= Wr[k];
  }
  stc_arena_free(&scratch);
  return error;
}

stc_error stc_cut_held(const stc_solver *s, const int *contact, int contacts, int *place,
                       stc_magnitude of_whole, double *r, stc_reduced **part) {
  STC_TRY(stc_reduced_cut(s->problem, contact, contacts, place, part));
  stc_reduced_follow(*part, s->problem, contact, of_whole);
  (*part)->bodies.free = NULL;
  stc_cut_read(contact, contacts, s->problem->dim, s->r, r);
  stc_error error = hold_others(s, contact, r, *part);
  if (error) stc_reduced_free(part);
  return error;
}
