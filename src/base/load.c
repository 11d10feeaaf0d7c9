// Reads a regular file whole: no device, no pipe, nothing larger than expected.
#include "load.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static stc_error read_all(int fd, char *bytes, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t got = read(fd, bytes + done, length - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return stc_fail(STC_ERR_FILE, "cannot read: %s", strerror(errno));
    if (got == 0) return stc_fail(STC_ERR_FILE, "the file shrank while it was read");
    done += (size_t)got;
  }
  return STC_OK;
}

static stc_error read_open(int fd, const char *what, size_t most, char **bytes, size_t *length) {
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    return stc_fail(STC_ERR_FILE, "cannot open: %s", strerror(errno));
  if (S_ISDIR(status.st_mode))
    return stc_fail(STC_ERR_FILE, "it is a directory; name %s in it", what);
  if (!S_ISREG(status.st_mode)) return stc_fail(STC_ERR_FILE, "not a regular file");
  *length = (size_t)status.st_size;
  if (*length > most)
    return stc_fail(STC_ERR_FORMAT, "%s of %zu bytes; the longest has %zu", what, *length, most);
  *bytes = stc_calloc(*length + 1, 1);
  if (!*bytes) return stc_fail(STC_ERR_MEMORY, "out of memory");
  return read_all(fd, *bytes, *length);
}

stc_error stc_load(const char *path, const char *what, size_t most, char **bytes, size_t *length) {
  *bytes = NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  stc_error error = read_open(fd, what, most, bytes, length);
  if (fd >= 0) close(fd);
  if (!error) return STC_OK;
  stc_release(bytes);
  return stc_fail_in(error, path);
}
