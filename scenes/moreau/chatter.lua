-- Mass on a spring and on a belt: stick-slip ("broutage").
-- Known answer: with static and kinetic coefficients the motion becomes periodic: the mass sticks
-- and is carried with the belt until the spring pulls mu_s N, then slips. With D = (mu_s - mu_k) N/k
-- and w = sqrt(k/m) the period is 2 D/V + (2/w) (pi - atan(w D/V)), and x lies between
-- mu_k N/k -+ sqrt(D^2 + V^2/w^2). For m = 1, k = 100, N = 10, mu_s = 0.6, mu_k = 0.4, V = 0.1:
-- 0.80688879 s, 0.01763932 m, 0.06236068 m.
local p = parameters {
  m = 1, k = 100, N = 10, mu_s = 0.6, mu_k = 0.4, V = 0.1, h = 2e-5, t_end = 0,
}
limits(p, { m = { 1e-12, 1e12 }, k = { 0, 1e12 }, N = { 0, 1e9 }, mu_s = { 0, 1e6 },
  mu_k = { 0, 1e6 }, V = { -1e6, 1e6 }, t_end = { 0, 1e9 } })
-- the spring is loaded for the first time, then four periods at most; 1 s without a spring, and on a
-- belt at rest
local loading = p.k * math.abs(p.V)
local t_end = 1
if p.t_end > 0 then
  t_end = p.t_end
elseif loading > 0 then
  local period = 2 * math.max(0, p.mu_s - p.mu_k) * p.N / loading + 2 * math.pi * math.sqrt(p.m / p.k)
  t_end = p.mu_s * p.N / loading + 4 * period
end

system {
  mass = p.m,
  q = { 0, 0 },
  u = { p.V, 0 },
  force = function(t, q, u) return { -p.k * q[1], -p.N } end,
  potential = function(t, q) return p.k * q[1] ^ 2 / 2 + p.N * q[2] end,
}

wall {
  name = "belt",
  f = function(t, q) return -q[2] end,
  gradient = { 0, -1 },
  velocity = { p.V, 0 },
  friction = static_kinetic { mu_s = p.mu_s, mu_k = p.mu_k },
}

run { h = p.h, t_end = t_end, store_every = 50 }

memory { slips = 0, last_slip = -1, period = -1, stuck = 1, low = math.huge, high = -math.huge }

-- A period lasts from one beginning of slip to the next.
step(function(s, m)
  local stuck = math.abs(s.contacts.belt.u[2]) <= 1e-9 * math.abs(p.V)
  if m.stuck == 1 and not stuck then
    if m.last_slip >= 0 then m.period = s.before.t - m.last_slip end
    m.last_slip = s.before.t
    m.slips = m.slips + 1
  end
  m.stuck = stuck and 1 or 0
  if m.slips >= 1 then
    m.low = math.min(m.low, s.q[1])
    m.high = math.max(m.high, s.q[1])
  end
end)

series { x = function(s) return s.q[1] end, velocity = function(s) return s.u[1] end }

observables {
  period = function(s, m) return m.period > 0 and m.period or nil end,
  x_min = function(s, m) return m.slips > 0 and m.low or nil end,
  x_max = function(s, m) return m.slips > 0 and m.high or nil end,
}
