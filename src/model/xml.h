// XML as a tree of elements, for files of any origin: bounded in size and depth, without document
// types, so that no entity grows. What is read of it is marked, and the rest can be named.
#ifndef STC_MODEL_XML_H
#define STC_MODEL_XML_H

#include "../base/fail.h"
#include "../base/memory.h"

typedef struct stc_xml_attribute {
  const char *name, *value;
  bool seen;
} stc_xml_attribute;

typedef struct stc_xml {
  const char *name;
  int line;
  bool seen;
  int attributes;
  stc_xml_attribute *attribute;
  struct stc_xml *parent, *child, *last, *next;
} stc_xml;

/// The first element of the text; it lives as long as the arena. A failure names path and line.
stc_error stc_xml_read(const char *path, const char *bytes, size_t length, stc_arena *arena,
                       stc_xml **root);

/// The value of an attribute, which counts as seen from then on; NULL: it is not there.
const char *stc_xml_get(const stc_xml *node, const char *name);

/// The first child of that name (NULL: any), and the next one; they count as seen.
stc_xml *stc_xml_child(const stc_xml *node, const char *name);
stc_xml *stc_xml_next(const stc_xml *node, const char *name);

/// Numbers of a text, at most `most`; how many there are. A text that is not numbers, or more of
/// them, or one that is not finite: -1.
int stc_xml_numbers(const char *text, int most, double *x);

#endif
