// Pictures of rigid bodies, seen by one camera: a row, some moments of the run side by side, or a
// picture for each row.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies_export.h"
#include "render/raster/draw.h"

enum { MAX_PATH = 4096 };

static const double CELL_SHAPE = 1.4;        // width over height that moments had best have
static const double LABEL_HEIGHT = 1 / 36.;  // of a moment
static const double label_color[3] = {0.04, 0.05, 0.06};
static const double frame_color[3] = {0.75, 0.77, 0.8};

// Pictures at work.
typedef struct album {
  stc_replay *replay;
  const rigid_look *look;
  stage stage;
  stage_options options;
  bool *hidden;       // [bodies]
  int width, height;  // of one picture
  stc_camera camera;
  double t;        // of the row that is on the stage
  double largest;  // force
} album;

// ---- what the stage asks

static bool color_of(const void *user, int body, double rgb[3]) {
  return stc_replay_color(((const album *)user)->replay, body, rgb);
}

static bool is_hidden(const void *user, int body) { return ((const album *)user)->hidden[body]; }

// A name, or a number from 1; -1: there is none.
static int body_named(const album *a, const char *name, size_t length) {
  int bodies = stc_world_bodies(stc_replay_world(a->replay));
  for (int k = 0; k < bodies; k++) {
    const char *other = stc_replay_name(a->replay, k);
    if (other && strlen(other) == length && !strncmp(other, name, length)) return k;
  }
  char *end;
  long number = strtol(name, &end, 10);
  return end == name + length && number >= 1 && number <= bodies ? (int)number - 1 : -1;
}

static int hide(album *a) {
  int bodies = stc_world_bodies(stc_replay_world(a->replay));
  a->hidden = calloc((size_t)bodies + 1, sizeof *a->hidden);
  if (!a->hidden) return cli_complain("out of memory for %d bodies", bodies);
  for (const char *at = a->look->hide; at && *at;) {
    size_t length = strcspn(at, ",");
    int body = body_named(a, at, length);
    if (body < 0) {
      return cli_complain("there is no body '%.*s' to hide; give names, or numbers 1 to %d",
                          (int)length, at, bodies);
    }
    a->hidden[body] = true;
    at += length + (at[length] == ',');
  }
  return CLI_DONE;
}

int rigid_add_forces(stc_replay *replay, stage *s) {
  stc_world_report report;
  stc_error error = stc_replay_step(replay, &report);
  if (error) return cli_complain_library(error);
  if (!report.accepted) {
    return cli_complain("row %ld: the step that begins there has no answer: %s",
                        stc_replay_row(replay), report.reason);
  }
  bool good = stage_add_forces(s, stc_replay_world(replay));
  return good ? CLI_DONE : cli_complain("out of memory for the forces");
}

static int load(album *a, long row) {
  stc_error error = stc_replay_load(a->replay, row);
  if (error) return cli_complain_library(error);
  a->t = stc_replay_time(a->replay);
  if (!stage_set(&a->stage, stc_replay_world(a->replay), &a->options))
    return cli_complain("out of memory for the bodies of row %ld", row);
  return a->look->forces ? rigid_add_forces(a->replay, &a->stage) : CLI_DONE;
}

// ---- the camera

// In a flat world cameras look along z: where they look, and how wide, is all they say.
static void flatten(stc_camera *camera, double width) {
  if (!(camera->width > 0)) camera->width = width;
  camera->angle = 0;
  for (int i = 0; i < 3; i++) {
    camera->from[i] = i == 2 ? camera->to[2] + 1 : camera->to[i];
    camera->up[i] = i == 1;
  }
}

// What the options say stands over the scene's camera, unless they begin with `auto`, and that over
// one that sees everything.
static int choose_camera(album *a, const view_frame *frame) {
  char reason[300];
  a->camera = view_frame_camera(frame);
  double width = a->camera.width;
  const char *words = a->look->camera ? a->look->camera : "";
  bool chosen = !strcmp(words, "auto") || !strncmp(words, "auto ", 5);
  if (chosen)
    words += strlen("auto");
  else
    (void)stc_replay_camera(a->replay, &a->camera);
  if (!view_parse(words, &a->camera, reason, sizeof reason))
    return cli_complain("--camera: %s", reason);
  if (a->stage.flat) flatten(&a->camera, width);
  return CLI_DONE;
}

// One camera and one scale of forces for all of these rows; the last one is then on the stage.
static int look_at(album *a, const long *row, long rows) {
  view_frame frame;
  int status = CLI_DONE;
  for (long k = 0; k < rows && !status; k++) {
    status = load(a, row[k]);
    if (status) break;
    if (k == 0) frame = view_frame_begin(&a->stage, a->width, a->height);
    view_frame_add(&frame, &a->stage);
    if (!paint_largest(&a->stage, &a->largest)) return cli_complain("out of memory");
  }
  return status ? status : choose_camera(a, &frame);
}

// ---- PNG

static int paint_row(album *a, image *picture) {
  if (!paint(picture, &a->stage, &a->camera))
    return cli_complain("out of memory for a picture of %d x %d", a->width, a->height);
  if (a->look->forces) paint_forces(picture, &a->stage, &a->camera, a->largest);
  return CLI_DONE;
}

static void write_png(FILE *out, const void *user) {
  if (!image_write(user, out) && !ferror(out)) cli_save_fails();
}

static int save_one(album *a, image *picture, const char *path) {
  int status = paint_row(a, picture);
  return status ? status : cli_save(path, write_png, picture);
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

static void label(image *cell, double t) {
  char words[60];
  double height = fmin(fmax(LABEL_HEIGHT * cell->height, 9), 24);
  snprintf(words, sizeof words, "t = %.4g s", t);
  image_words(cell, words, 1.5 * height, 2.5 * height, height, label_color);
}

static void rule(image *whole, int columns, int rows) {
  for (int c = 1; c < columns; c++) {
    double x = (double)(whole->width / columns * c), a[2] = {x, 0}, b[2] = {x, whole->height};
    image_line(whole, a, b, 1, frame_color, 1);
  }
  for (int r = 1; r < rows; r++) {
    double y = (double)(whole->height / rows * r), a[2] = {0, y}, b[2] = {whole->width, y};
    image_line(whole, a, b, 1, frame_color, 1);
  }
}

static void fill(image *whole) {
  double rgb[3];
  paint_background(1, rgb);
  size_t count = (size_t)whole->width * (size_t)whole->height;
  for (size_t k = 0; k < 3 * count; k++) whole->rgb[k] = (float)rgb[k % 3];
}

static int paint_moments(album *a, const long *row, int moments, int columns, image *whole,
                         image *cell) {
  int status = CLI_DONE;
  fill(whole);
  for (int k = 0; k < moments && !status; k++) {
    status = load(a, row[k]);
    if (!status) status = paint_row(a, cell);
    if (status) return status;
    label(cell, a->t);
    image_place(whole, cell, k % columns * a->width, k / columns * a->height);
  }
  return status;
}

static int save_moments(album *a, const char *path) {
  long last = stc_replay_rows(a->replay) - 1, row[RIGID_MOST_MOMENTS];
  int columns = 1, rows = 1;
  int moments = a->look->moments <= last ? a->look->moments : (int)last + 1;
  image whole = {0}, cell = {0};
  arrange(moments, a->look->width, a->look->height, &columns, &rows);
  a->width = a->look->width / columns, a->height = a->look->height / rows;
  for (int k = 0; k < moments; k++) row[k] = lround((double)last * k / fmax(moments - 1, 1));
  int status = look_at(a, row, moments);
  if (!status && !(image_make(&whole, a->look->width, a->look->height) &&
                   image_make(&cell, a->width, a->height)))
    status = cli_complain("out of memory for the picture");
  if (!status) status = paint_moments(a, row, moments, columns, &whole, &cell);
  if (!status) {
    rule(&whole, columns, rows);
    status = cli_save(path, write_png, &whole);
  }
  image_free(&whole);
  image_free(&cell);
  return status;
}

// ---- one row, or all

static int save_rows(album *a, const long *row, long rows, const char *path, bool directory) {
  image picture = {0};
  char name[MAX_PATH];
  int status = look_at(a, row, rows);
  if (!status && !image_make(&picture, a->width, a->height))
    status = cli_complain("out of memory for a picture of %d x %d", a->width, a->height);
  for (long k = 0; k < rows && !status; k++) {
    if (directory) snprintf(name, sizeof name, "%.4000s%04ld.png", path, row[k]);
    if (rows > 1) status = load(a, row[k]);
    if (!status) status = save_one(a, &picture, directory ? name : path);
  }
  image_free(&picture);
  return status;
}

static int save_directory(album *a, const char *path) {
  long all = stc_replay_rows(a->replay), rows = (all + a->look->every - 1) / a->look->every;
  long *row = calloc((size_t)rows, sizeof *row);
  int status = row ? cli_make_directory(path) : cli_complain("out of memory for %ld rows", rows);
  for (long k = 0; k < rows && row; k++) row[k] = k * a->look->every;
  if (!status) status = save_rows(a, row, rows, path, true);
  free(row);
  return status;
}

static int begin(album *a) {
  a->options = (stage_options){.color = color_of, .hidden = is_hidden, .user = a};
  a->width = a->look->width;
  a->height = a->look->height;
  return hide(a);
}

static long row_of(const album *a) {
  return a->look->row < 0 ? stc_replay_rows(a->replay) - 1 : a->look->row;
}

static void end(album *a) {
  stage_free(&a->stage);
  free(a->hidden);
}

int rigid_png(stc_replay *replay, const rigid_look *look, const char *path) {
  album a = {.replay = replay, .look = look};
  size_t length = strlen(path);
  long row = row_of(&a);
  int status = begin(&a);
  if (!status && look->moments > 0)
    status = save_moments(&a, path);
  else if (!status && length > 0 && path[length - 1] == '/')
    status = save_directory(&a, path);
  else if (!status)
    status = save_rows(&a, &row, 1, path, false);
  end(&a);
  return status;
}

// ---- SVG

static void write_svg(FILE *out, const void *user) {
  const album *a = user;
  draw_options options = {.width = a->width,
                          .height = a->height,
                          .title = a->look->title,
                          .forces = a->look->forces,
                          .largest = a->largest};
  if (!draw(out, &a->stage, &a->camera, &options)) cli_save_fails();
}

int rigid_svg(stc_replay *replay, const rigid_look *look, const char *path) {
  album a = {.replay = replay, .look = look};
  long row = row_of(&a);
  int status = begin(&a);
  if (!status) status = look_at(&a, &row, 1);
  if (!status) status = cli_save(path, write_svg, &a);
  end(&a);
  return status;
}
