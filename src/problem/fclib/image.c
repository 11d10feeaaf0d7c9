// HDF5 files in memory, by the core driver of libhdf5.
#include "image.h"

#include "../../base/memory.h"
#include "../../base/save.h"

#include <stdio.h>
#include <string.h>

enum {
  NAME_ROOM = 64,
  IMAGE_STEP = 1 << 20  // bytes by which the file in memory grows
};

// libhdf5 looks for a file of this name before it builds one in memory; there cannot be one.
static const char image_name[] = "/dev/null/stiction";

stc_image stc_image_open(void) {
  stc_image w = {.links = H5Pcreate(H5P_LINK_CREATE), .plain = H5Pcreate(H5P_DATASET_CREATE)};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  w.failed = H5Pset_create_intermediate_group(w.links, 1) < 0;
  w.failed |= H5Pset_obj_track_times(w.plain, false) < 0;
  w.failed |= H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0;
  w.failed |= H5Pset_fapl_core(access, IMAGE_STEP, false) < 0;
  w.file = H5Fcreate(image_name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  w.failed |= w.file < 0;
  H5Pclose(access);
  return w;
}

void stc_image_close(stc_image *image) {
  if (image->file >= 0) H5Fclose(image->file);
  H5Pclose(image->links);
  H5Pclose(image->plain);
}

void stc_image_put(stc_image *w, const char *name, hid_t type, hid_t space, const void *values) {
  hid_t data = H5Dcreate2(w->file, name, type, space, w->links, w->plain, H5P_DEFAULT);
  if (data < 0 || (values && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    w->failed = true;
  if (data >= 0) H5Dclose(data);
}

static void put_vector(stc_image *w, const char *group, const char *name, hid_t type, int count,
                       const void *values) {
  char path[NAME_ROOM];
  hsize_t extent = (hsize_t)count;
  hid_t space = H5Screate_simple(1, &extent, NULL);
  snprintf(path, sizeof path, "%s/%s", group, name);
  stc_image_put(w, path, type, space, count ? values : NULL);
  H5Sclose(space);
}

void stc_image_ints(stc_image *image, const char *group, const char *name, int count,
                    const int *values) {
  put_vector(image, group, name, H5T_NATIVE_INT, count, values);
}

void stc_image_doubles(stc_image *image, const char *group, const char *name, int count,
                       const double *values) {
  put_vector(image, group, name, H5T_NATIVE_DOUBLE, count, values);
}

void stc_image_text(stc_image *w, const char *group, const char *name, const char *text) {
  char path[NAME_ROOM];
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  snprintf(path, sizeof path, "%s/%s", group, name);
  w->failed |= H5Tset_size(type, strlen(text) + 1) < 0;
  stc_image_put(w, path, type, space, text);
  H5Sclose(space);
  H5Tclose(type);
}

stc_error stc_image_bytes(stc_image *w, size_t room, void **bytes, size_t *count) {
  bool flushed = !w->failed && H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
  ssize_t size = flushed ? H5Fget_file_image(w->file, NULL, 0) : -1;
  *bytes = size > 0 ? stc_calloc((size_t)size + room, 1) : NULL;
  if (*bytes && H5Fget_file_image(w->file, *bytes, (size_t)size) == size) {
    *count = (size_t)size;
    return STC_OK;
  }
  stc_release(bytes);
  return stc_fail(STC_ERR_MEMORY, "libhdf5 cannot build the file; is there enough memory?");
}

stc_error stc_image_save(stc_image *image, const char *path) {
  void *bytes = NULL;
  size_t count = 0;
  STC_TRY(stc_image_bytes(image, 0, &bytes, &count));
  stc_error error = stc_save(path, bytes, count);
  stc_release(&bytes);
  return error;
}
