// A scene as every engine can build it: bodies of simple shapes, ball and hinge joints, one
// friction. Shapes are along z.
#ifndef STC_BENCH_SCENE_H
#define STC_BENCH_SCENE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_shape { BENCH_BOX, BENCH_SPHERE, BENCH_CAPSULE, BENCH_PLANE } bench_shape;

typedef struct bench_body {
  bench_shape shape;
  double size[3];  ///< half lengths; radius; radius and half length; plane: its unit normal
  double x[3], v[3];
  double rotation[4];  ///< unit quaternion, w first
  double mass;         ///< 0: fixed
} bench_body;

typedef struct bench_joint {
  bool hinge;   ///< about y; else a ball
  int body[2];  ///< the second one may be -1: the world
  double at[3];
} bench_joint;

enum { BENCH_MOST_BODIES = 2100, BENCH_MOST_JOINTS = 64 };

typedef struct bench_scene {
  const char *name;
  bool plane;  ///< motion in x and z only, for engines in the plane
  double h, mu;
  int steps, bodies, joints;
  int rest_from;  ///< the first step after which nothing should move; -1: none
  bench_body body[BENCH_MOST_BODIES];
  bench_joint joint[BENCH_MOST_JOINTS];
} bench_scene;

/// Scene k of the list; false past the last.
bool bench_scene_make(int k, bench_scene *scene);

/// Where a body's centre is, and its orientation.
typedef struct bench_state {
  double x[3], rotation[4];
} bench_state;

/// An engine on its default settings.
typedef struct bench_engine {
  const char *name;
  bool space, plane;                          ///< what it serves
  void *(*create)(const bench_scene *scene);  ///< NULL: it cannot
  bool (*step)(void *engine);                 ///< false: the step was refused
  void (*read)(void *engine, int body, bench_state *state);
  void (*free)(void *engine);
  double (*seconds)(void *engine);  ///< of the last step, where it knows; NULL: it is measured
} bench_engine;

extern const bench_engine bench_stiction, bench_bullet, bench_ode, bench_mujoco, bench_box2d,
    bench_siconos;

#ifdef __cplusplus
}
#endif
#endif
