// Stages as SVG.
#ifndef STC_RENDER_DRAW_H
#define STC_RENDER_DRAW_H

#include "camera.h"
#include "paint.h"

// The order in which convex pieces are drawn so that what is nearer covers what is behind it.

/// A ball, a solid, or one face of a sheet.
typedef struct order_piece {
  int item;
  int first_face, faces;
  double low[2], high[2];  ///< pixels
  double z;                ///< of its middle
} order_piece;

/// The pieces of a stage that are ahead and inside the picture, those behind first, of items that
/// are `seen` [items]; NULL: all. Free with free. Returns how many, or -1: out of memory.
int order_pieces(const stage *s, const view *v, const bool *seen, order_piece **list);

typedef struct draw_options {
  int width, height;  ///< pixels
  const char *title;  ///< for those who cannot see it; or NULL
  bool forces;
  double largest;  ///< force with the longest line, N
} draw_options;

/// Writes a whole document. False: out of memory, and the document is cut short.
bool draw(FILE *out, const stage *s, const stc_camera *camera, const draw_options *options);

#endif
