// The load steps of the bodies of a scene, and what the scene and the file are shown of them.
#ifndef STC_SCENE_FEM_RUN_H
#define STC_SCENE_FEM_RUN_H

#include "../kind.h"
#include "fem_scene.h"

typedef struct stc_loading {
  stc_arena arena;
  stc_scene *scene;
  stc_deform *deform;
  stc_fem *fem;
  int step;                                 ///< steps that were taken
  int *iterations, *factorisations, *cuts;  ///< [steps]
  stc_fem_report last;                      ///< of the last step that was taken
  stc_fem_report sum;                       ///< the same with times and counts summed
  // the file
  int blocks;
  stc_block_field *block;
  // a step that was not accepted
  stc_problem *problem;
  double *guess;
} stc_loading;

/// Numbers that a contact point has in the file.
enum { STC_POINT_NUMBERS = 21 };
void stc_point_pack(const stc_fem_contact_point *point, double *numbers);
void stc_point_unpack(const double *numbers, stc_fem_contact_point *point);

/// Makes the list of blocks, and fills them.
stc_error stc_loading_list_blocks(stc_loading *loading);
const stc_block_field *stc_loading_blocks(const void *moving, int *count, const stc_mesh **mesh);
stc_error stc_loading_fill_blocks(void *moving, double *numbers);

/// The table s.
void stc_loading_open_view(lua_State *L, const stc_scene *scene);
void stc_loading_show(lua_State *L, void *moving);

#endif
