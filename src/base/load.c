// Reads a regular file whole: no device, no pipe, nothing larger than expected; below a directory
// part by part, so that no link leads out of it.
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

size_t stc_text_mark(const void *bytes, size_t length) {
  static const char mark[] = "\xef\xbb\xbf";
  return length >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
}

// A large file that has next to no blocks on the disk is a hole: its zeros would only fill memory.
static stc_error read_open(int fd, const char *what, size_t most, char **bytes, size_t *length) {
  enum { SMALL = 1 << 24, BLOCK = 512, RATIO = 64 };
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    return stc_fail(STC_ERR_FILE, "cannot open: %s", strerror(errno));
  if (S_ISDIR(status.st_mode))
    return stc_fail(STC_ERR_FILE, "it is a directory; name %s in it", what);
  if (!S_ISREG(status.st_mode)) return stc_fail(STC_ERR_FILE, "not a regular file");
  *length = (size_t)status.st_size;
  if (*length > most)
    return stc_fail(STC_ERR_FORMAT, "%s of %zu bytes; the longest has %zu", what, *length, most);
  if (status.st_size > SMALL && status.st_blocks < status.st_size / BLOCK / RATIO)
    return stc_fail(STC_ERR_FORMAT, "most of it was never written");
  *bytes = stc_calloc(*length + 1, 1);
  if (!*bytes) return stc_fail(STC_ERR_MEMORY, "out of memory");
  return read_all(fd, *bytes, *length);
}

// All of an open file, which is closed; a failure names it.
static stc_error take_open(int fd, const char *name, const char *what, size_t most, char **bytes,
                           size_t *length) {
  stc_error error = read_open(fd, what, most, bytes, length);
  if (fd >= 0) close(fd);
  if (!error) return STC_OK;
  stc_release(bytes);
  return stc_fail_in(error, name);
}

stc_error stc_load(const char *path, const char *what, size_t most, char **bytes, size_t *length) {
  *bytes = NULL;
  return take_open(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), path, what, most, bytes, length);
}

// --- Below a directory ---

enum { LONGEST_PART = 255 };  // letters of one part of a path

static const int FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;

// Cuts the next part off `file`; false if there is none, or one that leads elsewhere.
static bool next_part(const char **file, char part[LONGEST_PART + 1]) {
  size_t length = strcspn(*file, "/");
  if (length == 0 || length > LONGEST_PART) return false;
  memcpy(part, *file, length);
  part[length] = '\0';
  *file += length;
  while (**file == '/') (*file)++;
  return strcmp(part, "..") != 0;
}

static int open_below(int fd, const char *file) {
  char part[LONGEST_PART + 1];
  while (fd >= 0 && *file) {
    bool good = next_part(&file, part);
    int next = good ? openat(fd, part, FLAGS | (*file ? O_DIRECTORY : 0)) : -1;
    int why = good ? errno : ENOENT;
    close(fd);
    errno = why;
    fd = next;
  }
  return fd;
}

stc_error stc_load_below(const char *directory, const char *file, const char *what, size_t most,
                         char **bytes, size_t *length) {
  *bytes = NULL;
  int fd = open(*directory ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) fd = open_below(fd, file);
  if (fd < 0) {
    bool link = errno == ELOOP || errno == EMLINK || errno == ENOTDIR;
    if (!link) return stc_fail(STC_ERR_FILE, "%s: cannot open: %s", file, strerror(errno));
    return stc_fail(STC_ERR_FILE,
                    "%s: a symbolic link, or a part of the path is no directory; links are not "
                    "followed there: put the file itself below the directory",
                    file);
  }
  return take_open(fd, file, what, most, bytes, length);
}
