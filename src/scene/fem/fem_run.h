// The load steps of the bodies of a scene, and what the scene and the file are shown of them.
#ifndef STC_SCENE_FEM_RUN_H
#define STC_SCENE_FEM_RUN_H

#include "../kind.h"
#include "fem_scene.h"

/// Numbers of the load steps: at the beginning of a checkpoint, in rows, in s.report.
typedef struct stc_fem_numbers {
  double step;                                                            ///< steps that were taken
  double closed, slipping, residual, penetration, eta, strain, rotation;  ///< of the last one
  double largest_strain, largest_rotation, strain_cell, rotation_cell;    ///< of all
  double large;  ///< whether the deformation is too large
} stc_fem_numbers;

/// Counts of a load step, behind the numbers.
enum { STC_ITERATIONS, STC_FACTORISATIONS, STC_CUTS, STC_AUGMENTATIONS, STC_COUNTS };

typedef struct stc_loading {
  stc_moving run;
  stc_deform *deform;
  stc_fem *fem;
  stc_fem_numbers *numbers;
  double *count;                     ///< [steps*STC_COUNTS]
  double last_count[STC_COUNTS];     ///< of the last step
  double stored, plastic, friction;  ///< energy
  stc_heat_balance heat_rate, heat_sum;
  stc_fem_report sum;  ///< the last report, with times and counts summed
  // a step that was not accepted
  stc_problem *problem;
  double *guess;
} stc_loading;

/// Numbers that a contact point has in the file.
enum { STC_POINT_NUMBERS = 21 };
void stc_point_pack(const stc_fem_contact_point *point, double *numbers);
void stc_point_unpack(const double *numbers, stc_fem_contact_point *point);

/// Makes the list of blocks, and fills them.
void stc_loading_list_blocks(stc_loading *loading);
stc_error stc_loading_fill_blocks(void *moving, double *numbers);

/// For functions of the table s: the run, and what their arguments name: a node, a group, a pair.
const stc_loading *stc_loading_of(lua_State *L);
int stc_loading_node(lua_State *L, const stc_loading *loading);
const stc_group *stc_loading_group(lua_State *L, const stc_loading *loading);
int stc_loading_pair(lua_State *L, const stc_loading *loading);

/// Heat and current in s and in the columns.
void stc_loading_open_heat(lua_State *L);
void stc_loading_show_heat(lua_State *L, const stc_loading *loading);
void stc_loading_list_heat(stc_loading *loading);

/// The table s.
void stc_loading_open_view(lua_State *L, const stc_scene *scene);
void stc_loading_show(lua_State *L, void *moving);

#endif
