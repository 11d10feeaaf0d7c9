// Deformable bodies as a scene describes them: meshes, materials, supports, loads, contact, steps.
#ifndef STC_SCENE_FEM_SCENE_H
#define STC_SCENE_FEM_SCENE_H

#include "../scene_calls.h"

#include <stiction/thermal.h>

enum {
  STC_DEFORM_ENTRIES = 10000,  ///< most bodies, supports, loads, pairs, each
  STC_DEFORM_STEPS = 1000000,  ///< most load steps
  STC_DEFORM_CURVES = 20,      ///< most curves in one plot
  STC_DEFORM_ALL = -2          ///< a component that stands for all of them
};

/// A support, a traction or a pressure.
typedef struct stc_scene_load {
  const char *group;
  int line;
  int component;  ///< 0, 1, 2; -1: a pressure; STC_DEFORM_ALL
  char letter;    ///< as the scene calls it
  stc_scene_given *given;
} stc_scene_load;

typedef struct stc_scene_body {
  int line;
  stc_body body;
} stc_scene_body;

typedef enum stc_obstacle_shape {
  STC_OBSTACLE_FUNCTION,
  STC_OBSTACLE_PLANE,
  STC_OBSTACLE_BALL,
  STC_OBSTACLE_ROD
} stc_obstacle_shape;

/// A rigid obstacle.
typedef struct stc_scene_obstacle {
  stc_scene *scene;
  stc_obstacle_shape shape;
  int dim;           ///< numbers in its vectors; 0: a function
  double centre[3];  ///< or a point of the plane or of the axis
  double axis[3];    ///< of length 1; normal of the plane, out of it
  double radius;
  bool hollow;            ///< the body is inside
  stc_callback distance;  ///< of a function
  stc_callback motion;    ///< displacement of the obstacle at t
} stc_scene_obstacle;

typedef struct stc_scene_pair_data {
  stc_scene *scene;
  int line;
  stc_pair pair;
  const char *what;  ///< "contact 'NAME'"
  stc_friction friction;
  stc_scene_obstacle *obstacle;  ///< or NULL
} stc_scene_pair_data;

typedef enum stc_quantity {
  STC_QUANTITY_PRESSURE,
  STC_QUANTITY_SHEAR,
  STC_QUANTITY_GAP,
  STC_QUANTITY_SLIP
} stc_quantity;

/// Contact points and curves to compare them with.
typedef struct stc_scene_plot {
  int line;
  const char *name, *pair, *along, *quantity;
  double low, high;
  int points;  ///< of a curve
  int curves;
  stc_answer *curve;
} stc_scene_plot;

/// What passes between a body and what is around it.
typedef struct stc_scene_transfer {
  int line;
  stc_transfer transfer;
  stc_scene_given *given;
} stc_scene_transfer;

/// Numbers, or a function of pressure and gap.
typedef struct stc_scene_conductance {
  stc_scene *scene;
  const char *what, *name;
  stc_conductance numbers;
  stc_callback function;
} stc_scene_conductance;

typedef struct stc_scene_junction {
  int line;
  const char *pair;
  double share;
  stc_scene_conductance *heat, *electric;
  stc_scene_given *temperature, *potential;  ///< of an obstacle
} stc_scene_junction;

typedef struct stc_scene_conductor {
  int line;
  stc_conductor conductor;
} stc_scene_conductor;

/// Heat and current.
typedef struct stc_scene_heat {
  bool described;
  int line;
  stc_thermal_description settings;  ///< without its lists
  stc_scene_given *initial;
} stc_scene_heat;

/// A list that grows.
typedef struct stc_list {
  int count, room;
  int most;  ///< 0: STC_DEFORM_ENTRIES
} stc_list;

struct stc_deform {
  // meshes, owned
  stc_list meshes;
  stc_mesh **mesh;
  stc_mesh *joined;
  const stc_mesh *used;  ///< the one that counts; NULL: not said
  int line;              ///< where solid { }, or the mesh, is described
  bool has_solid;
  stc_kinematics kinematics;
  double thickness;
  stc_list bodies, supports, loads, pairs, plots;
  stc_scene_body *body;
  stc_scene_load *support, *load;
  stc_scene_pair_data *pair;
  stc_scene_plot *plot;
  // heat and current
  stc_scene_heat heat;
  stc_list conductors, transfers, junctions;
  stc_scene_conductor *conductor;
  stc_scene_transfer *transfer;
  stc_scene_junction *junction;
  // steps
  int steps;
  double *time;  ///< [steps] rising
  stc_fem_settings settings;
  struct stc_loading *loading;  ///< while it runs
};

/// The bodies of the scene, made when first asked for; `word` is what asks.
stc_deform *stc_deform_of(lua_State *L, const char *word);
/// The same for meshes, which elastodynamic scenes have too: they say nothing of the kind.
stc_deform *stc_deform_meshes(lua_State *L, const char *word);
void stc_deform_free(stc_deform **deform);

/// Makes room for one more; the list may move.
void *stc_list_grow(lua_State *L, const char *what, stc_list *list, void *entries, size_t size);
#define STC_LIST_ADD(L, what, list, entries)                                                       \
  ((entries) = stc_list_grow((L), (what), (list), (entries), sizeof *(entries)),                   \
   &(entries)[(list)->count++])

/// The functions a scene may call, put into its globals.
int stc_deform_open_functions(lua_State *L);
void stc_deform_open_meshes(lua_State *L);
void stc_deform_open_contacts(lua_State *L);

/// Refuses a mesh of so many nodes that the scene has no memory for, and counts it.
void stc_deform_charge_nodes(lua_State *L, const char *what, double nodes);

/// The mesh of a handle; NULL: it is none.
const stc_mesh *stc_deform_take_mesh(lua_State *L, int index);

int stc_deform_contact(lua_State *L);  ///< contact { }
int stc_deform_plot(lua_State *L);     ///< plot { }

/// The entry value of a support or a load, in the arena.
stc_scene_given *stc_deform_take_given(const stc_fields *fields);

/// A text that must be there, copied.
const char *stc_deform_text(const stc_fields *fields, const char *name);

/// Names of the contacts of an stc_deform and of the groups of an stc_mesh, for hints.
const char *stc_deform_pair_name(const void *deform, int k);
const char *stc_deform_group_name(const void *mesh, int k);

/// Whether enough is said, and whether it fits together.
stc_error stc_deform_check(stc_scene *scene);

/// What thermal { } and its company say: whether it fits the mesh, the description, and its
/// functions, by number.
stc_error stc_deform_check_heat(const stc_scene *scene);
stc_error stc_deform_describe_heat(const stc_deform *deform, stc_arena *arena,
                                   const stc_thermal_description **out);
#define STC_DEFORM_HEAT_FUNCTIONS(d) (1 + (d)->transfers.count + 4 * (d)->junctions.count)
const stc_callback *stc_deform_heat_function(const stc_deform *deform, int k);
void stc_deform_open_heat(lua_State *L);

/// A group that must be there, and be a surface.
stc_error stc_deform_check_group(const stc_scene *scene, int line, const char *what,
                                 const char *name);
stc_error stc_deform_check_surface(const stc_scene *scene, int line, const char *what,
                                   const char *name);

/// The description the library wants, in the arena, with callbacks into the scene.
stc_error stc_deform_describe(stc_scene *scene, stc_arena *arena, stc_fem_description *d);

/// What the library asks of an obstacle.
stc_obstacle stc_deform_obstacle(stc_scene_obstacle *obstacle);

extern const char *const stc_quantity_names[];

#endif
