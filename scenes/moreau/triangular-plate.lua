-- Block on a tilted plate that is rough by a triangular cone, r_T / r_N in a triangle with its
-- corners at rho (1, 0) and rho (-1/2, +-sqrt(3)/2): scales that hold one way and let go the other.
-- Known answer: the load pulls with x = -tau (cos theta, sin theta) per unit of weight, tau the
-- slope. The reaction nearest to x, its projection p on the triangle, leaves the acceleration
-- a = g cos(alpha) (p - x): friction of greatest dissipation needs -u_T normal to the section at p,
-- and u_T grows along p - x, which is normal there. A pull of up to 60 degrees off the x axis
-- (tau |sin theta| <= rho sqrt(3)/2) projects on the edge x = -rho/2, whose normal is the x axis:
-- the block slides along x whatever theta is, a = g cos(alpha) (tau cos(theta) - rho/2), and not
-- down the slope. A triangle that holds x holds the block.
-- With u0_deg and u0 it starts in another direction u0 (cos, sin): the corner across from it takes
-- the velocity to the x axis, then it slides along x; on a plate that is level (tau = 0) it stops
-- after t = 2 u0_x / (g rho) at x = u0_x^2 / (g rho), |y| = u0_y^2 / (sqrt(3) g rho).
local p = parameters { rho = 0.4, tau = 0.5, theta_deg = 20, u0 = 0, u0_deg = 0, g = 9.81, m = 1,
  h = 1e-3, t_end = 1 }
limits(p, { rho = { 1e-6, 1e6 }, tau = { 0, 1e6 }, u0 = { 0, 1e6 }, g = { 0, 1e6 },
  m = { 1e-12, 1e12 } })
local theta, beta = math.rad(p.theta_deg), math.rad(p.u0_deg)
local weight = p.m * p.g / math.sqrt(1 + p.tau ^ 2) -- the part that presses

system {
  mass = p.m,
  q = { 0, 0, 0 },
  u = { p.u0 * math.cos(beta), p.u0 * math.sin(beta), 0 },
  force = { weight * p.tau * math.cos(theta), weight * p.tau * math.sin(theta), -weight },
}

local half = math.sqrt(3) / 2
wall {
  name = "plate",
  f = function(t, q) return -q[3] end,
  gradient = { 0, 0, -1 },
  tangents = { { 1, 0, 0 }, { 0, 1, 0 } },
  friction = section { polygon = { { 1, 0 }, { -0.5, half }, { -0.5, -half } }, mu = p.rho },
}

run { h = p.h, t_end = p.t_end, store_every = 10 }

memory { stop_time = -1 }

step(function(s, m)
  local rest = math.abs(s.u[1]) + math.abs(s.u[2]) <= 1e-12 * (p.u0 + p.g * p.h)
  if rest and m.stop_time < 0 then m.stop_time = s.t end
end)

series {
  x = function(s) return s.q[1] end,
  y = function(s) return s.q[2] end,
  u_x = function(s) return s.u[1] end,
  u_y = function(s) return s.u[2] end,
}

observables {
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  final_x = function(s) return s.q[1] end,
  final_y = function(s) return s.q[2] end,
  acceleration = function(s) return (s.u[1] - p.u0 * math.cos(beta)) / s.t end,
  direction_deg = function(s)
    return s.u[1] ~= 0 and math.deg(math.atan(s.u[2], s.u[1])) or nil
  end,
}
