// A robot while it is read: bodies where they are at the start, parts and inertias in the world's
// axes, joints between them. Fixed bodies are merged into what they are fixed on.
#ifndef STC_MODEL_DATA_H
#define STC_MODEL_DATA_H

#include "name_list.h"

#include "../base/text.h"

#include <stiction/joints.h>
#include <stiction/model.h>

typedef struct stc_model_part {
  int body;
  stc_shape shape;
  stc_pose pose;     ///< in the world
  double density;    ///< kg/m^3
  uint64_t type[2];  ///< bits of contype and conaffinity
  double mu;         ///< < 0: the usual one
} stc_model_part;

typedef struct stc_model_body {
  const char *name;
  int line;
  int parent;     ///< -1: the world
  bool welded;    ///< on its parent
  bool fixed;     ///< does not move
  int serves;     ///< 1 + the body between whose joints it is; 0: none
  stc_pose pose;  ///< in the world
  bool given;     ///< mass and inertia are
  double mass;
  double centre[3];   ///< in the world
  double inertia[9];  ///< about it, in the world's axes
} stc_model_body;

typedef struct stc_model_joint {
  const char *name;
  int line;
  stc_joint_kind kind;
  int body, parent;  ///< parent -1: the world
  double anchor[3], axis[3], axis2[3];
  double ratio;  ///< of a gear
  const char *coordinate_name[STC_JOINT_COORDINATES];
  stc_joint_coordinate coordinate[STC_JOINT_COORDINATES];
} stc_model_joint;

typedef struct stc_model_pair {
  int body[2];
} stc_model_pair;

typedef struct stc_model_hull {
  const char *file;
  double scale[3];
  stc_hull *hull;
} stc_model_hull;

struct stc_model {
  stc_arena arena;
  const char *path, *name;
  char *directory;
  int bodies, parts, joints, ignored, hulls, remarks;
  int room[6];  ///< of these lists
  stc_model_body *body;
  stc_model_part *part;
  stc_model_joint *joint;
  stc_model_pair *ignore;
  stc_model_hull *hull;
  const char **remark;
  double gravity[3], h;
  stc_name_list body_names, joint_names;  ///< of the first ones; of joints all coordinates
  int bodies_named, joints_named;
  int *first_part, *next_part;  ///< [bodies + 1] of the world and of bodies, [parts]; -1: none
  size_t mesh_bytes;
  int root;  ///< the body that a URDF leaves open whether it stands; -1: none
  stc_text text;
};

/// One more of a list of the model, as zeros; NULL: no memory (see stc_arena_check).
stc_model_body *stc_model_add_body(stc_model *model);
stc_model_part *stc_model_add_part(stc_model *model);
stc_model_joint *stc_model_add_joint(stc_model *model);
/// A light body between the joints of `body` and what it hangs on; its number.
int stc_model_add_light(stc_model *model, int body, int up);
stc_error stc_model_add_ignored(stc_model *model, int a, int b);
stc_error stc_model_remember(stc_model *model, const char *format, ...) STC_PRINTF(2, 3);
const char *stc_model_copy(stc_model *model, const char *text);

/// A failure at an element.
stc_error stc_model_refuse(const stc_model *model, const stc_xml *node, const char *format, ...)
    STC_PRINTF(3, 4);

/// `count` numbers of a text that is there; refuses another count.
stc_error stc_model_numbers(const stc_model *model, const stc_xml *node, const char *name,
                            const char *text, int count, double *x);

/// The body of that name, the joint that has a coordinate of that name; -1: there is none.
int stc_model_find(stc_model *model, const char *name);
int stc_model_find_joint(stc_model *model, const char *name, int *coordinate);

/// Refuses bodies, called as the file calls them, or joints with one name.
stc_error stc_model_check_names(stc_model *model, const char *bodies);

/// Lists the parts of each body; they stay where they are from then on.
stc_error stc_model_list_parts(stc_model *model);

/// The first part of a body, -1 the world; the others follow by next_part.
static inline int stc_model_first_part(const stc_model *model, int body) {
  return model->first_part[body + 1];
}

/// A finite, positive size.
stc_error stc_model_check_shape(const stc_model *model, const stc_xml *node,
                                const stc_shape *shape);

/// The convex hull of a mesh file, which lies below the model's directory or one of the two above.
stc_error stc_model_mesh(stc_model *model, const stc_xml *node, const char *file,
                         const double scale[3], const stc_hull **hull);

/// A hull that the model frees.
stc_error stc_model_keep_hull(stc_model *model, stc_hull *hull);

/// Adds an inertia about `centre` of a body, all in the world's axes.
void stc_model_add_mass(stc_model_body *body, double mass, const double centre[3],
                        const double inertia[9]);

/// R J R^T of the six numbers (xx, yy, zz, xy, yz, zx).
void stc_model_rotate_inertia(const double rotation[4], const double six[6], double J[9]);

/// Rotations: about the axes one after the other (lower-case letters: axes that rotate with the
/// body, capitals: axes that stay), from two axes.
void stc_model_euler(const char *sequence, const double angle[3], double rotation[4]);
void stc_model_from_axes(const double x[3], const double y[3], double rotation[4]);
void stc_model_to_axis(const double z[3], double rotation[4]);
void stc_model_about(const double axis[3], double angle, double rotation[4]);

/// Merges what is welded, checks that what moves has a mass, names what was not read.
stc_error stc_model_finish(stc_model *model, stc_xml *root);

stc_error stc_model_read_urdf(stc_model *model, stc_xml *robot);
stc_error stc_model_read_mjcf(stc_model *model, stc_xml *mujoco);

/// A joint that follows another, q = multiplier q_other + offset: a gear where that is one.
stc_error stc_model_couple(stc_model *model, const stc_xml *node, const char *joint,
                           const char *other, double multiplier, double offset);

#endif
