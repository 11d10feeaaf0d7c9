// Points and triangles while a file is read.
#ifndef STC_GEOMETRY_TRIANGLE_MESH_H
#define STC_GEOMETRY_TRIANGLE_MESH_H

#include <stdint.h>

#include <stiction/geometry.h>

typedef struct stc_soup_text {
  const char *path;
  const char *at, *end;
  int line;
} stc_soup_text;

typedef struct stc_soup_maker {
  stc_soup *soup;
  int point_room, triangle_room;
  int *slot;  ///< [slots]: hash of points, number + 1
  uint32_t slots;
} stc_soup_maker;

stc_error stc_soup_add_point(stc_soup_maker *maker, const double p[3]);

/// The number of a point, which is added where it is new.
stc_error stc_soup_merge_point(stc_soup_maker *maker, const double p[3], int *number);

/// A triangle with two equal corners is left out.
stc_error stc_soup_add_triangle(stc_soup_maker *maker, int i, int j, int k);

/// The next word of the line in word[size], cut short if longer; false at the end of the line.
bool stc_soup_word(stc_soup_text *text, char *word, size_t size);

/// Goes on to the next line; false at the end.
bool stc_soup_next_line(stc_soup_text *text);

/// Three finite numbers of the line.
stc_error stc_soup_numbers(stc_soup_text *text, double p[3]);
stc_error stc_soup_complain(const stc_soup_text *text, const char *what);

stc_error stc_soup_stl_text(stc_soup_text *text, stc_soup_maker *maker);
stc_error stc_soup_stl_binary(const char *path, const unsigned char *bytes, size_t length,
                              stc_soup_maker *maker);
stc_error stc_soup_obj(stc_soup_text *text, stc_soup_maker *maker);

#endif
