// Between FCLIB's global form and ours.
#ifndef STC_PROBLEM_FCLIB_CONVERT_H
#define STC_PROBLEM_FCLIB_CONVERT_H

#include "../../base/fail.h"
#include "../../base/memory.h"

#include <stiction/problem.h>

/// FCLIB's M v = H r + G l + f, G^T v + b = 0, u = H^T v + w   into
/// ours     M v + f = H^T r + G^T l, G v + b = 0, u = H v + w   and back: it is its own inverse.
/// H and G are transposed (their arrays are shared), f changes sign (a copy in the arena).
stc_error stc_fclib_convert(stc_arena *arena, const stc_global_data *from, stc_global_data *to);

#endif
