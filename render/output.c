// Files are written under another name and renamed when all of them is on the disk.
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Tables as CSV: cells that hold commas, quotes or line breaks are quoted.

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

void csv_end(csv *row) {
  fputc('\n', row->out);
  row->inside = false;
}

enum { LONGEST_REASON = 2000 };

static _Thread_local char reason[LONGEST_REASON];

bool render_fails(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  return false;
}

bool render_succeeds(stc_error error) {
  const char *detail = stc_error_detail();
  if (!error) return true;
  return render_fails("%s", detail && *detail ? detail : stc_error_text(error));
}

const char *render_reason(void) { return reason; }

// Makes sure that all is on the disk and closes; false if anything could not be written.
static bool close_written(FILE *out) {
  bool good = fflush(out) == 0 && !ferror(out) && fsync(fileno(out)) == 0;
  int saved = errno;
  if (fclose(out)) return false;
  errno = saved;
  return good;
}

static bool save_as(const char *path, const char *draft, render_write write, const void *user) {
  FILE *out = fopen(draft, "w");
  if (!out) return render_fails("%s: cannot be written: %s", draft, strerror(errno));
  if (!write(out, user)) {
    fclose(out);
    unlink(draft);
    return false;
  }
  if (close_written(out) && rename(draft, path) == 0) return true;
  int why = errno;
  unlink(draft);
  return render_fails("%s: cannot be written: %s", path, strerror(why));
}

bool render_save(const char *path, render_write write, const void *user) {
  static const char ending[] = ".new";
  size_t length = strlen(path) + sizeof ending;
  char *draft = malloc(length);
  if (!draft) return render_fails("%s: out of memory", path);
  snprintf(draft, length, "%s%s", path, ending);
  bool good = save_as(path, draft, write, user);
  free(draft);
  return good;
}

bool render_make_directory(const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  return render_fails("%s: cannot be made: %s", path, strerror(errno));
}
