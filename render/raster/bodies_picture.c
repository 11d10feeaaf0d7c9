// Pictures of rigid bodies, seen by one camera: a row, some moments of the run side by side, or a
// picture for each row.
#include "bodies_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../output.h"
#include "../run_tables.h"
#include "draw.h"

enum { MAX_PATH = 4096 };

static const double CELL_SHAPE = 1.4;        // width over height that moments had best have
static const double LABEL_HEIGHT = 1 / 36.;  // of a moment
static const double label_color[3] = {0.04, 0.05, 0.06};
static const double frame_color[3] = {0.75, 0.77, 0.8};

// Pictures at work.
typedef struct album {
  stc_replay *replay;
  const bodies_look *look;
  stage stage;
  stage_options options;
  bool *hidden;       // [bodies]
  int width, height;  // of one picture
  stc_camera camera;
  double t;        // of the row that is on the stage
  double largest;  // force
} album;

// ---- what the stage asks

static bool own_color(const void *user, int body, double rgb[3]) {
  return stc_replay_color(((const album *)user)->replay, body, rgb);
}

static bool is_left_out(const void *user, int body) { return ((const album *)user)->hidden[body]; }

// A name, or a number from 1; -1: there is none.
static int body_named(const album *a, const char *name, size_t length) {
  int bodies = stc_world_body_slots(stc_replay_world(a->replay));
  for (int k = 0; k < bodies; k++) {
    const char *other = stc_replay_name(a->replay, k);
    if (other && strlen(other) == length && !strncmp(other, name, length)) return k;
  }
  char *end;
  long number = strtol(name, &end, 10);
  return end == name + length && number >= 1 && number <= bodies ? (int)number - 1 : -1;
}

static bool leave_out(album *a) {
  int bodies = stc_world_body_slots(stc_replay_world(a->replay));
  a->hidden = calloc((size_t)bodies + 1, sizeof *a->hidden);
  if (!a->hidden) return render_fails("out of memory for %d bodies", bodies);
  for (const char *at = a->look->hide; at && *at;) {
    size_t length = strcspn(at, ",");
    int body = body_named(a, at, length);
    if (body < 0) {
      return render_fails("there is no body '%.*s' to hide; give names, or numbers 1 to %d",
                          (int)length, at, bodies);
    }
    a->hidden[body] = true;
    at += length + (at[length] == ',');
  }
  return true;
}

static bool load_row(album *a, long row) {
  if (!render_succeeds(stc_replay_load(a->replay, row))) return false;
  a->t = stc_replay_time(a->replay);
  if (!stage_set(&a->stage, stc_replay_world(a->replay), &a->options))
    return render_fails("out of memory for the bodies of row %ld", row);
  return !a->look->forces || run_add_forces(a->replay, &a->stage);
}

// ---- the camera

// What the options say stands over the scene's camera, unless they begin with `auto`, and that over
// one that sees everything.
static bool choose_camera(album *a, const view_frame *frame) {
  char reason[300];
  a->camera = view_frame_camera(frame);
  double width = a->camera.width;
  const char *text = a->look->camera ? a->look->camera : "";
  if (!strcmp(text, "auto") || !strncmp(text, "auto ", 5))
    text += strlen("auto");
  else
    (void)stc_replay_camera(a->replay, &a->camera);
  if (!view_parse(text, &a->camera, reason, sizeof reason))
    return render_fails("--camera: %s", reason);
  // In a flat world cameras look along z: where they look, and how wide, is all they say.
  if (a->stage.flat) {
    if (!(a->camera.width > 0)) a->camera.width = width;
    a->camera.angle = 0;
    for (int i = 0; i < 3; i++) {
      a->camera.from[i] = i == 2 ? a->camera.to[2] + 1 : a->camera.to[i];
      a->camera.up[i] = i == 1;
    }
  }
  return true;
}

// One camera and one scale of forces for all of these rows; the last one is then on the stage.
static bool look_at(album *a, const long *row, long rows) {
  view_frame frame;
  for (long k = 0; k < rows; k++) {
    if (!load_row(a, row[k])) return false;
    if (k == 0) frame = view_frame_begin(&a->stage, a->width, a->height);
    view_frame_add(&frame, &a->stage);
    if (!paint_largest(&a->stage, &a->largest)) return render_fails("out of memory");
  }
  return choose_camera(a, &frame);
}

// ---- PNG

static bool make_image(image *picture, int width, int height) {
  if (image_make(picture, width, height)) return true;
  return render_fails("out of memory for a picture of %d x %d", width, height);
}

static bool paint_row(album *a, image *picture) {
  if (!paint(picture, &a->stage, &a->camera))
    return render_fails("out of memory for a picture of %d x %d", a->width, a->height);
  if (a->look->forces) paint_forces(picture, &a->stage, &a->camera, a->largest);
  return true;
}

static bool write_png(FILE *out, const void *user) {
  return image_write(user, out) || ferror(out) || render_fails("out of memory for the picture");
}

// ---- several moments

// Columns and rows of cells that are nearest to the best shape.
static void arrange(int moments, int width, int height, int *columns, int *rows) {
  double best = INFINITY;
  for (int c = 1; c <= moments; c++) {
    int r = (moments + c - 1) / c;
    double shape = (double)width / c / ((double)height / r);
    double off = fabs(log(shape / CELL_SHAPE)) + 0.2 * (c * r - moments);
    if (off >= best) continue;
    best = off;
    *columns = c;
    *rows = r;
  }
}

static void draw_rules(image *whole, int columns, int rows) {
  for (int c = 1; c < columns; c++) {
    double x = (double)(whole->width / columns * c), a[2] = {x, 0}, b[2] = {x, whole->height};
    image_line(whole, a, b, 1, frame_color, 1);
  }
  for (int r = 1; r < rows; r++) {
    double y = (double)(whole->height / rows * r), a[2] = {0, y}, b[2] = {whole->width, y};
    image_line(whole, a, b, 1, frame_color, 1);
  }
}

static bool paint_moments(album *a, const long *row, int moments, int columns, image *whole,
                          image *cell) {
  double rgb[3];
  size_t count = 3 * (size_t)whole->width * (size_t)whole->height;
  paint_background(1, rgb);
  for (size_t k = 0; k < count; k++) whole->rgb[k] = (float)rgb[k % 3];
  for (int k = 0; k < moments; k++) {
    if (!load_row(a, row[k]) || !paint_row(a, cell)) return false;
    double t = a->t;
    char text[60];
    double height = fmin(fmax(LABEL_HEIGHT * cell->height, 9), 24);
    snprintf(text, sizeof text, "t = %.4g s", t);
    image_words(cell, text, 1.5 * height, 2.5 * height, height, label_color);
    image_place(whole, cell, k % columns * a->width, k / columns * a->height);
  }
  return true;
}

static bool save_moments(album *a, const char *path) {
  long last = stc_replay_rows(a->replay) - 1, row[BODIES_MOST_MOMENTS];
  int columns = 1, rows = 1;
  int moments = a->look->moments <= last ? a->look->moments : (int)last + 1;
  image whole = {0}, cell = {0};
  arrange(moments, a->look->width, a->look->height, &columns, &rows);
  a->width = a->look->width / columns, a->height = a->look->height / rows;
  for (int k = 0; k < moments; k++) row[k] = lround((double)last * k / fmax(moments - 1, 1));
  bool good = look_at(a, row, moments) && make_image(&whole, a->look->width, a->look->height) &&
              make_image(&cell, a->width, a->height) &&
              paint_moments(a, row, moments, columns, &whole, &cell);
  if (good) draw_rules(&whole, columns, rows);
  good = good && render_save(path, write_png, &whole);
  image_free(&whole);
  image_free(&cell);
  return good;
}

// ---- one row, or all

static bool save_rows(album *a, const long *row, long rows, const char *path, bool directory) {
  image picture = {0};
  char name[MAX_PATH];
  bool good = look_at(a, row, rows) && make_image(&picture, a->width, a->height);
  for (long k = 0; k < rows && good; k++) {
    if (directory) snprintf(name, sizeof name, "%.4000s%04ld.png", path, row[k]);
    good = (rows == 1 || load_row(a, row[k])) && paint_row(a, &picture) &&
           render_save(directory ? name : path, write_png, &picture);
  }
  image_free(&picture);
  return good;
}

static bool save_directory(album *a, const char *path) {
  long all = stc_replay_rows(a->replay), rows = (all + a->look->every - 1) / a->look->every;
  long *row = calloc((size_t)rows, sizeof *row);
  if (!row) return render_fails("out of memory for %ld rows", rows);
  for (long k = 0; k < rows; k++) row[k] = k * a->look->every;
  bool good = render_make_directory(path) && save_rows(a, row, rows, path, true);
  free(row);
  return good;
}

// ---- SVG

static bool write_svg(FILE *out, const void *user) {
  const album *a = user;
  draw_options options = {.width = a->width,
                          .height = a->height,
                          .title = a->look->title,
                          .forces = a->look->forces,
                          .largest = a->largest};
  bool good = draw(out, &a->stage, &a->camera, &options);
  return good || render_fails("out of memory for the picture");
}

static bool save_svg(album *a, const char *path) {
  long row = a->look->row < 0 ? stc_replay_rows(a->replay) - 1 : a->look->row;
  return look_at(a, &row, 1) && render_save(path, write_svg, a);
}

static bool save_png(album *a, const char *path) {
  size_t length = strlen(path);
  long row = a->look->row < 0 ? stc_replay_rows(a->replay) - 1 : a->look->row;
  if (a->look->moments > 0) return save_moments(a, path);
  if (length > 0 && path[length - 1] == '/') return save_directory(a, path);
  return save_rows(a, &row, 1, path, false);
}

static bool make_pictures(stc_replay *replay, const bodies_look *look, const char *path,
                          bool (*save)(album *, const char *)) {
  album a = {.replay = replay, .look = look, .width = look->width, .height = look->height};
  a.options = (stage_options){.color = own_color, .hidden = is_left_out, .user = &a};
  bool good = leave_out(&a) && save(&a, path);
  stage_free(&a.stage);
  free(a.hidden);
  return good;
}

bool bodies_svg(stc_replay *replay, const bodies_look *look, const char *path) {
  return make_pictures(replay, look, path, save_svg);
}

bool bodies_png(stc_replay *replay, const bodies_look *look, const char *path) {
  return make_pictures(replay, look, path, save_png);
}
