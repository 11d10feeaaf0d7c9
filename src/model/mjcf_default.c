// Defaults of MJCF: classes in classes, each with an element of every kind.
#include "mjcf.h"

#include <string.h>

/// The first element of each name in a class, and the classes in it.
static stc_error list_class(stc_mjcf *f, stc_xml *node, int depth) {
  stc_arena *arena = &f->model->arena;
  const char *name = stc_xml_get(node, "class");
  node->seen = true;
  if (depth > STC_MJCF_CLASSES)
    return stc_model_refuse(f->model, node, "classes are nested more than %d deep",
                            STC_MJCF_CLASSES);
  if (!f->usual) f->usual = node;
  if (!name && depth > 1) return stc_model_refuse(f->model, node, "a <default> needs a class");
  if (name)
    stc_names_add(&f->classes, arena,
                  &(stc_named){.name = name, .node = node, .number = node->line});
  for (stc_xml *n = node->child; n; n = n->next) {
    if (!strcmp(n->name, "default"))
      STC_TRY(list_class(f, n, depth + 1));
    else
      stc_names_add(&f->elements, arena,
                    &(stc_named){.scope = node, .name = n->name, .node = n, .number = n->line});
  }
  return STC_OK;
}

stc_error stc_mjcf_list_classes(stc_mjcf *f, const stc_xml *mujoco) {
  for (stc_xml *d = stc_xml_child(mujoco, "default"); d; d = stc_xml_next(d, "default"))
    STC_TRY(list_class(f, d, 1));
  return stc_arena_check(&f->model->arena);
}

static bool is_usual(const char *class) { return !class || !strcmp(class, "main"); }

static stc_xml *find_class(stc_mjcf *f, const char *class) {
  const stc_named *found = is_usual(class) ? NULL : stc_names_find(&f->classes, NULL, class);
  return found ? found->node : f->usual;
}

stc_error stc_mjcf_check_class(stc_mjcf *f, const stc_xml *node, const char *name) {
  const char *class = stc_xml_get(node, name);
  if (is_usual(class) || stc_names_find(&f->classes, NULL, class)) return STC_OK;
  return stc_model_refuse(f->model, node, "there is no class '%.60s' of defaults", class);
}

/// What an element takes its attributes from, after itself.
static void chain_classes(stc_mjcf *f, const stc_xml *node, const char *childclass) {
  const char *class = stc_xml_get(node, "class");
  f->chain = (stc_mjcf_chain){.node = node, .childclass = childclass};
  stc_xml *d = find_class(f, class ? class : childclass);
  for (; d && !strcmp(d->name, "default"); d = d->parent) {
    const stc_named *same = stc_names_find(&f->elements, d, node->name);
    if (!same) continue;
    same->node->seen = true;
    f->chain.element[f->chain.count++] = same->node;
  }
}

const char *stc_mjcf_get(stc_mjcf *f, const stc_xml *node, const char *childclass,
                         const char *name) {
  const char *value = stc_xml_get(node, name);
  if (value) return value;
  if (f->chain.node != node || f->chain.childclass != childclass)
    chain_classes(f, node, childclass);
  for (int k = 0; k < f->chain.count; k++) {
    value = stc_xml_get(f->chain.element[k], name);
    if (value) return value;
  }
  return NULL;
}
