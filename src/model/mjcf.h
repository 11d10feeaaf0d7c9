// What the parts of the MJCF reader share: settings of the compiler, classes of defaults.
#ifndef STC_MODEL_MJCF_H
#define STC_MODEL_MJCF_H

#include "model_data.h"

enum { STC_MJCF_CLASSES = 20 };  ///< of defaults, inside each other

/// Elements of the defaults that one element takes its attributes from, the nearest first.
typedef struct stc_mjcf_chain {
  const stc_xml *node;
  const char *childclass;
  int count;
  stc_xml *element[STC_MJCF_CLASSES];
} stc_mjcf_chain;

typedef struct stc_mjcf {
  stc_model *model;
  const stc_xml *root;
  bool degrees, autolimits;
  bool from_geoms;  ///< inertias are those of the geoms, also where they are given
  const char *eulerseq, *meshdir;
  stc_name_list classes, elements;  ///< of defaults; elements by their class
  stc_name_list meshes;             ///< numbers are those of hulls; -1: not read yet
  stc_xml *usual;                   ///< the class of what names none
  stc_mjcf_chain chain;             ///< of the last element that was asked about
} stc_mjcf;

stc_error stc_mjcf_list_classes(stc_mjcf *mjcf, const stc_xml *mujoco);

/// Refuses a class of that attribute that does not exist.
stc_error stc_mjcf_check_class(stc_mjcf *mjcf, const stc_xml *node, const char *name);

/// The value of an attribute of an element whose class of defaults may say it: its own, or that of
/// `childclass` (NULL: none), then of the classes that this one is in.
const char *stc_mjcf_get(stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                         const char *name);

/// `count` numbers of such an attribute; false in *there and x as it was where it is not said.
stc_error stc_mjcf_numbers(stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                           const char *name, int least, int most, double *x, int *found);
stc_error stc_mjcf_number(stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                          const char *name, double *x);

/// pos and one of quat, euler, axisangle, xyaxes, zaxis.
stc_error stc_mjcf_pose(stc_mjcf *mjcf, const stc_xml *node, const char *childclass,
                        stc_pose *pose);

/// A geom of a body (-1: the world) whose pose is given.
stc_error stc_mjcf_geom(stc_mjcf *mjcf, const stc_xml *node, const char *childclass, int body,
                        const stc_pose *at);

/// The names of the meshes.
void stc_mjcf_list_meshes(stc_mjcf *mjcf, const stc_xml *mujoco);

/// The joints of a body, which are in `node`.
stc_error stc_mjcf_joints(stc_mjcf *mjcf, const stc_xml *node, const char *childclass, int body,
                          int parent);

/// <equality>, <contact>, <actuator>.
stc_error stc_mjcf_relations(stc_mjcf *mjcf, const stc_xml *mujoco);

/// An angle as the file says it, in rad.
double stc_mjcf_angle(stc_mjcf *mjcf, double angle);

#endif
