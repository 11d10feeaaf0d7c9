// Open Dynamics Engine on its defaults: quick step with 20 iterations, ERP 0.2 of double precision.
#include "bench_scene.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 8 };

typedef struct ode {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  double h, mu;
  dBodyID body[BENCH_MOST_BODIES];
} ode;

static dGeomID make_geom(ode *o, const bench_body *b) {
  const double *s = b->size;
  switch (b->shape) {
  case BENCH_BOX:
    return dCreateBox(o->space, 2 * s[0], 2 * s[1], 2 * s[2]);
  case BENCH_SPHERE:
    return dCreateSphere(o->space, s[0]);
  case BENCH_CAPSULE:
    return dCreateCapsule(o->space, s[0], 2 * s[1]);
  case BENCH_PLANE:
    break;
  }
  return dCreatePlane(o->space, s[0], s[1], s[2], s[0] * b->x[0] + s[1] * b->x[1] + s[2] * b->x[2]);
}

static void make_body(ode *o, int k, const bench_body *b) {
  dGeomID geom = make_geom(o, b);
  dMass mass;
  if (b->mass == 0) return;
  o->body[k] = dBodyCreate(o->world);
  dMassSetZero(&mass);
  if (b->shape == BENCH_BOX)
    dMassSetBoxTotal(&mass, b->mass, 2 * b->size[0], 2 * b->size[1], 2 * b->size[2]);
  else if (b->shape == BENCH_SPHERE)
    dMassSetSphereTotal(&mass, b->mass, b->size[0]);
  else
    dMassSetCapsuleTotal(&mass, b->mass, 3, b->size[0], 2 * b->size[1]);
  dBodySetMass(o->body[k], &mass);
  dGeomSetBody(geom, o->body[k]);
  dBodySetPosition(o->body[k], b->x[0], b->x[1], b->x[2]);
  dBodySetQuaternion(o->body[k], b->rotation);
  dBodySetLinearVel(o->body[k], b->v[0], b->v[1], b->v[2]);
}

static void make_joint(const ode *o, const bench_joint *j) {
  dBodyID other = j->body[1] < 0 ? NULL : o->body[j->body[1]];
  dJointID joint = j->hinge ? dJointCreateHinge(o->world, NULL) : dJointCreateBall(o->world, NULL);
  dJointAttach(joint, o->body[j->body[0]], other);
  if (j->hinge) {
    dJointSetHingeAnchor(joint, j->at[0], j->at[1], j->at[2]);
    dJointSetHingeAxis(joint, 0, 1, 0);
  } else {
    dJointSetBallAnchor(joint, j->at[0], j->at[1], j->at[2]);
  }
}

static void *create_ode(const bench_scene *scene) {
  ode *o = calloc(1, sizeof *o);
  if (!o) return NULL;
  dInitODE();
  o->world = dWorldCreate();
  o->space = dHashSpaceCreate(NULL);
  o->contacts = dJointGroupCreate(0);
  o->h = scene->h, o->mu = scene->mu;
  dWorldSetGravity(o->world, 0, 0, -9.81);
  for (int k = 0; k < scene->bodies; k++) make_body(o, k, &scene->body[k]);
  for (int k = 0; k < scene->joints; k++) make_joint(o, &scene->joint[k]);
  return o;
}

static void collide_pair(void *engine, dGeomID a, dGeomID b) {
  ode *o = engine;
  dContact contact[MOST_POINTS];
  dBodyID body[] = {dGeomGetBody(a), dGeomGetBody(b)};
  memset(contact, 0, sizeof contact);
  if ((!body[0] && !body[1]) || (body[0] && body[1] && dAreConnected(body[0], body[1]))) return;
  int points = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof *contact);
  for (int k = 0; k < points; k++) {
    contact[k].surface.mode = dContactApprox1;
    contact[k].surface.mu = o->mu;
    dJointAttach(dJointCreateContact(o->world, o->contacts, &contact[k]), body[0], body[1]);
  }
}

static bool step_ode(void *engine) {
  ode *o = engine;
  dSpaceCollide(o->space, o, collide_pair);
  dWorldQuickStep(o->world, o->h);
  dJointGroupEmpty(o->contacts);
  return true;
}

static void read_ode(void *engine, int body, bench_state *state) {
  const ode *o = engine;
  if (!o->body[body]) return;
  memcpy(state->x, dBodyGetPosition(o->body[body]), sizeof state->x);
  memcpy(state->rotation, dBodyGetQuaternion(o->body[body]), sizeof state->rotation);
}

static void free_ode(void *engine) {
  ode *o = engine;
  dJointGroupDestroy(o->contacts);
  dSpaceDestroy(o->space);
  dWorldDestroy(o->world);
  dCloseODE();
  free(o);
}

const bench_engine bench_ode = {"ode", true, false, create_ode, step_ode, read_ode, free_ode, NULL};
