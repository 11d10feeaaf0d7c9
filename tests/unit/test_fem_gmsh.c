// Gmsh files: four kinds of one mesh read alike; a mesh written comes back; broken files get a
// sentence that says what is wrong.
#include "expect.h"

#include "../fuzz/gmsh_sample.h"
#include "../scratch.h"

#include <stiction/fem.h>

static stc_error read_sample(const sample *s, stc_mesh **mesh) {
  return stc_mesh_read_bytes("square.msh", s->bytes, s->length, mesh);
}

// The place of node k of a cell.
static const double *corner(const stc_mesh *m, int cell, int k) {
  return m->x + (size_t)m->node[m->ptr[cell] + k] * (size_t)m->dim;
}

static void assert_corner(const stc_mesh *m, int cell, int k, double x, double y) {
  assert_true(corner(m, cell, k)[0] == x && corner(m, cell, k)[1] == y);
}

static void assert_square(const stc_mesh *m) {
  assert_int_equal(m->dim, 2);
  assert_int_equal(m->nodes, 4);
  assert_int_equal(m->cells, 3);
  assert_int_equal(m->groups, 2);
  int side = stc_mesh_find(m, "low side"), body = stc_mesh_find(m, "block");
  assert_true(side >= 0 && body >= 0);
  assert_int_equal(m->group[side].cells, 1);
  assert_int_equal(m->group[body].cells, 2);
  int line = m->group[side].cell[0], second = m->group[body].cell[1];
  assert_int_equal(m->type[line], STC_CELL_L2);
  assert_corner(m, line, 0, 0, 0);
  assert_corner(m, line, 1, 1, 0);
  assert_int_equal(m->type[second], STC_CELL_T3);
  assert_corner(m, second, 1, 1, 1);  // the second triangle: (0,0), (1,1), (0,1)
  assert_corner(m, second, 2, 0, 1);
}

static void read_all_kinds(void **state) {
  void (*const kinds[])(sample *) = {sample_text2, sample_text4, sample_binary2, sample_binary4};
  for (int k = 0; k < 8; k++) {
    sample s = {.swap = k >= 4};  // text has no byte order; binary is read in both
    stc_mesh *mesh = NULL;
    kinds[k % 4](&s);
    if (read_sample(&s, &mesh)) fail_msg("%s", stc_error_detail());
    assert_square(mesh);
    stc_mesh_free(&mesh);
    assert_null(mesh);
  }
}

// The same text with a mark before it and lines that end with \r\n.
static void marks_and_line_ends_do_not_matter(void **state) {
  void (*const kinds[])(sample *) = {sample_text2, sample_text4};
  for (int k = 0; k < 2; k++) {
    sample s = {.length = 0}, other = {.length = 0};
    stc_mesh *mesh = NULL;
    kinds[k](&s);
    put_text(&other, "\xef\xbb\xbf");
    for (size_t n = 0; n < s.length; n++) {
      if (s.bytes[n] == '\n') put_text(&other, "\r");
      put_bytes(&other, &s.bytes[n], 1);
    }
    if (read_sample(&other, &mesh)) fail_msg("%s", stc_error_detail());
    assert_square(mesh);
    stc_mesh_free(&mesh);
  }
}

// Every truncation of every kind is refused, and none is taken for a mesh. The last bytes are an
// end of line, which nobody misses.
static void refuse_truncated(void **state) {
  void (*const kinds[])(sample *) = {sample_text2, sample_text4, sample_binary2, sample_binary4};
  for (int k = 0; k < 4; k++) {
    sample s = {.length = 0};
    kinds[k](&s);
    size_t whole = s.length - 1;
    for (s.length = 0; s.length < whole; s.length++) {
      stc_mesh *mesh = NULL;
      assert_int_not_equal(read_sample(&s, &mesh), STC_OK);
      assert_non_null(strstr(stc_error_detail(), "square.msh"));
    }
  }
}

static void assert_refused(const char *text, const char *words) {
  stc_mesh *mesh = NULL;
  assert_int_not_equal(stc_mesh_read_bytes("bad.msh", text, strlen(text), &mesh), STC_OK);
  assert_null(mesh);
  if (!strstr(stc_error_detail(), words))
    fail_msg("'%s' does not say '%s'", stc_error_detail(), words);
}

#define HEAD2                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES2                  "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
#define ELEMENTS2(count, lines) "$Elements\n" #count "\n" lines "$EndElements\n"

static void refuse_broken(void **state) {
  assert_refused("hello\n", "is this a Gmsh file?");
  assert_refused("$MeshFormat\n3 0 8\n$EndMeshFormat\n", "Mesh.MshFileVersion = 4.1");
  assert_refused(NODES2, "comes before $MeshFormat");
  assert_refused(HEAD2 NODES2, "no $Elements");
  assert_refused(HEAD2 NODES2 ELEMENTS2(1, "1 2 2 0 1 1 2 4\n"), "node 4, which $Nodes lacks");
  assert_refused(HEAD2 NODES2 ELEMENTS2(2, "1 2 2 0 1 1 2 3\n"), "bad.msh:13");
  assert_refused(HEAD2 NODES2 ELEMENTS2(1, "1 2 2 0 1 1 2 3\n2 2 2 0 1 1 2 3\n"), "differ");
  assert_refused(HEAD2 NODES2 ELEMENTS2(1, "1 10 2 0 1 1 2 3\n"), "SecondOrderIncomplete");
  assert_refused(HEAD2 NODES2 ELEMENTS2(1, "1 99 2 0 1 1 2 3\n"), "type 99");
  assert_refused(HEAD2 NODES2 ELEMENTS2(1, "1 1 2 0 1 1 2\n"), "no triangle");
  assert_refused(HEAD2 NODES2 ELEMENTS2(99999999999, "1 1 2 0 1 1 2\n"), "truncated");
  assert_refused(HEAD2 "$Nodes\n1\n1 0 zero 0\n$EndNodes\n", "bad.msh:6: 'zero'");
  assert_refused(HEAD2 "$Nodes\n1\n1 0 inf 0\n$EndNodes\n", "inf");
  assert_refused(HEAD2 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n" ELEMENTS2(0, ""), "there twice");
  assert_refused(
      HEAD2 "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 5\n$EndNodes\n" ELEMENTS2(1, "1 2 2 0 1 1 2 3\n"),
      "z = 5");
  assert_refused(HEAD2 "$Comments\nnever ends\n", "$EndComments is missing");
  assert_refused(HEAD2 NODES2 NODES2, "$Nodes is there twice");
}

static stc_mesh *read_text(const char *text) {
  stc_mesh *mesh = NULL;
  expect_ok(stc_mesh_read_bytes("plain.msh", text, strlen(text), &mesh));
  return mesh;
}

// A triangle listed once for each of two groups is one cell in both.
static void join_groups(void **state) {
  const char *text = HEAD2 NODES2 ELEMENTS2(2, "1 2 2 8 1 1 2 3\n2 2 2 9 1 1 2 3\n");
  stc_mesh *mesh = read_text(text);
  assert_int_equal(mesh->cells, 1);
  assert_int_equal(mesh->groups, 2);
  assert_int_equal(mesh->group[stc_mesh_find(mesh, "8")].cell[0], 0);
  assert_int_equal(mesh->group[stc_mesh_find(mesh, "9")].cell[0], 0);
  stc_mesh_free(&mesh);
}

// Without groups the cells of the highest dimension are the body.
static void name_body(void **state) {
  const char *text = HEAD2 NODES2 ELEMENTS2(2, "1 2 0 1 2 3\n2 1 0 1 2\n");
  stc_mesh *mesh = read_text(text);
  assert_int_equal(mesh->groups, 1);
  assert_string_equal(mesh->group[0].name, "body");
  assert_int_equal(mesh->group[0].cells, 1);
  stc_mesh_free(&mesh);
}

static void assert_same_group(const stc_mesh *a, const stc_mesh *b, const stc_group *group) {
  int k = stc_mesh_find(b, group->name);
  assert_true(k >= 0);
  assert_int_equal(b->group[k].dim, group->dim);
  assert_int_equal(b->group[k].cells, group->cells);
  // cells may have another order: compare the sums of their nodes' places
  for (int i = 0; i < a->dim; i++) {
    double sums[2] = {0, 0};
    for (int c = 0; c < group->cells; c++) {
      for (int n = 0; n < a->ptr[group->cell[c] + 1] - a->ptr[group->cell[c]]; n++) {
        sums[0] += corner(a, group->cell[c], n)[i];
        sums[1] += corner(b, b->group[k].cell[c], n)[i];
      }
    }
    assert_float_equal(sums[0], sums[1], 1e-12);
  }
}

static void write_and_read(void **state) {
  char path[512];
  scratch_path(path, sizeof path, "grid.msh");
  for (stc_cell_type type = STC_CELL_T3; type < STC_CELL_TYPES; type++) {
    stc_mesh *mesh = NULL, *back = NULL;
    stc_grid grid = {.type = type, .count = {3, 4, 3}, .body = "block"};
    assert_int_equal(stc_mesh_grid(&grid, &mesh), STC_OK);
    assert_int_equal(stc_mesh_write(path, mesh), STC_OK);
    if (stc_mesh_read(path, &back)) fail_msg("%s", stc_error_detail());
    assert_int_equal(back->nodes, mesh->nodes);
    assert_int_equal(back->cells, mesh->cells);
    assert_int_equal(back->groups, mesh->groups);
    assert_memory_equal(back->x, mesh->x, (size_t)(mesh->nodes * mesh->dim) * sizeof(double));
    for (int g = 0; g < mesh->groups; g++) assert_same_group(mesh, back, &mesh->group[g]);
    stc_mesh_free(&mesh);
    stc_mesh_free(&back);
  }
  unlink(path);
}

static void refuse_files(void **state) {
  stc_mesh *mesh = NULL;
  assert_int_equal(stc_mesh_read("no-such-file.msh", &mesh), STC_ERR_FILE);
  assert_non_null(strstr(stc_error_detail(), "no-such-file.msh"));
  assert_int_equal(stc_mesh_read("/tmp", &mesh), STC_ERR_FILE);
  assert_int_equal(stc_mesh_read(NULL, &mesh), STC_ERR_ARGUMENT);
}

TEST_PROGRAM(cmocka_unit_test(read_all_kinds), cmocka_unit_test(marks_and_line_ends_do_not_matter),
             cmocka_unit_test(refuse_truncated), cmocka_unit_test(refuse_broken),
             cmocka_unit_test(join_groups), cmocka_unit_test(name_body),
             cmocka_unit_test(write_and_read), cmocka_unit_test(refuse_files))
