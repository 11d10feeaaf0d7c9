-- Ball in a round bowl: a curved wall, touched all the time.
-- Known answer: without friction it swings like a pendulum of length R; released at rest at the
-- angle a0 from the bottom, it is fastest there, sqrt(2 g R (1 - cos a0)), and its period is
-- 4 sqrt(R/g) K(sin(a0/2)) with the complete elliptic integral K. With friction it comes to rest
-- within |tan a| <= mu. For R = 1, g = 9.81, a0 = 60 degrees, mu = 0: 3.1320920 m/s, 2.1528678 s.
-- The scheme is of first order here: the wall turns within a step.
local p = parameters { mu = 0, g = 9.81, R = 1, angle_deg = 60, m = 1, h = 1e-4, t_end = 5 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, R = { 1e-9, 1e9 }, m = { 1e-12, 1e12 } })
local a0 = math.rad(p.angle_deg)

local function radius(q) return math.sqrt(q[1] ^ 2 + q[2] ^ 2) end
local function angle(q) return math.atan(q[1], -q[2]) end

system {
  mass = p.m,
  q = { p.R * math.sin(a0), -p.R * math.cos(a0) },
  force = { 0, -p.m * p.g },
}

wall {
  name = "bowl",
  f = function(t, q) return radius(q) - p.R end,
  gradient = function(t, q)
    local r = radius(q)
    return { q[1] / r, q[2] / r }
  end,
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = p.t_end, rest = 1e-6, correction = 1, store_every = 10 }

memory { fastest = 0, crossing = -1, period = -1, depth = 0 }

-- A period is twice the time between two passages of the bottom, each found within its step.
step(function(s, m)
  local b = s.before
  m.fastest = math.max(m.fastest, math.sqrt(s.u[1] ^ 2 + s.u[2] ^ 2))
  m.depth = math.max(m.depth, radius(s.q) - p.R)
  if b.q[1] * s.q[1] < 0 then
    local now = b.t + s.h * b.q[1] / (b.q[1] - s.q[1])
    if m.crossing >= 0 and m.period < 0 then m.period = 2 * (now - m.crossing) end
    m.crossing = now
  end
end)

series {
  angle_deg = function(s) return math.deg(angle(s.q)) end,
  speed = function(s) return math.sqrt(s.u[1] ^ 2 + s.u[2] ^ 2) end,
}

observables {
  fastest = function(s, m) return m.fastest end,
  period = function(s, m) return m.period > 0 and m.period or nil end,
  penetration = function(s, m) return m.depth end,
  final_angle_deg = function(s) return math.deg(angle(s.q)) end,
}
