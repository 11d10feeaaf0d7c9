// Stages as pictures of pixels.
#ifndef STC_RENDER_PAINT_H
#define STC_RENDER_PAINT_H

#include "camera.h"
#include "pixels.h"

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
