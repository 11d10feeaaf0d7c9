// What the kinds of scenes share: which kind a scene is of, and lists of numbers that a run shows.
#include "kind.h"
#include "../base/number.h"

#include <lauxlib.h>

void stc_kind_choose(lua_State *L, const stc_kind *kind, const char *function) {
  stc_scene *scene = stc_scene_of(L);
  // meshes alone: of deformable bodies, unless an elastodynamic scene takes them
  bool meshes = !scene->kind && scene->deform && kind != &stc_kind_elastodynamic;
  const stc_kind *had = meshes ? &stc_kind_fem : scene->kind;
  if (had && had != kind)
    luaL_error(L, "%s { } is for a scene with %s; this one describes %s", function, kind->name,
               had->name);
  scene->kind = kind;
}

void stc_show(stc_moving *moving, stc_shown_list *list, const double *at, const char *format, ...) {
  list->entry =
      stc_arena_more(&moving->arena, list->entry, list->count, &list->room, sizeof *list->entry);
  if (!list->entry) return;
  va_list args;
  va_start(args, format);
  stc_vsnprintf(list->entry[list->count].name, STC_COLUMN_NAME, format, args);
  va_end(args);
  list->entry[list->count++].at = at;
}

const char *stc_run_print(stc_moving *moving, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = stc_vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = STC_TAKE(&moving->arena, char, length + 1);
  va_start(args, format);
  if (text) stc_vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  return text;
}

void stc_show_block(stc_moving *m, const char *name, int count) {
  m->block = stc_arena_more(&m->arena, m->block, m->blocks, &m->block_room, sizeof *m->block);
  if (m->block) m->block[m->blocks++] = (stc_block_field){name, count};
}

void stc_show_constant(stc_moving *m, stc_constant constant) {
  m->constant =
      stc_arena_more(&m->arena, m->constant, m->constants, &m->constant_room, sizeof *m->constant);
  if (m->constant) m->constant[m->constants++] = constant;
}

const double *stc_number_at(const void *base, const stc_number *number) {
  return (const double *)(const void *)((const char *)base + number->at);
}

void stc_show_numbers(stc_moving *moving, stc_shown_list *list, const void *base,
                      const stc_number *table) {
  for (; table->name; table++)
    stc_show(moving, list, stc_number_at(base, table), "%s", table->name);
}

void stc_show_ledger(stc_moving *moving, const stc_ledger *ledger) {
  static const stc_number table[] = {
      STC_NUMBER(stc_ledger, kinetic), STC_NUMBER(stc_ledger, potential),
      STC_NUMBER(stc_ledger, start),   STC_NUMBER(stc_ledger, work),
      STC_NUMBER(stc_ledger, drive),   STC_NUMBER(stc_ledger, friction),
      STC_NUMBER(stc_ledger, shock),   STC_NUMBER(stc_ledger, correction),
      STC_NUMBER(stc_ledger, error),   {NULL, 0}};
  moving->ledger = ledger;
  stc_show_numbers(moving, &moving->energy, ledger, table);
  for (const stc_number *n = table; n->name; n++)
    if (n->at != offsetof(stc_ledger, start))
      stc_show(moving, &moving->columns, stc_number_at(ledger, n), "%s", n->name);
}
