// Names and shapes inside a run file, for those who write and those who read it.
#ifndef STC_SCENE_STORE_FILE_H
#define STC_SCENE_STORE_FILE_H

#include "../problem/fclib/h5_parts.h"

#include <stiction/fem.h>
#include <stiction/problem.h>

// The mesh of deformable bodies inside a run file.

struct stc_image;

/// Puts the mesh into a file that is built; failures are those of the image and the arena.
void stc_mesh_store(struct stc_image *image, stc_arena *arena, const stc_mesh *mesh);

/// Refuses a file that was begun with another mesh; NULL: none.
stc_error stc_mesh_same(stc_h5 *h5, const stc_mesh *mesh);

/// The mesh of a file, checked, in the arena.
stc_error stc_mesh_load(stc_h5 *h5, stc_arena *arena, stc_mesh *mesh);

#define STC_RUN_FORMAT      "stiction run 2"
#define STC_RUN_FORMAT_NAME "stiction"
#define STC_RUN_STEPS       "steps"
#define STC_RUN_COLUMNS     "columns"
#define STC_RUN_SERIES      "first_series"
#define STC_RUN_SCENE       "scene/path"
#define STC_RUN_TEXT        "scene/text"
#define STC_RUN_PARAMETERS  "scene/parameters"
#define STC_RUN_OBSERVABLES "observables/names"
#define STC_RUN_OBSERVED    "observables/values"
#define STC_RUN_OBSERVED_AS "observables/texts"
#define STC_RUN_BLOCKS      "blocks/names"
#define STC_RUN_BLOCK_SIZES "blocks/counts"
#define STC_RUN_PLACES      "places"
#define STC_RUN_CONSTANTS   "constants/names"
#define STC_RUN_CONSTANT_OF "constants/counts"
#define STC_RUN_CONSTANT    "constants/numbers"
#define STC_RUN_MESH        "mesh"
#define STC_RUN_MESH_SUM    "mesh/checksum"

/// A checkpoint: its number, its checksum, the rows it belongs to, then the payload.
enum { STC_SLOT_NUMBER, STC_SLOT_CHECKSUM, STC_SLOT_ROWS, STC_SLOT_PAYLOAD };

/// Bytes for an observable that is not a number: 'l' and the numbers of a list with commas between
/// them, or 't' and a text; what is longer is cut.
enum { STC_OBSERVED_ROOM = 4096 };

/// Opens a run file and checks its format. The file is closed by the caller in any case.
stc_error stc_run_file_open(stc_h5 *h5, const char *path);

/// The dataset of a kind that must be there.
stc_error stc_run_file_find(stc_h5 *h5, const char *name, stc_h5_class class,
                            stc_h5_object *object);

/// One text; the texts of a list, closed with NULL, *count of them (0 if there is no list). In the
/// arena.
stc_error stc_run_file_text(stc_h5 *h5, const char *name, stc_arena *arena, const char **text);
stc_error stc_run_file_texts(stc_h5 *h5, const char *name, stc_arena *arena, const char ***texts,
                             int *count);

/// A run file that is read: its table, and the names of what a row holds.
typedef struct stc_run_reader {
  stc_arena arena;
  stc_h5 h5;
  const char *path;
  stc_h5_object table;
  long rows;
  int columns, blocks;
  const char **column;  ///< [columns]
  const char **block;   ///< [blocks] behind the columns
  int *block_count;     ///< [blocks]
} stc_run_reader;

/// Makes an object of `size` bytes with a reader at byte `at`, opens it, and fills the rest: the
/// object is written to *address, NULL on failure, whose sentence begins with the path. `who` asks.
stc_error stc_run_read(const char *path, const char *who, size_t size, size_t at,
                       stc_error (*fill)(void *object), void *address);
void stc_run_reader_close(stc_run_reader *reader);
/// Closes the reader at byte `at` of the object at *address, if there is one, and frees it.
void stc_run_free(void *address, size_t at);

/// `count` numbers of row i from number `first` on; the columns of all rows, in the arena.
stc_error stc_run_reader_row(stc_run_reader *reader, long i, size_t first, size_t count,
                             double *numbers);
stc_error stc_run_reader_values(stc_run_reader *reader, const double **values);

/// Lengths that go with a list of names, none negative; their sum is added.
stc_error stc_run_reader_counts(stc_run_reader *reader, const char *name, int count, int **counts,
                                uint64_t *sum);

/// The contact problem of a step as an FCLIB file, with a description and the guess it began from.
stc_error stc_run_file_problem(const stc_problem *problem, const double *guess, const char *text,
                               const char *path);

#endif
