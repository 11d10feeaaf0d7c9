// Stages as pictures of pixels.
#ifndef STC_RENDER_PAINT_H
#define STC_RENDER_PAINT_H

#include <pthread.h>

#include "camera.h"
#include "pixels.h"

// Threads that paint a picture together, each its own rows: the same pixels for any number.

typedef struct crew {
  int members;
  pthread_mutex_t lock;
  pthread_cond_t rotation;
  int waiting;
  unsigned long round;
} crew;

typedef void (*crew_work)(crew *c, int me, void *user);

/// Waits until all members are here.
void crew_wait(crew *c);

/// The rows of a picture that are a member's own: rows[0] to before rows[1].
void crew_rows(const crew *c, int me, int height, int rows[2]);

// What is nearest at each pixel of a view: a depth buffer, with the item and its normal there.

typedef struct layer {
  int width, height;
  float *near;    ///< [height*width], rows from the top: see view_nearness; -INFINITY: nothing
  int *item;      ///< [height*width]; -1: nothing; NULL in a layer for shadows
  float *normal;  ///< [height*width*3]; NULL in a layer for shadows
} layer;

/// False: out of memory.
bool layer_make(layer *l, int width, int height, bool shadows);
void layer_free(layer *l);

/// Draws all items; in a layer for shadows, those that cast one. Only rows[0] to before rows[1].
void layer_draw(layer *l, const view *v, const stage *s, const int rows[2]);

// Light on what is seen: directions of the sun and the sky, and shadows.

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

/// Fills the whole picture. False: out of memory.
bool paint(image *picture, const stage *s, const stc_camera *camera);

/// Draws the forces of the stage over a picture of it, which turns pale; forces of `largest` N
/// and more have the longest line.
void paint_forces(image *picture, const stage *s, const stc_camera *camera, double largest);

/// What is behind everything at a height of the picture, from 0 at the top to 1; linear.
void paint_background(double height, double rgb[3]);

/// The distance between lines of a ground's grid, m: 1, 2 or 5 times a power of ten.
double paint_spacing(const stage *s);

/// A force as a line in space, the middle of which is the contact point.
typedef struct paint_line {
  double from[3], to[3];
  double width;         ///< pixels in a picture 800 high
  const double *color;  ///< linear
} paint_line;

/// The line of force k; false: it is too small to be seen.
bool paint_force(const stage *s, int k, double largest, paint_line *line);

/// Raises `largest` to the largest force of a stage, N, but for two in a hundred. False: out of
/// memory.
bool paint_largest(const stage *s, double *largest);

#endif
