// Events of a step: the pairs of parts that touch, or overlap a sensor, beside those of the last
// step. Both lists are sorted by the indices of bodies and the numbers of parts, which no edit
// changes, and are merged.
#include "../bodies/world_data.h"

const char *stc_event_name(stc_event_kind kind) {
  static const char *const names[] = {"begin", "persist", "end"};
  return (int)kind >= 0 && kind <= STC_EVENT_END ? names[kind] : NULL;
}

// --- Which parts ---

static uint64_t group_of(const stc_part *part) { return part->group ? part->group : 1; }
static uint64_t mask_of(const stc_part *part) { return part->mask ? part->mask : UINT64_MAX; }

bool stc_parts_meet(const stc_part *a, const stc_part *b, bool *sensed) {
  bool meet = (group_of(a) & mask_of(b)) && (group_of(b) & mask_of(a));
  *sensed = meet && a->sensor != b->sensor;
  return meet && !(a->sensor && b->sensor);
}

// --- Pairs of the step ---

/// Two lists of pairs of parts, contacts and what is sensed, read in the order of pairs.
typedef struct pair_reader {
  stc_world *world;
  const stc_contact_pair *contact;
  int contacts, sensed;  ///< in the lists
  int first;             ///< contact of the world that is the first one of the list
  int at, seen;          ///< read
} pair_reader;

/// Not a contact with an impulse, nor one that is closed.
static bool is_open(const pair_reader *p, int c) {
  const stc_world *world = p->world;
  const stc_contact_pair *m = &p->contact[c];
  const stc_body_data *node = STC_NODES(world);
  double size = fmin(node[m->body[0]].size, node[m->body[1]].size);
  const double *r =
      (const double *)world->last_r.data + (size_t)(p->first + c) * (size_t)world->dim;
  return !(r[0] > 0 || m->point.gap <= world->settings.slop * size);
}

static stc_world_event begin_event(const stc_world *world, const int part[2]) {
  stc_world_event e = {.kind = STC_EVENT_BEGIN};
  for (int k = 0; k < 2; k++) {
    int body = STC_PART_BODY(world)[part[k]];
    e.body[k] = stc_world_id_of(world, body);
    e.part[k] = part[k] - STC_NODES(world)[body].first_part;
  }
  return e;
}

static void add_impulse(const pair_reader *p, int c, stc_world_event *e) {
  const stc_contact_pair *m = &p->contact[c];
  stc_add3(e->impulse, m->load.normal, m->point.normal);
  stc_add3(e->impulse, 1, m->load.sliding);
}

/// The contacts of the next pair that touches; false: there is none, or it comes after `before`.
static bool read_contacts(pair_reader *p, const int *before, stc_world_event *e) {
  while (p->at < p->contacts) {
    const stc_contact_pair *m = &p->contact[p->at];
    int last = p->at;
    if (before && (m->part[0] > before[0] || (m->part[0] == before[0] && m->part[1] > before[1])))
      return false;
    bool open = true;
    *e = begin_event(p->world, m->part);
    e->first = p->first + p->at;
    for (; last < p->contacts && !memcmp(p->contact[last].part, m->part, sizeof m->part); last++) {
      open = open && is_open(p, last);
      add_impulse(p, last, e);
    }
    e->contacts = last - p->at;
    p->at = last;
    if (!open) return true;
  }
  return false;
}

static bool read_pair(pair_reader *p, stc_world_event *e) {
  const int *sensed = p->seen < p->sensed ? (const int *)p->world->sense.data + 2 * p->seen : NULL;
  if (read_contacts(p, sensed, e)) return true;
  if (!sensed) return false;
  *e = begin_event(p->world, sensed);
  e->sensor = true;
  p->seen++;
  return true;
}

// --- Beside those of the last step ---

/// Less than, equal to or greater than 0, by places.
static int compare_events(const stc_world_event *a, const stc_world_event *b) {
  for (int k = 0; k < 2; k++) {
    if (a->body[k].index != b->body[k].index) return a->body[k].index - b->body[k].index;
    if (a->part[k] != b->part[k]) return a->part[k] - b->part[k];
  }
  return 0;
}

static bool same_bodies(const stc_world_event *a, const stc_world_event *b) {
  return a->body[0].generation == b->body[0].generation &&
         a->body[1].generation == b->body[1].generation && a->sensor == b->sensor;
}

static stc_error add_event(stc_world *world, const stc_world_event *e) {
  size_t count = (size_t)world->next_events;
  STC_TRY(stc_pool_grow(&world->next_event, count + 1, sizeof *e, count));
  ((stc_world_event *)world->next_event.data)[count] = *e;
  world->next_events++;
  return STC_OK;
}

static stc_error end_event(stc_world *world, const stc_world_event *old) {
  stc_world_event e = {.kind = STC_EVENT_END,
                       .sensor = old->sensor,
                       .body = {old->body[0], old->body[1]},
                       .part = {old->part[0], old->part[1]}};
  return old->kind == STC_EVENT_END ? STC_OK : add_event(world, &e);
}

/// Ends what comes before the event `e` (NULL: all), and tells whether `e` went on.
static stc_error pass_old(stc_world *world, int *at, const stc_world_event *e, bool *persists) {
  const stc_world_event *old = world->event.data;
  *persists = false;
  for (; *at < world->events; ++*at) {
    int order = e ? compare_events(&old[*at], e) : -1;
    if (order > 0) break;
    bool same = order == 0 && same_bodies(&old[*at], e) && old[*at].kind != STC_EVENT_END;
    *persists = *persists || same;
    if (!same) STC_TRY(end_event(world, &old[*at]));
  }
  return STC_OK;
}

static stc_error merge_events(pair_reader *p, const double *before) {
  stc_world *world = p->world;
  stc_world_event e;
  bool persists;
  int at = world->still_events;
  world->next_events = 0;
  while (read_pair(p, &e)) {
    STC_TRY(pass_old(world, &at, &e, &persists));
    if (persists) e.kind = STC_EVENT_PERSIST;
    for (int c = e.first - p->first, end = c + e.contacts; before && c < end; c++)
      e.speed = fmax(e.speed, -before[(size_t)c * (size_t)world->dim]);
    STC_TRY(add_event(world, &e));
  }
  return pass_old(world, &at, NULL, &persists);
}

stc_error stc_world_find_events(stc_world *world) {
  pair_reader p = {.world = world,
                   .contact = STC_CONTACT_PAIRS(world),
                   .contacts = world->count,
                   .sensed = world->sensed,
                   .first = world->still};
  size_t still = (size_t)world->still_events;
  STC_TRY(merge_events(&p, STC_ROW(world, STC_ROW_BEFORE)));
  return stc_pool_grow(&world->event, still + (size_t)world->next_events, sizeof(stc_world_event),
                       (size_t)world->events);
}

void stc_world_take_events(stc_world *world) {
  stc_world_event *to = (stc_world_event *)world->event.data + world->still_events;
  if (world->next_events)
    memcpy(to, world->next_event.data, (size_t)world->next_events * sizeof *to);
  for (int k = 0; world->fresh_sleep && k < world->still_events; k++) {
    stc_world_event *e = (stc_world_event *)world->event.data + k;
    e->kind = STC_EVENT_PERSIST;
    e->speed = 0;
  }
  world->fresh_sleep = false;
  world->events = world->still_events + world->next_events;
  world->settled = false;
}

static void make_persistent(stc_world *world) {
  stc_world_event *e = world->event.data;
  int kept = 0;
  for (int k = 0; k < world->events; k++) {
    if (e[k].kind == STC_EVENT_END) continue;
    e[kept] = e[k];
    e[kept++].kind = STC_EVENT_PERSIST;
  }
  world->events = kept;
}

void stc_world_settle_events(stc_world *world) {
  if (!world->settled) make_persistent(world);
  world->settled = true;
}

stc_error stc_world_recall_events(stc_world *world) {
  pair_reader p = {.world = world, .contact = world->last.data, .contacts = world->last_count};
  world->events = world->still_events = 0;
  STC_TRY(merge_events(&p, NULL));
  STC_TRY(stc_pool_grow(&world->event, (size_t)world->next_events, sizeof(stc_world_event), 0));
  stc_world_take_events(world);
  make_persistent(world);
  return STC_OK;
}

// --- Asking ---

int stc_world_events(const stc_world *world, const stc_world_event **event) {
  *event = world->event.data;
  return world->events;
}

stc_world_arrays stc_world_arrays_of(const stc_world *world) {
  const stc_contact_pair *m = world->last.data;
  stc_world_arrays a = {.bodies = world->bodies,
                        .place = world->place.data,
                        .contacts = world->last_count,
                        .dim = world->dim,
                        .r = world->last_r.data,
                        .u = world->last_u.data,
                        .stride = sizeof *m};
  _Static_assert(sizeof(stc_place) == STC_PLACE_NUMBERS * sizeof(double), "places are numbers");
  if (!m) return a;
  a.point = &m->point;
  a.tangent = m->tangent[0];
  a.body = m->body;
  a.state = &m->state;
  return a;
}
