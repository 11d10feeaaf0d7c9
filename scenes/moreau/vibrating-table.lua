-- Block on a table that shakes horizontally, A sin(omega t).
-- Known answer: it sticks if and only if A omega^2 <= mu g. From A omega^2 / (mu g) =
-- sqrt(1 + pi^2 / 4) = 1.8620959 on it slips all the time, and its velocity becomes a triangle wave
-- of amplitude pi mu g / (2 omega). For A = 0.01, omega = 20 pi, mu = 0.2, g = 10: 0.05 m/s. What is
-- left of the start decays slowly, so that both are taken from the last periods: the amplitude is
-- half of peak to peak, and it sticks if it does not slip there.
local p = parameters {
  mu = 0.2, g = 10, A = 0.01, omega = 20 * math.pi, u0 = 0, m = 1, h = 1e-5, periods = 20, last = 4,
}
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, A = { -1e3, 1e3 }, omega = { -1e6, 1e6 },
  u0 = { -1e6, 1e6 }, m = { 1e-12, 1e12 }, periods = { 0, 1e6 }, last = { 0, 1e6 } })
local period = p.omega ~= 0 and 2 * math.pi / math.abs(p.omega) or 0.1 -- at rest: 0.1 s for each
local t_end = p.periods * period

system { mass = p.m, q = { 0, 0 }, u = { p.u0, 0 }, force = { 0, -p.m * p.g } }

wall {
  name = "table",
  f = function(t, q) return -q[2] end,
  gradient = { 0, -1 },
  velocity = function(t, q) return { p.A * p.omega * math.cos(p.omega * t), 0 } end,
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = t_end, store_every = 20 }

memory { slip = 0, low = math.huge, high = -math.huge }

step(function(s, m)
  if s.t >= t_end - p.last * period then
    m.slip = math.max(m.slip, math.abs(s.contacts.table.u[2]))
    m.low = math.min(m.low, s.u[1])
    m.high = math.max(m.high, s.u[1])
  end
end)

series {
  velocity = function(s) return s.u[1] end,
  table_velocity = function(s) return p.A * p.omega * math.cos(p.omega * s.t) end,
}

observables {
  sticks = function(s, m) return m.slip <= 1e-9 * math.abs(p.A * p.omega) and 1 or 0 end,
  velocity_amplitude = function(s, m) return (m.high - m.low) / 2 end,
}
