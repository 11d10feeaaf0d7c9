-- Disc that spins while it slides: spin takes friction away from sliding, so that it slides farther.
-- Known answer: it stops sliding and spinning at the same moment. For I = m R^2 / 2, R > eps, the
-- end has v ~ w^n with w = eps omega and n = (R / eps)^2: exponent = 6.25 for R = 0.05, eps = 0.02.
-- At the start friction is F(k0) of its value without spin, k0 = u0 / (eps spin0). Without spin
-- (spin0 = 0) it slides u0^2 / (2 mu g).
local p = parameters {
  mu = 0.3, g = 9.81, m = 1, R = 0.05, eps = 0.02, u0 = 1, spin0 = 200,
  h = 0.01, t_end = 0, tol = 1e-9,
}
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, m = { 1e-12, 1e12 }, R = { 1e-9, 1e9 },
  eps = { 0, 1e9 }, u0 = { -1e6, 1e6 }, spin0 = { -1e9, 1e9 }, h = { 1e-9, 1e6 }, t_end = { 0, 1e9 } })
local I = p.m * p.R ^ 2 / 2
local kappa = p.m * p.eps ^ 2 / I
local u0, spin0 = math.abs(p.u0), math.abs(p.spin0)
local t_end = 1 -- where nothing slows it down
if p.t_end > 0 then
  t_end = p.t_end
elseif p.mu * p.g > 0 then -- a point does not slow the spin down
  local spin = p.eps > 0 and p.eps * spin0 / kappa * 16 / (3 * math.pi) or 0
  t_end = math.min(1.1 * (u0 + spin) / (p.mu * p.g) + 1e-3, 1e9)
end

system {
  mass = { p.m, p.m, p.m, I },
  q = { 0, 0, 0, 0 }, u = { p.u0, 0, 0, p.spin0 },
  force = { 0, 0, -p.m * p.g, 0 },
}

wall { name = "plane", f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0 },
  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },
  friction = contensou { mu = p.mu, radius = p.eps } }

run { h = math.max(p.h, t_end / 2000), t_end = t_end, scheme = "extrapolated",
  scheme_tol = p.tol, tol = 1e-14 }

memory { stop_time = -1, rate = 0, exponent = 0, first_rate = 0 }

step(function(s, m)
  local v_before, w_before = math.abs(s.before.u[1]), p.eps * math.abs(s.before.u[4])
  local v, w = math.abs(s.u[1]), p.eps * math.abs(s.u[4])
  if m.first_rate == 0 and p.mu * p.g > 0 then
    m.first_rate = (v_before - v) / (s.h * p.mu * p.g)
  end
  if v + w <= 1e-9 * (u0 + p.eps * spin0) then
    if m.stop_time >= 0 then return end
    local stop = s.before.t + (v_before + w_before) / m.rate
    m.stop_time = m.rate > 0 and math.min(s.t, stop) or s.before.t
    return
  end
  m.rate = (v_before + w_before - v - w) / s.h
  local slow = v > 1e-7 * u0 and v < 1e-2 * u0 and w > 0
  if slow and w_before ~= w then
    m.exponent = math.log(v_before / v) / math.log(w_before / w)
  end
end)

series {
  speed = function(s) return s.u[1] end, spin = function(s) return s.u[4] end,
  way = function(s) return s.q[1] end,
}

observables {
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  stop_distance = function(s) return s.q[1] end,
  first_friction = function(s, m) return m.first_rate end, -- over mu N
  exponent = function(s, m) return m.exponent end,
}
