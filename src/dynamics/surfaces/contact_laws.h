// Laws of contacts between surfaces that have more than a mu: which one a contact obeys, tangents
// that turn with a body, and what it remembers.
#ifndef STC_DYNAMICS_CONTACT_LAWS_H
#define STC_DYNAMICS_CONTACT_LAWS_H

#include "../bodies/world_data.h"

/// Refuses numbers of surfaces that cannot be.
stc_error stc_surface_check_numbers(int a, int b);
/// What was given for a pair of surfaces; NULL: nothing.
stc_surface_pair *stc_surface_find_pair(const stc_world *world, int a, int b);
/// The table of laws by surfaces.
stc_error stc_world_make_surface_laws(stc_world *world);

/// The law that was given for the surfaces of a contact; *sign: 1 where its first body has the
/// first surface, else -1.
const stc_surface_law *stc_contact_given_law(const stc_world *world, const stc_contact_pair *m,
                                             double *sign);

/// Gives a new contact the law of its surfaces, and tangents along what that says.
void stc_contact_turn_frame(const stc_world *world, stc_contact_pair *m);

/// The laws of the step, once velocities before it are known.
stc_error stc_contacts_choose_laws(stc_world *world);

/// What contact c did in the step: it is closed where `opening`, its normal velocity with the gap
/// over h, is below `threshold`.
void stc_contact_keep_memory(const stc_world *world, int c, double threshold, double opening,
                             stc_contact_pair *m);

/// Whether the law of the next step may differ, though the contact is as it was a step before.
bool stc_contact_law_moves(const stc_world *world, const stc_contact_pair *now,
                           const stc_contact_pair *old);

#endif
