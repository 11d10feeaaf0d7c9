// Feeds arbitrary bytes to the reader of run files. Whatever the bytes are, every call returns, and
// a failure leaves a sentence that names the file.
#include "one_file.h"

#include <stiction/scene.h>

static volatile double sink;  // what is read must be read

// Everything that is promised can be touched.
static void touch(const stc_trajectory *t) {
  double sum = 0;
  size_t letters = strlen(t->scene);
  for (long k = 0; k < t->rows * t->columns; k++) sum += t->value[k];
  for (int k = 0; k < t->columns; k++) letters += strlen(t->name[k]);
  for (int k = 0; k < t->parameters; k++) letters += strlen(t->parameter[k]);
  for (int k = 0; k < t->observables; k++) {
    const stc_observed *o = &t->observed[k];
    letters += strlen(t->observable[k]) + (o->number > 0);
    if (o->kind == STC_OBSERVED_TEXT) letters += strlen(o->text);
    for (int i = 0; i < o->count; i++) sum += o->list[i];
  }
  sink = sum + (double)letters;
}

static void touch_bodies(stc_snapshot *s) {
  double sum = 0;
  size_t letters = 0;
  for (int k = 0; k < s->mesh.nodes * s->mesh.dim; k++)
    sum += s->mesh.x[k] + s->displacement[k] + s->reaction[k];
  for (int k = 0; k < s->mesh.cells; k++) sum += s->stress[6 * k + 5] + s->alpha[k];
  for (int k = 0; k < s->mesh.ptr[s->mesh.cells]; k++) sum += s->mesh.x[s->mesh.node[k]];
  for (int g = 0; g < s->mesh.groups; g++)
    for (int k = 0; k < s->mesh.group[g].cells; k++) sum += s->mesh.group[g].cell[k];
  for (int k = 0; k < s->first[s->pairs]; k++) sum += s->point[k].pressure;
  for (int k = 0; k < s->curves; k++) {
    letters += strlen(s->curve[k].plot) + strlen(s->curve[k].quantity);
    for (int i = 0; i < s->curve[k].count; i++) sum += s->curve[k].x[i] + s->curve[k].y[i];
  }
  sink = sum + (double)letters;
}

static void read_bodies(void) {
  stc_snapshot *snapshot = NULL;
  stc_error error = stc_snapshot_open(path, &snapshot);
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  if (!error) touch_bodies(snapshot);
  if (!error && stc_snapshot_load(snapshot, 0) == STC_OK) touch_bodies(snapshot);
  stc_snapshot_free(&snapshot);
}

static void read_pictures(void) {
  stc_album *album = NULL;
  double sum = 0;
  stc_error error = stc_album_read(path, &album);
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  for (int k = 0; !error && k < album->pictures; k++) {
    const stc_picture *p = &album->picture[k];
    sum += (double)(strlen(p->title) + strlen(p->x_label));
    for (int i = 0; i < p->lines; i++)
      for (long j = 0; j < p->line[i].count; j++)
        sum += p->line[i].x[j * p->line[i].stride] + p->line[i].y[j * p->line[i].stride];
    for (long j = 0; j < p->times * p->places; j++) sum += p->map[j];
    for (int j = 0; j < p->places; j++) sum += p->place[j];
  }
  sink = sum;
  stc_album_free(&album);
}

static void replay(void) {
  stc_replay *replay = NULL;
  stc_world_report report;
  stc_body_state body;
  stc_camera camera;
  double rgb[3], sum = 0;
  stc_error error = stc_replay_open(path, &replay);
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  if (error) return;
  if (stc_replay_load(replay, 0) == STC_OK && stc_replay_step(replay, &report) == STC_OK) {
    const stc_world *world = stc_replay_world(replay);
    for (int k = 0; k < stc_world_body_slots(world); k++) {
      if (stc_world_body(world, stc_world_body_at(world, k), &body)) continue;
      sum += body.centre[0] + (stc_replay_name(replay, k) && stc_replay_color(replay, k, rgb));
    }
  }
  sink = sum + stc_replay_camera(replay, &camera);
  stc_replay_free(&replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!path[0]) choose_path("fuzz_run");
  store(data, size);
  stc_trajectory *trajectory = NULL;
  stc_error error = stc_trajectory_read(path, &trajectory);
  must(!error || strstr(stc_error_detail(), path), "a failure without the name of the file");
  if (!error) touch(trajectory);
  stc_trajectory_free(&trajectory);
  read_bodies();
  read_pictures();
  replay();
  return 0;
}
