// Runs of bodies for VTK: see vtk_save for `out` and `row`.
#ifndef STC_RENDER_VTK_H
#define STC_RENDER_VTK_H

#include <stiction/scene.h>

bool vtk_save_fem(stc_snapshot *snapshot, const char *out, long row);
bool vtk_save_bodies(stc_replay *replay, const char *out, long row);

#endif
