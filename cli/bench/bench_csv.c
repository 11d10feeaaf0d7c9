// Rows of a bench as CSV [RFC 4180], written, read back and turned into JSON by one table of
// columns. A first line that begins with # holds the settings; an empty cell is not known.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef enum column_kind {
  FILE_NAME,
  METHOD,
  FORM,
  STATUS,
  SOLVED,  // follows from the status
  INT,
  LONG,
  REAL,
  NOTE
} column_kind;

typedef struct column {
  const char *name;
  column_kind kind;
  size_t offset;  // in bench_result; of INT, LONG, REAL
} column;

#define FIELD(kind, field)                                                                         \
  { #field, kind, offsetof(bench_result, field) }
static const column columns[] = {
    {"file", FILE_NAME, 0},   {"form", FORM, 0},          FIELD(INT, dimension),
    FIELD(INT, contacts),     FIELD(INT, dofs),           FIELD(REAL, mu_max),
    {"method", METHOD, 0},    {"status", STATUS, 0},      {"solved", SOLVED, 0},
    FIELD(REAL, seconds),     FIELD(REAL, setup_seconds), FIELD(REAL, solve_seconds),
    FIELD(LONG, iterations),  FIELD(REAL, eta),           FIELD(REAL, eta_max),
    FIELD(REAL, fclib_error), FIELD(LONG, peak_bytes),    {"note", NOTE, 0}};
enum { COLUMNS = sizeof columns / sizeof *columns };

const char *bench_outcome_name(int outcome) {
  if (outcome == BENCH_TIMEOUT) return "timeout";
  if (outcome == BENCH_CRASH) return "crash";
  if (outcome == BENCH_REFUSED) return "refused";
  if (outcome == BENCH_INACCURATE) return "inaccurate";
  return stc_status_name((stc_status)outcome);
}

bench_result bench_blank(void) {
  return (bench_result){.outcome = BENCH_PENDING,
                        .form = -1,
                        .dimension = -1,
                        .contacts = -1,
                        .dofs = -1,
                        .mu_max = NAN,
                        .seconds = NAN,
                        .setup_seconds = NAN,
                        .solve_seconds = NAN,
                        .iterations = -1,
                        .eta = NAN,
                        .eta_max = NAN,
                        .fclib_error = NAN,
                        .peak_bytes = -1};
}

// ---- cells

static const void *field_place(const column *c, const bench_result *result) {
  return (const char *)result + c->offset;
}

static long whole_of(const column *c, const bench_result *result) {
  const void *place = field_place(c, result);
  return c->kind == INT ? *(const int *)place : *(const long *)place;
}

static double real_of(const column *c, const bench_result *result) {
  return *(const double *)field_place(c, result);
}

// The cells that are text; NULL: not known.
static const char *text_of(const column *c, const char *file, const char *method,
                           const bench_result *result) {
  switch (c->kind) {
  case FILE_NAME:
    return file;
  case METHOD:
    return method;
  case FORM:
    return result->form < 0 ? NULL : stc_form_name((stc_form)result->form);
  case STATUS:
    return bench_outcome_name(result->outcome);
  default:
    return result->note;
  }
}

// ---- writing

// A # at the beginning of a row would make it a comment.
static void put_text(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n") && text[0] != '#') {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

static void put_cell(FILE *out, const column *c, const char *file, const char *method,
                     const bench_result *result) {
  const char *text;
  switch (c->kind) {
  case SOLVED:
    fputc(result->outcome == STC_STATUS_SOLVED ? '1' : '0', out);
    break;
  case INT:
  case LONG:
    if (whole_of(c, result) >= 0) fprintf(out, "%ld", whole_of(c, result));
    break;
  case REAL:
    if (!isnan(real_of(c, result))) fprintf(out, "%.9g", real_of(c, result));
    break;
  default:
    text = text_of(c, file, method, result);
    if (text) put_text(out, text);
  }
}

void bench_csv_head(FILE *out, const char *head) {
  fprintf(out, "# %s\n", head);
  for (int k = 0; k < COLUMNS; k++) fprintf(out, "%s%s", k ? "," : "", columns[k].name);
  fputc('\n', out);
}

void bench_csv_row(FILE *out, const char *file, const char *method, const bench_result *result) {
  for (int k = 0; k < COLUMNS; k++) {
    if (k > 0) fputc(',', out);
    put_cell(out, &columns[k], file, method, result);
  }
  fputc('\n', out);
}

static void json_cell(cli_json *json, const column *c, const char *file, const char *method,
                      const bench_result *result) {
  long whole;
  switch (c->kind) {
  case SOLVED:
    cli_json_bool(json, c->name, result->outcome == STC_STATUS_SOLVED);
    break;
  case INT:
  case LONG:
    whole = whole_of(c, result);
    if (whole >= 0) cli_json_int(json, c->name, whole);
    if (whole < 0) cli_json_text(json, c->name, NULL);
    break;
  case REAL:
    cli_json_real(json, c->name, real_of(c, result));
    break;
  default:
    cli_json_text(json, c->name, text_of(c, file, method, result));
  }
}

void bench_json_row(cli_json *json, const char *file, const char *method,
                    const bench_result *result) {
  cli_json_open(json, NULL, '{');
  for (int k = 0; k < COLUMNS; k++) json_cell(json, &columns[k], file, method, result);
  cli_json_close(json, '}');
}

// ---- reading

size_t bench_csv_length(const char *text) {
  bool quoted = false;
  for (const char *c = text; *c; c++) {
    if (*c == '"') quoted = !quoted;
    if (*c == '\n' && !quoted) return (size_t)(c - text) + 1;
  }
  return 0;
}

// The text of the cell at *cursor, unquoted in place; *cursor moves behind it and its separator.
static char *next_cell(char **cursor) {
  char *from = *cursor, *to = from, *cell = from;
  bool quoted = false;
  for (; *from && (quoted || (*from != ',' && *from != '\n')); from++) {
    if (*from != '"') {
      *to++ = *from;
    } else if (quoted && from[1] == '"') {
      *to++ = *from++;
    } else {
      quoted = !quoted;
    }
  }
  *cursor = *from ? from + 1 : from;
  *to = 0;
  return cell;
}

static bool read_whole(const char *text, long *value) {
  char *end;
  *value = *text ? strtol(text, &end, 10) : -1;
  return !*text || *end == 0;
}

static bool read_real(const char *text, double *value) {
  char *end;
  *value = *text ? strtod(text, &end) : NAN;
  return !*text || *end == 0;
}

static bool read_cell(const column *c, const char *text, bench_row *row) {
  bench_result *result = &row->result;
  void *place = (char *)result + c->offset;
  long whole = 0;
  bool good = true;
  switch (c->kind) {
  case FILE_NAME:
    row->file = text;
    return *text != 0;
  case METHOD:
    row->method = text;
    return *text != 0;
  case FORM:
    for (int form = STC_FORM_LOCAL; form <= STC_FORM_BODIES; form++)
      if (!strcmp(text, stc_form_name((stc_form)form))) result->form = form;
    return result->form >= 0 || !*text;
  case STATUS:
    for (result->outcome = 0; result->outcome < BENCH_OUTCOMES; result->outcome++)
      if (!strcmp(text, bench_outcome_name(result->outcome))) return true;
    return false;
  case SOLVED:
    return !strcmp(text, result->outcome == STC_STATUS_SOLVED ? "1" : "0");
  case INT:
    good = read_whole(text, &whole);
    *(int *)place = (int)whole;
    return good;
  case LONG:
    return read_whole(text, place);
  case REAL:
    return read_real(text, place);
  case NOTE:
    snprintf(result->note, sizeof result->note, "%s", text);
  }
  return true;
}

bool bench_csv_read(char *text, bench_row *row) {
  *row = (bench_row){.result = bench_blank()};
  for (int k = 0; k < COLUMNS; k++)
    if (!*text || !read_cell(&columns[k], next_cell(&text), row)) return false;
  return *text == 0;
}
