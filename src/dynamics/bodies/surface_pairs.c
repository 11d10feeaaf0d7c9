// Friction and restitution between surfaces: pairs that were given, and a mixture for the others,
//   mu = sqrt(mu_a mu_b),   e = max(e_a, e_b),   lengths = a + b,
// and springs in a row, each with its damper: compliances a + b; under a force that changes slowly
// the damping is that of the two, (c_a^2 d_a + c_b^2 d_b) / (c_a + c_b)^2.
#include "../surfaces/contact_laws.h"

// Greatest spinning moment of a Hertz patch over mu r_N radius   [Zhuravlev 1998].
static const double HERTZ_SPIN = 3 * 3.14159265358979323846 / 16;  // [maths]

#define STC_FIELD_INITIAL(type, name, initial, least, greatest, meaning) .name = initial,
stc_surface_pair stc_default_surface_pair(void) {
  return (stc_surface_pair){STC_SURFACE_PAIR_FIELDS(STC_FIELD_INITIAL)};
}
#undef STC_FIELD_INITIAL

#define STC_FIELD_CHECK(type, name, initial, least, greatest, meaning)                             \
  if (!(surface_pair->name >= (least) && surface_pair->name <= (greatest)))                        \
    return stc_fail(STC_ERR_VALUE, #name " = %g of surfaces %d and %d is outside %g ... %g",       \
                    surface_pair->name, a, b, (double)(least), (double)(greatest));
static stc_error check_surface_pair(const stc_surface_pair *surface_pair, int a, int b) {
  STC_SURFACE_PAIR_FIELDS(STC_FIELD_CHECK)
  return STC_OK;
}
#undef STC_FIELD_CHECK

stc_surface_pair *stc_surface_find_pair(const stc_world *world, int a, int b) {
  stc_given_surface_pair *given = world->given_pair.data;
  for (int k = 0; k < world->given; k++) {
    const int *pair = given[k].surface;
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a))
      return &given[k].surface_pair;
  }
  return NULL;
}

stc_error stc_surface_check_numbers(int a, int b) {
  if (a >= 0 && b >= 0 && a < STC_MOST_SURFACES && b < STC_MOST_SURFACES) return STC_OK;
  return stc_fail(STC_ERR_VALUE, "surfaces %d and %d; number them from 0 to %d", a, b,
                  STC_MOST_SURFACES - 1);
}

stc_error stc_world_set_surface_pair(stc_world *world, int surface_a, int surface_b,
                                     const stc_surface_pair *surface_pair) {
  if (!world || !surface_pair)
    return stc_fail(STC_ERR_ARGUMENT, "set_surface_pair needs a world and a pair");
  STC_TRY(stc_surface_check_numbers(surface_a, surface_b));
  STC_TRY(check_surface_pair(surface_pair, surface_a, surface_b));
  stc_surface_pair *old = stc_surface_find_pair(world, surface_a, surface_b);
  world->edited = world->surfaces_edited = true;
  stc_world_stir(world);
  stc_islands_wake_all(world);
  if (old) {
    *old = *surface_pair;
    return STC_OK;
  }
  size_t given = (size_t)world->given;
  STC_TRY(stc_pool_grow(&world->given_pair, given + 1, sizeof(stc_given_surface_pair), given));
  ((stc_given_surface_pair *)world->given_pair.data)[given] =
      (stc_given_surface_pair){{surface_a, surface_b}, *surface_pair};
  world->given++;
  return STC_OK;
}

static double mix_damping(const stc_surface_pair *a, const stc_surface_pair *b) {
  double sum = a->compliance + b->compliance;
  if (sum == 0) return 0;
  double of_a = a->compliance / sum, of_b = b->compliance / sum;
  return of_a * of_a * a->damping + of_b * of_b * b->damping;
}

static stc_surface_pair mix_surfaces(const stc_surface_pair *a, const stc_surface_pair *b) {
  return (stc_surface_pair){.mu = sqrt(a->mu * b->mu),
                            .restitution = fmax(a->restitution, b->restitution),
                            .rolling = a->rolling + b->rolling,
                            .spinning = a->spinning + b->spinning,
                            .compliance = a->compliance + b->compliance,
                            .damping = mix_damping(a, b)};
}

static stc_surface_pair choose_surface_pair(const stc_world *world, int a, int b) {
  stc_surface_pair usual = stc_default_surface_pair();
  const stc_surface_pair *given = stc_surface_find_pair(world, a, b);
  if (given) return *given;
  const stc_surface_pair *of_a = stc_surface_find_pair(world, a, a),
                         *of_b = stc_surface_find_pair(world, b, b);
  if (a == b) return usual;
  return mix_surfaces(of_a ? of_a : &usual, of_b ? of_b : &usual);
}

static stc_error choose_dim(stc_world *world, bool rolls, bool spins) {
  if (rolls && spins)
    return stc_fail(STC_ERR_UNSUPPORTED,
                    "rolling and spinning friction in one world are not served together; set the "
                    "rolling or the spinning lengths to 0");
  if (world->settings.plane && spins)
    return stc_fail(STC_ERR_UNSUPPORTED, "there is no spinning friction in the plane");
  if (world->settings.plane)
    world->dim = rolls ? 3 : 2;
  else
    world->dim = rolls ? 5 : spins ? 4 : 3;
  return STC_OK;
}

static void count_surfaces(stc_world *world) {
  world->surfaces = 1;
  for (int b = 0; b < world->bodies; b++) {
    int surface = STC_NODES(world)[b].surface;
    if (surface >= world->surfaces) world->surfaces = surface + 1;
  }
}

stc_error stc_world_make_surface_pairs(stc_world *world) {
  bool rolls = false, spins = false;
  count_surfaces(world);
  int n = world->surfaces;
  stc_release(&world->surface_pair);
  world->surface_pair = stc_calloc((size_t)n * (size_t)n, sizeof *world->surface_pair);
  if (!world->surface_pair) return stc_fail(STC_ERR_MEMORY, "out of memory for %d surfaces", n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      stc_surface_pair surface_pair = world->surface_pair[a * n + b] =
          choose_surface_pair(world, a, b);
      rolls = rolls || surface_pair.rolling > 0;
      spins = spins || surface_pair.spinning > 0;
    }
  STC_TRY(choose_dim(world, rolls, spins));
  return stc_world_make_surface_laws(world);
}

const stc_surface_pair *stc_world_surface_pair_of(const stc_world *world, int body_a, int body_b) {
  const stc_body_data *node = STC_NODES(world);
  return &world->surface_pair[node[body_a].surface * world->surfaces + node[body_b].surface];
}

stc_law stc_world_law_of(const stc_world *world, const stc_surface_pair *surface_pair) {
  bool rolls = world->settings.plane ? world->dim == 3 : world->dim == 5;
  if (rolls) return stc_law_rolling(world->dim, surface_pair->mu, surface_pair->rolling);
  if (world->dim == 4)
    return stc_law_contensou(
        surface_pair->mu,
        surface_pair->mu > 0 ? surface_pair->spinning / (surface_pair->mu * HERTZ_SPIN) : 0);
  return stc_law_coulomb(world->dim, surface_pair->mu);
}
