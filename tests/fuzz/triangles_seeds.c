// Writes small STL and OBJ files into a directory: where the fuzzer starts from.
//   triangles_seeds DIRECTORY
#include <stdio.h>
#include <string.h>

static const char text_stl[] =
    "solid two\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0.5\n"
    "vertex 0 1 0\nendloop\nendfacet\nendsolid two\n";

static const char obj[] =
    "# a cube, and a face in each way of writing one\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvn 0 0 1\nvt 0 0\n"
    "g sides\nf 4 3 2 1\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf -7/1/1 -6/1/1 -2/1/1 -3/1/1\n"
    "f 3 4 8 7\nf 4 1 5 8\n";

static int write_file(const char *directory, const char *name, const void *bytes, size_t length) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  int good = fwrite(bytes, 1, length, file) == length;
  return fclose(file) == 0 && good;
}

// One triangle with small whole coordinates; little-endian floats.
static size_t binary_stl(unsigned char bytes[134]) {
  static const unsigned char one[4] = {0, 0, 0x80, 0x3f};
  memset(bytes, 0, 134);
  bytes[80] = 1;
  memcpy(bytes + 84 + 12 + 12, one, 4);
  memcpy(bytes + 84 + 12 + 24 + 4, one, 4);
  return 134;
}

int main(int argc, char **argv) {
  unsigned char bytes[134];
  if (argc != 2) return 1;
  int good = write_file(argv[1], "text.stl", text_stl, strlen(text_stl)) &&
             write_file(argv[1], "cube.obj", obj, strlen(obj)) &&
             write_file(argv[1], "binary.stl", bytes, binary_stl(bytes));
  return good ? 0 : 1;
}
