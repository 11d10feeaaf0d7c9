-- Block on a plate that is rougher across its grain than along it: an elliptic friction cone.
-- Known answer: the friction force is not opposed to the velocity. Under the law of maximal
-- dissipation the reaction is -mu_j^2 u_j / |(mu1 u1, mu2 u2)| N along each axis, so that
-- d(ln u1)/dt : d(ln u2)/dt = mu1^2 : mu2^2 and u2 / u2(0) = (u1 / u1(0))^((mu2/mu1)^2): the path
-- bends towards the smooth axis. For mu1 = 0.2, mu2 = 0.4 and u = (1, 1) the block moves at last
-- along axis 1; sliding along one axis only it stops after u0^2 / (2 mu_j g).
local p = parameters { mu1 = 0.2, mu2 = 0.4, g = 9.81, u0 = 1, angle_deg = 45, m = 1, h = 1e-5, t_end = 1 }
limits(p, { mu1 = { 0, 1e6 }, mu2 = { 0, 1e6 }, g = { 0, 1e6 }, u0 = { -1e6, 1e6 },
  m = { 1e-12, 1e12 } })
local a = math.rad(p.angle_deg)

system {
  mass = p.m,
  q = { 0, 0, 0 },
  u = { p.u0 * math.cos(a), p.u0 * math.sin(a), 0 },
  force = { 0, 0, -p.m * p.g },
}

wall {
  name = "plate",
  f = function(t, q) return -q[3] end,
  gradient = { 0, 0, -1 },
  tangents = { { 1, 0, 0 }, { 0, 1, 0 } }, -- along the grain, across it
  friction = elliptic { mu1 = p.mu1, mu2 = p.mu2 },
}

run { h = p.h, t_end = p.t_end, store_every = 100 }

memory { stop_time = -1, invariant_error = 0 }

-- ln(u2/u2(0)) - (mu2/mu1)^2 ln(u1/u1(0)) is zero while both are well above rounding.
step(function(s, m)
  local u1, u2 = s.u[1] / (p.u0 * math.cos(a)), s.u[2] / (p.u0 * math.sin(a))
  if u1 > 1e-3 and u2 > 1e-3 then
    m.invariant_error = math.abs(math.log(u2) - (p.mu2 / p.mu1) ^ 2 * math.log(u1))
  end
  local rest = math.abs(s.u[1]) + math.abs(s.u[2]) <= 1e-12 * p.u0
  if rest and m.stop_time < 0 then m.stop_time = s.t end
end)

series {
  x = function(s) return s.q[1] end,
  y = function(s) return s.q[2] end,
  u_along = function(s) return s.u[1] end,
  u_across = function(s) return s.u[2] end,
}

observables {
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  final_x = function(s) return s.q[1] end,
  final_y = function(s) return s.q[2] end,
  invariant_error = function(s, m) return m.invariant_error end,
}
