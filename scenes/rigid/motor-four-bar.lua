-- A four-bar linkage whose crank a motor turns, against dry friction in the other pivot.
-- Known answer: a parallelogram, whose rocker rotates as the crank does. Without gravity the motor,
-- once at its speed, carries the friction alone: torque = friction, rate = speed to h^2.
local p = parameters { length = 0.5, span = 1.5, width = 0.04, density = 1000, speed = 2,
  strength = 200, friction = 3, h = 2e-3, t_end = 0.6 }
limits(p, { length = { 1e-3, 1e3 }, span = { 1e-3, 1e3 }, width = { 1e-3, 1e3 },
  density = { 1e-3, 1e6 }, speed = { -100, 100 }, strength = { 1e-3, 1e9 }, friction = { 0, 1e6 },
  h = { 1e-9, 1 }, t_end = { 0, 1e9 } })
local L, w = p.length, p.width

world { gravity = { 0, 0 }, plane = true, depth = w }
for k = 0, 1 do
  rigid { name = "crank" .. k + 1, box = { w, L, w }, density = p.density,
          at = { k * p.span, L / 2 }, color = { 0.2, 0.4, 0.7 } }
end
rigid { name = "bar", box = { p.span, w, w }, density = p.density, at = { p.span / 2, L },
        color = { 0.8, 0.5, 0.2 } }
joint { kind = "hinge", bodies = { "crank1" }, at = { 0, 0 },
        motor = { velocity = p.speed, force = p.strength } }
joint { kind = "hinge", bodies = { "crank2" }, at = { p.span, 0 }, friction = p.friction }
for k = 0, 1 do
  joint { kind = "hinge", bodies = { "bar", "crank" .. k + 1 }, at = { k * p.span, L } }
end
run { h = p.h, t_end = p.t_end }
camera { from = { p.span / 2, 0, 5 }, to = { p.span / 2, 0, 0 }, angle = 30 }

observables {
  torque = function(s) return s.joint(1).motor[1] end,
  friction = function() return p.speed > 0 and p.friction or -p.friction end,
  rate = function(s) return s.joint(1).rate[1] end,
  speed = function() return p.speed end,
  joint_gap = function(s) return s.report.largest_joint_gap end,
}
