// The order in which convex pieces are drawn so that what is nearer covers what is behind it.
#ifndef STC_RENDER_PAINTER_ORDER_H
#define STC_RENDER_PAINTER_ORDER_H

#include "camera.h"

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

#endif
