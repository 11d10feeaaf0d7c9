-- Double pendulum: two rods on hinges in the plane, let go at rest.
-- Known answer: nothing takes energy. The scheme keeps that of a mechanism without drift, with an
-- error of order h^2: energy_error, the largest so far in units of 2 m g length, what both rods
-- lose from the horizontal to the lowest place. Joints are kept to rounding (joint_gap, m), and
-- friction and shocks are 0.
local p = parameters {
  length = 1, width = 0.05, density = 1000, angle1_deg = 90, angle2_deg = 90, g = 9.81, h = 1 / 60,
  t_end = 60,
}
limits(p, { length = { 1e-6, 1e6 }, width = { 1e-6, 1e6 }, density = { 1e-6, 1e9 },
  angle1_deg = { -360, 360 }, angle2_deg = { -360, 360 }, g = { 0, 1e6 }, h = { 1e-9, 10 },
  t_end = { 0, 1e9 } })
local a1, a2 = math.rad(p.angle1_deg), math.rad(p.angle2_deg)
local L = p.length
local knee = { L * math.sin(a1), -L * math.cos(a1) }

world { plane = true, gravity = { 0, -p.g } }
rigid {
  name = "upper", box = { L, p.width }, density = p.density,
  at = { knee[1] / 2, knee[2] / 2 }, rotation = a1 - math.pi / 2, color = { 0.2, 0.4, 0.7 },
}
rigid {
  name = "lower", box = { L, p.width }, density = p.density,
  at = { knee[1] + L / 2 * math.sin(a2), knee[2] - L / 2 * math.cos(a2) },
  rotation = a2 - math.pi / 2, color = { 0.8, 0.5, 0.2 },
}
joint { kind = "hinge", bodies = { "upper" }, at = { 0, 0 } }
joint { kind = "hinge", bodies = { "lower", "upper" }, at = knee }
run { h = p.h, t_end = p.t_end }

memory { worst = 0 }

step(function(s, m)
  local unit = 2 * s.body("upper").mass * p.g * L
  local change = s.energy.kinetic + s.energy.potential - s.energy.start
  m.worst = math.max(m.worst, unit > 0 and math.abs(change) / unit or 0)
end)

observables {
  energy_error = function(s, m) return m.worst end,
  joint_gap = function(s) return s.report.largest_joint_gap end,
  friction = function(s) return s.energy.friction end,
  shock = function(s) return s.energy.shock end,
}
