// Laws that were given for surfaces, and the table of those that hold for each pair.
#include "contact_laws.h"

stc_surface_law stc_default_surface_law(void) {
  return (stc_surface_law){.coefficient = stc_coefficient_constant(NAN)};
}

static stc_given_surface_law *given_laws(const stc_world *world) { return world->given_law.data; }

/// The number of the law given for a pair in either order; -1: none.
static int find_law(const stc_world *world, int a, int b) {
  for (int k = 0; k < world->given_laws; k++) {
    const int *pair = given_laws(world)[k].surface;
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return k;
  }
  return -1;
}

static stc_error check_surface_law(const stc_surface_law *law, int a, int b) {
  const stc_coefficient *c = &law->coefficient;
  bool constant = c->kind == STC_COEFFICIENT_CONSTANT && isnan(c->mu_s);
  stc_error error = constant ? STC_OK : stc_coefficient_check(c);
  if (!error && law->law.dim != 0) error = stc_law_check(&law->law);
  if (error) return stc_fail(error, "surfaces %d and %d: %s", a, b, stc_error_detail());
  for (int i = 0; i < 3; i++)
    if (!isfinite(law->along[i]))
      return stc_fail(STC_ERR_VALUE, "surfaces %d and %d: along[%d] = %g; give a direction", a, b,
                      i, law->along[i]);
  return STC_OK;
}

static void take_law_away(stc_world *world, int number) {
  stc_given_surface_law *given = given_laws(world);
  size_t behind = (size_t)(--world->given_laws - number);
  memmove(given + number, given + number + 1, behind * sizeof *given);
}

stc_error stc_world_set_surface_law(stc_world *world, int surface_a, int surface_b,
                                    const stc_surface_law *law) {
  if (!world) return stc_fail(STC_ERR_ARGUMENT, "set_surface_law needs a world");
  STC_TRY(stc_surface_check_numbers(surface_a, surface_b));
  if (law) STC_TRY(check_surface_law(law, surface_a, surface_b));
  size_t given = (size_t)world->given_laws;
  STC_TRY(stc_pool_grow(&world->given_law, given + 1, sizeof(stc_given_surface_law), given));
  int old = find_law(world, surface_a, surface_b);
  world->edited = world->surfaces_edited = true;
  stc_world_stir(world);
  stc_islands_wake_all(world);
  if (law)
    given_laws(world)[old < 0 ? world->given_laws++ : old] =
        (stc_given_surface_law){{surface_a, surface_b}, *law};
  else if (old >= 0)
    take_law_away(world, old);
  return STC_OK;
}

// --- The table ---

static bool surface_is_there(const stc_world *world, int surface) {
  for (int b = 0; b < world->bodies; b++)
    if (STC_NODES(world)[b].surface == surface && STC_NODES(world)[b].parts > 0) return true;
  return false;
}

/// As in a contact: the law of the pair, or of one of the surfaces with itself.
static stc_error pick_law(const stc_world *world, int a, int b, int *law) {
  int own = find_law(world, a, b), of_a = find_law(world, a, a), of_b = find_law(world, b, b);
  *law = 0;
  if (own >= 0) {
    *law = given_laws(world)[own].surface[0] == a ? own + 1 : -(own + 1);
    return STC_OK;
  }
  if (stc_surface_find_pair(world, a, b)) return STC_OK;
  if (of_a >= 0 && of_b >= 0 && surface_is_there(world, a) && surface_is_there(world, b))
    return stc_fail(STC_ERR_ARGUMENT,
                    "surfaces %d and %d have a law of their own each; give the pair one", a, b);
  *law = of_a >= 0 ? of_a + 1 : of_b >= 0 ? -(of_b + 1) : 0;
  return STC_OK;
}

stc_error stc_world_make_surface_laws(stc_world *world) {
  int n = world->surfaces;
  stc_release(&world->surface_law);
  if (world->given_laws == 0) return STC_OK;
  world->surface_law = stc_calloc((size_t)n * (size_t)n, sizeof *world->surface_law);
  if (!world->surface_law) return stc_fail(STC_ERR_MEMORY, "out of memory for %d surfaces", n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) STC_TRY(pick_law(world, a, b, &world->surface_law[a * n + b]));
  return STC_OK;
}
