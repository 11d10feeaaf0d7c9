// Scenes: a Lua file describes a system and its walls, rigid bodies, deformable bodies on a mesh,
// or columns, bars and strips with elastodynamic friction, and what is asked about it; a run steps
// it, keeps a file that survives a crash, and answers. Units are SI, or for deformable bodies any
// consistent set.
//   stc_scene_read -> stc_run_create -> stc_run_step ... -> stc_run_close -> stc_scene_free
#ifndef STICTION_SCENE_H
#define STICTION_SCENE_H

#include <stiction/bodies.h>
#include <stiction/fem.h>
#include <stiction/lagrangian.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_scene stc_scene;

/// How a scene is read; zeros: no parameters set, the usual limits.
typedef struct stc_scene_options {
  int sets;                ///< parameters that are set
  const char *const *set;  ///< [sets] "name=value"; of two values for one name the last one counts
  size_t memory;           ///< bytes the scene may use, in Lua and for what it describes; 0: 256 MB
  long instructions;       ///< Lua instructions one call may take, reading included; 0: 1e8
  double seconds;          ///< of the processor that one call may take; 0: 10
} stc_scene_options;

/// Reads a scene in a sandbox: math, table, string and nothing else. A failure names file and line.
STC_API stc_error stc_scene_read(const char *path, const stc_scene_options *options,
                                 stc_scene **scene);
/// The same from a text; `path` is what sentences call it.
STC_API stc_error stc_scene_read_text(const char *path, const char *text, size_t length,
                                      const stc_scene_options *options, stc_scene **scene);
STC_API void stc_scene_free(stc_scene **scene);

/// A parameter and its value in this scene, as text that --set takes.
typedef struct stc_parameter {
  const char *name;
  const char *type;   ///< "number", "string", "boolean"
  const char *value;  ///< a number reads back to the same double
} stc_parameter;

/// Parameter k in the order of the names; false past the last.
STC_API bool stc_scene_parameter(const stc_scene *scene, int k, stc_parameter *parameter);

/// Name of observable, series, wall or contact pair k; NULL past the last.
STC_API const char *stc_scene_observable(const stc_scene *scene, int k);
STC_API const char *stc_scene_series(const stc_scene *scene, int k);
STC_API const char *stc_scene_wall(const stc_scene *scene, int k);
STC_API const char *stc_scene_pair(const stc_scene *scene, int k);

/// Remark k, a sentence with file and line: the scene uses a name that works in this version only.
/// Functions of the scene may add remarks while it runs. NULL past the last.
STC_API const char *stc_scene_remark(const stc_scene *scene, int k);

/// Coordinates; of deformable bodies those of all nodes, of rigid ones STC_PLACE_NUMBERS for each.
STC_API int stc_scene_dofs(const stc_scene *scene);
STC_API double stc_scene_end(const stc_scene *scene);  ///< the scene's t_end, s

typedef struct stc_run stc_run;

/// What to do with a scene; zeros: no file, from the beginning to the scene's t_end.
typedef struct stc_run_settings {
  const char *output;    ///< file for the trajectory, replaced if it is there; NULL: none
  bool resume;           ///< continue from the last checkpoint of `output`
  bool until_given;      ///< stop at `until` instead of the scene's t_end
  double until;          ///< s
  double flush_seconds;  ///< between two checkpoints; 0: 2 s
  int threads;           ///< of rigid bodies: the same bits for any number; 0: what the scene says
  /// Called inside steps and observables with the stage in words and the part done, or with ""
  /// where there is nothing to tell yet; false interrupts. NULL: never.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_run_settings;

/// A run of a scene, which must outlive it and has one run at a time. With `resume` the scene must
/// be the one the file was begun with; a file that does not exist is begun.
STC_API stc_error stc_run_create(stc_scene *scene, const stc_run_settings *settings, stc_run **run);

/// One step. A step that is not accepted leaves the run where it was: stop there.
STC_API stc_error stc_run_step(stc_run *run, stc_step_report *report);

/// Whether the end is reached.
STC_API bool stc_run_done(const stc_run *run);

STC_API double stc_run_time(const stc_run *run);
STC_API double stc_run_end(const stc_run *run);
STC_API long stc_run_steps(const stc_run *run);
STC_API long stc_run_resumed(const stc_run *run);  ///< steps that were in the file already
STC_API const stc_ledger *stc_run_ledger(const stc_run *run);
/// [dofs]; deformable bodies: displacements; rigid ones: places; waves: slip.
STC_API const double *stc_run_q(const stc_run *run);
STC_API const double *stc_run_u(const stc_run *run);  ///< [dofs]; bodies: NULL; waves: slip rates

/// Entry k of the energy; false past the last.
STC_API bool stc_run_energy(const stc_run *run, int k, const char **name, double *value);

/// Of rigid bodies, the last step, with the largest eta, overlap and joint_gap of all steps and the
/// times of this process summed; else NULL.
STC_API const stc_world_report *stc_run_world(const stc_run *run);

/// The world that a run of rigid bodies steps, to be asked; NULL: none.
STC_API stc_world *stc_run_bodies(const stc_run *run);

/// Of bodies, the last load step with times and counts summed over all steps of this process; else
/// NULL.
STC_API const stc_fem_report *stc_run_fem(const stc_run *run);

/// Whether the steps of a column, a bar or a strip have one answer, and what was done about it.
typedef struct stc_elastodynamic_report {
  const char *name, *kind;  ///< kind: "column", "reflections", "bar", "strip"
  double uniqueness;     ///< b p max|mu'|, the greatest so far: one answer where it is below 1; 0
                         ///< where inertia decides at every moment
  int roots;             ///< most answers of a step
  long several;          ///< steps with more than one, where the rule chose
  const char *rule;      ///< "delay", "min", "max"
  long unconverged;      ///< steps made with the best that was found
  bool has_energy;       ///< it keeps a ledger of its energy
  double energy_error;   ///< the worst of a step, relative
  const char *warning;   ///< what mesh and time step do not resolve; empty: nothing
  const char *theorems;  ///< what the scene asked of them; empty: nothing
} stc_elastodynamic_report;

/// Of member k of a scene with columns, bars or strips; false past the last.
STC_API bool stc_run_elastodynamic(const stc_run *run, int k, stc_elastodynamic_report *report);

/// Writes the rows that are not in the file yet, and a checkpoint. Rows in the file are never lost.
STC_API stc_error stc_run_flush(stc_run *run);

/// What a scene answers.
typedef enum stc_observed_kind {
  STC_OBSERVED_NUMBER,
  STC_OBSERVED_LIST,
  STC_OBSERVED_TEXT
} stc_observed_kind;

typedef struct stc_observed {
  stc_observed_kind kind;
  double number;       ///< NaN where the scene answers nil, or something else than a number
  int count;           ///< numbers in a list
  const double *list;  ///< [count]
  const char *text;
} stc_observed;

/// Observable k of the scene now. What it points to lives until the same observable is asked for
/// again, or the run is closed.
STC_API stc_error stc_run_observe(stc_run *run, int k, stc_observed *observed);

/// The same where only a number will do.
STC_API stc_error stc_run_observable(stc_run *run, int k, double *value);

/// The problem of the step that was not accepted, with the guess it began from and the settings of
/// the step in its description, as an FCLIB file.
STC_API stc_error stc_run_capsule(const stc_run *run, const char *path);

/// The options with which `stiction solve` repeats, on a capsule, what a step does.
STC_API const char *stc_run_replay(const stc_run *run);

/// The last flush, and the end. The run is freed in any case.
STC_API stc_error stc_run_close(stc_run **run);

/// What a run file holds: a table of numbers with named columns.
typedef struct stc_trajectory {
  int columns;
  long rows;
  const char *const *name;  ///< [columns] "t", "q1", ..., "u1", ..., "contacts", the ledger, series
  int series;               ///< the first column that is a series of the scene
  const double *value;      ///< [rows*columns] by rows
  const char *scene;        ///< path of the scene
  int parameters;
  const char *const *parameter;  ///< [parameters] "name=value"
  int observables;
  const char *const *observable;  ///< [observables] names
  const stc_observed *observed;   ///< [observables] at the end; NaN before it or where nil
  int blocks;                     ///< fields of deformable bodies: see stc_snapshot; 0: none
  bool rigid;                     ///< the run of rigid bodies: see stc_replay
} stc_trajectory;

/// Reads a run file, finished or not. Free with stc_trajectory_free.
STC_API stc_error stc_trajectory_read(const char *path, stc_trajectory **trajectory);
/// The same without the table: value is NULL.
STC_API stc_error stc_trajectory_read_head(const char *path, stc_trajectory **trajectory);
STC_API void stc_trajectory_free(stc_trajectory **trajectory);

/// A line of a picture.
typedef struct stc_picture_line {
  const char *label;
  long count;
  int stride;  ///< numbers from one point to the next
  const double *x, *y;
} stc_picture_line;

/// What a scene asks to be drawn of its run: lines, or numbers over places and times.
typedef struct stc_picture {
  const char *title;
  const char *x_label;
  int lines;
  const stc_picture_line *line;
  int places;           ///< of a map; 0: none
  const double *place;  ///< [places]
  long times;
  int stride;          ///< numbers from one time to the next
  const double *time;  ///< [times] with the stride
  const double *map;   ///< [times*places]
} stc_picture;

typedef struct stc_album {
  int pictures;  ///< 0: the scene asks for none
  const stc_picture *picture;
} stc_album;

/// The pictures of a run file, finished or not. Free with stc_album_free.
STC_API stc_error stc_album_read(const char *path, stc_album **album);
STC_API void stc_album_free(stc_album **album);

/// A curve that a scene asks to be drawn, with the contact points it is compared with.
typedef struct stc_plot_curve {
  const char *plot;      ///< name of the plot
  const char *name;      ///< of the curve
  const char *pair;      ///< contact pair
  const char *along;     ///< "x", "y", "z": the place of its points on the axis
  const char *quantity;  ///< "pressure", "shear", "gap", "slip"
  int count;
  const double *x, *y;  ///< [count]
} stc_plot_curve;

/// Deformable bodies in one row of a run file.
typedef struct stc_snapshot {
  long rows;  ///< in the file
  double t;
  stc_mesh mesh;
  const double *displacement;  ///< [nodes*dim]
  const double *reaction;      ///< [nodes*dim]
  const double *stress;        ///< [cells*6] xx, yy, zz, xy, yz, zx; zeros on surfaces
  const double *alpha;         ///< [cells] equivalent plastic strain
  const double *temperature;   ///< [nodes]; NULL: the run has no heat
  const double *potential;     ///< [nodes]; NULL: the same
  int pairs;
  const char *const *pair;             ///< [pairs] names
  const int *first;                    ///< [pairs+1] into point
  const stc_fem_contact_point *point;  ///< [first[pairs]]
  int curves;
  const stc_plot_curve *curve;
} stc_snapshot;

/// Opens a run file of deformable bodies, at its last row.
STC_API stc_error stc_snapshot_open(const char *path, stc_snapshot **snapshot);
/// Goes to another row, 0 to rows - 1.
STC_API stc_error stc_snapshot_load(stc_snapshot *snapshot, long row);
STC_API void stc_snapshot_free(stc_snapshot **snapshot);

/// The view that the scene asks for.
typedef struct stc_camera {
  double from[3], to[3], up[3];
  double angle;  ///< of view, degrees; 0: parallel
  double width;  ///< of a parallel view, m
} stc_camera;

/// A run of rigid bodies, row by row. The file keeps where the bodies are; their contacts are those
/// of the step that begins at a row, found again when it is taken.
typedef struct stc_replay stc_replay;

/// Opens a run file at its last row. Scene and parameters are read from the file; the files that
/// the scene names (STL, OBJ) must still be there.
STC_API stc_error stc_replay_open(const char *path, stc_replay **replay);
STC_API void stc_replay_free(stc_replay **replay);
STC_API long stc_replay_rows(const stc_replay *replay);
STC_API long stc_replay_row(const stc_replay *replay);  ///< the one that was loaded last
/// Bodies as they are in a row, 0 to rows - 1.
STC_API stc_error stc_replay_load(stc_replay *replay, long row);
/// The step that follows: its contacts and its problem are then the world's.
STC_API stc_error stc_replay_step(stc_replay *replay, stc_world_report *report);
STC_API double stc_replay_time(const stc_replay *replay);
STC_API const stc_world *stc_replay_world(const stc_replay *replay);
STC_API const char *stc_replay_name(const stc_replay *replay, int body);  ///< NULL: it has none
/// False: the scene has none.
STC_API bool stc_replay_camera(const stc_replay *replay, stc_camera *camera);
STC_API bool stc_replay_color(const stc_replay *replay, int body, double rgb[3]);
/// The contact problem of a step, from 1, with the guess it begins from, as an FCLIB file: steps
/// from the nearest row before it.
STC_API stc_error stc_replay_write_problem(stc_replay *replay, long step, const char *path);

#ifdef __cplusplus
}
#endif
#endif
