// Modes of the contacts of a component, and the linear program whose negative value proves that no
// solution has them:
//   min q.y   y.u >= 0 for all u of the modes,  r.W^T y <= 0 for all r of the modes,  |y| <= 1.
// If q.y < 0 then 0 <= y.u = y.(W r + q) <= q.y < 0 for any solution: there is none.
#ifndef STC_CERT_FARKAS_H
#define STC_CERT_FARKAS_H

#include "exact/exact.h"
#include "exact/lp.h"

/// A contradiction whose depth is below this, the largest |q| being near 1 and |y| at most 1, is
/// one of the rounding in the data: it is never claimed.
#define STC_LEAST_DEPTH 0x1p-36

/// In the local form W is known up to rounding: where it is singular but for that, no y has W y = 0
/// exactly, and the matrix as it is stored has solutions with reactions near 1e15. There a proof
/// may exclude only reactions whose normal parts sum to no more than this, in the units of the
/// component: r.W^T y <= depth / REACH for reactions with a normal part of 1.
#define STC_FARKAS_REACH 0x1p30

typedef enum stc_mode_kind {
  STC_MODE_NONE,     ///< u_N >= 0, r in K
  STC_MODE_OPEN,     ///< u_N >= 0, r = 0
  STC_MODE_STICK,    ///< u_N = 0, D u_T = 0, r in K
  STC_MODE_PLUS,     ///< 2D: u_N = 0, D u_T >= 0, p = r_N, with r = (r_N, -D p)
  STC_MODE_MINUS,    ///< 2D: u_N = 0, D u_T <= 0, p = -r_N
  STC_MODE_SECTOR,   ///< 3D, round cones: u_N = 0, D u_T and p in a sector, |p| = r_N
  STC_MODE_CORNERS,  ///< 3D, polygons: slip with r and -u_T in the hulls of rays and of normals of
                     ///< the corners `first` to `last`; of one corner: its slip exactly
  STC_MODE_EDGE      ///< 3D, polygons: slip along edge `first`
} stc_mode_kind;

/// A sector lies in one quarter of the circle, between the directions of `from` and `to`: t stands
/// for (1 - t^2, 2 t) / (1 + t^2), a rational unit vector for a rational t in [0, 1], turned by as
/// many right angles as `quarter` says. In the plane the corner 0 of a cone slips as PLUS, 1 as
/// MINUS.
typedef struct stc_mode {
  stc_mode_kind kind;
  int quarter;
  double from, to;
  int first, last;  ///< corners, modulo their number
} stc_mode;

/// The direction t of a quarter: x, y with x^2 + y^2 = 1.
void stc_direction(int quarter, double t, stc_q x, stc_q y);

typedef struct stc_farkas {
  const stc_exact *exact;
  stc_lp *lp;
  int *row;        ///< [contacts+1] first row of each contact
  stc_mode *mode;  ///< [contacts]
  bool *held;      ///< [size] entries of y that stay zero while it is made exact
  bool within;     ///< the last proof holds within STC_FARKAS_REACH only
  stc_arena arena;
} stc_farkas;

stc_error stc_farkas_create(const stc_exact *exact, stc_farkas **farkas);
void stc_farkas_free(stc_farkas **farkas);

/// Sets the mode of contact c of the component.
stc_error stc_farkas_set(stc_farkas *farkas, int c, stc_mode mode);

/// Solves in floating point; true if the value is negative beyond rounding.
bool stc_farkas_contradicts(stc_farkas *farkas, double *value);

/// After a negative value: an exact y in lp->point with its value in lp->best; false if none is
/// found.
bool stc_farkas_prove(stc_farkas *farkas);

/// -value / max |y|, rounded towards zero: the depth of a contradiction.
double stc_farkas_depth(const stc_q value, const stc_rationals *y);

/// After a value of zero: r [size] of the multipliers, in the units of `exact`, and u = W r + q.
void stc_farkas_point(const stc_farkas *farkas, double *r, double *u);

#endif
