// The file of a run: an HDF5 file that is whole at every moment.
//
// The beginning is written once: names, the scene, room for two checkpoints. Behind it the table
// `steps` grows row by row. First the rows are written past the end that the file declares; then,
// in this order, the end of the file, the length of the table, its greatest extent and its extent
// are raised: eight bytes each, none of them across two sectors of the disk, because an object
// header lies within one (problem/fclib/image.h). Whatever stops the program in between, every
// reader of HDF5 finds a whole file with the rows that were declared before. Two checkpoints take
// turns, each with a number and a checksum, so that a half-written one is recognised.
//
// A row may have blocks of numbers behind its columns: the fields of deformable bodies, whose mesh
// stands at the beginning of the file.
#ifndef STC_SCENE_STORE_H
#define STC_SCENE_STORE_H

#include "kind.h"

typedef struct stc_store stc_store;

/// What a file is begun with. Lists of texts end with NULL.
typedef struct stc_store_head {
  const char *scene;              ///< path
  const char *text;               ///< of the scene
  const char *const *parameters;  ///< "name=value"
  const char *const *columns;
  const char *const *observables;
  int columns_count;
  int observables_count;
  int first_series;  ///< the first column that is a series
  int payload;       ///< numbers in a checkpoint
  int blocks;
  const stc_block_field *block;  ///< [blocks] behind the columns
  const stc_mesh *mesh;          ///< they live on; NULL: none
  int constants;
  const stc_constant *constant;  ///< [constants]
} stc_store_head;

/// Begins a file at `path`, in place of what is there.
stc_error stc_store_create(const char *path, const stc_store_head *head, stc_store **store);

/// Opens a file that was begun with the same head. `payload` receives the last checkpoint; rows
/// after it are written again. *found is false where the
/// file has no checkpoint yet.
stc_error stc_store_open(const char *path, const stc_store_head *head, double *payload, bool *found,
                         stc_store **store);

/// Keeps a row, its blocks behind its columns, until the next flush; `full` says that there is no
/// room for another one.
void stc_store_add(stc_store *store, const double *row);
bool stc_store_is_full(const stc_store *store);
long stc_store_rows(const stc_store *store);

/// Rows that are in the file for good.
long stc_store_rows_safe(const stc_store *store);

/// Writes the rows kept, then a checkpoint; without a payload the last checkpoint stands. On
/// failure the file is as it was after the last flush.
stc_error stc_store_flush(stc_store *store, const double *payload);

/// Writes the observables.
stc_error stc_store_observe(stc_store *store, const stc_observed *observed);

void stc_store_close(stc_store **store);

#endif
