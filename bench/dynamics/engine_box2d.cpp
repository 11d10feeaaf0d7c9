// Box2D on its defaults: 8 and 3 iterations, as its manual proposes; no sleeping.
#include "bench_scene.h"

#include <box2d/box2d.h>

#include <cmath>
#include <vector>

namespace {

struct box2d {
  b2World world{b2Vec2(0, -9.81f)};
  std::vector<b2Body *> body;
  float h;
};

void add_fixture(b2Body *body, const bench_body &b, double mu) {
  b2PolygonShape box;
  b2CircleShape circle;
  b2EdgeShape edge;
  b2FixtureDef fixture;
  const float far = 1000;
  if (b.shape == BENCH_BOX) box.SetAsBox(float(b.size[0]), float(b.size[2]));
  circle.m_radius = float(b.size[0]);
  edge.SetTwoSided(b2Vec2(-far, 0), b2Vec2(far, 0));
  fixture.shape = b.shape == BENCH_BOX      ? static_cast<b2Shape *>(&box)
                  : b.shape == BENCH_SPHERE ? static_cast<b2Shape *>(&circle)
                                            : &edge;
  fixture.friction = float(mu);
  fixture.density = 1;
  body->CreateFixture(&fixture);
  if (b.mass == 0) return;
  b2MassData mass;
  body->GetMassData(&mass);
  float scale = float(b.mass) / mass.mass;
  mass.mass *= scale, mass.I *= scale;
  body->SetMassData(&mass);
}

void *create(const bench_scene *scene) {
  box2d *e = new box2d;
  e->h = float(scene->h);
  e->world.SetAllowSleeping(false);
  for (int k = 0; k < scene->bodies; k++) {
    const bench_body &b = scene->body[k];
    b2BodyDef def;
    def.type = b.mass > 0 ? b2_dynamicBody : b2_staticBody;
    def.position.Set(float(b.x[0]), float(b.x[2]));
    def.linearVelocity.Set(float(b.v[0]), float(b.v[2]));
    e->body.push_back(e->world.CreateBody(&def));
    add_fixture(e->body.back(), b, scene->mu);
  }
  return e;
}

bool step(void *engine) {
  box2d *e = static_cast<box2d *>(engine);
  e->world.Step(e->h, 8, 3);
  return true;
}

void read(void *engine, int body, bench_state *state) {
  const b2Body *b = static_cast<box2d *>(engine)->body[size_t(body)];
  const double half = b->GetAngle() / 2;
  *state = bench_state{{b->GetWorldCenter().x, 0, b->GetWorldCenter().y},
                       {std::cos(half), 0, -std::sin(half), 0}};
}

void finish(void *engine) { delete static_cast<box2d *>(engine); }

}  // namespace

extern "C" const bench_engine bench_box2d = {"box2d", false, true,   create,
                                             step,    read,  finish, nullptr};
