// The unit square in two triangles with a named body and a named lower side, as the four kinds of
// Gmsh file; written without the library.
#ifndef GMSH_SAMPLE_H
#define GMSH_SAMPLE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_NODES = 4, SAMPLE_ROOM = 4096 };

static const double sample_x[SAMPLE_NODES][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const int sample_tag[SAMPLE_NODES] = {7, 3, 11, 5};  // neither dense nor in order

typedef struct sample {
  char bytes[SAMPLE_ROOM];
  size_t length;
  int swap;  // write numbers in the other byte order
} sample;

static void put_bytes(sample *s, const void *bytes, size_t count) {
  memcpy(s->bytes + s->length, bytes, count);
  s->length += count;
}

static void put_text(sample *s, const char *text) { put_bytes(s, text, strlen(text)); }

static void put_number(sample *s, const void *value, size_t size) {
  const unsigned char *byte = value;
  for (size_t k = 0; k < size; k++) put_bytes(s, &byte[s->swap ? size - 1 - k : k], 1);
}

static void put_int(sample *s, int32_t value) { put_number(s, &value, sizeof value); }
static void put_size(sample *s, uint64_t value) { put_number(s, &value, sizeof value); }
static void put_real(sample *s, double value) { put_number(s, &value, sizeof value); }

#define SAMPLE_NAMES "$PhysicalNames\n2\n1 4 \"low side\"\n2 9 \"block\"\n$EndPhysicalNames\n"

static inline void sample_text2(sample *s) {
  put_text(s, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" SAMPLE_NAMES "$Nodes\n4\n");
  for (int k = 0; k < SAMPLE_NODES; k++)
    s->length += (size_t)snprintf(s->bytes + s->length, 100, "%d %.17g %.17g %.17g\n",
                                  sample_tag[k], sample_x[k][0], sample_x[k][1], sample_x[k][2]);
  put_text(s, "$EndNodes\n$Elements\n3\n1 1 2 4 1 7 3\n2 2 2 9 1 7 3 11\n3 2 2 9 1 7 11 5\n"
              "$EndElements\n");
}

static inline void sample_text4(sample *s) {
  put_text(s, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" SAMPLE_NAMES
              "$Entities\n1 1 1 0\n1 0 0 0 0\n1 0 0 0 1 0 0 1 4 0\n6 0 0 0 1 1 0 1 9 1 1\n"
              "$EndEntities\n$Nodes\n2 4 3 11\n1 1 0 2\n7\n3\n0 0 0\n1 0 0\n2 6 1 2\n11\n5\n"
              "1 1 0 0.5 0.5\n0 1 0 0.5 0.5\n$EndNodes\n"
              "$Elements\n2 3 1 3\n1 1 1 1\n1 7 3\n2 6 2 2\n2 7 3 11\n3 7 11 5\n$EndElements\n");
}

static inline void sample_binary2(sample *s) {
  put_text(s, "$MeshFormat\n2.2 1 8\n");
  put_int(s, 1);
  put_text(s, "\n$EndMeshFormat\n" SAMPLE_NAMES "$Nodes\n4\n");
  for (int k = 0; k < SAMPLE_NODES; k++) {
    put_int(s, sample_tag[k]);
    for (int i = 0; i < 3; i++) put_real(s, sample_x[k][i]);
  }
  put_text(s, "\n$EndNodes\n$Elements\n3\n");
  static const int32_t elements[] = {1,  1, 2, 1, 4, 1,  7, 3,  // one line
                                     2,  2, 2, 2, 9, 1,  7, 3,
                                     11, 3, 9, 1, 7, 11, 5};  // two triangles
  for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) put_int(s, elements[k]);
  put_text(s, "\n$EndElements\n");
}

static void put_head(sample *s, int dim, int entity, int kind, uint64_t count) {
  put_int(s, dim);
  put_int(s, entity);
  put_int(s, kind);
  put_size(s, count);
}

static void put_sizes(sample *s, const uint64_t *value, int count) {
  for (int k = 0; k < count; k++) put_size(s, value[k]);
}

static void put_entity(sample *s, int tag, int group) {
  put_int(s, tag);
  for (int k = 0; k < 6; k++) put_real(s, 0);
  put_size(s, 1);
  put_int(s, group);
  put_size(s, 0);
}

static inline void sample_binary4(sample *s) {
  put_text(s, "$MeshFormat\n4.1 1 8\n");
  put_int(s, 1);
  put_text(s, "\n$EndMeshFormat\n" SAMPLE_NAMES "$Entities\n");
  put_sizes(s, (const uint64_t[]){0, 1, 1, 0}, 4);
  put_entity(s, 1, 4);
  put_entity(s, 6, 9);
  put_text(s, "\n$EndEntities\n$Nodes\n");
  put_sizes(s, (const uint64_t[]){1, 4, 3, 11}, 4);
  put_head(s, 2, 6, 0, 4);
  for (int k = 0; k < SAMPLE_NODES; k++) put_size(s, (uint64_t)sample_tag[k]);
  for (int k = 0; k < 3 * SAMPLE_NODES; k++) put_real(s, sample_x[k / 3][k % 3]);
  put_text(s, "\n$EndNodes\n$Elements\n");
  put_sizes(s, (const uint64_t[]){2, 3, 1, 3}, 4);
  put_head(s, 1, 1, 1, 1);
  put_sizes(s, (const uint64_t[]){1, 7, 3}, 3);
  put_head(s, 2, 6, 2, 2);
  put_sizes(s, (const uint64_t[]){2, 7, 3, 11, 3, 7, 11, 5}, 8);
  put_text(s, "\n$EndElements\n");
}

#endif
