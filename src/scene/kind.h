// What a run steps. A scene is of one kind; a run reaches what it steps through this table only, so
// that a new kind of mechanics is one more table.
#ifndef STC_SCENE_KIND_H
#define STC_SCENE_KIND_H

#include "scene_data.h"

enum { STC_COLUMN_NAME = 24 };  ///< letters of a column, the closing 0 included

/// A block of numbers that a row of the file has besides its columns.
typedef struct stc_block_field {
  const char *name;
  int count;
} stc_block_field;

/// Numbers that a file has once, besides its rows; names with | say what they are:
/// "picture|TITLE|X" begins a picture, "line|LABEL|X|Y" is a line of it through two columns,
/// "curve|LABEL" one through points, all x before all y, "map|NAME" is the block NAME of all rows
/// over these places.
typedef struct stc_constant {
  const char *name;
  int count;
  const double *numbers;  ///< [count]
} stc_constant;

/// `moving` is what create made.
struct stc_kind {
  const char *name;  ///< "system", "world", "solid" or "elastodynamic", as sentences call it
  /// Whether the scene says enough.
  stc_error (*check)(stc_scene *scene);
  /// Function k of the scene that belongs to this kind; NULL past the last.
  const stc_callback *(*function)(const stc_scene *scene, int k);

  /// At the start of the scene. With an error nothing is left.
  stc_error (*create)(stc_scene *scene, const stc_run_settings *settings, void **moving);
  void (*free)(void **moving);
  stc_error (*step)(void *moving, double t_end, stc_step_report *report);
  bool (*reached)(const void *moving, double t_end);
  double (*time)(const void *moving);
  long (*steps)(const void *moving);
  const double *(*q)(const void *moving);
  const double *(*u)(const void *moving);               ///< NULL where nothing moves in time
  const stc_ledger *(*ledger)(const void *moving);      ///< NULL: no ledger
  const stc_fem_report *(*report)(const void *moving);  ///< sums over the steps; NULL: none
  /// Of rigid bodies, what the steps did so far. NULL: none.
  const stc_world_report *(*world)(const void *moving);
  /// What decides uniqueness, of member k; false past the last. NULL: none.
  bool (*wave)(const void *moving, int k, stc_elastodynamic_report *report);
  /// Entry k of the energy; false past the last.
  bool (*energy)(const void *moving, int k, const char **name, double *value);

  /// Columns of the table between t and the series.
  int (*columns)(const void *moving);
  void (*column_name)(const void *moving, int k, char name[STC_COLUMN_NAME]);
  void (*row)(const void *moving, double *row);
  /// Blocks that a row has behind its columns, and their numbers one after the other; `mesh` is
  /// what they live on. NULL: none.
  const stc_block_field *(*blocks)(const void *moving, int *count, const stc_mesh **mesh);
  stc_error (*fill_blocks)(void *moving, double *numbers);
  const stc_constant *(*constants)(const void *moving, int *count);  ///< NULL: none

  /// What the scene sees: makes, and fills, the table s on top of the stack.
  void (*open_view)(lua_State *L, const stc_scene *scene);
  void (*show)(lua_State *L, void *moving);

  /// Everything a restart needs.
  size_t (*state_size)(const void *moving);
  void (*save)(const void *moving, double *state);
  stc_error (*restore)(void *moving, const double *state);

  /// The contact problem of a step that was not accepted, and the reactions it began from; NULL if
  /// there is none.
  const stc_problem *(*problem)(void *moving, const double **guess);
};

extern const stc_kind stc_kind_motion;      ///< system { } and walls, Moreau's scheme
extern const stc_kind stc_kind_rigid;       ///< rigid bodies that touch, Moreau and Jean's scheme
extern const stc_kind stc_kind_deformable;  ///< bodies on a mesh, load steps
extern const stc_kind stc_kind_wave;        ///< columns, bars and strips of elastodynamic friction

/// The scene is of this kind from now on; raises where it was of another one.
void stc_kind_choose(lua_State *L, const stc_kind *kind, const char *word);

#endif
