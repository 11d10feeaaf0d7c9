// Reads a Gmsh file: $MeshFormat says version and kind, then sections in any order; sections that
// are not needed are skipped.
#include "../../../base/load.h"
#include "../../../base/number.h"
#include "../mesh.h"
#include "raw.h"

#include <string.h>

enum { LONGEST_LINE = 256 };  // letters that are looked at where a section begins

static const size_t LARGEST_FILE = (size_t)8 << 30;  // bytes

// --- Sections ---

// A binary file tells its byte order by the number 1.
static stc_error read_order(stc_gmsh_cursor *cursor) {
  const unsigned char little[4] = {1, 0, 0, 0}, big[4] = {0, 0, 0, 1};
  const int one = 1;
  bool here_little = *(const unsigned char *)&one == 1;
  if (stc_gmsh_cursor_left(cursor) < 4)
    return stc_gmsh_cursor_fail(cursor, "the file ends in $MeshFormat");
  if (!memcmp(cursor->at, little, 4))
    cursor->swap = !here_little;
  else if (!memcmp(cursor->at, big, 4))
    cursor->swap = here_little;
  else
    return stc_gmsh_cursor_fail(cursor, "$MeshFormat announces a binary file but has no number 1");
  cursor->at += 4;
  stc_gmsh_cursor_end_line(cursor);
  return STC_OK;
}

static stc_error read_format(stc_gmsh_cursor *cursor, int *version) {
  double number;
  long long binary, size;
  STC_TRY(stc_gmsh_cursor_text_real(cursor, "the version", &number));
  STC_TRY(stc_gmsh_cursor_text_integer(cursor, "the file type", &binary));
  STC_TRY(stc_gmsh_cursor_text_integer(cursor, "the size of a number", &size));
  if (number != 2.2 && number != 4.1)
    return stc_gmsh_cursor_fail(cursor,
                                "format %g; versions 2.2 and 4.1 are read: save with "
                                "Mesh.MshFileVersion = 4.1",
                                number);
  if (size != 8) return stc_gmsh_cursor_fail(cursor, "numbers of %lld bytes; 8 are expected", size);
  *version = number == 2.2 ? 2 : 4;
  stc_gmsh_cursor_end_line(cursor);
  cursor->binary = binary == 1;
  return cursor->binary ? read_order(cursor) : STC_OK;
}

static stc_error read_names(stc_raw *raw, stc_gmsh_cursor *cursor) {
  long long count, dim, tag;
  STC_TRY(stc_gmsh_cursor_text_integer(cursor, "a number of physical names", &count));
  STC_TRY(stc_gmsh_cursor_bound(cursor, "physical names", count, 6));
  for (long long k = 0; k < count; k++) {
    STC_TRY(stc_gmsh_cursor_text_integer(cursor, "a group's dimension", &dim));
    STC_TRY(stc_gmsh_cursor_text_integer(cursor, "a group's number", &tag));
    if (dim < 0 || dim > 3) return stc_gmsh_cursor_fail(cursor, "a group of dimension %lld", dim);
    int group = stc_raw_group_of(raw, (int)dim, tag);
    if (group < 0) return stc_fail(STC_ERR_MEMORY, "%s: out of memory", cursor->path);
    stc_raw_group *named = stc_gmsh_list_at(&raw->groups, (size_t)group);
    STC_TRY(stc_gmsh_cursor_text_quoted(cursor, "a group's name", named->name, STC_GMSH_NAME));
  }
  return STC_OK;
}

// The bytes of the word in the rest of the file; NULL if it is not there.
static const char *find_word(const stc_gmsh_cursor *cursor, const char *word) {
  size_t length = strlen(word);
  const char *at = cursor->at;
  while ((size_t)(cursor->end - at) >= length) {
    at = memchr(at, '$', (size_t)(cursor->end - at) - length + 1);
    if (!at) return NULL;
    if (!memcmp(at, word, length)) return at;
    at++;
  }
  return NULL;
}

static stc_error expect_end(stc_gmsh_cursor *cursor, const char *section) {
  char line[LONGEST_LINE], word[LONGEST_LINE + 4];
  stc_snprintf(word, sizeof word, "$End%s", section + 1);
  do {
    if (!stc_gmsh_cursor_line(cursor, line, sizeof line))
      return stc_gmsh_cursor_fail(cursor, "%s is missing; the file is truncated", word);
  } while (!line[0]);
  if (!strcmp(line, word)) return STC_OK;
  return stc_gmsh_cursor_fail(
      cursor, "'%.40s' where %s is expected: its count and its entries differ", line, word);
}

static stc_error check_order(const stc_raw *raw, const stc_gmsh_cursor *cursor,
                             const char *section) {
  bool twice = (!strcmp(section, "$Nodes") && raw->nodes_read) ||
               (!strcmp(section, "$Elements") && raw->elements_read) ||
               (!strcmp(section, "$Entities") && raw->entities_read);
  if (twice) return stc_gmsh_cursor_fail(cursor, "%s is there twice", section);
  if (!strcmp(section, "$Entities") && raw->elements_read)
    return stc_gmsh_cursor_fail(cursor, "$Entities comes after $Elements");
  return STC_OK;
}

static stc_error read_section(stc_raw *raw, stc_gmsh_cursor *cursor, int version,
                              const char *section) {
  if (!strcmp(section, "$PartitionedEntities"))
    return stc_gmsh_cursor_fail(cursor, "the mesh is partitioned; save it whole");
  if (!strcmp(section, "$PhysicalNames")) {
    STC_TRY(read_names(raw, cursor));
  } else if (!strcmp(section, "$Nodes") || !strcmp(section, "$Elements") ||
             (version == 4 && !strcmp(section, "$Entities"))) {
    STC_TRY(check_order(raw, cursor, section));
    STC_TRY(version == 2 ? stc_raw_read2(raw, cursor, section)
                         : stc_raw_read4(raw, cursor, section));
  } else {
    // Goes behind the section's end, counting lines in text.
    char word[LONGEST_LINE + 4];
    stc_snprintf(word, sizeof word, "$End%s", section + 1);
    const char *found = find_word(cursor, word);
    if (!found) return stc_gmsh_cursor_fail(cursor, "%s is missing; the file is truncated", word);
    while (cursor->at < found) cursor->line += *cursor->at++ == '\n';
    stc_gmsh_cursor_end_line(cursor);
    return STC_OK;
  }
  return expect_end(cursor, section);
}

static stc_error read_sections(stc_raw *raw, stc_gmsh_cursor *cursor) {
  char line[LONGEST_LINE];
  int version = 0;
  while (stc_gmsh_cursor_line(cursor, line, sizeof line)) {
    if (!line[0]) continue;
    if (line[0] != '$')
      return stc_gmsh_cursor_fail(
          cursor, "'%.40s' where a section is expected; is this a Gmsh file?", line);
    if (!strcmp(line, "$MeshFormat")) {
      STC_TRY(read_format(cursor, &version));
      STC_TRY(expect_end(cursor, line));
    } else if (version == 0 && strcmp(line, "$Comments") != 0) {
      return stc_gmsh_cursor_fail(cursor, "%.40s comes before $MeshFormat", line);
    } else {
      STC_TRY(read_section(raw, cursor, version, line));
    }
  }
  if (!raw->nodes_read || !raw->elements_read)
    return stc_gmsh_cursor_fail(cursor, "the file has no $%s",
                                raw->nodes_read ? "Elements" : "Nodes");
  return STC_OK;
}

static stc_error read_raw(const char *path, const char *bytes, size_t length, stc_mesh **mesh) {
  stc_gmsh_cursor cursor = {.path = path,
                            .begin = bytes,
                            .at = bytes + stc_text_mark(bytes, length),
                            .end = bytes + length,
                            .line = 1};
  stc_raw raw;
  stc_raw_open(&raw);
  stc_error error = read_sections(&raw, &cursor);
  if (!error) error = stc_raw_build(&raw, path, mesh);
  stc_raw_free(&raw);
  return error;
}

stc_error stc_mesh_read_bytes(const char *path, const void *bytes, size_t length, stc_mesh **mesh) {
  if (mesh) *mesh = NULL;
  if (!path || (!bytes && length) || !mesh)
    return stc_fail(STC_ERR_ARGUMENT, "stc_mesh_read_bytes needs a path, bytes and an address");
  STC_TRY(read_raw(path, length ? bytes : "", length, mesh));
  stc_error error = stc_mesh_check(*mesh);
  if (!error) return STC_OK;
  stc_mesh_free(mesh);
  return stc_fail_in(error, path);
}

stc_error stc_mesh_read(const char *path, stc_mesh **mesh) {
  char *bytes = NULL;
  size_t length = 0;
  if (mesh) *mesh = NULL;
  if (!path || !mesh)
    return stc_fail(STC_ERR_ARGUMENT, "stc_mesh_read needs a path and an address");
  stc_error error = stc_load(path, "a mesh", LARGEST_FILE, &bytes, &length);
  if (!error) error = stc_mesh_read_bytes(path, bytes, length, mesh);
  stc_release(&bytes);
  return error;
}
