// Atomic writing: temporary name in the same directory, fsync, rename.
#define _XOPEN_SOURCE 700  // realpath

#include "save.h"

#include "number.h"

#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ATTEMPTS = 100,         // temporary names tried before giving up
  NAME_ROOM = 48,         // ".stiction-PID-N.tmp"
  WRITE_PIECE = 1 << 30,  // bytes per call; Linux takes a little less than 2 GiB
  NEW_FILE_MODE = 0666    // before the umask
};

static stc_error failed(const char *what) {
  return stc_fail(STC_ERR_FILE, "cannot %s: %s", what, strerror(errno));
}

// The file behind a symbolic link, a copy of `path` otherwise; the mode it has or will have.
static stc_error resolve(const char *path, char **target, mode_t *mode) {
  struct stat status;
  bool exists = stat(path, &status) == 0;
  if (exists && !S_ISREG(status.st_mode))
    return stc_fail(STC_ERR_FILE, "cannot write: it is no regular file");
  *mode = exists ? status.st_mode & 07777 : 0;
  *target = exists ? realpath(path, NULL) : strdup(path);
  return *target ? STC_OK : failed("write");
}

// Creates a file of a name that is not taken, in the directory of `target`.
static int create_beside(const char *target, char *name, size_t room) {
  for (int k = 0; k < ATTEMPTS; k++) {
    stc_snprintf(name, room, "%s.stiction-%ld-%d.tmp", target, (long)getpid(), k);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static stc_error write_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = write(fd, bytes, count < WRITE_PIECE ? count : WRITE_PIECE);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failed("write");
    bytes += done;
    count -= (size_t)done;
  }
  return STC_OK;
}

static stc_error fill_save(int fd, mode_t mode, const void *bytes, size_t count) {
  stc_error error = write_all(fd, bytes, count);
  if (!error && mode && fchmod(fd, mode) != 0) error = failed("set the permissions");
  if (!error && fsync(fd) != 0) error = failed("write");
  if (close(fd) != 0 && !error) error = failed("write");
  return error;
}

// The new name is on the disk once the directory is. Not every file system can do this, and the
// file itself is complete either way.
static void sync_directory(char *target) {
  char *slash = strrchr(target, '/');
  if (slash) slash[slash == target] = '\0';
  int fd = open(slash ? target : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

static stc_error replace(char *target, mode_t mode, const void *bytes, size_t count) {
  size_t room = strlen(target) + NAME_ROOM;
  char *name = stc_calloc(room, 1);
  if (!name) return stc_fail(STC_ERR_MEMORY, "out of memory");
  int fd = create_beside(target, name, room);
  stc_error error = fd < 0 ? failed("write") : fill_save(fd, mode, bytes, count);
  if (!error && rename(name, target) != 0) error = failed("write");
  if (fd >= 0 && error) unlink(name);
  if (!error) sync_directory(target);
  stc_release(&name);
  return error;
}

stc_error stc_save(const char *path, const void *bytes, size_t count) {
  char *target = NULL;
  mode_t mode = 0;
  stc_error error = resolve(path, &target, &mode);
  if (!error) error = replace(target, mode, bytes, count);
  free(target);
  return error;
}
