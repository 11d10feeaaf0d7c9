// Rigid bodies as a scene describes them, and the world that is made of them.
#ifndef STC_SCENE_CONTEXT_H
#define STC_SCENE_CONTEXT_H

#include "../fem/fem_scene.h"
#include "../kind.h"
#include "../scene_calls.h"

#include <stiction/joints.h>
#include <stiction/loads.h>

enum {
  STC_CONTEXT_BODIES = 10000000,  ///< most bodies, joints, pairs, each
  STC_CONTEXT_SURFACES = 1000,    ///< most surfaces with names
  STC_CONTEXT_NAME = 40,          ///< letters of a body's name, the closing 0 included
  STC_CONTEXT_COLUMNS = 10        ///< most bodies whose places are columns of the table
};

/// One rigid { }.
typedef struct stc_bodies_body {
  stc_scene *scene;
  const char *name;  ///< given, or its number from 1
  bool named;
  int line;
  stc_rigid_body body;
  stc_callback drive;
  bool loaded;  ///< has a force or a torque
  stc_callback force, torque;
  double given_force[3], given_torque[3];
  double damping[2];  ///< linear, angular, 1/s
  bool colored;
  double color[3];
} stc_bodies_body;

typedef struct stc_bodies_joint {
  int line;
  int body[2];  ///< -1: the world
  stc_joint joint;
} stc_bodies_joint;

typedef struct stc_bodies_surface_pair {
  stc_scene *scene;
  int line;
  int surface[2];
  stc_surface_pair surface_pair;
  const char *what;  ///< "surface_pair 'ice', 'steel'"
  bool has_law;      ///< friction is more than mu
  stc_friction friction;
  double along[3];
} stc_bodies_surface_pair;

typedef struct stc_bodies_ignore {
  int line;
  int body[2];
} stc_bodies_ignore;

/// A hull or a terrain that was made, and the file it came from.
typedef struct stc_bodies_solid {
  const char *file;  ///< NULL: from a list
  double scale[3];   ///< of the hull of a file
  stc_hull *hull;
  stc_terrain *terrain;
} stc_bodies_solid;

typedef struct stc_bodies_motion stc_bodies_motion;

struct stc_context {
  int line;
  bool has_world, has_camera;
  stc_world_settings settings;
  stc_callback fall;  ///< gravity as a function of time
  stc_surface_pair usual;
  stc_list bodies, joints, surface_pairs, ignored, solids, surfaces;
  stc_bodies_body *body;
  stc_bodies_joint *joint;
  stc_bodies_surface_pair *surface_pair;
  stc_bodies_ignore *ignore;
  stc_bodies_solid *solid;
  const char **surface;  ///< [surfaces] names; the first is "usual"
  int names;             ///< reference to the table of bodies by name
  double checksum;       ///< of the points of hulls and terrains
  stc_camera camera;
  stc_bodies_motion *motion;  ///< while it runs
};

/// Numbers of the steps: at the beginning of a checkpoint, in rows, in s.report.
typedef struct stc_bodies_numbers {
  double checksum;                                                ///< of hulls and terrains
  double contacts, joints, eta, overlap, joint_gap, restitution;  ///< of the last step
  double largest_eta, largest_overlap, largest_joint_gap;         ///< so far
  double relaxed;  ///< steps that their budget ended before tol, so far
} stc_bodies_numbers;

/// What runs.
struct stc_bodies_motion {
  stc_moving run;
  stc_context *context;
  stc_world *world;
  stc_bodies_numbers numbers;
  stc_world_report sum;                 ///< the largest eta and overlap, times of this process
  double *places;                       ///< [bodies*STC_PLACE_NUMBERS]
  double *start;                        ///< the same before the first step
  int columns_of[STC_CONTEXT_COLUMNS];  ///< bodies whose places are columns
  int columned;
  double column[STC_CONTEXT_COLUMNS][3];
  stc_world *still;  ///< the same bodies, asked whether they could stand; NULL: not asked yet
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
  double step_began;  ///< on the clock, s
};

/// The context of the scene, made when first asked for; `word` is what asks.
stc_context *stc_bodies_of(lua_State *L, const char *word);
void stc_bodies_free(stc_context **context);

/// The functions a scene may call, put into its globals.
void stc_bodies_open_functions(lua_State *L);
int stc_bodies_rigid(lua_State *L);           ///< rigid { }
int stc_bodies_joint_function(lua_State *L);  ///< joint { }
int stc_bodies_run(lua_State *L);             ///< run { }

#define STC_CONTEXT_ADD(L, what, list, entries)                                                    \
  ((list)->most = STC_CONTEXT_BODIES, STC_LIST_ADD((L), (what), (list), (entries)))

// --- Values ---

/// A place or a direction: three numbers, or two in the plane.
void stc_bodies_take_vector(lua_State *L, int index, const stc_context *context, const char *what,
                            const char *name, double x[3]);
/// The same of a field; false, and x stays, where it is not there.
bool stc_bodies_vector(const stc_fields *fields, const stc_context *context, const char *name,
                       double x[3]);
/// A rotation: { axis =, angle = }, a quaternion, or an angle in the plane.
void stc_bodies_rotation(const stc_fields *fields, const stc_context *context, const char *name,
                         double rotation[4]);
/// The rotation that brings z to the direction d.
void stc_bodies_rotation_to(const double d[3], double rotation[4]);

/// The shape among the entries of a table, in its pose; false where there is none.
extern const char *const stc_bodies_shapes[];
bool stc_bodies_take_shape(const stc_fields *fields, stc_context *context, stc_part *part);

/// Number of the body at `index`, a name or a number from 1; from 0.
int stc_bodies_find_body(lua_State *L, int index, const stc_context *context, const char *what);
/// Number of the surface of that name, from 0; a new one where it was not known.
int stc_bodies_surface(lua_State *L, stc_context *context, const char *what, const char *name);

// --- Loads ---

/// force, torque, linear_damping and angular_damping of a body; gravity of the world.
void stc_bodies_take_loads(const stc_fields *fields, const stc_context *context,
                           stc_bodies_body *body);
void stc_bodies_take_gravity(const stc_fields *fields, stc_context *context);
/// Gives them to the body of the world; it must stay where it is while the world lives.
stc_error stc_bodies_set_loads(const stc_bodies_body *body, stc_world *world, stc_body_id id);
/// Gravity of the step that begins.
stc_error stc_bodies_turn_gravity(stc_scene *scene, stc_world *world);

// --- The world ---

stc_error stc_bodies_check(stc_scene *scene);

/// The world of the scene, started.
stc_error stc_bodies_build(stc_scene *scene, const stc_world_settings *settings, stc_world **world);

/// Whether forces in the cones of friction mu balance the weights where the bodies are, or were at
/// the start.
stc_error stc_bodies_stands(stc_bodies_motion *motion, bool at_start, double mu, bool *stands);

/// The table s.
void stc_bodies_open_view(lua_State *L, const stc_scene *scene);
void stc_bodies_show(lua_State *L, void *moving);

#endif
