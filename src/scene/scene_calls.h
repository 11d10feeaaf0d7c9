// Calls of a scene's functions from inside the library, and numbers that are given as functions.
#ifndef STC_SCENE_CALLS_H
#define STC_SCENE_CALLS_H

#include "scene_data.h"

/// What a function of friction is told of a contact.
typedef struct stc_call_past {
  const stc_contact_past *past;
  int dim;                ///< of u
  const double (*at)[3];  ///< [2] the contact in the frames of two bodies; NULL: there are none
} stc_call_past;

/// function(number, ..., list, ...) and where its answer goes.
typedef struct stc_call {
  stc_scene *scene;
  const stc_callback *function;
  const char *what, *name;  ///< as sentences call the answer: "wall 'floor'", "gradient"
  int numbers, lists;       ///< of the arguments
  double number[2];
  const double *list[2];      ///< [length]
  const stc_call_past *past;  ///< a table of it comes last; NULL: none
  int length;
  double *answer;
  int count;  ///< numbers in the answer, each a result; LUA_MULTRET: all
  /// Reads the results, which lie above index 1; NULL: `count` numbers.
  void (*read)(lua_State *L, const struct stc_call *call);
} stc_call;

/// False where the function failed; its sentence is kept for stc_scene_error.
bool stc_call_scene(const stc_call *call);

/// The radius of a law's patch follows the load of the step before, where the scene says so.
void stc_friction_follow_load(const stc_friction *friction, const stc_contact_past *past,
                              stc_law *law);

/// Asks function(speed, slip, past) of the scene for a coefficient or the law of the step: `law`
/// holds that of the contact so far. False where the function failed.
bool stc_call_friction(stc_scene *scene, const stc_callback *function, const char *what,
                       const stc_call_past *past, stc_law *law);

/// The same for a coefficient alone.
bool stc_call_mu(stc_scene *scene, const stc_callback *function, const char *what,
                 const stc_call_past *past, double *mu);

/// Reads one result, a list of call->count numbers.
void stc_read_list(lua_State *L, const stc_call *call);

/// A number of the scene: constant, or a function of t and, where dim > 0, of x.
typedef struct stc_scene_given {
  stc_scene *scene;
  const char *what, *name;  ///< "support of 'lower.t0'", "value"
  double value;
  stc_callback function;
  int dim;
} stc_scene_given;

/// The number or function on top of the stack, which is popped.
stc_scene_given stc_scene_given_take(const stc_fields *fields, const char *name,
                                     const char *wanted);

/// Its value at t; x may be NULL where dim is 0. False where the function failed.
bool stc_scene_given_value(void *given, double t, const double *x, double *value);

/// The same as the library asks for it, in `dim` dimensions.
stc_given stc_scene_given_of(stc_scene_given *given, int dim);

#endif
