// XML by expat, made into a tree.
#include "xml.h"

#include "../base/number.h"

#include <expat.h>
#include <math.h>
#include <string.h>

// Elements inside each other, elements, and bytes of a file: far more than robots need, and little
// enough for memory and stack.
enum { DEEPEST = 400, MOST_ELEMENTS = 1000000, MOST_ATTRIBUTES = 200, MOST_BYTES = 1 << 26 };
// Numbers beyond this are not lengths, masses or angles.
static const double LARGEST = 1e15;  // [input]

typedef struct reader {
  const char *path;
  stc_arena *arena;
  XML_Parser parser;
  stc_xml *root, *open;
  int depth, elements;
  stc_error error;
} reader;

static void stop_reading(reader *r, stc_error error, const char *why) {
  if (r->error) return;
  r->error = stc_fail(error, "%s:%d: %s", r->path, (int)XML_GetCurrentLineNumber(r->parser), why);
  XML_StopParser(r->parser, XML_FALSE);
}

static const char *keep_text(stc_arena *arena, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = STC_TAKE_RAW(arena, char, length);
  return copy ? memcpy(copy, text, length) : NULL;
}

static void take_attributes(reader *r, stc_xml *node, const char **given) {
  while (given[2 * node->attributes]) node->attributes++;
  node->attribute = STC_TAKE(r->arena, stc_xml_attribute, node->attributes + 1);
  for (int k = 0; node->attribute && k < node->attributes; k++) {
    node->attribute[k].name = keep_text(r->arena, given[2 * k]);
    node->attribute[k].value = keep_text(r->arena, given[2 * k + 1]);
  }
}

static void XMLCALL begin_element(void *user, const char *name, const char **given) {
  reader *r = user;
  if (++r->depth > DEEPEST) {
    stop_reading(r, STC_ERR_FORMAT, "elements are nested too deeply; 400 levels are read");
    return;
  }
  if (++r->elements > MOST_ELEMENTS) {
    stop_reading(r, STC_ERR_FORMAT, "there are more than a million elements");
    return;
  }
  stc_xml *node = STC_TAKE(r->arena, stc_xml, 1);
  if (node) {
    node->name = keep_text(r->arena, name);
    node->line = (int)XML_GetCurrentLineNumber(r->parser);
    node->parent = r->open;
    take_attributes(r, node, given);
  }
  if (node && node->attributes > MOST_ATTRIBUTES) {
    stop_reading(r, STC_ERR_FORMAT, "an element has more than 200 attributes");
    return;
  }
  if (r->arena->failed) {
    stop_reading(r, STC_ERR_MEMORY, "out of memory for the elements");
    return;
  }
  if (r->open && r->open->last) r->open->last->next = node;
  if (r->open && !r->open->child) r->open->child = node;
  if (r->open) r->open->last = node;
  if (!r->root) r->root = node;
  r->open = node;
}

static void XMLCALL end_element(void *user, const char *name) {
  reader *r = user;
  (void)name;
  r->depth--;
  if (r->open) r->open = r->open->parent;
}

static void XMLCALL refuse_type(void *user, const char *name, const char *system,
                                const char *public_id, int internal) {
  (void)name, (void)system, (void)public_id, (void)internal;
  stop_reading(user, STC_ERR_FORMAT,
               "it declares a document type, which is not read; take <!DOCTYPE ...> out");
}

static stc_error parse_all(reader *r, const char *bytes, size_t length) {
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(r->parser, refuse_type);
  enum XML_Status status = XML_Parse(r->parser, bytes, (int)length, 1);
  if (r->error) return r->error;
  if (status == XML_STATUS_OK) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: this is not XML: %s", r->path,
                  (int)XML_GetCurrentLineNumber(r->parser),
                  XML_ErrorString(XML_GetErrorCode(r->parser)));
}

stc_error stc_xml_read(const char *path, const char *bytes, size_t length, stc_arena *arena,
                       stc_xml **root) {
  reader r = {.path = path, .arena = arena};
  if (length > MOST_BYTES)
    return stc_fail(STC_ERR_FORMAT, "%s: a model has at most %d bytes", path, MOST_BYTES);
  r.parser = XML_ParserCreate(NULL);
  if (!r.parser) return stc_fail(STC_ERR_MEMORY, "%s: out of memory for the reader", path);
  stc_error error = parse_all(&r, bytes, length);
  XML_ParserFree(r.parser);
  *root = r.root;
  return error;
}

const char *stc_xml_get(const stc_xml *node, const char *name) {
  for (int k = 0; k < node->attributes; k++) {
    if (strcmp(node->attribute[k].name, name) != 0) continue;
    node->attribute[k].seen = true;
    return node->attribute[k].value;
  }
  return NULL;
}

static stc_xml *find_from(stc_xml *node, const char *name) {
  while (node && name && strcmp(node->name, name) != 0) node = node->next;
  if (node) node->seen = true;
  return node;
}

stc_xml *stc_xml_child(const stc_xml *node, const char *name) {
  return find_from(node->child, name);
}

stc_xml *stc_xml_next(const stc_xml *node, const char *name) { return find_from(node->next, name); }

int stc_xml_numbers(const char *text, int most, double *x) {
  int count = 0;
  for (;; count++) {
    char *end;
    while (stc_is_space(*text)) text++;
    if (*text == '\0') return count;
    if (count == most) return -1;
    x[count] = stc_strtod(text, &end);
    if (end == text || !(fabs(x[count]) <= LARGEST)) return -1;
    text = end;
  }
}
