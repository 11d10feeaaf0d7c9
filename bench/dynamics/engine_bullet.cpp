// Bullet on its defaults: sequential impulses, 10 iterations, no sleeping.
#include "bench_scene.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace {

struct bullet {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shape;
  std::vector<std::unique_ptr<btRigidBody>> body;
  std::vector<std::unique_ptr<btTypedConstraint>> joint;
  double h;
};

btVector3 vector_of(const double x[3]) {
  return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
}

btCollisionShape *shape_of(const bench_body &b) {
  switch (b.shape) {
  case BENCH_BOX:
    return new btBoxShape(vector_of(b.size));
  case BENCH_SPHERE:
    return new btSphereShape(btScalar(b.size[0]));
  case BENCH_CAPSULE:
    return new btCapsuleShapeZ(btScalar(b.size[0]), btScalar(2 * b.size[1]));
  case BENCH_PLANE:
    break;
  }
  return new btStaticPlaneShape(vector_of(b.size), vector_of(b.size).dot(vector_of(b.x)));
}

void add_body(bullet &e, const bench_body &b, double mu) {
  btVector3 inertia(0, 0, 0);
  e.shape.emplace_back(shape_of(b));
  if (b.mass > 0) e.shape.back()->calculateLocalInertia(btScalar(b.mass), inertia);
  btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass), nullptr, e.shape.back().get(),
                                                inertia);
  if (b.shape != BENCH_PLANE) {
    info.m_startWorldTransform.setOrigin(vector_of(b.x));
    info.m_startWorldTransform.setRotation(
        btQuaternion(btScalar(b.rotation[1]), btScalar(b.rotation[2]), btScalar(b.rotation[3]),
                     btScalar(b.rotation[0])));
  }
  info.m_friction = btScalar(sqrt(mu));  // Bullet multiplies those of a pair
  e.body.emplace_back(new btRigidBody(info));
  e.body.back()->setActivationState(DISABLE_DEACTIVATION);
  e.body.back()->setLinearVelocity(vector_of(b.v));
  e.world.addRigidBody(e.body.back().get());
}

void add_joint(bullet &e, const bench_joint &j) {
  btRigidBody &a = *e.body[size_t(j.body[0])];
  btRigidBody *b = j.body[1] < 0 ? nullptr : e.body[size_t(j.body[1])].get();
  btTransform to_a = a.getWorldTransform().inverse();
  btVector3 at = vector_of(j.at), in_a = to_a * at, axis(0, 1, 0), axis_a = to_a.getBasis() * axis;
  btTypedConstraint *made;
  if (j.hinge)
    made = new btHingeConstraint(a, in_a, axis_a);
  else if (b)
    made = new btPoint2PointConstraint(a, *b, in_a, b->getWorldTransform().inverse() * at);
  else
    made = new btPoint2PointConstraint(a, in_a);
  e.joint.emplace_back(made);
  e.world.addConstraint(made, true);
}

void *create(const bench_scene *scene) {
  bullet *e = new bullet;
  e->h = scene->h;
  e->world.setGravity(btVector3(0, 0, btScalar(-9.81)));
  for (int k = 0; k < scene->bodies; k++) add_body(*e, scene->body[k], scene->mu);
  for (int k = 0; k < scene->joints; k++) add_joint(*e, scene->joint[k]);
  return e;
}

bool step(void *engine) {
  bullet *e = static_cast<bullet *>(engine);
  e->world.stepSimulation(btScalar(e->h), 1, btScalar(e->h));
  return true;
}

void read(void *engine, int body, bench_state *state) {
  const btTransform &at = static_cast<bullet *>(engine)->body[size_t(body)]->getWorldTransform();
  btQuaternion q = at.getRotation();
  const double rotation[4] = {q.w(), q.x(), q.y(), q.z()};
  for (int i = 0; i < 3; i++) state->x[i] = at.getOrigin()[i];
  for (int i = 0; i < 4; i++) state->rotation[i] = rotation[i];
}

void finish(void *engine) {
  bullet *e = static_cast<bullet *>(engine);
  for (auto &j : e->joint) e->world.removeConstraint(j.get());
  for (auto &b : e->body) e->world.removeRigidBody(b.get());
  delete e;
}

}  // namespace

extern "C" const bench_engine bench_bullet = {"bullet", true, false,  create,
                                              step,     read, finish, nullptr};
