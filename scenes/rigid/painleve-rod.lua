-- Rod that slides on one end, through Painleve's paradox, as a body that touches a floor.
-- Known answer: as for painleve/sliding-rod. With half length l, I = m l^2 / 3 and the angle a to
-- the floor, where margin = 1 + 3 cos a (cos a - mu sin a) is negative no force can keep the end on
-- the floor, and sliding ends at once in a shock without a collision: the end sticks, with the
-- impulse r = (3 sin a cos a, 1 + 3 cos^2 a) m v0 / 4 and the loss m v0^2 (1 + 3 cos^2 a) / 8 up to
-- h. For mu = 2, a = 45 degrees, v0 = 1: margin -0.5, r = (0.375, 0.625) N s, loss 0.3125 J. With
-- mu = 1 the margin is 1 and the rod goes on sliding.
local p = parameters {
  mu = 2, l = 1, m = 1, g = 9.81, angle_deg = 45, v0 = 1, h = 1e-5, t_end = 0.05,
}
limits(p, { mu = { 0, 1e6 }, l = { 1e-6, 1e6 }, m = { 1e-12, 1e12 }, g = { 0, 1e6 },
  angle_deg = { 5, 175 }, v0 = { -1e6, 1e6 } })
local a0 = math.rad(p.angle_deg)
local w = p.l / 50

world { plane = true, gravity = { 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
rigid {
  name = "rod",
  hull = { { -p.l, 0 }, { 0, -w }, { p.l, 0 }, { 0, w } },
  mass = p.m,
  inertia = p.m * p.l ^ 2 / 3,
  at = { 0, p.l * math.sin(a0) },
  rotation = a0,
  velocity = { -p.v0, 0 },
  color = { 0.2, 0.4, 0.7 },
}
run { h = p.h, t_end = p.t_end, store_every = 20 }
camera { from = { 0, p.l / 2, 5 * p.l }, to = { 0, p.l / 2, 0 }, up = { 0, 1, 0 }, width = 4 * p.l }

local function margin(a) return 1 + 3 * math.cos(a) * (math.cos(a) - p.mu * math.sin(a)) end
local function contact(s) return s.contacts()[1] end

memory { r_N = 0, r_T = 0, loss = 0, slip_after = 0 }

step(function(s, m)
  if s.step > 1 then return end
  local c = contact(s)
  if not c then return end
  m.r_N, m.r_T, m.slip_after = c.r[1], math.abs(c.r[2]), math.abs(c.u[2])
  m.loss = -(s.energy.friction + s.energy.shock)
end)

series {
  angle_deg = function(s) return math.deg(s.body("rod").angle) end,
  slip = function(s) -- of the end along the floor, from the first moment on
    local b, c = s.body("rod"), contact(s)
    if c and s.step > 0 then return c.u[2] end
    return b.velocity[1] + p.l * math.sin(b.angle) * b.omega[3]
  end,
  margin = function(s) return margin(s.body("rod").angle) end,
}

observables {
  margin = function() return margin(a0) end,
  impulse_normal = function(s, m) return m.r_N end,
  impulse_tangential = function(s, m) return m.r_T end,
  loss = function(s, m) return m.loss end, slip_after = function(s, m) return m.slip_after end,
}
