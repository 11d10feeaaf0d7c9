// Pixels of a picture, in linear light until they are written.
#include "pixels.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "stage.h"

bool image_make(image *picture, int width, int height) {
  size_t count = 3 * (size_t)width * (size_t)height;
  *picture = (image){.width = width, .height = height, .rgb = calloc(count, sizeof(float))};
  return picture->rgb != NULL;
}

void image_free(image *picture) {
  free(picture->rgb);
  *picture = (image){0};
}

void image_place(image *picture, const image *part, int x, int y) {
  int from = x < 0 ? -x : 0, to = part->width;
  if (x + to > picture->width) to = picture->width - x;
  for (int j = 0; j < part->height; j++) {
    if (y + j < 0 || y + j >= picture->height || from >= to) continue;
    size_t there = ((size_t)(y + j) * (size_t)picture->width + (size_t)(x + from)) * 3;
    size_t here = ((size_t)j * (size_t)part->width + (size_t)from) * 3;
    memcpy(picture->rgb + there, part->rgb + here, (size_t)(to - from) * 3 * sizeof(float));
  }
}

// ---- lines

static double distance_to(const double a[2], const double b[2], double x, double y) {
  double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
  double t = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
  t = fmin(fmax(t, 0), 1);
  return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

void image_line(image *picture, const double a[2], const double b[2], double width,
                const double rgb[3], double opacity) {
  double half = width / 2, reach = half + 1;
  if (!isfinite(a[0] + a[1] + b[0] + b[1])) return;
  int left = (int)fmax(fmin(a[0], b[0]) - reach, 0), top = (int)fmax(fmin(a[1], b[1]) - reach, 0);
  double right = fmin(fmax(a[0], b[0]) + reach, picture->width);
  double bottom = fmin(fmax(a[1], b[1]) + reach, picture->height);
  for (int j = top; j < bottom; j++) {
    for (int i = left; i < right; i++) {
      double cover = half + 0.5 - distance_to(a, b, i + 0.5, j + 0.5);
      cover = fmin(fmax(cover, 0), fmin(1, width));
      if (cover > 0) {
        double part = cover * opacity;
        float *pixel = picture->rgb + ((size_t)j * (size_t)picture->width + (size_t)i) * 3;
        for (int k = 0; k < 3; k++) pixel[k] += (float)(part * (rgb[k] - (double)pixel[k]));
      }
    }
  }
}

// ---- words

// Strokes on a grid 4 wide and 6 high, y upwards: pairs of digits, lines end at a blank.
typedef struct letter {
  char name;
  int width;
  const char *strokes;
} letter;

static const letter letters[] = {{'0', 4, "10 01 05 16 36 45 41 30 10"},
                                 {'1', 4, "14 26 20,10 30"},
                                 {'2', 4, "05 16 36 45 44 00 40"},
                                 {'3', 4, "05 16 36 45 44 33 42 41 30 10 01,13 33"},
                                 {'4', 4, "30 36 02 42"},
                                 {'5', 4, "01 10 30 41 43 34 03 06 46"},
                                 {'6', 4, "02 13 33 42 41 30 10 01 04 26 36"},
                                 {'7', 4, "06 46 10"},
                                 {'8', 4, "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33"},
                                 {'9', 4, "10 20 42 45 36 16 05 04 13 33 44"},
                                 {'.', 1, "00 00"},
                                 {'-', 3, "03 33"},
                                 {'+', 3, "03 33,11 15"},
                                 {'=', 4, "02 42,04 44"},
                                 {'e', 3, "02 32 33 24 14 03 01 10 30"},
                                 {'s', 3, "00 20 31 22 12 03 14 34"},
                                 {'t', 3, "16 11 20 30,04 34"}};
enum { LETTERS = sizeof letters / sizeof *letters, GRID = 6, BLANK = 3, SPACING = 2 };

static void draw_strokes(image *picture, const char *at, const double origin[2], double unit,
                         const double rgb[3]) {
  double last[2] = {0};
  bool down = false;
  for (; *at; at++) {
    if (*at == ',') down = false;
    if (*at == ',' || *at == ' ') continue;
    double x[2] = {origin[0] + unit * (at[0] - '0'), origin[1] - unit * (at[1] - '0')};
    if (down) image_line(picture, last, x, 0.75 * unit, rgb, 1);
    memcpy(last, x, sizeof last);
    down = true;
    at++;
  }
}

void image_words(image *picture, const char *words, double x, double y, double height,
                 const double rgb[3]) {
  double unit = height / GRID, at[2] = {x, y};
  for (; *words; words++) {
    int k = 0;
    while (k < LETTERS && letters[k].name != *words) k++;
    if (k < LETTERS) draw_strokes(picture, letters[k].strokes, at, unit, rgb);
    at[0] += unit * (k < LETTERS ? letters[k].width + SPACING : BLANK);
  }
}

// ---- PNG

// libpng leaves by longjmp where it cannot write.
static bool write_rows(const image *picture, FILE *out, png_structp png, png_infop info,
                       png_byte *row) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_init_io(png, out);
  png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int j = 0; j < picture->height; j++) {
    size_t count = 3 * (size_t)picture->width;
    const float *rgb = picture->rgb + (size_t)j * count;
    for (size_t k = 0; k < count; k++) {
      row[k] = (png_byte)lround(255 * stage_encoded((double)rgb[k]));
    }
    png_write_row(png, row);
  }
  png_write_end(png, info);
  return true;
}

static void stay_silent(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void leave(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

bool image_write(const image *picture, FILE *out) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, stay_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  png_byte *row = malloc(3 * (size_t)picture->width);
  bool good = info && row && write_rows(picture, out, png, info, row);
  free(row);
  png_destroy_write_struct(png ? &png : NULL, info ? &info : NULL);
  return good;
}
