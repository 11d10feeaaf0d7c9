// Rigid motions that supports leave to a body: 3 in the plane, 6 in space, 1 about an axis. With
// z_i the rigid motions at the supported component i,
//   G = sum_i z_i z_i^T:   what is left is the null space of G.
#ifndef STC_FEM_MOTIONS_H
#define STC_FEM_MOTIONS_H

#include <stiction/base.h>

#include <stddef.h>

enum { STC_RIGID_MODES = 6 };  // at most: in space

/// A body as rigid motions see it. Zero it, set dim and axisymmetric, add all its nodes, then what
/// holds them, then ask what is left.
typedef struct stc_motions {
  int dim;
  bool axisymmetric;
  bool begun;  ///< some node was added
  double low[3], high[3];
  double G[STC_RIGID_MODES][STC_RIGID_MODES];
  int left;  ///< motions that nothing holds
  /// [left] combinations of the rigid motions about the centre, rotations in units of the size;
  /// those with a rotation first
  double motion[STC_RIGID_MODES][STC_RIGID_MODES];
} stc_motions;

int stc_motions_count(const stc_motions *m);
void stc_motions_add(stc_motions *m, const double *x);
/// Centre of the box around the nodes; returns its size.
double stc_motions_centre(const stc_motions *m, double centre[3]);

/// Component c at x of each rigid motion, z [count].
void stc_motions_at(const stc_motions *m, int c, const double *x, double *z);
/// Nothing can move along z.
void stc_motions_hold(stc_motions *m, const double *z);
void stc_motions_find(stc_motions *m);

/// "(1, 0.5)"
void stc_say_place(char *text, size_t room, const double *x, int dim);
/// "move along x": motion k of those that are left; "move along x and rotate about (0, 0)": all.
void stc_motions_say(const stc_motions *m, int k, char *text, size_t room);
void stc_motions_say_all(const stc_motions *m, char *text, size_t room);

#endif
