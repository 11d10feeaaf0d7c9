// Trees. Version 1: keys and children in turn. Version 2: records in order, in leaves and between
// the children of inner nodes.
#include "h5_parts.h"

enum {
  MAX_LEVEL = 8,     // of a tree of version 1
  NODE_PREFIX = 24,  // "TREE", type, level, count, two siblings
  HEADER = 38,       // bytes, checksum included
  PREFIX = 6,        // of a node: signature, version, type
  MAX_DEPTH = 16
};

// --- Version 1 ---

typedef struct tree1 {
  stc_h5 *h5;
  uint64_t type;
  size_t key;
  stc_h5_visit_entry visit;
  void *user;
  bool over;
} tree1;

// `level` is what the parent expects, -1 at the root.
static stc_error walk_level(tree1 *t, uint64_t address, int level) {
  stc_cursor c;
  STC_TRY(stc_h5_bytes(t->h5, address, NODE_PREFIX, &c));
  if (!stc_cursor_match(&c, "TREE") || stc_cursor_take(&c, 1) != t->type)
    return stc_h5_damaged(address, "tree");
  int own = (int)stc_cursor_take(&c, 1);
  uint64_t count = stc_cursor_take(&c, 2);
  if (level < 0 ? own > MAX_LEVEL : own != level) return stc_h5_damaged(address, "tree");
  STC_TRY(stc_h5_bytes(t->h5, address + NODE_PREFIX, count * (t->key + STC_H5_WORD), &c));
  for (uint64_t k = 0; k < count && !t->over; k++) {
    stc_cursor key = c;
    stc_cursor_skip(&c, t->key);
    uint64_t child = stc_cursor_take(&c, STC_H5_WORD);
    STC_TRY(own > 0 ? walk_level(t, child, own - 1) : t->visit(t->user, key, child, &t->over));
  }
  return STC_OK;
}

stc_error stc_h5_walk_tree1(stc_h5 *h5, uint64_t address, uint64_t type, size_t key,
                            stc_h5_visit_entry visit, void *user) {
  return walk_level(&(tree1){h5, type, key, visit, user, false}, address, -1);
}

// --- Version 2 ---

typedef struct tree2 {
  stc_h5 *h5;
  const stc_h5_walk *walk;
  uint64_t node, record;                // bytes
  uint64_t count_width;                 // bytes of the number of records in a node,
  uint64_t total_width[MAX_DEPTH + 1];  // and of the number in a node at a depth and beneath
} tree2;

// Numbers are as wide as the greatest that may occur.
static bool measure_h5_tree2(tree2 *t, uint64_t depth) {
  uint64_t room = t->node - PREFIX - STC_H5_CHECKSUM, most = room / t->record, total = most;
  t->count_width = stc_h5_width(most);
  t->total_width[0] = 0;
  for (uint64_t d = 1; d <= depth; d++) {
    uint64_t pointer = STC_H5_WORD + t->count_width + t->total_width[d - 1];
    if (pointer > room) return false;
    uint64_t records = (room - pointer) / (t->record + pointer);
    if (records == 0 || total > (UINT64_MAX - records) / (records + 1)) return false;
    total = (records + 1) * total + records;
    t->total_width[d] = stc_h5_width(total);
  }
  return true;
}

static stc_cursor take_record(const tree2 *t, stc_cursor *c) {
  stc_cursor record = {.at = c->at, .left = (size_t)t->record, .address = c->address};
  stc_cursor_skip(c, (size_t)t->record);
  return record;
}

static stc_error leaf(const tree2 *t, stc_cursor c, uint64_t count) {
  for (uint64_t k = 0; k < count; k++) {
    stc_cursor record = take_record(t, &c);
    if (c.bad) return stc_h5_damaged(c.address, "leaf of a tree");
    if (!t->walk->side || t->walk->side(t->walk->user, record) == 0)
      STC_TRY(t->walk->visit(t->walk->user, record));
  }
  return STC_OK;
}

static stc_error node(const tree2 *t, uint64_t address, uint64_t count, uint64_t depth);

// Records first, then the children between them: address, records, records beneath.
static stc_error inner(const tree2 *t, stc_cursor c, uint64_t count, uint64_t depth) {
  const stc_h5_walk *walk = t->walk;
  stc_cursor records = c;
  int before = 1;  // where it lies from the record before a child
  stc_cursor_skip(&c, (size_t)(count * t->record));
  for (uint64_t k = 0; k <= count; k++) {
    uint64_t child = stc_cursor_take(&c, STC_H5_WORD);
    uint64_t held = stc_cursor_take(&c, (size_t)t->count_width);
    stc_cursor_skip(&c, (size_t)t->total_width[depth - 1]);
    stc_cursor record = k < count ? take_record(t, &records) : records;
    if (c.bad) return stc_h5_damaged(c.address, "node of a tree");
    int after = k < count && walk->side ? walk->side(walk->user, record) : walk->side ? -1 : 0;
    if (before >= 0 && after <= 0) STC_TRY(node(t, child, held, depth - 1));
    if (k < count && after == 0) STC_TRY(walk->visit(walk->user, record));
    before = after;
  }
  return STC_OK;
}

static stc_error node(const tree2 *t, uint64_t address, uint64_t count, uint64_t depth) {
  stc_cursor c;
  uint64_t bytes = PREFIX + count * t->record + STC_H5_CHECKSUM;
  if (depth) bytes += (count + 1) * (STC_H5_WORD + t->count_width + t->total_width[depth - 1]);
  if (bytes > t->node) return stc_h5_damaged(address, "node of a tree");
  STC_TRY(stc_h5_checked(t->h5, address, bytes, depth ? "BTIN" : "BTLF", &c));
  if (stc_cursor_take(&c, 1) != 0 || stc_cursor_take(&c, 1) != (uint64_t)t->walk->type)
    return stc_h5_damaged(address, "node of a tree");
  return depth ? inner(t, c, count, depth) : leaf(t, c, count);
}

stc_error stc_h5_walk_tree2(stc_h5 *h5, uint64_t address, const stc_h5_walk *walk) {
  stc_cursor c;
  tree2 t = {.h5 = h5, .walk = walk};
  STC_TRY(stc_h5_checked(h5, address, HEADER, "BTHD", &c));
  uint64_t version = stc_cursor_take(&c, 1), type = stc_cursor_take(&c, 1);
  t.node = stc_cursor_take(&c, 4);
  t.record = stc_cursor_take(&c, 2);
  uint64_t depth = stc_cursor_take(&c, 2);
  stc_cursor_skip(&c, 2);  // when nodes are split and merged
  uint64_t root = stc_cursor_take(&c, STC_H5_WORD), count = stc_cursor_take(&c, 2);
  bool good = !c.bad && version == 0 && type == (uint64_t)walk->type && depth <= MAX_DEPTH &&
              t.node > PREFIX + STC_H5_CHECKSUM && t.record >= walk->least && t.record < t.node;
  if (!good || !measure_h5_tree2(&t, depth)) return stc_h5_damaged(address, "tree");
  return root == STC_H5_UNDEFINED || count == 0 ? STC_OK : node(&t, root, count, depth);
}
