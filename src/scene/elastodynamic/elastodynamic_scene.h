// Elastodynamic friction as a scene describes it: columns, bars and strips side by side in one run,
// and pictures of them.
#ifndef STC_SCENE_ELASTODYNAMIC_SCENE_H
#define STC_SCENE_ELASTODYNAMIC_SCENE_H

#include "../fem/fem_scene.h"
#include "../kind.h"

#include <stiction/elastodynamic.h>

enum {
  STC_WAVE_MEMBERS = 100,      ///< most columns, bars and strips
  STC_WAVE_NOTES = 1000,       ///< most pictures, lines, curves and maps
  STC_WAVE_STEPS = 100000000,  ///< most steps of an elastodynamic run
  STC_WAVE_WINDOW = 100000     ///< most steps of a window that is iterated
};

/// What is known of a member after a step: numbers only, so that a checkpoint is a copy.
typedef struct stc_wave_state {
  double w;          ///< slip rate; of a strip the mean, in space its length
  double q;          ///< what the wave and the support ask of the surface
  double friction;   ///< stress; of a strip the force, in space its length
  double slip;       ///< integral of w
  double energy;     ///< kinetic + elastic
  double roots;      ///< of the step
  double jump_up;    ///< when w passed the threshold, or slip began; NaN: not yet
  double jump_down;  ///< back to stick after it
  // of a strip
  double normal, largest, open, stuck, sliding, iterations, residual;
  // vectors
  double w_x, w_y, w_z, friction_x, friction_y, friction_z, slip_x, slip_y, slip_z;
  double force_x, force_y, force_z;
  // over all steps
  double uniqueness;    ///< the greatest b p max|mu'|
  double several;       ///< steps with more than one answer
  double most_roots;    ///< of a step
  double unconverged;   ///< steps made with the best that was found
  double energy_error;  ///< the worst
  // the theorems, where a strip asks for them
  double norm, bound;     ///< of theorem 1
  double nearest;         ///< the greatest norm/bound
  double answers, sharp;  ///< certificate of the step (stc_strip_answers), its number
  double certified[3];    ///< steps by their answers
} stc_wave_state;

typedef struct stc_wave_member stc_wave_member;

/// What differs between columns, bars and strips.
typedef struct stc_wave_ops {
  const char *word;
  const stc_number *entry;  ///< columns of a row, in the state
  bool has_energy;
  stc_error (*create)(stc_wave_member *m, const stc_run_settings *settings);
  void (*free)(stc_wave_member *m);
  /// The state at the end of step k, from 1.
  stc_error (*step)(stc_wave_member *m, long k, stc_step_report *report);
  /// Numbers besides the state; NULL: none.
  size_t (*state_size)(const stc_wave_member *m);
  void (*save)(const stc_wave_member *m, double *state);
  stc_error (*restore)(stc_wave_member *m, const double *state, size_t count);
} stc_wave_ops;

extern const stc_wave_ops stc_wave_column, stc_wave_reflections, stc_wave_bar;
extern const stc_wave_ops stc_wave_strip, stc_wave_block;  ///< cylinders in the plane, in space
extern const stc_wave_ops stc_wave_body2, stc_wave_body3;  ///< meshes

struct stc_wave_member {
  stc_scene *scene;
  const stc_wave_ops *ops;
  const char *name;
  int line;
  double threshold;
  // the support
  stc_scene_given tau[2];  ///< its speed, along x and y
  // one of these
  stc_column column;
  stc_curve curve;  ///< of reflections
  double window;    ///< 2 D/c
  stc_bar_settings bar;
  stc_strip_settings strip;
  double pressure;  ///< that a strip is expected to bear; 0: not said
  int supports, tractions;
  stc_scene_load *support, *traction;
  stc_callback mu;          ///< of a strip, a function of the slip rate
  stc_rate_curve mu_curve;  ///< where the strip has one
  double alpha;             ///< of theorem 1's estimate; 0: not asked for
  bool certificates;        ///< of every step
  double fixed_window;      ///< s, over which theorem 2's iteration runs before the steps; 0: none
  int functions, function_room;
  const stc_callback **function_at;  ///< [functions] of a strip, besides those
  // while it runs
  stc_arena arena;
  double *samples_w, *samples_q;  ///< [samples] at the times of the run, of exact ones
  long samples;
  double *window_w;  ///< slip rate of each window, of reflections
  stc_column_events events;
  stc_bar *running_bar;
  stc_strip *running_strip;
  const char *rule;   ///< that chooses where a step has several answers
  char warning[400];  ///< what mesh and time step do not resolve
  stc_strip_estimate estimate;
  stc_fixed_point fixed;
  char theorems[500];  ///< what they say, in words
  stc_wave_state state;
};

typedef struct stc_wave_run stc_wave_run;

typedef struct stc_wave {
  int line;
  int members, room;
  stc_wave_member **member;
  bool has_run;
  double dt;
  int notes;           ///< pictures and what is in them, as the file keeps it
  stc_constant *note;  ///< [STC_WAVE_NOTES]
  stc_wave_run *run;   ///< while it runs
} stc_wave;

/// The time steps of all members.
struct stc_wave_run {
  stc_moving run;
  stc_wave *wave;
  double *slip, *w;  ///< [members]
};

/// The members of the scene, made when first asked for; `word` is what asks.
stc_wave *stc_wave_of(lua_State *L, const char *word);

/// Opens the table of a word and makes its member.
stc_wave_member *stc_wave_open_member(lua_State *L, const stc_wave_ops *ops,
                                      const char *const *names, stc_fields *f);

/// Entries that several members have: mu_s, mu_d and v_c; rule; tau, a number, a function of t or a
/// list of `most` of them.
stc_rate_law stc_wave_take_law(const stc_fields *f);
stc_root_rule stc_wave_take_rule(const stc_fields *f, stc_wave_member *m);
void stc_wave_take_tau(const stc_fields *f, stc_wave_member *m, int most);

int stc_wave_describe_strip(lua_State *L);  ///< strip { }

/// The functions a scene may call, put into its globals.
void stc_wave_open_functions(lua_State *L);
int stc_wave_picture(lua_State *L);  ///< picture { }

/// Whether enough is said.
stc_error stc_wave_check(stc_scene *scene);

/// The steps up to a time, and the last one of an elastodynamic run that may continue to `until`.
long stc_wave_steps_to(const stc_wave *wave, double t);
long stc_wave_last_step(const stc_scene *scene, const stc_run_settings *settings);

/// Notes passages of w between the middles of steps k - 1 and k, from `before`.
void stc_wave_note_events(stc_wave_member *m, double before, long k);

/// The speed of the support in a direction at t; NaN where the scene failed.
double stc_wave_tau(stc_wave_member *m, int direction, double t);

/// A member of finite elements: its own functions, and what its rows have.
#define STC_ELEMENT_OPS(member, entries)                                                           \
  {                                                                                                \
    .word = #member, .entry = entries, .has_energy = true, .create = create_##member,              \
    .free = free_##member, .step = step_##member, .state_size = member##_size,                     \
    .save = save_##member, .restore = restore_##member                                             \
  }

/// What the theorems say of a member so far, in words: to m->theorems.
void stc_wave_say_theorems(stc_wave_member *m);

/// Entries norm, bound, answers, ... of s.NAME.
void stc_wave_show_theorems(lua_State *L, const stc_wave_member *m);

/// Counts the answers of a step.
void stc_wave_count(stc_wave_member *m, int roots);

/// Blocks and constants of the file.
stc_error stc_wave_run_list(stc_wave_run *run);
stc_error stc_wave_run_fill(void *moving, double *numbers);

/// The table s.
void stc_wave_run_open_view(lua_State *L, const stc_scene *scene);
void stc_wave_run_show(lua_State *L, void *moving);

#endif
