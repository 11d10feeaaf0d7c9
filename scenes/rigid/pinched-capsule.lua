-- Capsule pinched between two jaws and held by friction alone.
-- Known answer: the left jaw is fixed, the right one slides down a guide inclined by `angle`, so
-- that its weight presses. With the mass m of the capsule and M of the jaw the normal forces are N
-- = (M + m/2) g tan(angle), each jaw carries half the weight of the capsule, and it is held if mu
-- >= m / ((2 M + m) tan(angle)), critical_mu. Held for an hour it has not moved at all: slip is
-- the largest way of its centre, in m. Below critical_mu it falls out; within 2 per cent above it
-- Coulomb's law has both answers, rest and a capsule that slides at one end.
local p = parameters {
  mu = 0.5, mass = 1, jaw_mass = 10, angle_deg = 30, radius = 0.05, length = 0.2, g = 9.81,
  h = 0.1, t_end = 3600,
}
limits(p, { mu = { 0, 1e6 }, mass = { 1e-12, 1e12 }, jaw_mass = { 1e-12, 1e12 }, radius = { 1e-9, 1e6 },
  length = { 1e-9, 1e6 }, g = { 0, 1e6 }, h = { 1e-9, 1e3 } })
local a = math.rad(p.angle_deg)
local half = 2 * p.radius

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid {
  name = "fixed_jaw",
  box = { 0.04, 2 * p.length, 2 * half },
  at = { -p.radius - 0.02, 0, 0 },
  fixed = true,
  color = { 0.5, 0.5, 0.5 },
}
rigid {
  name = "jaw",
  box = { 0.04, 2 * p.length, 2 * half },
  mass = p.jaw_mass,
  at = { p.radius + 0.02, 0, 0 },
  color = { 0.3, 0.4, 0.6 },
}
rigid {
  name = "capsule",
  capsule = { radius = p.radius, length = p.length, axis = { 0, 1, 0 } },
  mass = p.mass,
  color = { 0.8, 0.3, 0.2 },
}
joint {
  kind = "prismatic", bodies = { "jaw" }, at = { p.radius, 0, 0 },
  axis = { -math.cos(a), 0, -math.sin(a) },
}
run { h = p.h, t_end = p.t_end, store_every = math.max(1, math.floor(p.t_end / p.h / 1000)) }
camera { from = { 0.3, -1, 0.4 }, to = { 0, 0, 0 }, angle = 30 }

memory { slip = 0 }

local function way(s)
  local x = s.body("capsule").x
  return math.sqrt(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2)
end

step(function(s, m) m.slip = math.max(m.slip, way(s)) end)

series { slip = way }

observables {
  slip = function(s, m) return m.slip end,
  critical_mu = function() return p.mass / ((2 * p.jaw_mass + p.mass) * math.tan(a)) end,
  normal_force = function(s)
    local sum = 0
    for _, c in ipairs(s.contacts()) do
      if c.a == 1 or c.b == 1 then sum = sum + c.r[1] / s.h end
    end
    return sum
  end,
  exact_force = function() return (p.jaw_mass + p.mass / 2) * p.g * math.tan(a) end,
}
