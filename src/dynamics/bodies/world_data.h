// What the parts of a world share: bodies, joints, the contacts of a step, the ledger.
#ifndef STC_DYNAMICS_WORLD_DATA_H
#define STC_DYNAMICS_WORLD_DATA_H

#include "../../base/fail.h"
#include "../../base/memory.h"
#include "../../base/team.h"
#include "../../base/vec3.h"
#include "../../problem/reduced.h"
#include "../ledger.h"

#include <stiction/events.h>
#include <stiction/joints.h>
#include <stiction/loads.h>

/// A body as it is, whatever it does. Its own frame is at the centre of mass. Without a generation
/// nothing is there: it is fixed, and has no parts.
typedef struct stc_body_data {
  unsigned generation;  ///< of its handle
  char name[48];
  stc_mobility mobility;
  bool out;           ///< disabled
  bool fresh;         ///< its place was not reached by a step
  bool continuous;    ///< passes through nothing
  bool sleeps;        ///< stays where it is until its island wakes
  int island;         ///< of one that sleeps: a body of it
  int patience;       ///< rest is sought in every 2^patience-th step
  int next_patience;  ///< once the step is taken
  int first_part, parts;
  int surface;
  int dof;            ///< first degree of freedom of the step; -1: none
  double centre[3];   ///< of mass, in the frame the body was given in
  double mass;        ///< 0 where it has no degrees of freedom
  double inertia[9];  ///< J about the centre, in the body's axes
  double inverse[9];  ///< J^-1
  double size;        ///< radius around the centre that holds all parts; INFINITY for planes
  bool (*drive)(void *user, double t, double velocity[3], double omega[3]);
  void *user;
  double given_mass, given_centre[3],
      given_inertia[6];  ///< as the caller said it; 0: from the densities
} stc_body_data;

/// Whether impulses move a body.
static inline bool stc_body_is_free(const stc_body_data *node) {
  return node->mobility == STC_MOBILITY_FREE && !node->out;
}

/// Whether they move it in this step.
static inline bool stc_body_is_awake(const stc_body_data *node) {
  return stc_body_is_free(node) && !node->sleeps;
}

/// Where a body is and how it moves.
typedef struct stc_place {
  double x[3];  ///< centre of mass
  double rotation[4];
  double v[3];
  double omega[3];  ///< in the body's axes; in the world's where it has no degrees of freedom
} stc_place;

/// What acts along a coordinate of a joint, each with an impulse of its own.
typedef enum stc_act_kind {
  STC_ACT_SPRING,  ///< and damper
  STC_ACT_MOTOR,
  STC_ACT_FRICTION,
  STC_ACT_LEAST,  ///< the lower limit
  STC_ACT_GREATEST,
  STC_ACT_KINDS
} stc_act_kind;

/// A joint in the frames of its two bodies; the world's frame where there is none.
typedef struct stc_link {
  int slot;             ///< index of its handle
  unsigned generation;  ///< of its handle
  stc_joint_kind kind;
  int body[2];
  double anchor[2][3];   ///< of a gear: a direction across its axis, in space
  double axis[2][9];     ///< rows: the axis and two directions across it
  double reach;          ///< m: angles times it are compared with distances
  double length, ratio;  ///< of a rod, of a gear
  double breaks[2];      ///< force and torque
  bool broken;
  int rows, first_row;                 ///< equations; none where it is broken
  int coordinates;                     ///< that are left free
  int acting;                          ///< coordinates along which something acts
  int acts_on[STC_JOINT_COORDINATES];  ///< [acting]
  stc_joint_coordinate action[STC_JOINT_COORDINATES];
  double value[STC_JOINT_COORDINATES];  ///< at the end of the last step; of a gear both angles
  double impulse[STC_JOINT_COORDINATES][STC_ACT_KINDS];  ///< of the last step
  double reaction[6];  ///< impulse of the last step on the first body, and its moment about the
                       ///< anchor
} stc_link;

/// Whether a joint holds anything; otherwise it broke.
static inline bool stc_link_holds(const stc_link *link) { return link->rows + link->acting > 0; }

/// Bodies that joints connect (joints/mechanism.h).
typedef struct stc_mechanism stc_mechanism;

/// A place for a joint's handle.
typedef struct stc_joint_slot {
  unsigned generation;  ///< of the last handle
  int link;             ///< -1: nothing is there
  void *user;
} stc_joint_slot;

typedef struct stc_given_surface_pair {
  int surface[2];
  stc_surface_pair surface_pair;
} stc_given_surface_pair;

typedef struct stc_given_surface_law {
  int surface[2];
  stc_surface_law law;
} stc_given_surface_law;

/// What a contact did, as far as its law asks (surfaces/contact_laws.h).
typedef struct stc_contact_memory {
  double slip, age;  ///< age: where the law may depend on time
  bool stuck;        ///< at the end of the last step
} stc_contact_memory;

/// Impulse of a contact as it is remembered, independent of the tangents that were used.
typedef struct stc_load {
  double normal;
  double sliding[3];   ///< in space
  double rotating[3];  ///< of spin or rolling, in space
} stc_load;

/// A contact that yields (soft/soft_contacts.h).
typedef struct stc_soft {
  double compliance, damping;  ///< 0: it does not
  double yield, w, stiffness;  ///< of the step in the making; h^2 k times the mobility
  double stored;               ///< energy before the step, then after it
} stc_soft;

typedef struct stc_contact_pair {
  int part[2], body[2];
  stc_contact_point point;
  double tangent[2][3];
  stc_law law;
  double restitution;
  stc_soft soft;
  stc_load load;
  int given_law;  ///< from 1, below 0 where its first body is the second of the contact; 0: none
  stc_contact_memory memory;
  stc_contact_state state;  ///< after the step
} stc_contact_pair;

/// Vectors of a step over the components of the contacts.
typedef enum stc_row_vector {
  STC_ROW_BEFORE,  ///< U at the middle, before the impulses
  STC_ROW_FREE,    ///< U with the forces of the step
  STC_ROW_AFTER,   ///< U with the impulses
  STC_ROW_DRIVE,   ///< velocity of moving obstacles
  STC_ROW_W,       ///< what is added to U before the law holds: e U_N(before), or gap / h
  STC_ROW_R,
  STC_ROW_GUESS,
  STC_ROW_VECTORS
} stc_row_vector;

/// An array that grows. Zero-initialise it.
typedef struct stc_pool {
  void *data;
  size_t capacity;
} stc_pool;

/// Room for `count` elements of `size` bytes; the first `kept` stay.
stc_error stc_pool_grow(stc_pool *pool, size_t count, size_t size, size_t kept);

/// Rows on pairs of free bodies as the problem of the step takes them, their arrays pooled. Bodies
/// are numbered by their degrees of freedom: `owner` of the world has those they are.
typedef struct stc_rows {
  stc_body_matrix view;
  stc_pool body, block;
} stc_rows;

/// A load of the next step.
typedef struct stc_push {
  int body;
  stc_body_load load;
} stc_push;

/// What acts on a body in every step.
typedef struct stc_lasting_load {
  double linear, angular;  ///< damping, 1/s
  stc_load_callback *load;
  void *user;
} stc_lasting_load;

/// Loads of a world (loads/body_loads.h).
typedef struct stc_loads {
  int pushes, lasting_count;
  stc_pool push, lasting;
  bool active;    ///< some act in the step in the making
  stc_pool kick;  ///< what they change in the velocities of all bodies
} stc_loads;

/// Where all parts are, and a tree over their boxes (queries/part_tree.h).
typedef struct stc_part_places {
  bool known;           ///< nothing has moved since
  int finite, endless;  ///< parts in the tree, and those that have no finite box
  int nodes, grown;     ///< of the tree, and over how many parts
  double cost;          ///< of the tree when it was grown
  stc_pool pose;        ///< [finite]
  stc_pool item, kept;  ///< [finite] part numbers, and [grown] those that the tree was grown over
  stc_pool low, high, middle, order, node;
  stc_pool spot;  ///< [parts] in the order of the tree; those without a box from the end on
} stc_part_places;

/// What acts along coordinates of joints in the step in the making (joints/joint_acts.h).
typedef struct stc_acts {
  int count, pressed, ties;  ///< all; those that are contacts of the problem; its equations
  stc_pool act, tie, first;
  stc_rows D;     ///< rates by velocities, one row each
  stc_pool rate;  ///< [count]
  stc_rows H, G;  ///< of the problem, with slack bodies
  stc_pool M, f, w, b, law;
} stc_acts;

struct stc_world {
  stc_world_settings settings;
  int bodies, links;     ///< places of bodies, some of them empty; joints, in the order of handles
  int present;           ///< bodies
  int vacant;            ///< places before this one are taken
  int parts, all_parts;  ///< of enabled bodies, which come first; of all
  int joint_slots;       ///< places of joints' handles
  int given, given_laws, ignored, surfaces;
  stc_pool node, place, part, part_body, link, joint_slot, given_pair, ignore;  ///< what was added
  stc_pool given_law;
  stc_pool newest;       ///< [ever] generation of the last handle of each place
  int ever;              ///< places there ever were
  bool edited;           ///< what follows from the bodies and joints is to be made anew,
  bool parts_edited;     ///< the order of parts too,
  bool surfaces_edited;  ///< and the table of surfaces
  bool fresh;            ///< some body is
  int apart_pairs;
  stc_pool apart;                  ///< [apart_pairs*2] bodies that never touch, sorted
  stc_surface_pair *surface_pair;  ///< [surfaces*surfaces], from the start
  int *surface_law;                ///< [surfaces*surfaces] as in a contact
  stc_broad *broad;
  stc_team *team;
  int dofs, dim, equalities;
  bool started;
  double start_time;
  long steps;
  bool reached;                 ///< bodies are where the last step left them
  bool asleep;                  ///< the next step is the last one again
  bool cut_short;               ///< the last one was relaxed, far from its answer
  stc_world_report rest;        ///< its report
  stc_account account, trial;   ///< the ledger, and that of the step in the making
  double energy;                ///< of `next` before the correction
  double stored, trial_stored;  ///< energy of contacts that yield: in the ledger, after the step
  int soft;                     ///< contacts of the step in the making that yield
  stc_pool rise;                ///< [count*dim] work: of the energy they store
  // the contacts of the last step, and of the step in the making
  int last_count, count;
  stc_pool last, contact_pair;
  stc_pool last_r, last_u;  ///< [last_count*dim]
  stc_pool owner;           ///< [free bodies] the body of each block of degrees of freedom
  // the step in the making
  double broad_seconds, narrow_seconds;
  stc_pool next;                     ///< places
  stc_pool rotation;                 ///< [bodies*9] rotation matrices at the middle
  stc_pool low, high, moving, spot;  ///< boxes of parts, and where they are
  stc_pool found;                    ///< contact points of a batch of pairs
  stc_pool velocity[4];              ///< [dofs] before, free, after, work space
  stc_pool vector[STC_ROW_VECTORS];
  stc_rows H, G;        ///< dim rows per contact, one per joint equation
  stc_pool mass;        ///< [free bodies] blocks of M, in units of mass
  stc_pool driven;      ///< [equalities] b of G v + b = 0: what driven bodies make, at the end
  stc_pool driven_old;  ///< [equalities] the same before
  stc_pool multiplier;
  stc_pool law, f, w;
  stc_pool mobility;        ///< [free bodies] blocks of M^-1, in units of mass
  double unit;              ///< of mass, in the problem
  double work, work_limit;  ///< of the step so far, in units of its budget, and at most
  bool direct;              ///< `reduced` is the problem of the step: no joints, cones of forces
  stc_reduced reduced;
  stc_pool room, work_space;  ///< of it
  struct stc_sweep *sweep;    ///< over its contacts, with those of the correction
  bool sweeps;                ///< they serve the step's problem
  stc_pool sweep_room;
  stc_bodies_data data;         ///< of the step's problem
  bool posed;                   ///< there is one: `data` are its numbers
  stc_problem *problem;         ///< made of them where it is asked for
  stc_pool start;               ///< the r the problem began from
  stc_pool kept_r;              ///< impulses to go back to
  stc_pool before_rest;         ///< r, l and velocities as they were found
  stc_pool push, displacement;  ///< rows of the correction, and what it does
  stc_pool target;              ///< [count] what it asks for
  stc_pool push_block;          ///< [links*36] factors of its joints
  // joints
  int mechanisms;
  stc_mechanism *mechanism;  ///< from the start
  stc_pool member;           ///< [bodies] the mechanism of each; -1: none
  stc_pool origin, wrench;   ///< [bodies] where a flight begins, and what joints do to each
  stc_pool reaction;         ///< [links*6] what joints do in the step, as in a link
  int broken;                ///< a joint that the step does not keep; -1: none
  double broken_rate;        ///< m/s, where it is its velocity that is not kept; 0: its place
  stc_sum joint_drive, joint_shock, joint_correction;  ///< of the step in the making
  stc_loads loads;
  stc_acts acts;
  int continuous;  ///< bodies that are
  stc_pool swept;  ///< [bodies] where they began
  double cut;      ///< potential of the ways that were cut off in this step
  // islands
  int sleepers;      ///< bodies that sleep
  int still;         ///< contacts of those that sleep: the first ones of `last`
  int still_events;  ///< their events: the first ones
  bool fresh_sleep;  ///< these are as they were when it began to sleep
  bool boxed;        ///< boxes of those that sleep are those of the last step
  bool regroup;      ///< islands woke: contacts and degrees of freedom are to be sorted anew
  stc_pool root, aside, rank;  ///< work: [bodies], of contacts or events
  stc_pool rows_aside;
  // events
  int sensed;               ///< pairs of parts, one of them a sensor, that overlap
  int events, next_events;  ///< of the last step, and of the one in the making
  bool settled;             ///< events of a world that sleeps: they persist
  stc_pool sense;           ///< [sensed*2]
  stc_pool event, next_event;
  int surface_users;
  stc_pool surface_user;    ///< [surface_users]
  stc_part_places seen;     ///< by queries
  stc_pair_filter *filter;  ///< NULL: all pairs
  void *filter_user;
};

#define STC_NODES(world)         ((stc_body_data *)(world)->node.data)
#define STC_PLACES(world)        ((stc_place *)(world)->place.data)
#define STC_NEXT(world)          ((stc_place *)(world)->next.data)
#define STC_PARTS(world)         ((stc_part *)(world)->part.data)
#define STC_PART_BODY(world)     ((int *)(world)->part_body.data)
#define STC_LINKS(world)         ((stc_link *)(world)->link.data)
#define STC_CONTACT_PAIRS(world) ((stc_contact_pair *)(world)->contact_pair.data)
#define STC_ROW(world, k)        ((double *)(world)->vector[k].data)

typedef enum stc_speed {
  STC_SPEED_BEFORE,
  STC_SPEED_FREE,
  STC_SPEED_AFTER,
  STC_SPEED_WORK
} stc_speed;
#define STC_SPEED(world, k)    ((double *)(world)->velocity[k].data)
#define STC_ROTATION(world, b) ((const double *)(world)->rotation.data + 9 * (size_t)(b))

/// The rows of the step in the making.
static inline stc_step_rows stc_world_rows(const stc_world *world) {
  return (stc_step_rows){.count = world->count,
                         .dim = world->dim,
                         .drive = STC_ROW(world, STC_ROW_DRIVE),
                         .before = STC_ROW(world, STC_ROW_BEFORE),
                         .free = STC_ROW(world, STC_ROW_FREE),
                         .after = STC_ROW(world, STC_ROW_AFTER),
                         .w = STC_ROW(world, STC_ROW_W),
                         .r = STC_ROW(world, STC_ROW_R),
                         .guess = STC_ROW(world, STC_ROW_GUESS)};
}

static inline void stc_world_forget_problem(stc_world *world) {
  stc_problem_free(&world->problem);
  world->posed = false;
}

/// Something changes by other means than a step: there is a next step, and what is seen is old.
static inline void stc_world_stir(stc_world *world) {
  world->asleep = world->reached = false;
  world->seen.known = false;
  world->boxed = false;
}

/// Degrees of freedom of a free body: 6, or 3 in the plane.
static inline int stc_body_dofs(const stc_world *world) { return world->settings.plane ? 3 : 6; }

// --- Parts of a step, in their order ---

/// Half a step of free flight of every body from its place in `from` (which may be `to`), with the
/// velocities it has. Energy and angular momentum stay.
stc_error stc_world_fly(stc_world *world, const stc_place *from, stc_place *to);
/// Stops continuous bodies on that way where they would enter others; the potential that this
/// takes is booked as a correction.
void stc_world_sweep(stc_world *world, const stc_place *from, stc_place *to);

/// Contacts of the places `next`, with frames, laws, impulses remembered and rows of H.
stc_error stc_world_gather(stc_world *world);
/// What driven bodies do to the joints at `next` with the velocities they have; then the rows G,
/// once they have those of the end.
stc_error stc_world_joint_rates(stc_world *world, stc_pool *rates);
stc_error stc_world_joint_rows(stc_world *world);

/// Velocities of `next` after the impulses.
stc_error stc_world_solve(stc_world *world, stc_world_report *report);

/// The eta to which a small step is solved on where a looser one leaves open whether a body rests.
#define STC_SHARP 1e-8  // [input]

/// Lengths and directions that differ by less than this part of the size, or of one, are the same.
#define STC_SAME 1e-9  // [rounding]

/// A body that is slow but not held is tried again in every second step, at last in every
/// sixteenth: in steps that all others of its cluster share.
enum { STC_MOST_PATIENCE = 4 };  // [bound]

/// Bodies that impulses inside their cones hold get the velocity 0, their contacts those impulses;
/// *changed where these are not the ones that were found with `eta`. *slow is the number of bodies
/// that are pressed, not held, and so slow that what eta leaves open may be all of their velocity.
stc_error stc_world_rest(stc_world *world, double eta, bool *changed, int *slow);

/// Whether the step as it is (the impulses that were found may help) has a solution.
stc_verdict stc_world_existence(stc_world *world);
/// Most contacts of a step that is certified: exact arithmetic takes seconds for a few dozen, more
/// than a budget has.
int stc_world_certified(const stc_world *world);

/// Moves `next` out of overlaps and back into its joints; *overlap is what the contacts had.
stc_error stc_world_correct(stc_world *world, double *overlap);

// --- Joints; a joint that cannot be kept is named by world->broken ---

/// Takes places and velocities that were given and that joints do not allow back to where they do.
stc_error stc_world_begin_joined(stc_world *world, stc_place *places);
/// Flights of all mechanisms from `origin` over h/2; other bodies have arrived.
stc_error stc_world_fly_joined(stc_world *world, stc_place *to);
/// The matrices of the joints at `next`; then velocities of `next` that they allow, with the
/// multipliers that make them so.
stc_error stc_world_factorise_joints(stc_world *world);
stc_error stc_world_project_joints(stc_world *world);
/// Places and velocities of `next` after a correction.
stc_error stc_world_assemble(stc_world *world);
/// Fills the largest violation of `next` into the report.
void stc_world_measure_joints(stc_world *world, stc_world_report *report);
/// The sentence of a step that does not keep the joint `broken`.
void stc_world_explain_joint(stc_world *world, stc_world_report *report);
/// Notes what the multipliers at the middle do to the bodies.
void stc_world_react(stc_world *world);
/// A step was taken: what joints did, where they are, which of them break. False where one with
/// something that acts did something else than in the step before.
bool stc_world_keep_joints(stc_world *world);
/// Joints are where their bodies are, and remember no impulses.
void stc_world_forget_joints(stc_world *world);
/// Counts the equations of a joint and lists the coordinates along which something acts.
void stc_joint_count(const stc_world *world, stc_link *link);
/// Mechanisms whose bodies were at rest and whose joints carry all forces stay so.
void stc_world_rest_joined(stc_world *world);

double stc_world_ledger_kinetic(const stc_world *world, int body, const stc_place *place);
void stc_world_ledger_open(stc_world *world);
/// Work of the step that leads to `next`, and energy there; then that of the correction.
void stc_world_ledger_motion(stc_world *world);
void stc_world_ledger_close(stc_world *world);
double stc_world_ledger_energy(const stc_world *world, const stc_place *place, double *kinetic,
                               double *potential);

// --- Events (events/) ---

/// Whether groups and masks let two parts meet; *sensed: one of them is a sensor.
bool stc_parts_meet(const stc_part *a, const stc_part *b, bool *sensed);
/// What happens in the step in the making, from its contacts and what is sensed.
stc_error stc_world_find_events(stc_world *world);
/// They are those of the last step from now on.
void stc_world_take_events(stc_world *world);
/// A world that sleeps goes on as it is.
void stc_world_settle_events(stc_world *world);
/// Events of the contacts that were restored.
stc_error stc_world_recall_events(stc_world *world);

// --- Islands that sleep (islands/) ---

/// Wakes the island of a body, or that of everything the body has a contact with; all of them.
void stc_islands_wake(stc_world *world, int body);
void stc_islands_wake_around(stc_world *world, int body);
void stc_islands_wake_all(stc_world *world);
/// The contacts of a body (-1: all) are gone: events follow the others.
void stc_islands_drop(stc_world *world, int body);
/// Wakes what has a contact of the step in the making with something that moves; *woke: the
/// contacts are to be found again.
stc_error stc_islands_disturb(stc_world *world, bool *woke);
/// After edits: contacts, events and degrees of freedom of what sleeps and what does not.
stc_error stc_islands_regroup(stc_world *world);
/// Room for what follows, which then cannot fail.
stc_error stc_islands_make_room(stc_world *world);
/// At the end of a step whose contacts are those in the making, where it began being `next`: lets
/// islands in which nothing changed sleep while others move; whether there are any.
bool stc_islands_find(stc_world *world);
/// Once its contacts are the last ones.
void stc_islands_sort(stc_world *world);
void stc_world_number_dofs(stc_world *world);

// --- Handles ---

/// A description that a default began.
#define STC_COOKIE 0x5143  // [format]
stc_error stc_cookie_check(int cookie, const char *maker);

/// Where the joint of a handle is.
stc_error stc_world_find_joint(const stc_world *world, stc_joint_id id, int *joint);
/// Puts a joint at the lowest free handle.
stc_error stc_world_put_link(stc_world *world, const stc_link *link, stc_joint_id *id);
void stc_world_take_link(stc_world *world, int joint);

/// Where the body of a handle is; stale handles, those of nothing and of other worlds are refused.
stc_error stc_world_find_body(const stc_world *world, stc_body_id id, int *body);

static inline stc_body_id stc_world_id_of(const stc_world *world, int body) {
  return (stc_body_id){body, STC_NODES(world)[body].generation};
}

static inline stc_joint_id stc_world_joint_id_of(const stc_world *world, int joint) {
  return (stc_joint_id){STC_LINKS(world)[joint].slot, STC_LINKS(world)[joint].generation};
}

// --- Edits ---

/// What a description makes of the body `number`, with its parts behind all others, and where it
/// is.
stc_error stc_world_make_body(stc_world *world, const stc_rigid_body *body, int number,
                              stc_body_data *node, stc_place *place);
/// Where a body is with the pose and the velocities of a description.
stc_error stc_world_place_body(const stc_world *world, const stc_rigid_body *body,
                               const stc_body_data *node, stc_place *place);
/// Puts a body there.
void stc_world_put_body_data(stc_world *world, int number, const stc_body_data *node,
                             const stc_place *place);
/// Makes what follows from bodies, joints and surfaces, where they were edited.
stc_error stc_world_prepare(stc_world *world);
/// Bodies of the contacts at `next` that overlap by more than is allowed at a start; of those that
/// no step has brought there only, where the world has started.
stc_error stc_world_check_overlaps(const stc_world *world);
/// Before and after a body changes: the energy it takes away, or brings.
void stc_world_book_edit(stc_world *world, int body, double sign);
/// The same of all springs between joined bodies.
void stc_world_book_springs(stc_world *world, double sign);

// --- Helpers ---

/// State of a body at a place.
void stc_world_state_of(const stc_world *world, int body, const stc_place *place,
                        stc_body_state *state);

/// Pose of the body's frame as it was given.
stc_pose stc_node_pose(const stc_body_data *node, const stc_place *place);

/// Velocity of a body's point, given from its centre in world axes.
void stc_world_rate(const stc_world *world, const stc_place *place, int body, double omega[3]);

/// Work of a step that its budget does not count by contacts, as that of so many of them.
enum { STC_BUDGET_CONTACTS = 500 };  // [bound]

/// A step on a budget is taken up to this eta; above it where nothing is forced, or where it is
/// proved to have an answer.
#define STC_MOST_RELAXED 0.3  // [bound]

/// Surfaces a world tells apart at most: the table of pairs stays small.
enum { STC_MOST_SURFACES = 1024 };  // [input]

/// Surface pair of two bodies, and the law it makes.
const stc_surface_pair *stc_world_surface_pair_of(const stc_world *world, int body_a, int body_b);
stc_law stc_world_law_of(const stc_world *world, const stc_surface_pair *surface_pair);
stc_error stc_world_make_surface_pairs(stc_world *world);

/// The speed that gravity gives in a step: slower impacts do not bounce.
double stc_world_slow(const stc_world *world);

/// Contacts of the last step whose impulses the next one begins from, and the most there can be.
int stc_world_remembered(const stc_world *world);
size_t stc_world_memory(const stc_world *world);

/// Tangents of a contact, the same for the same normal.
void stc_world_frame(const stc_world *world, stc_contact_pair *contact_pair);

/// Room for `count` groups of `dim` rows.
stc_error stc_world_open_rows(const stc_world *world, int count, int dim, stc_rows *A);

/// Side `side` of row `row` is on `body`; -1: it is on nothing that forces move. With a body, the
/// row is that of force.v + moment.omega, omega in the body's axes.
void stc_world_put_body(const stc_world *world, stc_rows *A, int row, int side, int body,
                        const double force[3], const double moment[3]);

/// Velocities of driven bodies at time t, into `place`; of the one body.
stc_error stc_world_drive_body(const stc_body_data *node, double t, stc_place *place);
stc_error stc_world_drive(const stc_world *world, double t, stc_place *place);

/// Whether two bodies never touch: ignored, joined, or both without degrees of freedom (or, where
/// it is about a sensor, both fixed).
bool stc_world_apart(const stc_world *world, int body_a, int body_b, bool sensed);

#endif
