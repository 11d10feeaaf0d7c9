// A packing of balls in an open box, made by drop and roll: each ball falls at a random place,
// rolls over one obstacle, then over two, and stops where the normals of what it touches carry its
// weight [Visscher and Bolsterli 1972; Jodrey and Tory 1979].
#ifndef STC_DYNAMICS_PACK_H
#define STC_DYNAMICS_PACK_H

#include "../../base/memory.h"
#include "../../base/random.h"

/// The box is 0 <= x <= width[0], 0 <= y <= width[1], 0 <= z; a flat packing has all y = 0 and no
/// walls across y.
typedef struct stc_pack {
  stc_arena arena;
  bool flat;
  double width[2];
  double largest;  ///< radius
  int balls;       ///< settled so far
  double (*centre)[3];
  double *radius;  ///< of every ball, settled or not
  double cell;     ///< edge of a cell
  int cells[3];    ///< along x, y and, growing with the pile, z
  int *head;       ///< first ball of each cell, layer by layer; -1 where empty
  int *next;       ///< the ball after each one in its cell, or -1
  double top;      ///< height of the highest centre
} stc_pack;

/// What a ball can touch: balls 0, 1, ... and the planes below.
enum { STC_FLOOR = -1, STC_PLANES = 5 };

/// Settles balls with the given radii [count] in their order.
stc_error stc_pack_fill(stc_pack *pack, bool flat, const double width[2], int count,
                        const double *radius, stc_random *random);
void stc_pack_free(stc_pack *pack);

/// Room for `count` balls in an empty box, and the next ball put where it rests.
stc_error stc_pack_open(stc_pack *pack, bool flat, const double width[2], int count,
                        const double *radius);
stc_error stc_pack_settle(stc_pack *pack, const double x[3]);

/// Rolls ball number pack->balls from x until it rests. False where it meets a degenerate
/// configuration: drop it elsewhere.
bool stc_pack_roll(const stc_pack *pack, double x[3]);

/// Planes of the box as obstacles -1 (floor), -2, ... : how many there are, and
/// n.x >= offset inside for each.
int stc_pack_planes(const stc_pack *pack);
const double *stc_pack_normal(int plane);
double stc_pack_offset(const stc_pack *pack, int plane);

/// Distance between the surface of a ball (x, radius) and an obstacle, and the unit normal from the
/// obstacle to the ball.
double stc_pack_gap(const stc_pack *pack, int obstacle, const double x[3], double radius,
                    double normal[3]);

/// Visits the settled balls whose cells meet the box low..high: start, then next until -1.
typedef struct stc_near {
  const stc_pack *pack;
  int low[3], high[3], at[3];
  int ball;
} stc_near;
stc_near stc_pack_near(const stc_pack *pack, const double low[3], const double high[3]);
int stc_near_next(stc_near *near);

#endif
