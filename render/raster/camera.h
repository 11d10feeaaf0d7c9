// Cameras: how points of space become pixels.
#ifndef STC_RENDER_CAMERA_H
#define STC_RENDER_CAMERA_H

#include <stiction/scene.h>

#include "stage.h"

/// A camera and the picture it makes. Seen from it, x is to the right, y up, z ahead.
typedef struct view {
  double eye[3], right[3], up[3], ahead[3];
  bool parallel;
  double scale;      ///< pixels for a metre in a parallel view, else for a slope of 1
  double middle[2];  ///< pixels from the left and the top to the middle of the picture
  double nearest;    ///< z in front of which nothing is seen
  int width, height;
} view;

view view_of(const stc_camera *camera, int width, int height);

/// Coordinates seen from the camera: to the right, up, ahead.
void view_point(const view *v, const double x[3], double seen[3]);

/// Pixel coordinates of what is seen there, from the left and the top. It must be ahead.
void view_pixel(const view *v, const double seen[3], double pixel[2]);

/// A number that is linear over the pixels of a plane, and greater for what is nearer: 1/z, in a
/// parallel view -z.
double view_nearness(const view *v, double z);

/// The ray through a pixel's point: it begins at `from` and goes along `along`, which has a part
/// of 1 ahead. A place with z ahead is from + z along.
void view_ray(const view *v, double px, double py, double from[3], double along[3]);

/// The place seen at a pixel's point with a nearness.
void view_place(const view *v, double px, double py, double nearness, double x[3]);

/// Whether the side of a face is seen that its normals point to.
bool view_faces(const view *v, const surface *s, int face);

enum { VIEW_SLOPES = 33 };

/// A camera that sees the framed items of all stages it was shown, the first of which says from
/// which side.
typedef struct view_frame {
  view v;             ///< from the origin
  double tangent[2];  ///< slopes of the picture's sides; half its shape in a parallel view
  /// Left, right, down, up: the greatest x - slope z, for slopes from 0 to that of the side.
  double reach[4][VIEW_SLOPES];
  double near, far;  ///< least and greatest z
} view_frame;

view_frame view_frame_begin(const stage *s, int width, int height);
void view_frame_add(view_frame *frame, const stage *s);
stc_camera view_frame_camera(const view_frame *frame);

/// Reads "from=x,y,z to=x,y,z up=x,y,z angle=degrees" (or width=m for a parallel view) over what
/// `camera` holds. False: `reason` says what is wrong.
bool view_parse(const char *text, stc_camera *camera, char *reason, size_t size);

#endif
