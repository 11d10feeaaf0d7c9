// Pictures as pixels: lines and words on them, and PNG files.
#ifndef STC_RENDER_PIXELS_H
#define STC_RENDER_PIXELS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct image {
  int width, height;
  float *rgb;  ///< [height*width*3], rows from the top, linear light
} image;

/// False: out of memory.
bool image_make(image *picture, int width, int height);
void image_free(image *picture);

/// Copies `part` to where its upper left corner is at (x, y); what is outside is left out.
void image_place(image *picture, const image *part, int x, int y);

/// A straight line with round ends between pixel coordinates a and b.
void image_line(image *picture, const double a[2], const double b[2], double width,
                const double rgb[3], double opacity);

/// Digits, letters of "t = -1.5e+07 s" and blanks; (x, y) is the left end of the line they stand
/// on. Characters that it does not know are blanks.
void image_words(image *picture, const char *words, double x, double y, double height,
                 const double rgb[3]);

/// Eight bits per colour, sRGB. False: it could not be written, or out of memory.
bool image_write(const image *picture, FILE *out);

#endif
