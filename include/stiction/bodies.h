// Rigid bodies that touch: Moreau–Jean time stepping with contact, dry friction and joints,
//   M (v+ - v) = h (F - gyroscopic) + H^T r,   u = H v+ + e u-,   (u, r) obey the laws,
// all contacts and joints of a step being one discrete Coulomb problem. Units are SI.
//   stc_world_create -> add bodies, joints (joints.h) -> stc_world_start -> stc_world_step ... ->
//   free
#ifndef STICTION_BODIES_H
#define STICTION_BODIES_H

#include <stiction/cert.h>
#include <stiction/geometry.h>
#include <stiction/lagrangian.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_world stc_world;

/// A body or a joint of one world, by value. It is that one's until it is removed; what is added in
/// its place later has the same index and another generation, and the old handle is refused. Zeros
/// are nothing: of a joint's bodies, the world.
typedef struct stc_body_id {
  int index;            ///< from 0
  unsigned generation;  ///< from 1; 0: nothing
} stc_body_id;

typedef struct stc_joint_id {
  int index;
  unsigned generation;
} stc_joint_id;

/// Friction and restitution between two surfaces; contacts that yield have a spring and a damper
/// instead of a restitution. FIELD(type, name, default, least, greatest,
/// meaning)
#define STC_SURFACE_PAIR_FIELDS(FIELD)                                                             \
  FIELD(double, mu, 0.5, 0, 1e6, "coefficient of friction")                                        \
  FIELD(double, restitution, 0, 0, 1, "Newton's e; slower impacts than h g rest")                  \
  FIELD(double, rolling, 0, 0, 1e6, "length of rolling friction, m")                               \
  FIELD(double, spinning, 0, 0, 1e6, "length of spinning friction, m: greatest moment over r_N")   \
  FIELD(double, compliance, 0, 0, 1e6, "of each contact point, m/N; 0: rigid")                     \
  FIELD(double, damping, 0, 0, 1e15, "N s/m, of each contact point that yields")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_surface_pair {
  STC_SURFACE_PAIR_FIELDS(STC_FIELD_DECLARE)
} stc_surface_pair;
#undef STC_FIELD_DECLARE

typedef enum stc_mobility {
  STC_MOBILITY_FREE,
  STC_MOBILITY_FIXED,
  STC_MOBILITY_DRIVEN  ///< moves as the callback says, whatever touches it
} stc_mobility;

/// A shape fixed in a body. Two parts may touch where each is in a group that the other's mask has.
typedef struct stc_part {
  stc_shape shape;
  stc_pose pose;   ///< in the body's frame
  double density;  ///< kg/m^3; ignored where the body's mass is given, and of sensors
  uint64_t group;  ///< bits of the groups it is in; 0: the first one, bit 0
  uint64_t mask;   ///< bits of the groups it meets; 0: all
  bool sensor;     ///< has no mass and touches nothing; events tell what overlaps it (events.h)
  void *user;      ///< the caller's
} stc_part;

/// Begin with stc_default_body(), which sets the cookie: a description without it is refused.
typedef struct stc_rigid_body {
  int cookie;
  const char *name;  ///< for sentences; NULL: its number
  stc_mobility mobility;
  int parts;
  const stc_part *part;
  stc_pose pose;
  double velocity[3];  ///< of the centre of mass
  double omega[3];     ///< in the world's frame
  double mass;         ///< 0: from the densities, and so are centre and inertia
  double centre[3];    ///< of mass, in the body's frame; only with a mass
  double inertia[6];   ///< about the centre (xx, yy, zz, xy, yz, zx); only with a mass
  int surface;         ///< number of its material, see stc_world_surface_pair; 0: the usual one
  bool continuous;     ///< passes through nothing, however fast it is: its way is looked at
  /// Of a driven body: velocity of its frame's origin and angular velocity at time t; false stops.
  bool (*drive)(void *user, double t, double velocity[3], double omega[3]);
  void *user;
} stc_rigid_body;

/// A free body at the origin, at rest, without parts and mass.
STC_API stc_rigid_body stc_default_body(void);

/// FIELD(type, name, default, least, greatest, meaning)
#define STC_WORLD_FIELDS(FIELD)                                                                    \
  FIELD(double, h, 1e-3, 1e-9, 10, "time step, s")                                                 \
  FIELD(double, tol, 1e-5, 1e-15, 1, "eta that the contacts of a step aim at")                     \
  FIELD(double, accept, 1e-3, 1e-15, 1, "largest eta that is no reason to speak of")               \
  FIELD(double, budget, 5, 0, 1e12,                                                                \
        "work of a step, in units of about 1 us, per contact and 500 times besides; 0: no limit")  \
  FIELD(double, reach, 0, 0, 1e6, "gap at which contacts are seen, m; 0: from sizes and speeds")   \
  FIELD(double, correction, 0.2, 0, 1, "part of an overlap removed in each step, without energy")  \
  FIELD(double, slop, 1e-6, 0, 1, "overlaps below this part of the smaller body's size are left")  \
  FIELD(double, slow, 100, 0, 1e9,                                                                 \
        "bodies slower than this times eta h g, and than h g, may rest")                           \
  FIELD(double, joint_tol, 1e-9, 1e-13, 1, "a step that leaves joints off by more is not taken")   \
  FIELD(double, flight_tol, 1e-3, 0, 1,                                                            \
        "part of its kinetic energy that a flight of joined bodies may be off by; 0: none")        \
  FIELD(int, memory, 0, 0, 1e7, "contacts whose impulses are remembered; 0: 16 per body and 64")   \
  FIELD(int, threads, 1, 1, 1024, "threads; the same bits for any number")

/// What `exact` aims at, and takes; less where tol and accept are less.
#define STC_EXACT_TOL    1e-8
#define STC_EXACT_ACCEPT 1e-6

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_world_settings {
  STC_WORLD_FIELDS(STC_FIELD_DECLARE)
  bool exact;           ///< every step to 1e-8 or less, whatever it takes, or it is not taken
  bool plane;           ///< motion in the plane z = 0: contacts of two components
  double depth;         ///< of every body in the plane, m: density times section times depth
  double gravity[3];    ///< m/s^2
  stc_settings solver;  ///< its tol and threads are replaced by those above, its regions by 1
} stc_world_settings;
#undef STC_FIELD_DECLARE

STC_API stc_world_settings stc_default_world_settings(void);  ///< gravity 9.81 along -z
STC_API stc_surface_pair stc_default_surface_pair(void);

STC_API stc_error stc_world_create(const stc_world_settings *settings, stc_world **world);
STC_API void stc_world_free(stc_world **world);

/// Copies the description; hulls and terrains are borrowed. Refuses, by name: no mass, degenerate
/// inertia, numbers that are not finite.
STC_API stc_error stc_world_add_body(stc_world *world, const stc_rigid_body *body, stc_body_id *id);

/// The friction and restitution between two surfaces. A pair that is not given mixes the surfaces
/// with themselves: mu by the geometric mean, the restitution by the larger, lengths and
/// compliances by the sum, the damping so that each yields its share. A world has rolling or
/// spinning friction, not both.
STC_API stc_error stc_world_set_surface_pair(stc_world *world, int surface_a, int surface_b,
                                             const stc_surface_pair *surface_pair);

/// A contact that a law is chosen for, in the step that begins.
typedef struct stc_surface_contact {
  stc_body_id body[2];              ///< the first has the first surface
  stc_pose pose[2];                 ///< of their frames, at the middle of the step
  double at[2][3];                  ///< the contact in these frames
  double normal[3], tangent[2][3];  ///< N into the first body, T1, T2
  stc_contact_past past;            ///< of the first body against the second
} stc_surface_contact;

/// Friction between two surfaces that is more than the mu of the pair. Begin with
/// stc_default_surface_law().
typedef struct stc_surface_law {
  stc_law law;  ///< of the contacts' dimension, as the first body feels it; dim 0: that of the pair
  stc_coefficient coefficient;  ///< in the place of mu; constant and NaN: mu
  double along[3];  ///< T1 is along it, in the frame of the body with the first surface, as far as
                    ///< the contact's plane allows; zeros: T1 is any direction
  /// The law of the next step: `law` holds what the above gives. NULL: that.
  bool (*choose)(void *user, const stc_surface_contact *contact, stc_law *law);
  void *user;
} stc_surface_law;
STC_API stc_surface_law stc_default_surface_law(void);  ///< Coulomb's with the mu of the pair

/// The law of a pair; NULL: the usual one. A surface's law with itself holds against others too,
/// where neither that pair was given nor the other surface has one. What depends on direction needs
/// `along`. Laws with dilatancy are refused.
STC_API stc_error stc_world_set_surface_law(stc_world *world, int surface_a, int surface_b,
                                            const stc_surface_law *law);

/// Two bodies that never touch.
STC_API stc_error stc_world_ignore(stc_world *world, stc_body_id a, stc_body_id b);

/// Checks that nothing overlaps by more than a part in a hundred of its size (naming the bodies),
/// and opens the ledger at time t.
STC_API stc_error stc_world_start(stc_world *world, double t);

typedef struct stc_world_report {
  bool accepted;      ///< otherwise the state is that of the step's beginning
  stc_status status;  ///< of the contact problem; RELAXED: the budget ended it before tol
  double work;        ///< counted, in units of about 1 us
  int relaxed;        ///< 1: the budget ended the step before tol
  int contacts, joints;
  double eta, fclib_error;
  double overlap;    ///< largest of contacts that do not yield, m
  double joint_gap;  ///< largest violation of a joint, m; angles count times its reach, the
                     ///< largest size, lever or radius of gyration of its free bodies; a step
                     ///< where it exceeds joint_tol times the reach is not accepted
  stc_joint_id worst_joint;  ///< zeros: no joints
  double restitution;        ///< part of every e that was kept
  stc_verdict existence;  ///< of a solution with the whole of e, where contacts bounce; a step that
                          ///< has no proof is taken if it is solved and gains no energy
  double collide_seconds;    ///< of the clock, for contacts: the next two, frames and rows
  double broad_seconds;      ///< pairs of boxes
  double narrow_seconds;     ///< points of these pairs
  double solve_seconds;      ///< impulses and rest
  double integrate_seconds;  ///< flights, overlaps, energy, and what is remembered
  char reason[512];          ///< of a step that was not accepted, or with eta > accept: the bodies
} stc_world_report;

/// One step. Slow bodies rest, with velocity zero, where impulses inside the cones of their
/// contacts balance them to rounding; what is not held moves, however slowly. Where the step is not
/// accepted, or fails, the state is that of its beginning.
STC_API stc_error stc_world_step(stc_world *world, stc_world_report *report);

/// The settings that the world was created with.
STC_API const stc_world_settings *stc_world_given(const stc_world *world);
STC_API double stc_world_time(const stc_world *world);
STC_API long stc_world_steps(const stc_world *world);
STC_API int stc_world_bodies(const stc_world *world);  ///< how many there are
/// Indices of bodies, and of joints, are below these.
STC_API int stc_world_body_slots(const stc_world *world);
STC_API int stc_world_joint_slots(const stc_world *world);
/// What has that index; zeros: nothing.
STC_API stc_body_id stc_world_body_at(const stc_world *world, int index);
STC_API stc_joint_id stc_world_joint_at(const stc_world *world, int index);
/// Whether the handle is that of a body, or a joint, which is in the world.
STC_API bool stc_world_has_body(const stc_world *world, stc_body_id id);
STC_API bool stc_world_has_joint(const stc_world *world, stc_joint_id id);
STC_API int stc_world_dim(const stc_world *world);  ///< components of a contact, from the start on
STC_API const stc_ledger *stc_world_ledger(const stc_world *world);

typedef struct stc_body_state {
  stc_pose pose;       ///< of the body's frame
  double centre[3];    ///< of mass
  double velocity[3];  ///< of the centre
  double omega[3];
  double mass;
  double spin[3];  ///< angular momentum about the centre
} stc_body_state;

STC_API stc_error stc_world_body(const stc_world *world, stc_body_id id, stc_body_state *state);
/// The parts of a body; they live until bodies are added, removed or reshaped.
STC_API stc_error stc_world_parts(const stc_world *world, stc_body_id id, int *parts,
                                  const stc_part **part);

typedef struct stc_world_contact {
  stc_body_id body[2];
  stc_contact_point point;
  double tangent[2][3];
  double r[STC_MAX_DIM];  ///< impulse of the last step on the first body, N s: N, T1, T2, ...
  double u[STC_MAX_DIM];
  stc_contact_state state;
} stc_world_contact;

/// Contacts of the last step.
STC_API int stc_world_contacts(const stc_world *world);
STC_API void stc_world_contact_at(const stc_world *world, int k, stc_world_contact *contact);

/// The discrete Coulomb problem of the last step, accepted or not, and the r it began from; NULL
/// where there was none, or no memory for it: it is made when it is asked for. They live until the
/// next step or edit.
STC_API const stc_problem *stc_world_problem(const stc_world *world, const double **guess);

/// Where all bodies are and how they move, STC_PLACE_NUMBERS for each: centre of mass,
/// orientation, velocity, and angular velocity in the body's axes (in the world's for fixed and
/// driven bodies).
enum { STC_PLACE_NUMBERS = 13 };
STC_API void stc_world_places(const stc_world *world, double *places);
/// The world after `steps` steps with these places: no impulses are remembered, and the ledger
/// opens anew. The world has started.
STC_API stc_error stc_world_set_places(stc_world *world, long steps, const double *places);

/// Everything a restart needs, as numbers: the same bits follow. The size is the same from the
/// start on, as long as there are laws of surfaces or none; the world that restores was filled
/// alike and has started. Of more than `memory` contacts the others are left out, here as at the
/// beginning of the next step.
STC_API size_t stc_world_state_size(const stc_world *world);
STC_API void stc_world_save(const stc_world *world, double *state);
STC_API stc_error stc_world_restore(stc_world *world, const double *state, size_t count);

#ifdef __cplusplus
}
#endif
#endif
