-- Ball that spins on a plane under a load that grows: the patch grows with it, as Hertz says.
-- Known answer: with the force N = N0 (1 + rate t) and eps = (3 N R / (4 E*))^(1/3) the moment of a
-- patch that does not slide is 3 pi/16 mu N eps, so that the spin falls by
--   3 pi/16 mu/I (3 R / (4 E*))^(1/3) N0^(4/3) 3/(7 rate) ((1 + rate t)^(7/3) - 1),   I = 2/5 m R^2,
-- to the order of the scheme: the radius is that of the load of the step before. With rate = 0 it is
-- constant: the answer is that of radius = eps (hertz = false), exact at the nodes.
-- With u0 the ball slides, too, and ends with rolling at 5/7 of u0.
local p = parameters {
  mu = 0.3, R = 0.1, m = 1, E = 2e5, load = 10, rate = 2, u0 = 0, spin0 = 40, hertz = true,
  h = 1e-3, t_end = 1,
}
limits(p, { mu = { 0, 1e6 }, R = { 1e-6, 1e6 }, m = { 1e-9, 1e9 }, E = { 1e-6, 1e15 }, load = { 0, 1e9 },
  rate = { 0, 1e6 }, u0 = { -1e6, 1e6 }, spin0 = { -1e9, 1e9 }, h = { 1e-9, 1e6 }, t_end = { 1e-9, 1e6 } })
local I = 2 / 5 * p.m * p.R ^ 2
local eps = (3 * p.load * p.R / (4 * p.E)) ^ (1 / 3)

system {
  mass = { p.m, p.m, p.m, I, I, I },
  q = { 0, 0, 0, 0, 0, 0 }, -- centre above the plane by q[3] + R; angles about x, y, z
  u = { p.u0, 0, 0, 0, 0, p.spin0 },
  force = function(t) return { 0, 0, -p.load * (1 + p.rate * t), 0, 0, 0 } end,
}

wall {
  name = "plane",
  f = function(t, q) return -q[3] end,
  gradient = { 0, 0, -1, 0, 0, 0 },
  tangents = { { 1, 0, 0, 0, -p.R, 0 }, { 0, 1, 0, p.R, 0, 0 }, { 0, 0, 0, 0, 0, 1 } },
  friction = p.hertz and contensou { mu = p.mu, hertz = { R = p.R, E = p.E, load = p.load } }
    or contensou { mu = p.mu, radius = eps },
}

run { h = p.h, t_end = p.t_end, tol = 1e-14 }

series {
  slip_speed = function(s) return s.u[1] - p.R * s.u[5] end,
  spin = function(s) return s.u[6] end,
}

local function fall(t)
  local grown = p.rate > 0 and 3 / (7 * p.rate) * ((1 + p.rate * t) ^ (7 / 3) - 1) or t
  return 3 * math.pi / 16 * p.mu / I * eps * p.load * grown
end

observables {
  spin = function(s) return s.u[6] end,
  expected_spin = function(s)
    if p.u0 ~= 0 or fall(s.t) > math.abs(p.spin0) then return nil end
    return p.spin0 > 0 and p.spin0 - fall(s.t) or p.spin0 + fall(s.t)
  end,
  final_speed = function(s) return s.u[1] end,
  slip_speed = function(s) return s.u[1] - p.R * s.u[5] end,
}
