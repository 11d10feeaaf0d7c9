// Tables as CSV: cells that hold commas, quotes or line breaks are quoted.
#include "output.h"

#include <math.h>
#include <string.h>

static void separate(csv *row) {
  if (row->inside) fputc(',', row->out);
  row->inside = true;
}

void csv_text(csv *row, const char *text) {
  separate(row);
  if (!strpbrk(text, ",\"\r\n") && text[0] != '#') {
    fputs(text, row->out);
    return;
  }
  fputc('"', row->out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', row->out);
    fputc(*text, row->out);
  }
  fputc('"', row->out);
}

void csv_reals(csv *row, const double *value, int count) {
  for (int k = 0; k < count; k++) {
    separate(row);
    fprintf(row->out, "%.17g", value[k]);
  }
}

void csv_real(csv *row, double value, int digits) {
  separate(row);
  if (!isnan(value)) fprintf(row->out, "%.*g", digits, value);
}

void csv_end(csv *row) {
  fputc('\n', row->out);
  row->inside = false;
}
