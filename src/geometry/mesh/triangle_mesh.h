// Points and triangles while a file is read.
#ifndef STC_GEOMETRY_TRIANGLE_MESH_H
#define STC_GEOMETRY_TRIANGLE_MESH_H

#include <stdint.h>

#include <stiction/geometry.h>

typedef struct stc_mesh_text {
  const char *path;
  const char *at, *end;
  int line;
} stc_mesh_text;

typedef struct stc_mesh_builder {
  stc_triangle_mesh *mesh;
  int point_room, triangle_room;
  int *slot;  ///< [slots]: hash of points, number + 1
  uint32_t slots;
} stc_mesh_builder;

stc_error stc_mesh_add_point(stc_mesh_builder *maker, const double p[3]);

/// The number of a point, which is added where it is new.
stc_error stc_mesh_builder_merge_point(stc_mesh_builder *maker, const double p[3], int *number);

/// A triangle with two equal corners is left out.
stc_error stc_mesh_builder_add_triangle(stc_mesh_builder *maker, int i, int j, int k);

/// The next word of the line in word[size], cut short if longer; false at the end of the line.
bool stc_mesh_text_word(stc_mesh_text *text, char *word, size_t size);

/// Goes on to the next line; false at the end.
bool stc_mesh_text_next_line(stc_mesh_text *text);

/// Three finite numbers of the line.
stc_error stc_mesh_text_numbers(stc_mesh_text *text, double p[3]);
stc_error stc_mesh_text_complain(const stc_mesh_text *text, const char *what);

stc_error stc_mesh_stl_text(stc_mesh_text *text, stc_mesh_builder *maker);
stc_error stc_mesh_stl_binary(const char *path, const unsigned char *bytes, size_t length,
                              stc_mesh_builder *maker);
stc_error stc_mesh_obj(stc_mesh_text *text, stc_mesh_builder *maker);

#endif
