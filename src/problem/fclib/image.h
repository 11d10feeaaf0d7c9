// An HDF5 file that is built in memory and saved in one go, so that a full disk or a crash leaves
// no half file; no time stamps, so that the same content gives the same bytes.
#ifndef STC_FCLIB_IMAGE_H
#define STC_FCLIB_IMAGE_H

#include "../../base/fail.h"

#include <hdf5.h>

/// Failures are remembered and asked for once, at the end. Use it between H5E_BEGIN_TRY and
/// H5E_END_TRY, so that libhdf5 does not print.
typedef struct stc_image {
  hid_t file;
  hid_t links;  ///< makes the groups on the way to a name
  hid_t plain;  ///< datasets without time stamps
  bool failed;
} stc_image;

stc_image stc_image_open(void);
void stc_image_close(stc_image *image);

/// A dataset of type and space; without values it has none yet.
void stc_image_put(stc_image *image, const char *name, hid_t type, hid_t space, const void *values);

/// Vectors and a text as group/name.
void stc_image_ints(stc_image *image, const char *group, const char *name, int count,
                    const int *values);
void stc_image_doubles(stc_image *image, const char *group, const char *name, int count,
                       const double *values);
void stc_image_text(stc_image *image, const char *group, const char *name, const char *text);

/// The bytes of the file, with `room` zeroed bytes behind them; release them with stc_release.
stc_error stc_image_bytes(stc_image *image, size_t room, void **bytes, size_t *count);

/// Saves what was built as a whole file.
stc_error stc_image_save(stc_image *image, const char *path);

#endif
