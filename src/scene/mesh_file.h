// The mesh of deformable bodies inside a run file.
#ifndef STC_SCENE_MESH_FILE_H
#define STC_SCENE_MESH_FILE_H

#include "store_file.h"

#include <stiction/fem.h>

struct stc_image;

/// Puts the mesh into a file that is built; failures are those of the image and the arena.
void stc_mesh_store(struct stc_image *image, stc_arena *arena, const stc_mesh *mesh);

/// Refuses a file that was begun with another mesh; NULL: none.
stc_error stc_mesh_same(stc_h5 *h5, const stc_mesh *mesh);

/// The mesh of a file, checked, in the arena.
stc_error stc_mesh_load(stc_h5 *h5, stc_arena *arena, stc_mesh *mesh);

#endif
