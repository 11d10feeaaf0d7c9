// Light on what is seen: directions of the sun and the sky, and shadows.
#ifndef STC_RENDER_LIGHT_H
#define STC_RENDER_LIGHT_H

#include "crew.h"
#include "depth_layer.h"

enum {
  LIGHT_PASSES = 16,  ///< pictures that a picture is the mean of
  LIGHT_SUNS = 2,     ///< places on the sun's disc in each of them,
  LIGHT_SKIES = 4     ///< and directions of the sky
};

/// A map of the shadows in one direction.
typedef struct light_lamp {
  layer shadow;
  double centre[3], radius;  ///< ball around everything that casts one
} light_lamp;

/// False: out of memory.
bool light_make(light_lamp *lamp, const stage *s);
void light_free(light_lamp *lamp);

/// The middle of the sun for a view: above, to the left, and behind the eye.
void light_sun(const stage *s, const view *v, double sun[3]);

/// Place k of a pass on the sun's disc, and its direction k of the sky.
void light_sun_in_pass(const double sun[3], int pass, int k, double l[3]);
void light_sky_in_pass(const double up[3], int pass, int k, double l[3]);

/// What is lit, and where the light goes.
typedef struct light_target {
  const stage *s;
  const view *v;
  const layer *seen;
  float *sum;  ///< [height*width]
} light_target;

/// Adds brightness max(0, n l) where nothing is in the way of l. All members of the crew call it,
/// and light their own rows.
void light_add(light_lamp *lamp, const light_target *on, const double l[3], double brightness,
               crew *c, int me);

#endif
