-- Punch that slides and spins on a plane without rolling: both motions stop at the same moment.
-- Known answer: with w = eps omega, dv/dt = -mu g F(k) and dw/dt = -kappa mu g M(k), k = v / w,
-- kappa = m eps^2 / I. For kappa = 5/2 every motion is drawn to k* = sqrt((16 - sqrt 136) / 15) =
-- 0.537779149857 and ends there. mu = 0.3, g = 9.81, (v0, w0) = (0.5, 0.5): stop_time =
-- 0.2189161760 s, at half that time v = 0.2293884998, w = 0.2898511884; (1, 0.1): 0.3422291925 s;
-- (0.1, 1): 0.2344726230 s.
local p = parameters {
  mu = 0.3, g = 9.81, m = 1, eps = 0.01, kappa = 2.5, u0 = 0.5, w0 = 0.5,
  h = 0.01, t_end = 0, tol = 1e-10,
}
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, m = { 1e-12, 1e12 }, eps = { 1e-9, 1e9 },
  kappa = { 1e-6, 1e6 }, u0 = { -1e6, 1e6 }, w0 = { -1e6, 1e6 }, h = { 1e-9, 1e6 }, t_end = { 0, 1e9 } })
local I = p.m * p.eps ^ 2 / p.kappa
local speeds = math.abs(p.u0) + math.abs(p.w0) / p.kappa * 16 / (3 * math.pi)
local t_end = p.t_end > 0 and p.t_end -- 1 s where nothing slows it down
  or p.mu * p.g > 0 and math.min(1.1 * speeds / (p.mu * p.g) + 1e-3, 1e9) or 1

system {
  mass = { p.m, p.m, p.m, I },
  q = { 0, 0, 0, 0 }, -- x, y, height, angle about the normal
  u = { p.u0, 0, 0, p.w0 / p.eps },
  force = { 0, 0, -p.m * p.g, 0 },
}

wall { name = "plane", f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0 },
  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },
  friction = contensou { mu = p.mu, radius = p.eps } }

run { h = math.max(p.h, t_end / 2000), t_end = t_end, scheme = "extrapolated",
  scheme_tol = p.tol, tol = 1e-14 }

memory { slide_stop = -1, spin_stop = -1, slide_rate = 0, spin_rate = 0, k = 0 }

-- The moment at which a speed comes to rest within the step, slowed as in the step before.
local function stop_of(s, before, rate)
  return rate > 0 and math.min(s.t, s.before.t + before / rate) or s.before.t
end

step(function(s, m)
  local v, w = math.abs(s.u[1]), math.abs(p.eps * s.u[4])
  local v_before, w_before = math.abs(s.before.u[1]), math.abs(p.eps * s.before.u[4])
  local small = 1e-9 * (math.abs(p.u0) + math.abs(p.w0))
  if v > small then
    m.slide_rate = (v_before - v) / s.h
    m.k = w > small and v / w or m.k
  elseif m.slide_stop < 0 then
    m.slide_stop = stop_of(s, v_before, m.slide_rate)
  end
  if w > small then
    m.spin_rate = (w_before - w) / s.h
  elseif m.spin_stop < 0 then
    m.spin_stop = stop_of(s, w_before, m.spin_rate)
  end
end)

series {
  v = function(s) return s.u[1] end,
  w = function(s) return p.eps * s.u[4] end,
}

observables {
  stop_time = function(s, m) return m.spin_stop >= 0 and m.spin_stop or nil end,
  slide_stop_time = function(s, m) return m.slide_stop >= 0 and m.slide_stop or nil end,
  slip_speed = function(s) return math.abs(s.u[1]) end,
  spin_speed = function(s) return math.abs(p.eps * s.u[4]) end,
  k = function(s, m) return m.k end,
}
