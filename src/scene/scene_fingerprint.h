// Whether the functions of a scene change variables of their own. A restart reads the scene again:
// only what it keeps in m survives, so a scene that counts in a local would continue with other
// bits.
#ifndef STC_SCENE_FINGERPRINT_H
#define STC_SCENE_FINGERPRINT_H

#include "scene_data.h"

typedef struct stc_fingerprint stc_fingerprint;

/// What the variables hold now.
stc_error stc_fingerprint_take(stc_scene *scene, stc_fingerprint **fingerprint);

/// Refuses the scene if a variable holds something else by now, with its name.
stc_error stc_fingerprint_check(stc_scene *scene, stc_fingerprint *fingerprint);

void stc_fingerprint_free(stc_fingerprint **fingerprint);

#endif
