// Writes a mesh in Gmsh's format 4.1, as text. Cells of one dimension that are in the same groups
// make one entity.
#include "../../../base/fail.h"
#include "../../../base/save.h"
#include "../../../base/text.h"
#include "../mesh.h"
#include "../shape_functions.h"

// Cells of one type in the same groups. A class made of a larger one by a group knows both.
typedef struct stc_class {
  int type;
  int parent;  ///< the class it was split off; -1: none
  int group;   ///< and the group that did it
  int made;    ///< while a group splits: the class that its cells move to; -1: none yet
  int cells;
} stc_class;

typedef struct stc_writer {
  stc_arena arena;
  const stc_mesh *mesh;
  stc_text text;
  int *of;  ///< [cells] class of a cell
  int classes, room;
  stc_class *class;
} stc_writer;

static int add_class(stc_writer *w, int type, int parent, int group) {
  stc_class *grown = stc_arena_more(&w->arena, w->class, w->classes, &w->room, sizeof *w->class);
  if (!grown) return 0;
  w->class = grown;
  w->class[w->classes] = (stc_class){.type = type, .parent = parent, .group = group, .made = -1};
  return w->classes++;
}

static void split_by(stc_writer *w, int g) {
  const stc_group *group = &w->mesh->group[g];
  int before = w->classes;
  for (int k = 0; k < group->cells && !w->arena.failed; k++) {
    int old = w->of[group->cell[k]];
    if (old >= before) continue;
    if (w->class[old].made < 0) {
      int made = add_class(w, w->class[old].type, old, g);
      w->class[old].made = made;
    }
    w->of[group->cell[k]] = w->class[old].made;
  }
  for (int k = 0; k < before; k++) w->class[k].made = -1;
}

static int dim_of(const stc_class *class) { return stc_cell_dim((stc_cell_type) class->type); }

static void write_entities(stc_writer *w) {
  int count[4] = {0};
  for (int k = 0; k < w->classes; k++) count[dim_of(&w->class[k])] += w->class[k].cells > 0;
  stc_text_put(&w->text, "$Entities\n%d %d %d %d\n", count[0], count[1], count[2], count[3]);
  for (int dim = 0; dim < 4; dim++) {
    for (int k = 0; k < w->classes; k++) {
      if (dim_of(&w->class[k]) == dim && w->class[k].cells > 0) {
        int groups = 0;
        for (int c = k; w->class[c].group >= 0; c = w->class[c].parent) groups++;
        stc_text_put(&w->text, dim_of(&w->class[k]) ? "%d 0 0 0 0 0 0 %d" : "%d 0 0 0 %d", k + 1,
                     groups);
        for (int c = k; w->class[c].group >= 0; c = w->class[c].parent)
          stc_text_put(&w->text, " %d", w->class[c].group + 1);
        stc_text_put(&w->text, dim_of(&w->class[k]) ? " 0\n" : "\n");
      }
    }
  }
  stc_text_put(&w->text, "$EndEntities\n");
}

// All nodes belong to the first entity of the bodies' dimension.
static void write_nodes(stc_writer *w) {
  const stc_mesh *m = w->mesh;
  int owner = 0;
  while (owner < w->classes - 1 &&
         (dim_of(&w->class[owner]) != m->dim || w->class[owner].cells == 0))
    owner++;
  stc_text_put(&w->text, "$Nodes\n1 %d 1 %d\n%d %d 0 %d\n", m->nodes, m->nodes, m->dim, owner + 1,
               m->nodes);
  for (int k = 0; k < m->nodes; k++) stc_text_put(&w->text, "%d\n", k + 1);
  for (int k = 0; k < m->nodes; k++) {
    const double *x = m->x + (size_t)k * (size_t)m->dim;
    stc_text_put(&w->text, "%.17g %.17g %.17g\n", x[0], x[1], m->dim == 3 ? x[2] : 0.0);
  }
  stc_text_put(&w->text, "$EndNodes\n");
}

static void write_elements(stc_writer *w) {
  int blocks = 0;
  for (int k = 0; k < w->classes; k++) blocks += w->class[k].cells > 0;
  stc_text_put(&w->text, "$Elements\n%d %d 1 %d\n", blocks, w->mesh->cells, w->mesh->cells);
  for (int k = 0; k < w->classes; k++) {
    if (w->class[k].cells > 0) {
      const stc_mesh *m = w->mesh;
      stc_text_put(&w->text, "%d %d %d %d\n", dim_of(&w->class[k]), k + 1,
                   stc_cell_of((stc_cell_type)w->class[k].type)->gmsh, w->class[k].cells);
      for (int c = 0; c < m->cells; c++) {
        if (w->of[c] != k) continue;
        stc_text_put(&w->text, "%d", c + 1);
        for (int i = m->ptr[c]; i < m->ptr[c + 1]; i++)
          stc_text_put(&w->text, " %d", m->node[i] + 1);
        stc_text_put(&w->text, "\n");
      }
    }
  }
  stc_text_put(&w->text, "$EndElements\n");
}

static stc_error write_text(stc_writer *w) {
  w->of = STC_TAKE(&w->arena, int, w->mesh->cells);
  STC_TRY(stc_arena_check(&w->arena));
  for (int type = 0; type < STC_CELL_TYPES; type++) add_class(w, type, -1, -1);
  for (int c = 0; c < w->mesh->cells; c++) w->of[c] = w->mesh->type[c];
  for (int g = 0; g < w->mesh->groups; g++) split_by(w, g);
  STC_TRY(stc_arena_check(&w->arena));
  for (int c = 0; c < w->mesh->cells; c++) w->class[w->of[c]].cells++;
  stc_text_put(&w->text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
  stc_text_put(&w->text, "$PhysicalNames\n%d\n", w->mesh->groups);
  for (int g = 0; g < w->mesh->groups; g++)
    stc_text_put(&w->text, "%d %d \"%s\"\n", w->mesh->group[g].dim, g + 1, w->mesh->group[g].name);
  stc_text_put(&w->text, "$EndPhysicalNames\n");
  write_entities(w);
  write_nodes(w);
  write_elements(w);
  return w->text.failed ? stc_fail(STC_ERR_MEMORY, "out of memory") : STC_OK;
}

stc_error stc_mesh_write(const char *path, const stc_mesh *mesh) {
  if (!path || !mesh) return stc_fail(STC_ERR_ARGUMENT, "stc_mesh_write needs a path and a mesh");
  stc_writer w = {.mesh = mesh};
  stc_error error = write_text(&w);
  if (!error) error = stc_save(path, w.text.at, w.text.length);
  stc_arena_free(&w.arena);
  stc_text_free(&w.text);
  return error ? stc_fail_in(error, path) : STC_OK;
}
