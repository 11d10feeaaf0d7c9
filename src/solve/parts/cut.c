// Cutting parts out of a problem.
#include "cut.h"

// Shared memory is taken this much larger than its first user asks for: others may ask for more.
enum { HEADROOM = 2 };

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
