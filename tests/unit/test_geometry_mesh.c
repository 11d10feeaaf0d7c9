// STL and OBJ files: the same tetrahedron in all formats, and sentences for what is wrong.
#include <stdio.h>
#include <unistd.h>

#include "geometry_support.h"

static const int tetrahedron[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void expect_tetrahedron(const stc_triangle_mesh *mesh) {
  assert_int_equal(mesh->points, 4);
  assert_int_equal(mesh->triangles, 4);
  for (int i = 0; i < 12; i++) {
    const double *p = mesh->point + 3 * mesh->triangle[i];
    for (int k = 0; k < 3; k++) expect_near(p[k], (double)corner[tetrahedron[i]][k], 0);
  }
}

static size_t text_stl(char *text, size_t size) {
  size_t n = (size_t)snprintf(text, size, "solid a tetrahedron\n");
  for (int t = 0; t < 4; t++) {
    n += (size_t)snprintf(text + n, size - n, "facet normal 0 0 0\n outer loop\n");
    for (int v = 0; v < 3; v++) {
      const float *p = corner[tetrahedron[3 * t + v]];
      n += (size_t)snprintf(text + n, size - n, "  VERTEX %g %e %g\r\n", (double)p[0], (double)p[1],
                            (double)p[2]);
    }
    n += (size_t)snprintf(text + n, size - n, " endloop\nendfacet\n");
  }
  return n + (size_t)snprintf(text + n, size - n, "endsolid a tetrahedron\n");
}

static size_t binary_stl(unsigned char *bytes) {
  memset(bytes, 0, 84 + 200);
  memcpy(bytes, "solid, but binary", 17);
  bytes[80] = 4;
  for (int t = 0; t < 4; t++)
    for (int v = 0; v < 3; v++)  // floats on a little-endian machine, like those this runs on
      memcpy(bytes + 84 + 50 * t + 12 + 12 * v, corner[tetrahedron[3 * t + v]], 12);
  return 84 + 200;
}

static void all_formats_give_the_same(void **state) {
  static const char obj[] =
      "# a tetrahedron\no name\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\n"
      "f 1 3 2\nf 1/1 2/1 4/1\nf -3//1 -2//1 -1//1\ns off\nf 1/1/1 4/1/1 3/1/1";
  char text[4096];
  unsigned char bytes[512];
  stc_triangle_mesh mesh;
  assert_int_equal(stc_triangle_mesh_read_bytes("a.obj", obj, strlen(obj), &mesh), STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
  assert_int_equal(stc_triangle_mesh_read_bytes("a.stl", text, text_stl(text, sizeof text), &mesh),
                   STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
  assert_int_equal(stc_triangle_mesh_read_bytes("a.STL", bytes, binary_stl(bytes), &mesh), STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
  stc_triangle_mesh_free(&mesh);
  assert_null(mesh.point);
}

// Files of other systems: lines that end with \r\n, a mark before the text. The first word counts:
// an OBJ whose first point is passed over has other triangles.
static void marks_and_line_ends_do_not_matter(void **state) {
  static const char obj[] = "\xef\xbb\xbfv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nv 0 0 1\r\n"
                            "f 1 3 2\r\nf 1 2 4\r\nf 2 3 4\r\nf 1 4 3\r\n";
  char text[4096] = "\xef\xbb\xbf";
  size_t length = 3 + text_stl(text + 3, sizeof text - 3);
  stc_triangle_mesh mesh;
  assert_int_equal(stc_triangle_mesh_read_bytes("a.obj", obj, strlen(obj), &mesh), STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
  assert_int_equal(stc_triangle_mesh_read_bytes("a.stl", text, length, &mesh), STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
}

// A terabyte that was never written takes neither memory nor time.
static void holes_are_refused(void **state) {
  char path[64];
  stc_triangle_mesh mesh;
  snprintf(path, sizeof path, "/tmp/stiction_hole_%ld.stl", (long)getpid());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(ftruncate(fileno(file), (off_t)1 << 32), 0);
  fclose(file);
  stc_error error = stc_triangle_mesh_read(path, &mesh);
  remove(path);
  expect_failure(error, STC_ERR_FORMAT, "most of it was never written");
}

// A square of four corners is two triangles.
static void polygons_become_fans(void **state) {
  static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 1 2\n";
  static const int expected[6] = {0, 1, 2, 0, 2, 3};
  stc_triangle_mesh mesh;
  assert_int_equal(stc_triangle_mesh_read_bytes("a.obj", obj, strlen(obj), &mesh), STC_OK);
  assert_int_equal(mesh.triangles, 2);  // the last face has no area
  assert_memory_equal(mesh.triangle, expected, sizeof expected);
  stc_triangle_mesh_free(&mesh);
}

static void expect_wrong(const char *path, const char *text, const char *words) {
  stc_triangle_mesh mesh;
  expect_failure(stc_triangle_mesh_read_bytes(path, text, strlen(text), &mesh), STC_ERR_FORMAT,
                 words);
  assert_null(mesh.point);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
  stc_triangle_mesh mesh;
  unsigned char bytes[512];
  expect_wrong("a.obj", "v 0 0 0\nv 1 0\n", "a.obj:2: three numbers");
  expect_wrong("a.obj", "v 0 0 x\n", "a.obj:1: this is not a number");
  expect_wrong("a.obj", "v 0 0 1e999\n", "a.obj:1: a coordinate is not finite");
  expect_wrong("a.obj", "v 0 0 0\n\nf 1 2 3\n", "a.obj:3: corner 2, but 1 points");
  expect_wrong("a.obj", "v 0 0 0\nf 0 1 1\n", "a.obj:2: corner 0");
  expect_wrong("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face has three");
  expect_wrong("a.obj", "v 0 0 0\nf a b c\n", "a.obj:2: the number of a point");
  expect_wrong("a.obj", "", "a.obj: there are no triangles");
  expect_wrong("a.stl", "", "a.stl:1: neither a text STL");
  expect_wrong("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a.stl:4: three");
  expect_wrong("a.stl", "solid\nfacet\nvertex 0 0 0\n", "a.stl:3: \"outer loop\"");
  expect_wrong("a.stl", "solid\nvertex 0 0 0\n", "a.stl:2: \"facet\" or \"endsolid\"");
  expect_wrong("a.stl", "solid\nendsolid\n", "no triangles");
  expect_wrong("a.ply", "ply\n", "a.ply: neither .stl nor .obj");
  size_t length = binary_stl(bytes);
  memset(bytes + 84 + 12, 0xff, 4);  // not a number
  expect_failure(stc_triangle_mesh_read_bytes("b.stl", bytes, length, &mesh), STC_ERR_FORMAT,
                 "b.stl: triangle 0");
  expect_failure(stc_triangle_mesh_read("no/such/file.stl", &mesh), STC_ERR_FILE,
                 "no/such/file.stl");
}

static void files_are_read_from_disk(void **state) {
  char text[4096], path[64];
  size_t length = text_stl(text, sizeof text);
  stc_triangle_mesh mesh;
  snprintf(path, sizeof path, "/tmp/stiction_mesh_%ld.stl", (long)getpid());
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
  stc_error error = stc_triangle_mesh_read(path, &mesh);
  remove(path);
  assert_int_equal(error, STC_OK);
  expect_tetrahedron(&mesh);
  stc_triangle_mesh_free(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_formats_give_the_same),
                                     cmocka_unit_test(marks_and_line_ends_do_not_matter),
                                     cmocka_unit_test(holes_are_refused),
                                     cmocka_unit_test(polygons_become_fans),
                                     cmocka_unit_test(what_is_wrong_is_said_with_its_line),
                                     cmocka_unit_test(files_are_read_from_disk)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
