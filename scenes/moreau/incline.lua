-- Block on an incline: slides if mu < tan(angle), else stays at rest.
-- Known answer: u(t) = u0 + g (sin a - mu cos a) t while it slides down the plane, exact at the
-- nodes of Moreau's scheme, since the force is constant and the direction of sliding does not
-- change. For mu = 0.3, a = 30 degrees, g = 9.81: u(1) = 2.3562872 m/s, x(1) = 1.1781436 m. With
-- mu = 0.7 > tan 30 = 0.577 it does not move.
local p = parameters { mu = 0.3, g = 9.81, angle_deg = 30, u0 = 0, m = 1, h = 1e-3, t_end = 1 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, u0 = { -1e6, 1e6 }, m = { 1e-12, 1e12 } })
local a = math.rad(p.angle_deg)

system {
  mass = p.m,
  q = { 0, 0 }, -- along the plane, downhill; away from the plane
  u = { p.u0, 0 },
  force = { p.m * p.g * math.sin(a), -p.m * p.g * math.cos(a) },
}

wall {
  name = "plane",
  f = function(t, q) return -q[2] end,
  gradient = { 0, -1 },
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = p.t_end }

series {
  x = function(s) return s.q[1] end,
  speed = function(s) return s.u[1] end,
}

observables {
  final_speed = function(s) return s.u[1] end,
  final_position = function(s) return s.q[1] end,
  final_time = function(s) return s.t end,
}
