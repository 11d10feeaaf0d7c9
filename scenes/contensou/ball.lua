-- Billiard ball that slides and spins on a plane: Coulomb-Contensou friction over a Hertz patch.
-- Known answer: with v the sliding speed of the contact point, dv/dt = -7/2 mu g F(k) and
-- d omega/dt = -5/2 mu g eps/R^2 M(k), k = v / (eps omega). Sliding ends in rolling at 5/7 of the
-- initial speed whatever the law of friction, since 7 R omega_y + 5 v does not change; spinning goes
-- on, and stops at stop_time. With the numbers below (R = 26.25 mm, eps = 0.17519 mm from Hertz):
-- v(0.05) = 6.5665401225e-1, v(0.145) = 5.9212311616e-3, v(0.15) = 6.2110759352e-5 m/s,
-- omega(0.15) = 49.9947774477 rad/s, stop_time = 68.206865149 s. A soft ball, R = 0.1, mu = 0.3,
-- u0 = 0.5, spin0 = 40, eps = 0.1 (eps = R): stop_time = 0.926077987907, v(0.4) = 0.10267153364.
-- pade = true: the paper's own equations (3.3), with its fractions for F and M; they stop the soft
-- ball at 1.031646170972 s (eps = 0.05: 1.948405833959, exact 1.851265064065).
-- The extrapolated scheme reaches ten digits; --until T shows slip_speed and spin at T.
local p = parameters {
  mu = 0.2, g = 9.81, R = 0.02625, m = 0.17, E = 5.4e9, nu = 0.34, -- on a rigid plane
  eps = 0,  -- radius of the patch, m; 0: from Hertz
  u0 = 1, spin0 = 50, h = 1, t_end = 0, tol = 1e-10,
  pade = false, -- (3.3) with the fractions (2.7), (2.8) instead of contact
}
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, R = { 1e-9, 1e9 }, m = { 1e-12, 1e12 }, E = { 1e-12, 1e18 },
  nu = { -0.99, 0.99 }, eps = { 0, 1e9 }, u0 = { -1e6, 1e6 }, spin0 = { -1e9, 1e9 },
  h = { 1e-9, 1e6 }, t_end = { 0, 1e9 } })
local N = p.m * p.g
local stiffness = p.E / (1 - p.nu ^ 2)
local eps = p.eps > 0 and p.eps or (3 * N * p.R / (4 * stiffness)) ^ (1 / 3)
local I = 2 / 5 * p.m * p.R ^ 2
-- sliding and spinning one after the other, and a little more; 1 s where nothing slows it down
local slide = math.abs(p.u0) / (3.5 * p.mu * p.g)
local pivot = math.abs(p.spin0) / (2.5 * p.mu * p.g * eps / p.R ^ 2 * 3 * math.pi / 16)
local slows = p.mu * p.g > 0 and eps > 0
local t_end = p.t_end > 0 and p.t_end or slows and math.min(1.25 * (slide + pivot) + 1e-3, 1e9) or 1

-- Force and moment of (3.3). At rest they have no limit: the last hundred-thousandth of the motion is
-- left out, and the moment of the stop follows from the last thousandth, where the ball spins only.
local speed = math.abs(p.u0) + eps * math.abs(p.spin0)
local slow = 1e-5 * speed
local spin_rate = 2.5 * p.mu * p.g * eps / p.R ^ 2 * 3 * math.pi / 16
local function fractions(t, q, u)
  local F, M = p.mu * N, 3 * math.pi / 16 * p.mu * N * eps
  local vx, vy, w = u[1] - p.R * u[5], u[2] + p.R * u[4], eps * math.abs(u[6])
  local v = math.sqrt(vx * vx + vy * vy)
  if v + w <= slow then return { 0, 0, 0, 0, 0, 0 } end
  local slide = -3 * math.pi * F / (8 * w + 3 * math.pi * v)
  return { slide * vx, slide * vy, 0, p.R * slide * vy, -p.R * slide * vx,
    -M * 16 * eps * u[6] / (16 * w + 15 * math.pi * v) }
end

system {
  mass = { p.m, p.m, p.m, I, I, I },
  q = { 0, 0, 0, 0, 0, 0 }, -- centre above the plane by q[3] + R; angles about x, y, z
  u = { p.u0, 0, 0, 0, 0, p.spin0 },
  force = p.pade and fractions or { 0, 0, -N, 0, 0, 0 },
}

if not p.pade then wall {
  name = "plane",
  f = function(t, q) return -q[3] end,
  gradient = { 0, 0, -1, 0, 0, 0 },
  tangents = { { 1, 0, 0, 0, -p.R, 0 }, { 0, 1, 0, p.R, 0, 0 }, { 0, 0, 0, 0, 0, 1 } },
  friction = contensou { mu = p.mu, radius = eps },
} end

run {
  h = math.max(p.h, t_end / 2000), t_end = t_end, scheme = "extrapolated", scheme_tol = p.tol, tol = 1e-14,
}

memory { stop_time = -1, spin_rate = 0 }

local function slip(u) return math.abs(u[1] - p.R * u[5]) end

-- The spin comes to rest within a step, slowed as in the step before.
step(function(s, m)
  if m.stop_time >= 0 then return end
  local before, now = math.abs(s.before.u[6]), math.abs(s.u[6])
  if p.pade then
    if slip(s.u) + eps * now <= 1e-3 * speed then m.stop_time = s.t + now / spin_rate end
    return
  end
  if now > 1e-9 * math.abs(p.spin0) then
    m.spin_rate = (before - now) / s.h
  else
    m.stop_time = m.spin_rate > 0 and math.min(s.t, s.before.t + before / m.spin_rate) or s.before.t
  end
end)

series {
  speed = function(s) return s.u[1] end,
  slip_speed = function(s) return slip(s.u) end,
  spin = function(s) return s.u[6] end,
}

observables {
  initial_speed = function() return p.u0 end,
  final_speed = function(s) return s.u[1] end,
  slip_speed = function(s) return slip(s.u) end,
  spin = function(s) return s.u[6] end,
  patch_radius = function() return eps end,
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
}
