// Robots from files and to files: URDF, MJCF and worlds become a model, and a model the text of a
// scene in Lua, or MJCF.
#ifndef STICTION_MODEL_H
#define STICTION_MODEL_H

#include <stiction/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stc_model stc_model;

/// Reads a file whose first element is <robot> (URDF) or <mujoco> (MJCF), and the meshes it names,
/// below its directory or the two above it. A failure names file and line.
STC_API stc_error stc_model_read(const char *path, stc_model **model);
/// The same of bytes that would stand at `path`.
STC_API stc_error stc_model_read_bytes(const char *path, const void *bytes, size_t length,
                                       stc_model **model);
STC_API void stc_model_free(stc_model **model);

STC_API int stc_model_bodies(const stc_model *model);
STC_API int stc_model_joints(const stc_model *model);

/// What the file says and the model does not hold, or holds in another way, each as a sentence.
STC_API int stc_model_remarks(const stc_model *model);
STC_API const char *stc_model_remark(const stc_model *model, int k);

/// A model of a world as it is, whose hulls are the world's; what it does not hold is remarked on:
/// velocities, loads, how driven bodies move.
STC_API stc_error stc_model_of_world(stc_world *world, stc_model **model);

/// The scene, or MJCF, as text that lives until another one is made, or the model is freed.
STC_API stc_error stc_model_scene(stc_model *model, const char **text);
STC_API stc_error stc_model_mjcf(stc_model *model, const char **text);

#ifdef __cplusplus
}
#endif
#endif
