// Reads and writes the sections of laws. Each is stored once: corners of intervals and polygons,
// arcs of round curves (centre, radius, normal where it starts), as the bits they are.
#include "sections.h"

#include "../../law/section/convex_curve.h"

#include <limits.h>
#include <string.h>

#define GROUP "stiction_sections"

enum { PER_ARC = 5 };

// --- Writing ---

/// The different sections in the order in which contacts name them.
typedef struct section_list {
  int count;
  const stc_cone_section **section;  // [count]
  int *of;                           // [contacts] or -1
  int *corners, *arcs;               // [count]
  long long all_corners, all_arcs;
} section_list;

static int number_of(section_list *list, const stc_cone_section *section) {
  for (int k = list->count - 1; k >= 0; k--)
    if (list->section[k] == section) return k;
  int corners = stc_cone_section_corners(section, NULL), at = list->count++;
  list->section[at] = section;
  list->corners[at] = corners;
  list->arcs[at] = corners ? 0 : section->arcs;
  list->all_corners += corners;
  list->all_arcs += list->arcs[at];
  return at;
}

static stc_error list_sections(const stc_problem *p, stc_arena *arena, section_list *list) {
  list->section = STC_TAKE(arena, const stc_cone_section *, p->contacts);
  list->of = STC_TAKE(arena, int, p->contacts);
  list->corners = STC_TAKE(arena, int, p->contacts);
  list->arcs = STC_TAKE(arena, int, p->contacts);
  STC_TRY(stc_arena_check(arena));
  for (int c = 0; c < p->contacts; c++)
    list->of[c] = p->law[c].kind == STC_LAW_SECTION ? number_of(list, p->law[c].section) : -1;
  return STC_OK;
}

static void copy_arcs(const stc_cone_section *s, double *to) {
  for (int i = 0; i < s->arcs; i++, to += PER_ARC) {
    memcpy(to, s->centre + 2 * i, 2 * sizeof *to);
    to[2] = s->radius[i];
    memcpy(to + 3, s->normal + 2 * i, 2 * sizeof *to);
  }
}

stc_error stc_sections_put(stc_image *image, const stc_problem *p, stc_arena *arena) {
  section_list list = {0};
  STC_TRY(list_sections(p, arena, &list));
  if (list.count == 0) return STC_OK;
  if (list.all_corners > INT_MAX / 2 || list.all_arcs > INT_MAX / PER_ARC)
    return stc_fail(STC_ERR_UNSUPPORTED, "the sections have %lld corners and %lld arcs, too many",
                    list.all_corners, list.all_arcs);
  double *corner = STC_TAKE(arena, double, 2 * (size_t)list.all_corners);
  double *arc = STC_TAKE(arena, double, PER_ARC *(size_t)list.all_arcs);
  STC_TRY(stc_arena_check(arena));
  stc_image_ints(image, GROUP, "section_of", p->contacts, list.of);
  stc_image_ints(image, GROUP, "corners", list.count, list.corners);
  stc_image_ints(image, GROUP, "arcs", list.count, list.arcs);
  if (list.all_corners)
    stc_image_doubles(image, GROUP, "corner", 2 * (int)list.all_corners, corner);
  if (list.all_arcs) stc_image_doubles(image, GROUP, "arc", PER_ARC * (int)list.all_arcs, arc);
  for (int k = 0; k < list.count; k++) {
    if (list.arcs[k]) copy_arcs(list.section[k], arc);
    if (list.corners[k]) stc_cone_section_corners(list.section[k], corner);
    corner += 2 * (ptrdiff_t)list.corners[k];
    arc += PER_ARC * (ptrdiff_t)list.arcs[k];
  }
  return STC_OK;
}

// --- Reading ---

/// Counts per section and the numbers of all of them.
typedef struct stored_numbers {
  int *corners, *arcs;
  const double *corner, *arc;
} stored_numbers;

static stc_error sum_counts(const char *name, const int *count, int sections, long long *sum) {
  *sum = 0;
  for (int k = 0; k < sections; k++) {
    if (count[k] < 0) return stc_fail(STC_ERR_FORMAT, "%s[%d] = %d", name, k, count[k]);
    *sum += count[k];
  }
  return STC_OK;
}

static stc_error read_numbers(stc_fclib_file *file, int sections, stored_numbers *n) {
  long long corners = 0, arcs = 0;
  STC_TRY(stc_fclib_ints(file, GROUP "/corners", sections, &n->corners));
  STC_TRY(stc_fclib_ints(file, GROUP "/arcs", sections, &n->arcs));
  STC_TRY(sum_counts(GROUP "/corners", n->corners, sections, &corners));
  STC_TRY(sum_counts(GROUP "/arcs", n->arcs, sections, &arcs));
  if (corners) STC_TRY(stc_fclib_vector(file, GROUP "/corner", 2 * corners, &n->corner));
  if (arcs) STC_TRY(stc_fclib_vector(file, GROUP "/arc", PER_ARC * arcs, &n->arc));
  return STC_OK;
}

static stc_error make_interval(const double *corner, int corners, stc_cone_section **section) {
  if (corners != 2 || corner[1] != 0 || corner[3] != 0)
    return stc_fail(STC_ERR_FORMAT, "an interval has two ends, (-back, 0) and (forth, 0)");
  return stc_cone_section_interval(-corner[0], corner[2], section);
}

static stc_error make_curve(stc_arena *arena, const double *arc, int arcs,
                            stc_cone_section **section) {
  double *centre = STC_TAKE(arena, double, 2 * (size_t)arcs);
  double *radius = STC_TAKE(arena, double, arcs);
  double *normal = STC_TAKE(arena, double, 2 * (size_t)arcs);
  STC_TRY(stc_arena_check(arena));
  for (int i = 0; i < arcs; i++, arc += PER_ARC) {
    memcpy(centre + 2 * i, arc, 2 * sizeof *arc);
    radius[i] = arc[2];
    memcpy(normal + 2 * i, arc + 3, 2 * sizeof *arc);
  }
  return stc_curve_create(arcs, centre, radius, normal, section);
}

static stc_error make_sections(stc_fclib_file *file, int dim, stored_numbers n,
                               stc_stored_sections *stored) {
  for (int k = 0; k < stored->count; k++) {
    int corners = n.corners[k], arcs = n.arcs[k];
    if ((corners > 0) == (arcs > 0))
      return stc_fail(STC_ERR_FORMAT,
                      GROUP ": section %d has %d corners and %d arcs; it should have one kind", k,
                      corners, arcs);
    stc_error error = arcs ? make_curve(&file->arena, n.arc, arcs, &stored->section[k])
                      : dim == 2
                          ? make_interval(n.corner, corners, &stored->section[k])
                          : stc_curve_create(corners, n.corner, NULL, NULL, &stored->section[k]);
    if (error) return stc_fail_in(error == STC_ERR_MEMORY ? error : STC_ERR_FORMAT, GROUP);
    if (corners) n.corner += 2 * (ptrdiff_t)corners;
    if (arcs) n.arc += PER_ARC * (ptrdiff_t)arcs;
  }
  return STC_OK;
}

static stc_error set_stored_laws(stc_fclib_file *file, int dim, int contacts, const double *mu,
                                 const double *mu2, stc_stored_sections *stored) {
  int *of = NULL;
  STC_TRY(stc_fclib_ints(file, GROUP "/section_of", contacts, &of));
  stored->law = STC_TAKE(&file->arena, stc_law, contacts);
  STC_TRY(stc_arena_check(&file->arena));
  for (int c = 0; c < contacts; c++) {
    bool elliptic = mu2 && mu2[c] != mu[c];
    if (of[c] < -1 || of[c] >= stored->count)
      return stc_fail(STC_ERR_FORMAT, GROUP "/section_of[%d] = %d; there are %d sections", c, of[c],
                      stored->count);
    stored->law[c] = of[c] >= 0 ? stc_law_section(stored->section[of[c]])
                     : elliptic ? stc_law_elliptic(mu[c], mu2[c])
                                : stc_law_coulomb(dim, mu[c]);
    if (of[c] >= 0) stored->law[c].mu[0] = stored->law[c].mu[1] = mu[c];
  }
  return STC_OK;
}

stc_error stc_sections_read(stc_fclib_file *file, int dim, int contacts, const double *mu,
                            const double *mu2, stc_stored_sections *stored) {
  bool has = false;
  long long sections = 0;
  stored_numbers n = {0};
  *stored = (stc_stored_sections){0};
  STC_TRY(stc_fclib_has_group(file, GROUP, &has));
  if (!has) return STC_OK;
  STC_TRY(stc_fclib_need_length(file, GROUP "/corners", &sections));
  if (sections < 1 || sections > contacts)
    return stc_fail(STC_ERR_FORMAT, GROUP ": %lld sections for %d contacts", sections, contacts);
  STC_TRY(read_numbers(file, (int)sections, &n));
  stored->section = stc_calloc((size_t)sections, sizeof *stored->section);
  if (!stored->section)
    return stc_fail(STC_ERR_MEMORY, "out of memory for %lld sections", sections);
  stored->count = (int)sections;
  STC_TRY(make_sections(file, dim, n, stored));
  return set_stored_laws(file, dim, contacts, mu, mu2, stored);
}
