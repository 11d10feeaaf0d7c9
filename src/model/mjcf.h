// What the parts of the MJCF reader share: settings of the compiler, classes of defaults.
#ifndef STC_MODEL_MJCF_H
#define STC_MODEL_MJCF_H

#include "model_data.h"

typedef struct stc_mjcf {
  stc_model *model;
  const stc_xml *root;
  bool degrees, autolimits;
  bool from_geoms;  ///< inertias are those of the geoms, also where they are given
  const char *eulerseq, *meshdir;
} stc_mjcf;

/// The value of an attribute of an element whose class of defaults may say it: its own, or that of
/// `childclass` (NULL: none), then of the classes that this one is in.
const char *stc_mjcf_get(const stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                         const char *name);

/// `count` numbers of such an attribute; false in *there and x as it was where it is not said.
stc_error stc_mjcf_numbers(const stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                           const char *name, int least, int most, double *x, int *found);
stc_error stc_mjcf_number(const stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                          const char *name, double *x);

/// pos and one of quat, euler, axisangle, xyaxes, zaxis.
stc_error stc_mjcf_pose(const stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                        stc_pose *pose);

/// A geom of a body (-1: the world) whose pose is given.
stc_error stc_mjcf_geom(stc_mjcf *mjcf, const stc_xml *node, const char *childclass, int body,
                        const stc_pose *at);

/// The joints of a body, which are in `node`.
stc_error stc_mjcf_joints(stc_mjcf *mjcf, const stc_xml *node, const char *childclass, int body,
                          int parent);

/// <equality>, <contact>, <actuator>.
stc_error stc_mjcf_relations(stc_mjcf *mjcf, const stc_xml *mujoco);

/// An angle as the file says it, in rad.
double stc_mjcf_angle(const stc_mjcf *mjcf, double angle);

#endif
