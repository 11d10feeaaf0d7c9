// What is seen of a world: its bodies as surfaces with colours, and the forces of its contacts.
#ifndef STC_RENDER_STAGE_H
#define STC_RENDER_STAGE_H

#include <stiction/bodies.h>
#include <stiction/geometry.h>

// Surfaces of shapes as faces over points, for VTK and for pictures.

/// A corner of a face: points on an edge that is to be seen stand in the list once for each side.
typedef struct surface_vertex {
  double x[3];
  double n[3];  ///< unit, outward
} surface_vertex;

/// Zero-initialise it; free with surface_free.
typedef struct surface {
  surface_vertex *vertex;
  int vertices;
  int *corner;  ///< vertices of the faces, counterclockwise seen from outside
  int corners;
  int *first;  ///< [faces+1] into corner
  int faces;
  int vertex_room, corner_room, face_room;
  bool failed;  ///< out of memory: what was added since is lost
} surface;

/// Adds a shape in a pose, round ones as polygons. A plane has no end: see
/// surface_add_square.
void surface_add(surface *s, const stc_shape *shape, const stc_pose *pose, int sides);

/// A rectangle [low, high] of the plane z = 0 of a pose.
void surface_add_square(surface *s, const stc_pose *pose, const double low[2],
                        const double high[2]);

void surface_free(surface *s);

/// Room for one more of `count` entries; false if there is no memory.
bool surface_grow(void *address_of_array, int *room, int count, size_t size);

typedef enum stage_kind {
  STAGE_BALL,
  STAGE_SOLID,  ///< convex and closed
  STAGE_SHEET,  ///< seen from the side its normals point to: a terrain, an inclined plane
  STAGE_GROUND  ///< a level plane; in a world that is a plane itself, any of its half planes
} stage_kind;

typedef struct stage_item {
  stage_kind kind;
  int body;
  bool framed;       ///< counts for the view of everything
  bool casts;        ///< a shadow
  double centre[3];  ///< of the ball, or of a box around it; of a ground a point
  double radius;     ///< of the ball, or of one around it
  double normal[3];  ///< of a ground
  double spoke[3];   ///< the first axis of its frame: how far it has turned
  int first_face, faces;
  int first_vertex, vertices;
  double color[3];  ///< linear, not sRGB
} stage_item;

typedef struct stage_force {
  double x[3];
  double f[3];  ///< N, on the first body
  stc_contact_state state;
} stage_force;

/// Zero-initialise it; free with stage_free.
typedef struct stage {
  surface surface;
  stage_item *item;
  int items;
  stage_force *force;
  int forces;
  double up[3];            ///< against gravity; the world's z (in a plane y) where there is none
  bool flat;               ///< a world in the plane z = 0
  double low[3], high[3];  ///< box around the framed items
  double size;             ///< its diagonal
  int item_room, force_room;
  bool failed;  ///< out of memory
} stage;

/// How a stage is set; zeros: all bodies, in colours by number.
typedef struct stage_options {
  int sides;  ///< of round surfaces; 0: chosen by the size of the picture
  /// The body's own colour in sRGB, 0 to 1; false: it has none. May be NULL.
  bool (*color)(const void *user, int body, double rgb[3]);
  bool (*hidden)(const void *user, int body);  ///< may be NULL
  const void *user;
} stage_options;

/// Sets the bodies as they are, without forces; replaces what was there. False: out of memory.
bool stage_set(stage *s, const stc_world *world, const stage_options *options);

/// Adds the forces of the contacts of the last step. False: out of memory.
bool stage_add_forces(stage *s, const stc_world *world);

void stage_free(stage *s);

/// Low and high corner, along two axes of a plane's frame, of a rectangle under the framed items.
void stage_square(const stage *s, const stc_pose *plane, double low[2], double high[2]);

/// From sRGB to linear light and back, 0 to 1.
double stage_linear(double value);
double stage_encoded(double value);

#endif
