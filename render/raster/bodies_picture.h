// Rigid bodies of a run file as pictures. False: see render_reason.
#ifndef STC_RENDER_BODIES_PICTURE_H
#define STC_RENDER_BODIES_PICTURE_H

#include <stiction/scene.h>

enum { BODIES_MOST_MOMENTS = 100 };

/// What pictures show.
typedef struct bodies_look {
  const char *camera;  ///< as text; NULL: the scene's, or one that sees everything
  const char *hide;    ///< names or numbers from 1 of bodies that are left out; or NULL
  const char *title;
  bool forces;
  int width, height;
  long row;     ///< -1: the last
  int moments;  ///< 0: one; else this many of the run, from the first row to the last
  int every;    ///< of a directory of pictures: rows from one to the next
} bodies_look;

bool bodies_svg(stc_replay *replay, const bodies_look *look, const char *path);
/// A name that ends in / is a directory for a picture of every row.
bool bodies_png(stc_replay *replay, const bodies_look *look, const char *path);

#endif
