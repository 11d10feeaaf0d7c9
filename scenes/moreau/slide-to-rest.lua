-- Block sliding to rest on a horizontal plane.
-- Known answer: it stops at t = u0 / (mu g) after u0^2 / (2 mu g). For u0 = 2, mu = 0.5, g = 10:
-- 0.4 s and 0.4 m. The scheme stops at the first node after that time, and is off by at most
-- mu g h^2 / 8 in the way; stop_time is the moment within that last step at which the block, slowed
-- as in the step before, comes to rest.
local p = parameters { mu = 0.5, g = 10, u0 = 2, m = 1, h = 0.01, t_end = 0 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, u0 = { -1e6, 1e6 }, m = { 1e-12, 1e12 },
  h = { 1e-9, 1e3 }, t_end = { 0, 1e9 } })
local brake = p.mu * p.g -- 1 s where nothing slows it down
local t_end = p.t_end > 0 and p.t_end or brake > 0 and 1.5 * math.abs(p.u0) / brake + 2 * p.h or 1

system { mass = p.m, q = { 0, 0 }, u = { p.u0, 0 }, force = { 0, -p.m * p.g } }

wall {
  name = "floor",
  f = function(t, q) return -q[2] end,
  gradient = { 0, -1 },
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = t_end }

memory { stop_time = -1, rate = 0 }

step(function(s, m)
  local rest = math.abs(s.u[1]) <= 1e-12 * math.abs(p.u0)
  if not rest then m.rate = (s.before.u[1] - s.u[1]) / s.h end
  if rest and m.stop_time < 0 then
    m.stop_time = m.rate ~= 0 and s.before.t + s.before.u[1] / m.rate or s.before.t
  end
end)

series { x = function(s) return s.q[1] end, speed = function(s) return s.u[1] end }

observables {
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  stop_distance = function(s) return s.q[1] end,
}
