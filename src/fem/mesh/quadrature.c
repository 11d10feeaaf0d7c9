// Quadrature tables. Lines, squares and cubes: products of Gauss-Legendre rules; triangles: the
// symmetric rules of degree 1, 2, 4 and 5 [Dunavant 1985]; tetrahedra: degree 1 and 2.
#include "shape_functions.h"

#include <stddef.h>

#define G2 0.57735026918962576451  // sqrt(1/3)
#define G3 0.77459666924148337704  // sqrt(3/5)

static const double line_2[] = {-G2, G2}, line_2_w[] = {1, 1};
static const double line_3[] = {-G3, 0, G3}, line_3_w[] = {5. / 9, 8. / 9, 5. / 9};

static const double square_4[] = {-G2, -G2, G2, -G2, G2, G2, -G2, G2};
static const double square_4_w[] = {1, 1, 1, 1};
static const double square_9[] = {-G3, -G3, 0, -G3, G3, -G3, -G3, 0,  0,
                                  0,   G3,  0, -G3, G3, 0,   G3,  G3, G3};
static const double square_9_w[] = {25. / 81, 40. / 81, 25. / 81, 40. / 81, 64. / 81,
                                    40. / 81, 25. / 81, 40. / 81, 25. / 81};

static const double cube_8[] = {-G2, -G2, -G2, G2, -G2, -G2, G2, G2, -G2, -G2, G2, -G2,
                                -G2, -G2, G2,  G2, -G2, G2,  G2, G2, G2,  -G2, G2, G2};
static const double cube_8_w[] = {1, 1, 1, 1, 1, 1, 1, 1};

static const double triangle_1[] = {1. / 3, 1. / 3}, triangle_1_w[] = {1. / 2};
static const double triangle_3[] = {1. / 6, 1. / 6, 2. / 3, 1. / 6, 1. / 6, 2. / 3};
static const double triangle_3_w[] = {1. / 6, 1. / 6, 1. / 6};

/// The three points with barycentric coordinates (a, a, b), b = 1 - 2 a.
#define ORBIT(a, b) a, a, b, a, a, b

static const double triangle_6[] = {ORBIT(0.44594849091596488632, 0.10810301816807022736),
                                    ORBIT(0.09157621350977074346, 0.81684757298045851308)};
#define A6 0.11169079483900573285
#define B6 0.054975871827660933819
static const double triangle_6_w[] = {A6, A6, A6, B6, B6, B6};

static const double triangle_7[] = {1. / 3, 1. / 3,
                                    ORBIT(0.1012865073234563388, 0.7974269853530873224),
                                    ORBIT(0.47014206410511508977, 0.059715871789769820459)};
#define A7 0.062969590272413576298
#define B7 0.066197076394253090369
static const double triangle_7_w[] = {9. / 80, A7, A7, A7, B7, B7, B7};

static const double tetrahedron_1[] = {1. / 4, 1. / 4, 1. / 4}, tetrahedron_1_w[] = {1. / 6};
#define A4 0.13819660112501051518  // (5 - sqrt 5) / 20
#define B4 0.58541019662496845446
static const double tetrahedron_4[] = {A4, A4, A4, B4, A4, A4, A4, B4, A4, A4, A4, B4};
static const double tetrahedron_4_w[] = {1. / 24, 1. / 24, 1. / 24, 1. / 24};

static const double point_1_w[] = {1};

#define RULE(name)                                                                                 \
  { sizeof name##_w / sizeof(double), name, name##_w }

/// For stiffness, for stiffness about an axis, for mass.
static const stc_rule rules[STC_CELL_TYPES][3] = {
    [STC_CELL_P1] = {{1, NULL, point_1_w}, {1, NULL, point_1_w}, {1, NULL, point_1_w}},
    [STC_CELL_L2] = {RULE(line_2), RULE(line_2), RULE(line_2)},
    [STC_CELL_L3] = {RULE(line_3), RULE(line_3), RULE(line_3)},
    [STC_CELL_T3] = {RULE(triangle_1), RULE(triangle_3), RULE(triangle_6)},
    [STC_CELL_T6] = {RULE(triangle_3), RULE(triangle_6), RULE(triangle_7)},
    [STC_CELL_Q4] = {RULE(square_4), RULE(square_4), RULE(square_4)},
    [STC_CELL_Q8] = {RULE(square_9), RULE(square_9), RULE(square_9)},
    [STC_CELL_T4] = {RULE(tetrahedron_1), RULE(tetrahedron_1), RULE(tetrahedron_4)},
    [STC_CELL_H8] = {RULE(cube_8), RULE(cube_8), RULE(cube_8)},
};

stc_rule stc_cell_rule(stc_cell_type type, stc_rule_kind kind) { return rules[type][kind]; }
