// How surfaces rub: pairs that were given, and a mixture for the others,
//   mu = sqrt(mu_a mu_b),   e = max(e_a, e_b),   lengths = a + b.
#include "world_data.h"

// Most surfaces a world tells apart: the table of pairs stays small.
enum { MOST_SURFACES = 1024 };

// Greatest spinning moment of a Hertz patch over mu r_N radius   [Zhuravlev 1998].
static const double HERTZ_SPIN = 3 * 3.14159265358979323846 / 16;

#define STC_FIELD_INITIAL(type, name, initial, least, greatest, meaning) .name = initial,
stc_rub stc_default_rub(void) { return (stc_rub){STC_RUB_FIELDS(STC_FIELD_INITIAL)}; }
#undef STC_FIELD_INITIAL

#define STC_FIELD_CHECK(type, name, initial, least, greatest, meaning)                             \
  if (!(rub->name >= (least) && rub->name <= (greatest)))                                          \
    return stc_fail(STC_ERR_VALUE, #name " = %g of surfaces %d and %d is outside %g ... %g",       \
                    rub->name, a, b, (double)(least), (double)(greatest));
static stc_error check_rub(const stc_rub *rub, int a, int b) {
  STC_RUB_FIELDS(STC_FIELD_CHECK)
  return STC_OK;
}
#undef STC_FIELD_CHECK

stc_error stc_world_set_rub(stc_world *world, int surface_a, int surface_b, const stc_rub *rub) {
  if (!world || !rub) return stc_fail(STC_ERR_ARGUMENT, "set_rub needs a world and a rub");
  if (world->started)
    return stc_fail(STC_ERR_ARGUMENT, "the world has started; set rubs before that");
  if (surface_a < 0 || surface_b < 0 || surface_a >= MOST_SURFACES || surface_b >= MOST_SURFACES)
    return stc_fail(STC_ERR_VALUE, "surfaces %d and %d; number them from 0 to %d", surface_a,
                    surface_b, MOST_SURFACES - 1);
  STC_TRY(check_rub(rub, surface_a, surface_b));
  size_t given = (size_t)world->given;
  STC_TRY(stc_stock_grow(&world->given_rub, given + 1, sizeof(stc_given_rub), given));
  ((stc_given_rub *)world->given_rub.data)[given] = (stc_given_rub){{surface_a, surface_b}, *rub};
  world->given++;
  return STC_OK;
}

/// The last one given for the pair; NULL if there is none.
static const stc_rub *find(const stc_world *world, int a, int b) {
  const stc_given_rub *given = world->given_rub.data;
  for (int k = world->given - 1; k >= 0; k--) {
    const int *pair = given[k].surface;
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return &given[k].rub;
  }
  return NULL;
}

static stc_rub mix(const stc_rub *a, const stc_rub *b) {
  return (stc_rub){.mu = sqrt(a->mu * b->mu),
                   .restitution = fmax(a->restitution, b->restitution),
                   .rolling = a->rolling + b->rolling,
                   .spinning = a->spinning + b->spinning};
}

static stc_rub rub_of(const stc_world *world, int a, int b) {
  stc_rub usual = stc_default_rub();
  const stc_rub *given = find(world, a, b);
  if (given) return *given;
  const stc_rub *of_a = find(world, a, a), *of_b = find(world, b, b);
  if (a == b) return usual;
  return mix(of_a ? of_a : &usual, of_b ? of_b : &usual);
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

static stc_error count_surfaces(stc_world *world) {
  world->surfaces = 1;
  for (int b = 0; b < world->bodies; b++) {
    const stc_node *node = &STC_NODES(world)[b];
    if (node->surface >= MOST_SURFACES)
      return stc_fail(STC_ERR_VALUE, "body %s: surface = %d; number surfaces from 0 to %d",
                      node->name, node->surface, MOST_SURFACES - 1);
    if (node->surface >= world->surfaces) world->surfaces = node->surface + 1;
  }
  return STC_OK;
}

stc_error stc_world_make_rubs(stc_world *world) {
  bool rolls = false, spins = false;
  STC_TRY(count_surfaces(world));
  int n = world->surfaces;
  stc_release(&world->rub);
  world->rub = stc_calloc((size_t)n * (size_t)n, sizeof *world->rub);
  if (!world->rub) return stc_fail(STC_ERR_MEMORY, "out of memory for %d surfaces", n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      stc_rub rub = world->rub[a * n + b] = rub_of(world, a, b);
      rolls = rolls || rub.rolling > 0;
      spins = spins || rub.spinning > 0;
    }
  return choose_dim(world, rolls, spins);
}

const stc_rub *stc_world_rub_of(const stc_world *world, int body_a, int body_b) {
  const stc_node *node = STC_NODES(world);
  return &world->rub[node[body_a].surface * world->surfaces + node[body_b].surface];
}

stc_law stc_world_law_of(const stc_world *world, const stc_rub *rub) {
  bool rolls = world->settings.plane ? world->dim == 3 : world->dim == 5;
  if (rolls) return stc_law_rolling(world->dim, rub->mu, rub->rolling);
  if (world->dim == 4)
    return stc_law_contensou(rub->mu, rub->mu > 0 ? rub->spinning / (rub->mu * HERTZ_SPIN) : 0);
  return stc_law_coulomb(world->dim, rub->mu);
}
