// What happened in the last step: which contacts of parts began, persist or ended, their impulses;
// what overlaps sensors; and contacts and places as arrays, without a copy. Units are SI.
#ifndef STICTION_EVENTS_H
#define STICTION_EVENTS_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stc_event_kind {
  STC_EVENT_BEGIN,
  STC_EVENT_PERSIST,
  STC_EVENT_END  ///< once, in the step after the last one with a contact
} stc_event_kind;

STC_API const char *stc_event_name(stc_event_kind kind);  ///< "begin", "persist", "end"

/// Two parts that touch: an impulse acts between them, or their gap is below what the world leaves
/// (`slop`). Or a sensor and a part that overlaps it at the middle of the step; sensors do not see
/// each other, nor do fixed ones what is fixed.
typedef struct stc_world_event {
  stc_event_kind kind;
  bool sensor;          ///< one of the parts is one: no contacts, no impulse
  stc_body_id body[2];  ///< at the end of a contact the handle may be stale: the body was removed
  int part[2];          ///< numbers among the parts of their bodies
  int first, contacts;  ///< which of the contacts of the step, see stc_world_contact_at
  double impulse[3];    ///< on the first body, in the world's frame, N s
  double speed;         ///< at which they approached before the step, the largest, m/s
} stc_world_event;

/// How many events the last step that was taken has, sorted by bodies and parts, those between
/// bodies that sleep before the others; they live until the next step or edit. A world that sleeps
/// has those of its last step, which persist. After
/// stc_world_restore contacts persist and what is in a sensor begins; after stc_world_set_places
/// all begin.
STC_API int stc_world_events(const stc_world *world, const stc_world_event **event);

/// Whether two parts may touch, or one that is a sensor sees the other: asked in each step for the
/// pairs that are near each other and that groups and ignored pairs allow, by several threads at
/// once where the world has them, with the lower body first. The answer depends on what does not
/// change within a step: islands that sleep are not asked about, and wake when a filter is set.
typedef bool stc_pair_filter(void *user, stc_body_id a, int part_a, stc_body_id b, int part_b);

/// From the next step on; NULL ends that. Snapshots hold it, saved states do not.
STC_API stc_error stc_world_set_pair_filter(stc_world *world, stc_pair_filter *filter, void *user);

/// The arrays of a world themselves, not copies; valid until the next step or edit.
typedef struct stc_world_arrays {
  int bodies;           ///< places of bodies, stc_world_body_slots
  const double *place;  ///< [bodies*STC_PLACE_NUMBERS], see stc_world_places
  int contacts, dim;
  const double *r, *u;  ///< [contacts*dim] impulses and velocities, see stc_world_contact
  /// Of the first contact; those of the next one are `stride` bytes further.
  size_t stride;
  const stc_contact_point *point;
  const double *tangent;           ///< [6]
  const int *body;                 ///< [2] indices
  const stc_contact_state *state;  ///< after the step
} stc_world_arrays;

STC_API stc_world_arrays stc_world_arrays_of(const stc_world *world);

#ifdef __cplusplus
}
#endif
#endif
