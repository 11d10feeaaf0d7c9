// What is nearest at each pixel of a view: a depth buffer, with the item and its normal there.
#ifndef STC_RENDER_DEPTH_LAYER_H
#define STC_RENDER_DEPTH_LAYER_H

#include "camera.h"

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

#endif
