-- Disc that spins while it slides: spin takes friction away from sliding, so that it slides farther.
-- Known answer: it stops sliding and spinning at the same moment. For I = m R^2 / 2, R > eps, the
-- end has v ~ w^n with w = eps omega and n = (R / eps)^2: exponent = 6.25 for R = 0.05, eps = 0.02.
-- At the start friction is F(k0) of its value without spin, k0 = u0 / (eps spin0). Without spin
-- (spin0 = 0) it slides u0^2 / (2 mu g).
local p = parameters {
  mu = 0.3, g = 9.81, m = 1, R = 0.05, eps = 0.02, u0 = 1, spin0 = 200,
  h = 0.01, t_end = 0, tol = 1e-9,
}
local I = p.m * p.R ^ 2 / 2
local kappa = p.m * p.eps ^ 2 / I
local t_end = p.t_end > 0 and p.t_end
  or 1.1 * (p.u0 + p.eps * p.spin0 / kappa * 16 / (3 * math.pi)) / (p.mu * p.g) + 1e-3

system {
  mass = { p.m, p.m, p.m, I },
  q = { 0, 0, 0, 0 },
  u = { p.u0, 0, 0, p.spin0 },
  force = { 0, 0, -p.m * p.g, 0 },
}

wall {
  name = "plane",
  f = function(t, q) return -q[3] end,
  gradient = { 0, 0, -1, 0 },
  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },
  friction = contensou { mu = p.mu, radius = p.eps },
}

run { h = p.h, t_end = t_end, scheme = "extrapolated", scheme_tol = p.tol, tol = 1e-14 }

memory { stop_time = -1, rate = 0, exponent = 0, first_rate = 0 }

step(function(s, m)
  local b, speed = s.before.u, math.abs(s.u[1]) + p.eps * math.abs(s.u[4])
  if m.first_rate == 0 then m.first_rate = (b[1] - s.u[1]) / (s.h * p.mu * p.g) end
  if speed <= 1e-9 * (p.u0 + p.eps * p.spin0) then
    local was = math.abs(b[1]) + p.eps * math.abs(b[4])
    if m.stop_time < 0 then m.stop_time = m.rate > 0 and s.before.t + was / m.rate or s.t end
    return
  end
  m.rate = (math.abs(b[1]) + p.eps * math.abs(b[4]) - speed) / s.h
  local slow = s.u[1] > 1e-7 * p.u0 and s.u[1] < 1e-2 * p.u0 and s.u[4] > 0
  if slow and b[4] ~= s.u[4] then
    m.exponent = math.log(b[1] / s.u[1]) / math.log(b[4] / s.u[4])
  end
end)

series {
  speed = function(s) return s.u[1] end,
  spin = function(s) return s.u[4] end,
  way = function(s) return s.q[1] end,
}

observables {
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  stop_distance = function(s) return s.q[1] end,
  first_friction = function(s, m) return m.first_rate end, -- over mu N
  exponent = function(s, m) return m.exponent end,
}
