// What a scene holds after it was read.
#ifndef STC_SCENE_DATA_H
#define STC_SCENE_DATA_H

#include <stiction/scene.h>

#include "../base/memory.h"
#include "old_names.h"
#include "sandbox/sandbox.h"
#include "values.h"

enum {
  STC_SCENE_NAME = 64,      ///< letters of a name, the closing 0 included
  STC_SCENE_DOFS = 1000,    ///< most coordinates: the mass matrix is dense
  STC_SCENE_WALLS = 10000,  ///< most walls
  STC_SCENE_NAMES = 1000,   ///< most parameters, series, observables, numbers in memory
  STC_SCENE_LIST = 100000   ///< most numbers in a list that an observable answers
};

typedef struct stc_kind stc_kind;
typedef struct stc_deform stc_deform;
typedef struct stc_wave stc_wave;
typedef struct stc_context stc_context;

/// A vector that is constant or a function of the scene.
typedef struct stc_scene_vector {
  stc_callback function;
  double *constant;  ///< or NULL
  int rows;          ///< of a constant list of vectors
} stc_scene_vector;

typedef struct stc_friction {
  stc_law law;  ///< dim 0: that of the scene
  bool varies;  ///< by the coefficient, which overrides mu
  stc_coefficient coefficient;
  stc_callback function;  ///< mu(speed, slip) of the scene
  stc_hertz_patch patch;  ///< the radius of the law follows the load; R = 0: it does not
} stc_friction;

typedef struct stc_scene_wall_data {
  struct stc_scene *scene;
  const char *name;
  const char *what;  ///< "wall 'floor'"
  int line;
  stc_callback f;
  stc_scene_vector gradient, tangents, velocity;
  stc_friction friction;
  double restitution;
} stc_scene_wall_data;

/// A name with a function: a series or an observable.
typedef struct stc_answer {
  const char *name;
  stc_callback function;
} stc_answer;

/// A number the scene keeps from step to step.
typedef struct stc_kept {
  const char *name;
  double start;
} stc_kept;

typedef enum stc_scheme { STC_SCHEME_MOREAU, STC_SCHEME_EXTRAPOLATED } stc_scheme;

/// A section of a cone that the scene has made.
typedef struct stc_scene_section stc_scene_section;

struct stc_scene {
  stc_arena arena;
  stc_sandbox box;
  const char *path;
  const char *text;  ///< the file
  size_t length;
  const stc_scene_options *options;  ///< while it is read
  int remarks;                       ///< on earlier names
  int remarked[STC_OLD_NAMES];
  const char *remark[STC_OLD_NAMES];
  // parameters
  bool has_parameters;
  int parameters;
  stc_parameter *parameter;
  const stc_kind *kind;  ///< what it describes; NULL: not known yet
  stc_deform *deform;    ///< bodies on a mesh; NULL: none
  stc_wave *wave;        ///< columns, bars, strips; NULL: none
  stc_context *context;  ///< rigid bodies; NULL: none
  // the system
  int dofs;  ///< 0: not described yet
  int dim;   ///< 0: to be found out
  int line;  ///< on which it is described
  double *q, *u;
  bool diagonal;
  stc_scene_vector mass;  ///< [dofs] if diagonal, else [dofs*dofs]
  stc_scene_vector force;
  stc_callback potential;
  stc_scene_section *section;  ///< the last one that was made
  int walls, wall_room;
  stc_scene_wall_data *wall;
  // the run
  bool has_run;
  double t_start, t_end;
  int store_every;
  stc_scheme scheme;
  double scheme_tol;
  int stops;
  double *stop;  ///< [stops] rising times the extrapolated scheme does not step over
  stc_stepping stepping;
  char replay[600];  ///< options of `stiction solve` that mean the same
  // what is asked
  bool has_memory, has_series, has_observables;
  int kept;
  stc_kept *keep;
  stc_callback after_step;
  int series;
  stc_answer *serie;
  int observables;
  stc_answer *observable;
  // while it runs
  int view;       ///< reference to the state the scene sees
  int memory;     ///< reference to the numbers it keeps
  int args[2];    ///< references to the lists q and u given to its functions
  bool failed;    ///< a function failed inside a callback of the library
  char why[800];  ///< and its sentence
};

/// The functions a scene may call, put into its globals.
int stc_scene_open_functions(lua_State *L);
int stc_scene_open_friction(lua_State *L);

/// Line of the scene that calls the running function of C.
int stc_scene_line(lua_State *L);

/// Whether a system and its walls are described well enough.
stc_error stc_scene_check_system(stc_scene *scene);

/// The friction at `index`: a law, a coefficient, a number or a function; nil: none.
stc_friction stc_friction_take(lua_State *L, int index, const char *what);

/// The law section { ... }, which the scene keeps; and the end of all of them.
stc_law stc_scene_section_law(const stc_fields *fields);
void stc_scene_free_sections(stc_scene *scene);

/// The entry solver of run { }: settings by their names.
void stc_scene_take_solver(const stc_fields *fields, stc_settings *settings);

/// Whether the mass at `index` is a list of lists.
bool stc_mass_is_matrix(lua_State *L, int index);

/// The mass at `index`, a number, a list or a matrix, as [n] or, not diagonal, [n*n] numbers.
void stc_mass_take(lua_State *L, int index, int n, bool diagonal, double *M);

/// A copy in the arena of the scene; raises where there is no memory.
const char *stc_scene_copy(lua_State *L, const char *text);
double *stc_scene_numbers(lua_State *L, size_t count);

stc_scene *stc_scene_of(lua_State *L);

/// The system of a scene, with callbacks into it.
stc_system stc_scene_system(stc_scene *scene);

/// Remembers the sentence of a function that failed inside a callback of the library, which may
/// replace it by its own. True if there was no error.
bool stc_scene_keep_failure(stc_scene *scene, stc_error error);

/// The error of a call into the library: that of the scene's function, if one failed inside.
stc_error stc_scene_error(stc_scene *scene, stc_error error);

#endif
