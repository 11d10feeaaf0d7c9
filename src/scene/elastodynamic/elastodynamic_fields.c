// What a run file has of an elastodynamic run besides its columns: the slip rates and pressures of
// the contact nodes of each strip in every row, and once the pictures that the scene asks for. A
// scene that asks for none gets the slip rates of all members over time, and a map of each strip.
#include "elastodynamic_scene.h"

#include <math.h>
#include <string.h>

enum { FIELDS = 5 };  // of a body in space at most; a strip has two

// Slip rate (in space its length), pressure, and of blocks and meshes the slip rate as a vector.
static const char *const field_names[FIELDS] = {"rate", "pressure", "rate_x", "rate_y", "rate_z"};

static int fields_of(const stc_wave_member *m) {
  if (m->strip.mesh) return 2 + m->strip.dim;
  return m->strip.dim == 3 ? 4 : 2;
}

static double *fill_strip(const stc_wave_member *m, double *rate) {
  const stc_strip *strip = m->running_strip;
  int contacts = stc_strip_contacts(strip), tangents = m->strip.dim - 1, fields = fields_of(m);
  const double *w = stc_strip_slip(strip);
  double *pressure = rate + contacts, *part = pressure + contacts;
  memcpy(pressure, stc_strip_pressure(strip), (size_t)contacts * sizeof *pressure);
  for (int i = 0; i < contacts; i++) {
    const double *at = w + i * tangents;
    double vector[3];
    stc_strip_in_space(strip, i, at, vector);
    rate[i] = tangents == 2 ? hypot(at[0], at[1]) : at[0];
    for (int k = 0; k < fields - 2; k++) part[k * contacts + i] = vector[k];
  }
  return part + (fields - 2) * contacts;
}

stc_error stc_wave_run_fill(void *moving, double *numbers) {
  const stc_wave_run *run = moving;
  for (int k = 0; k < run->wave->members; k++) {
    const stc_wave_member *m = run->wave->member[k];
    if (m->running_strip) numbers = fill_strip(m, numbers);
  }
  return STC_OK;
}

// --- Constants ---

static void add_text(stc_wave_run *run, const char *name) {
  stc_show_constant(&run->run, (stc_constant){name, 0, NULL});
}

// x of the contact nodes.
static void add_map(stc_wave_run *run, const stc_wave_member *m) {
  int contacts = stc_strip_contacts(m->running_strip), tangents = m->strip.dim - 1;
  double *place = STC_TAKE(&run->run.arena, double, contacts);
  for (int k = 0; place && k < contacts; k++)
    place[k] = stc_strip_place(m->running_strip)[k * tangents];
  stc_show_constant(
      &run->run, (stc_constant){stc_run_print(&run->run, "map|rate|%s", m->name), contacts, place});
}

static const stc_wave_member *find_strip(const stc_wave_run *run, const char *name) {
  for (int k = 0; k < run->wave->members; k++) {
    const stc_wave_member *m = run->wave->member[k];
    if (m->running_strip && !strcmp(m->name, name)) return m;
  }
  return NULL;
}

// x, then y, of the contact nodes.
static void add_arrows(stc_wave_run *run, const stc_wave_member *m) {
  int contacts = stc_strip_contacts(m->running_strip), dim = m->strip.dim;
  const double *point = stc_strip_point(m->running_strip);
  double *place = STC_TAKE(&run->run.arena, double, 2 * contacts);
  for (int k = 0; place && k < contacts; k++)
    place[k] = point[k * dim], place[contacts + k] = point[k * dim + 1];
  stc_show_constant(&run->run, (stc_constant){stc_run_print(&run->run, "arrows|rate|%s", m->name),
                                              2 * contacts, place});
  if (dim == 2)
    stc_show_constant(&run->run, (stc_constant){"curve|contact surface", 2 * contacts, place});
}

static stc_error no_strip(const stc_wave_run *run, const char *what, const char *name) {
  return stc_fail(STC_ERR_FORMAT, "%s:%d: picture: there is no strip '%s' to %s",
                  run->run.scene->path, run->wave->line, name, what);
}

static stc_error add_asked_map(stc_wave_run *run, const char *name) {
  const stc_wave_member *m = find_strip(run, name);
  if (!m) return no_strip(run, "make a map of", name);
  if (m->strip.dim != 2)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: picture: strip '%s' is in space; a map is of a plane "
                    "one",
                    run->run.scene->path, m->line, m->name);
  add_map(run, m);
  return STC_OK;
}

static stc_error add_asked_arrows(stc_wave_run *run, const char *name) {
  const stc_wave_member *m = find_strip(run, name);
  if (!m) return no_strip(run, "draw arrows for", name);
  if (fields_of(m) < 4)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: picture: strip '%s' is a plane cylinder, whose slip has no other "
                    "direction; arrows are for meshes and blocks",
                    run->run.scene->path, m->line, m->name);
  add_arrows(run, m);
  return STC_OK;
}

static stc_error add_asked(stc_wave_run *run) {
  for (int k = 0; k < run->wave->notes; k++) {
    const stc_constant *note = &run->wave->note[k];
    if (!strncmp(note->name, "map|", 4))
      STC_TRY(add_asked_map(run, note->name + 4));
    else if (!strncmp(note->name, "arrows|", 7))
      STC_TRY(add_asked_arrows(run, note->name + 7));
    else
      stc_show_constant(&run->run, *note);
  }
  return STC_OK;
}

static void add_usual(stc_wave_run *run) {
  add_text(run, "picture|slip rate|t");
  bool one = run->wave->members == 1;
  for (int k = 0; k < run->wave->members; k++) {
    const char *name = run->wave->member[k]->name;
    add_text(run, one ? stc_run_print(&run->run, "line|%s|t|w", name)
                      : stc_run_print(&run->run, "line|%s|t|%s_w", name, name));
  }
  for (int k = 0; k < run->wave->members; k++) {
    const stc_wave_member *m = run->wave->member[k];
    if (!m->running_strip || m->strip.dim != 2) continue;
    add_text(run, stc_run_print(&run->run, "picture|slip rate over place and time: %s|t", m->name));
    add_map(run, m);
  }
  for (int k = 0; k < run->wave->members; k++) {
    const stc_wave_member *m = run->wave->member[k];
    if (!m->running_strip || !m->strip.mesh) continue;
    add_text(run, stc_run_print(&run->run, "picture|slip rate as arrows: %s|x", m->name));
    add_arrows(run, m);
  }
}

stc_error stc_wave_run_list(stc_wave_run *run) {
  for (int k = 0; k < run->wave->members; k++) {
    const stc_wave_member *m = run->wave->member[k];
    if (m->strip.mesh && !run->run.mesh) run->run.mesh = m->strip.mesh;
    for (int i = 0; m->running_strip && i < fields_of(m); i++)
      stc_show_block(&run->run, stc_run_print(&run->run, "%s|%s", field_names[i], m->name),
                     stc_strip_contacts(m->running_strip));
  }
  if (run->wave->notes) return add_asked(run);
  add_usual(run);
  return STC_OK;
}
