// What a run file has of a march besides its columns: the slip rates and pressures of the contact
// nodes of each strip in every row, and once the pictures that the scene asks for. A scene that
// asks for none gets the slip rates of all members over time, and a map of each strip.
#include "elastodynamic_scene.h"

#include "../../base/number.h"

#include <math.h>
#include <string.h>

enum { FIELDS = 4 };  // of a block in space; a strip has two

// Slip rate (in space its length), pressure, and in space the components of the slip rate.
static const char *const field_names[FIELDS] = {"rate", "pressure", "rate_x", "rate_y"};

static int fields_of(const stc_wave_member *m) { return m->strip.dim == 3 ? FIELDS : 2; }

// A text with two others in it, in the arena.
static const char *print(stc_arena *arena, const char *format, const char *a, const char *b) {
  int length = stc_snprintf(NULL, 0, format, a, b);
  char *text = STC_TAKE(arena, char, length + 1);
  if (text) stc_snprintf(text, (size_t)length + 1, format, a, b);
  return text;
}

// --- Blocks ---

static void list_blocks(stc_wave_run *march) {
  for (int k = 0; k < march->wave->members; k++) {
    const stc_wave_member *m = march->wave->member[k];
    for (int i = 0; m->running_strip && i < fields_of(m); i++)
      march->block[march->blocks++] =
          (stc_block_field){print(&march->arena, "%s|%s", field_names[i], m->name),
                            stc_strip_contacts(m->running_strip)};
  }
}

const stc_block_field *stc_wave_run_blocks(const void *moving, int *count, const stc_mesh **mesh) {
  const stc_wave_run *march = moving;
  *count = march->blocks;
  *mesh = NULL;
  return march->block;
}

static double *fill_strip(const stc_strip *strip, bool space, double *rate) {
  int contacts = stc_strip_contacts(strip), tangents = space ? 2 : 1;
  const double *w = stc_strip_slip(strip);
  double *pressure = rate + contacts, *part = pressure + contacts;
  memcpy(pressure, stc_strip_pressure(strip), (size_t)contacts * sizeof *pressure);
  for (int i = 0; i < contacts; i++) {
    const double *at = w + i * tangents;
    rate[i] = space ? hypot(at[0], at[1]) : at[0];
    for (int k = 0; space && k < tangents; k++) part[k * contacts + i] = at[k];
  }
  return space ? part + 2 * contacts : part;
}

stc_error stc_wave_run_fill(void *moving, double *numbers) {
  const stc_wave_run *march = moving;
  for (int k = 0; k < march->wave->members; k++) {
    const stc_wave_member *m = march->wave->member[k];
    if (m->running_strip) numbers = fill_strip(m->running_strip, m->strip.dim == 3, numbers);
  }
  return STC_OK;
}

// --- Constants ---

static void add(stc_wave_run *march, const char *name, int count, const double *numbers) {
  march->constant[march->constants++] = (stc_constant){name, count, numbers};
}

// x of the contact nodes.
static void add_map(stc_wave_run *march, const stc_wave_member *m) {
  int contacts = stc_strip_contacts(m->running_strip), tangents = m->strip.dim - 1;
  double *place = STC_TAKE(&march->arena, double, contacts);
  for (int k = 0; place && k < contacts; k++)
    place[k] = stc_strip_place(m->running_strip)[k * tangents];
  add(march, print(&march->arena, "map|rate|%s%s", m->name, ""), contacts, place);
}

static const stc_wave_member *find_strip(const stc_wave_run *march, const char *name) {
  for (int k = 0; k < march->wave->members; k++) {
    const stc_wave_member *m = march->wave->member[k];
    if (m->running_strip && !strcmp(m->name, name)) return m;
  }
  return NULL;
}

static stc_error add_asked(stc_wave_run *march) {
  for (int k = 0; k < march->wave->notes; k++) {
    const stc_constant *note = &march->wave->note[k];
    if (strncmp(note->name, "map|", 4) != 0) {
      march->constant[march->constants++] = *note;
      continue;
    }
    const stc_wave_member *m = find_strip(march, note->name + 4);
    if (!m)
      return stc_fail(STC_ERR_FORMAT, "%s:%d: picture: there is no strip '%s' to make a map of",
                      march->scene->path, march->wave->line, note->name + 4);
    if (m->strip.dim != 2)
      return stc_fail(STC_ERR_FORMAT,
                      "%s:%d: picture: strip '%s' is in space; a map is of a plane "
                      "one",
                      march->scene->path, m->line, m->name);
    add_map(march, m);
  }
  return STC_OK;
}

static void add_usual(stc_wave_run *march) {
  add(march, "picture|slip rate|t", 0, NULL);
  bool one = march->wave->members == 1;
  for (int k = 0; k < march->wave->members; k++) {
    const char *name = march->wave->member[k]->name;
    const char *format = one ? "line|%s|t|w" : "line|%s|t|%s_w";
    add(march, print(&march->arena, format, name, name), 0, NULL);
  }
  for (int k = 0; k < march->wave->members; k++) {
    const stc_wave_member *m = march->wave->member[k];
    if (!m->running_strip || m->strip.dim != 2) continue;
    add(march, print(&march->arena, "picture|slip rate over place and time: %s|t%s", m->name, ""),
        0, NULL);
    add_map(march, m);
  }
}

stc_error stc_wave_run_list(stc_wave_run *march) {
  int members = march->wave->members, most = march->wave->notes + 1 + 3 * members;
  march->block = STC_TAKE(&march->arena, stc_block_field, FIELDS * members);
  march->constant = STC_TAKE(&march->arena, stc_constant, most);
  STC_TRY(stc_arena_check(&march->arena));
  list_blocks(march);
  if (march->wave->notes)
    STC_TRY(add_asked(march));
  else
    add_usual(march);
  return stc_arena_check(&march->arena);
}

const stc_constant *stc_wave_run_constants(const void *moving, int *count) {
  const stc_wave_run *march = moving;
  *count = march->constants;
  return march->constant;
}
