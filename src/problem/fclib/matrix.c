// Reading a matrix: whatever its storage, it becomes a list of (row, column, value), which two
// counting sorts put in order.
#include "matrix.h"

#include "../../base/number.h"

#include <limits.h>

// The values of the dataset nz where it is not a count of triplets.
enum { BY_COLUMNS = -1, BY_ROWS = -2 };

typedef struct triplets {
  long long count;
  int *row, *col;
  double *x;
} triplets;

static const char *member(char *buffer, const char *group, const char *name) {
  stc_snprintf(buffer, STC_FCLIB_NAME, "%s/%s", group, name);
  return buffer;
}

stc_error stc_fclib_shape(stc_fclib_file *file, const char *name, stc_matrix *matrix) {
  char path[STC_FCLIB_NAME];
  bool has = false;
  *matrix = (stc_matrix){0};
  STC_TRY(stc_fclib_has_group(file, name, &has));
  if (!has) return stc_fail(STC_ERR_FORMAT, "the group %s is missing; FCLIB requires it", name);
  STC_TRY(stc_fclib_int(file, member(path, name, "m"), &matrix->rows));
  STC_TRY(stc_fclib_int(file, member(path, name, "n"), &matrix->cols));
  if (matrix->rows < 0 || matrix->cols < 0)
    return stc_fail(STC_ERR_FORMAT, "%s is %d x %d (m x n); sizes are not negative", name,
                    matrix->rows, matrix->cols);
  return STC_OK;
}

static stc_error check_pointers(const char *name, const int *p, int majors, long long most) {
  if (p[0] != 0) return stc_fail(STC_ERR_FORMAT, "%s/p[0] = %d; it should be 0", name, p[0]);
  for (int k = 0; k < majors; k++)
    if (p[k + 1] < p[k])
      return stc_fail(STC_ERR_FORMAT, "%s/p[%d] = %d is less than the one before, %d", name, k + 1,
                      p[k + 1], p[k]);
  if (p[majors] > most)
    return stc_fail(STC_ERR_FORMAT, "%s/p ends at %d, but there are %lld entries", name, p[majors],
                    most);
  return STC_OK;
}

static stc_error fill_dense(stc_fclib_file *file, int cols, triplets *t) {
  t->row = STC_TAKE(&file->arena, int, t->count);
  t->col = STC_TAKE(&file->arena, int, t->count);
  STC_TRY(stc_arena_check(&file->arena));
  for (long long k = 0; k < t->count; k++) {
    t->row[k] = (int)(k / cols);
    t->col[k] = (int)(k % cols);
  }
  return STC_OK;
}

// Compressed storage: `majors` rows (columns), the pointers become the row (column) of each entry.
static stc_error read_compressed(stc_fclib_file *file, const char *name, const stc_matrix *matrix,
                                 bool by_rows, triplets *t) {
  char path[STC_FCLIB_NAME];
  int majors = by_rows ? matrix->rows : matrix->cols, *p = NULL, *minor = NULL;
  long long indices = 0, values = 0;
  STC_TRY(stc_fclib_ints(file, member(path, name, "p"), majors + 1LL, &p));
  STC_TRY(stc_fclib_need_length(file, member(path, name, "i"), &indices));
  STC_TRY(stc_fclib_need_length(file, member(path, name, "x"), &values));
  STC_TRY(check_pointers(name, p, majors, indices < values ? indices : values));
  // Files of old Siconos versions store a dense W by rows with all pointers zero.
  bool dense =
      by_rows && p[majors] == 0 && values > 0 && values == (long long)matrix->rows * matrix->cols;
  if (dense && values > INT_MAX)
    return stc_fail(STC_ERR_FORMAT, "%s has %lld entries; 2147483647 are the most", name, values);
  t->count = dense ? values : p[majors];
  STC_TRY(stc_fclib_doubles(file, member(path, name, "x"), t->count, &t->x));
  if (dense) return fill_dense(file, matrix->cols, t);
  STC_TRY(stc_fclib_ints(file, member(path, name, "i"), t->count, &minor));
  int *major = STC_TAKE(&file->arena, int, t->count);
  STC_TRY(stc_arena_check(&file->arena));
  for (int k = 0; k < majors; k++)
    for (int e = p[k]; e < p[k + 1]; e++) major[e] = k;
  t->row = by_rows ? major : minor;
  t->col = by_rows ? minor : major;
  return STC_OK;
}

// Triplets as CSparse has them: i holds the rows, p the columns.
static stc_error read_triplets(stc_fclib_file *file, const char *name, int nz, triplets *t) {
  char path[STC_FCLIB_NAME];
  t->count = nz;
  STC_TRY(stc_fclib_ints(file, member(path, name, "i"), nz, &t->row));
  STC_TRY(stc_fclib_ints(file, member(path, name, "p"), nz, &t->col));
  return stc_fclib_doubles(file, member(path, name, "x"), nz, &t->x);
}

// order[] rearranged by increasing key, equal keys as they were; place has room for keys + 1.
static void sort_by(const int *key, int keys, int count, const int *order, int *sorted,
                    int *place) {
  for (int k = 0; k <= keys; k++) place[k] = 0;
  for (int k = 0; k < count; k++) place[key[k] + 1]++;
  for (int k = 0; k < keys; k++) place[k + 1] += place[k];
  for (int k = 0; k < count; k++) sorted[place[key[order[k]]]++] = order[k];
}

// By rows; entries at the same place follow each other and are added in the order of the file.
static void compress(const triplets *t, const int *order, stc_matrix *matrix, int *p, int *i,
                     double *x) {
  int count = (int)t->count, n = 0;
  for (int k = 0; k < count; k++) {
    int row = t->row[order[k]], col = t->col[order[k]];
    bool again = k > 0 && row == t->row[order[k - 1]] && col == t->col[order[k - 1]];
    if (again) {
      x[n - 1] += t->x[order[k]];
      continue;
    }
    i[n] = col;
    x[n++] = t->x[order[k]];
    p[row + 1]++;
  }
  for (int k = 0; k < matrix->rows; k++) p[k + 1] += p[k];
  matrix->entries = n;
  matrix->storage = STC_STORAGE_CSR;
  matrix->p = p, matrix->i = i, matrix->x = x;
}

static stc_error arrange(stc_fclib_file *file, const triplets *t, stc_matrix *matrix) {
  int count = (int)t->count, rows = matrix->rows, cols = matrix->cols;
  int *order = STC_TAKE(&file->arena, int, count), *other = STC_TAKE(&file->arena, int, count);
  int *place = STC_TAKE(&file->arena, int, (rows > cols ? rows : cols) + 1LL);
  int *p = STC_TAKE(&file->arena, int, rows + 1LL), *i = STC_TAKE(&file->arena, int, count);
  double *x = STC_TAKE(&file->arena, double, count);
  STC_TRY(stc_arena_check(&file->arena));
  for (int k = 0; k < count; k++) order[k] = k;
  sort_by(t->col, cols, count, order, other, place);
  sort_by(t->row, rows, count, other, order, place);
  compress(t, order, matrix, p, i, x);
  return STC_OK;
}

stc_error stc_fclib_matrix(stc_fclib_file *file, const char *name, stc_matrix *matrix) {
  char path[STC_FCLIB_NAME];
  int nz = 0;
  triplets t = {0};
  STC_TRY(stc_fclib_shape(file, name, matrix));
  STC_TRY(stc_fclib_int(file, member(path, name, "nz"), &nz));
  if (nz < BY_ROWS)
    return stc_fail(STC_ERR_FORMAT,
                    "%s/nz = %d; it is a number of triplets, -1 (by columns) or -2 (by rows)", name,
                    nz);
  if (nz >= 0)
    STC_TRY(read_triplets(file, name, nz, &t));
  else
    STC_TRY(read_compressed(file, name, matrix, nz == BY_ROWS, &t));
  for (long long k = 0; k < t.count; k++)
    if (t.row[k] < 0 || t.row[k] >= matrix->rows || t.col[k] < 0 || t.col[k] >= matrix->cols)
      return stc_fail(STC_ERR_FORMAT,
                      "%s: entry %lld is in row %d, column %d, outside of %d x %d (indices count "
                      "from 0; in triplets i holds rows and p columns)",
                      name, k, t.row[k], t.col[k], matrix->rows, matrix->cols);
  return arrange(file, &t, matrix);
}
