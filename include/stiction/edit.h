// A world that is changed while it runs: bodies, joints and surfaces come, go, move and become
// others between two steps, before the start or after it; and the whole world is taken aside and
// brought back. What is added with stc_world_add_body, stc_world_add_joint, stc_world_ignore and
// stc_world_set_surface_pair may be added after the start too. The energy of what is added, moved
// or taken away is booked as work. A world that was edited gives the bits of one that holds the
// same bodies with the same indices, and remembers the same impulses.
#ifndef STICTION_EDIT_H
#define STICTION_EDIT_H

#include <stiction/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes a body out of the world, with its joints. Its handle and theirs are stale from then on;
/// the next body that is added takes the lowest index that is free.
STC_API stc_error stc_world_remove_body(stc_world *world, stc_body_id id);
STC_API stc_error stc_world_remove_joint(stc_world *world, stc_joint_id id);

/// The description of a body as it is now, without its name: pose and velocity are those at hand,
/// the parts are the world's and live until bodies are added, removed or replaced, or a step is
/// taken. Add it again for a copy; change and replace it for another size, shape, mass, mobility or
/// surface.
STC_API stc_error stc_world_describe_body(const stc_world *world, stc_body_id id,
                                          stc_rigid_body *body);

/// The description of a joint as it is now: anchors and axes where its bodies are, `start` of each
/// coordinate its value there. Add it again for a copy.
STC_API stc_error stc_world_describe_joint(const stc_world *world, stc_joint_id id,
                                           stc_joint *joint);

/// Makes the body what is described, with the same handle, joints and ignored pairs; name NULL
/// keeps its name. Its contacts forget their impulses. Refuses, and changes nothing, what
/// stc_world_add_body refuses, and a body that does not move where a joint would then join nothing
/// that moves.
STC_API stc_error stc_world_replace_body(stc_world *world, stc_body_id id,
                                         const stc_rigid_body *body);

/// Moves a body: NULL keeps the pose, the velocity of the centre, or the angular velocity (in the
/// world's frame). Velocities are those of free bodies only.
STC_API stc_error stc_world_move_body(stc_world *world, stc_body_id id, const stc_pose *pose,
                                      const double velocity[3], const double omega[3]);

/// A body that is disabled stays where it is: it neither moves nor touches anything, and has no
/// energy, until it is enabled. One that joints hold cannot be disabled.
STC_API stc_error stc_world_enable_body(stc_world *world, stc_body_id id, bool enabled);
STC_API bool stc_world_is_enabled(const stc_world *world, stc_body_id id);  ///< stale: false

/// Whether a body sleeps: bodies that hold each other by contacts and rest, in no joint and under
/// no load of their own, stay where they are, with their contacts and events, while others move.
/// They wake together where something that moves comes near enough for a contact, where a load or
/// an edit is about one of them, and with gravity or a surface. The report counts their contacts;
/// the problem of a step is without them.
STC_API bool stc_world_sleeps(const stc_world *world, stc_body_id id);

/// Lets two bodies touch again that stc_world_ignore kept apart.
STC_API stc_error stc_world_unignore(stc_world *world, stc_body_id a, stc_body_id b);

// --- The caller's own pointers; NULL for a handle that is not valid ---

/// That of a body is what its description has as `user`, and what its drive gets.
STC_API stc_error stc_world_set_body_user(stc_world *world, stc_body_id id, void *user);
STC_API void *stc_world_body_user(const stc_world *world, stc_body_id id);
STC_API stc_error stc_world_set_joint_user(stc_world *world, stc_joint_id id, void *user);
STC_API void *stc_world_joint_user(const stc_world *world, stc_joint_id id);
STC_API stc_error stc_world_set_surface_user(stc_world *world, int surface, void *user);
STC_API void *stc_world_surface_user(const stc_world *world, int surface);

// --- Snapshots ---

/// All of a world at one moment: what it is made of, its state, and what it remembers. Hulls,
/// terrains and what drives point to are borrowed, as in the world.
typedef struct stc_world_snapshot stc_world_snapshot;

/// Takes a snapshot, into the memory of *snapshot where that is not NULL.
STC_API stc_error stc_world_snapshot_take(const stc_world *world, stc_world_snapshot **snapshot);

/// Restores the state of the snapshot, of this world or of another: the same bits follow. Its
/// handles are valid again; handles given since are refused, also when their place is used again.
STC_API stc_error stc_world_snapshot_restore(const stc_world_snapshot *snapshot, stc_world *world);

/// A new, independent world that continues from the snapshot; its handles are those of the
/// snapshot.
STC_API stc_error stc_world_snapshot_branch(const stc_world_snapshot *snapshot, stc_world **world);

STC_API void stc_world_snapshot_free(stc_world_snapshot **snapshot);

#ifdef __cplusplus
}
#endif
#endif
