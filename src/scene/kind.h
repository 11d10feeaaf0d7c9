// What a run steps. A scene is of one kind; a run reaches what it steps through this table only, so
// that a new kind of mechanics is one more table.
#ifndef STC_SCENE_KIND_H
#define STC_SCENE_KIND_H

#include "scene_data.h"

#include <stddef.h>

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

/// A number that a run shows: a column of its table, or an entry of its energy.
typedef struct stc_shown {
  char name[STC_COLUMN_NAME];
  const double *at;  ///< where it stands, for as long as the run lasts
} stc_shown;

typedef struct stc_shown_list {
  int count, room;
  stc_shown *entry;
} stc_shown_list;

/// What every run keeps: the first member of what a kind steps. A kind sets t, step, q and u after
/// each step, the rest when it opens.
typedef struct stc_moving {
  stc_arena arena;
  stc_scene *scene;
  double t;
  long step;
  double t_last;             ///< where it ends in any case; INFINITY: nowhere
  double slack;              ///< that may be missing at the end, s
  const double *q, *u;       ///< u is NULL where nothing moves in time
  const stc_ledger *ledger;  ///< NULL: none
  stc_shown_list columns;    ///< of the table, between t and the series
  stc_shown_list energy;
  int blocks, block_room;
  stc_block_field *block;  ///< [blocks] that a row has behind its columns
  const stc_mesh *mesh;    ///< what they live on; NULL: none
  int constants, constant_room;
  stc_constant *constant;  ///< [constants]
  double *kept;            ///< [kept_count] at the beginning of a checkpoint
  size_t kept_count;
  const stc_world_report *world;  ///< of rigid bodies, what the steps did so far; NULL: none
  stc_world *bodies;              ///< they themselves
  const stc_fem_report *fem;      ///< sums over the load steps; NULL: none
} stc_moving;

/// Adds a number to a list; stc_arena_check fails if there was no memory.
void stc_show(stc_moving *moving, stc_shown_list *list, const double *at, const char *format, ...)
    STC_PRINTF(4, 5);

/// A text in the arena of a run; NULL where there is no memory.
const char *stc_run_print(stc_moving *moving, const char *format, ...) STC_PRINTF(2, 3);

/// Adds a block, or a constant; their names and numbers live as long as the run.
void stc_show_block(stc_moving *moving, const char *name, int count);
void stc_show_constant(stc_moving *moving, stc_constant constant);

/// A double inside a struct, by its name; NULL ends a table of them.
typedef struct stc_number {
  const char *name;
  size_t at;
} stc_number;
#define STC_NUMBER(type, name)                                                                     \
  { #name, offsetof(type, name) }

const double *stc_number_at(const void *base, const stc_number *number);

/// Adds the numbers of a table in the struct at `base`.
void stc_show_numbers(stc_moving *moving, stc_shown_list *list, const void *base,
                      const stc_number *table);

/// Shows the entries of a ledger as energy, and all but the start as columns.
void stc_show_ledger(stc_moving *moving, const stc_ledger *ledger);

/// `moving` is a struct of `size` bytes that begins with stc_moving.
struct stc_kind {
  const char *name;  ///< with its article, as sentences call it
  size_t size;
  /// Whether the scene says enough.
  stc_error (*check)(stc_scene *scene);
  /// Function k of the scene that belongs to this kind; NULL past the last.
  const stc_callback *(*function)(const stc_scene *scene, int k);

  /// At the start of the scene. Closed in any case; the arena is freed behind it.
  stc_error (*open)(void *moving, const stc_run_settings *settings);
  void (*close)(void *moving);
  stc_error (*step)(void *moving, double t_end, stc_step_report *report);
  bool (*reached)(const void *moving, double t_end);  ///< NULL: by t, t_last and slack
  /// What decides uniqueness, of member k; false past the last. NULL: none.
  bool (*wave)(const void *moving, int k, stc_elastodynamic_report *report);

  /// The numbers of the blocks, contiguous. NULL: there are no blocks.
  stc_error (*fill_blocks)(void *moving, double *numbers);

  /// What the scene sees besides t and step: makes, and fills, the table s on top of the stack.
  void (*open_view)(lua_State *L, const stc_scene *scene);
  void (*show)(lua_State *L, void *moving);

  /// Everything a restart needs behind what is kept, which is restored first.
  size_t (*state_size)(const void *moving);
  void (*save)(const void *moving, double *state);
  stc_error (*restore)(void *moving, const double *state);

  /// The contact problem of a step that was not accepted, and the reactions it began from; NULL if
  /// it does not exist. NULL: never.
  const stc_problem *(*problem)(void *moving, const double **guess);
};

/// The table of a kind, at the end of its file: open_OWN, close_OWN, ... are its own; behind
/// `shows` come entries that not every kind has.
#define STC_KIND(kind, called, type, own, checks, shows, ...)                                      \
  const stc_kind stc_kind_##kind = {.name = called,                                                \
                                    .size = sizeof(type),                                          \
                                    .check = checks,                                               \
                                    .function = function_of_##own,                                 \
                                    .open = open_##own,                                            \
                                    .close = close_##own,                                          \
                                    .step = step_##own,                                            \
                                    .show = shows,                                                 \
                                    .state_size = own##_size,                                      \
                                    .save = save_##own,                                            \
                                    .restore = restore_##own,                                      \
                                    __VA_ARGS__};

extern const stc_kind stc_kind_lagrangian;  ///< system { } and walls, Moreau's scheme
extern const stc_kind stc_kind_bodies;      ///< rigid bodies in contact, Moreau and Jean's scheme
extern const stc_kind stc_kind_fem;         ///< bodies on a mesh, load steps
extern const stc_kind
    stc_kind_elastodynamic;  ///< columns, bars and strips of elastodynamic friction

/// The scene is of this kind from now on; raises where it was of another one.
void stc_kind_choose(lua_State *L, const stc_kind *kind, const char *function);

#endif
