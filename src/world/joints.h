// A joint at given places: its directions, levers and what it is off by.
#ifndef STC_WORLD_JOINTS_H
#define STC_WORLD_JOINTS_H

#include "world_data.h"

typedef struct stc_joint_view {
  double point[2][3];      ///< the anchors in the world
  double lever[2][3];      ///< from each centre to the second anchor
  double axis[9];          ///< of the first body, in the world
  double other_axis[3];    ///< of the second
  double turned[3];        ///< vector by which the second body has turned too far in the first's
  double direction[6][3];  ///< of each row
  bool turns[6];           ///< the row is about turning
} stc_joint_view;

void stc_joint_look(const stc_world *world, const stc_place *places, const stc_link *link,
                    stc_joint_view *view);

/// What row k is off by, m or rad, positive along the row's velocity.
double stc_joint_error(const stc_joint_view *view, int row);

#endif
