-- Rod that slides on one end, through Painleve's paradox.
-- Known answer: with half length l, I = m l^2 / 3 and the angle a to the floor, a force on the
-- sliding end makes it accelerate by N/m (1 + 3 cos a (cos a - mu sin a)): where that number,
-- margin, is negative (possible for mu > 4/3 only) no force can keep the end on the floor. There the
-- sliding ends at once in a shock without a collision: the end sticks, with the impulse
-- r = (3 sin a cos a, 1 + 3 cos^2 a) m u0 / 4 and the loss m u0^2 (1 + 3 cos^2 a) / 8, whatever h.
-- The rod then turns about that end. For mu = 2, a = 45 degrees, u0 = 1, m = 1: margin = -0.5,
-- r = (0.375, 0.625) N s, loss 0.3125 J. With mu = 1 the margin is 1 and the rod goes on sliding.
local p = parameters { mu = 2, g = 9.81, l = 1, m = 1, angle_deg = 45, u0 = 1, h = 1e-5, t_end = 0.2 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, l = { 1e-9, 1e9 }, m = { 1e-12, 1e12 }, u0 = { -1e6, 1e6 },
  h = { 1e-9, 1e3 }, t_end = { 0, 1e9 } })
local a0 = math.rad(p.angle_deg)
local I = p.m * p.l ^ 2 / 3

system {
  mass = { p.m, p.m, I },
  q = { 0, p.l * math.sin(a0), a0 }, -- the centre, and the angle; the end is to the left, below
  u = { -p.u0, 0, 0 },
  force = { 0, -p.m * p.g, 0 },
  dim = 2,
}

wall {
  name = "floor",
  f = function(t, q) return p.l * math.sin(q[3]) - q[2] end,
  gradient = function(t, q) return { 0, -1, p.l * math.cos(q[3]) } end,
  tangents = function(t, q) return { { 1, 0, p.l * math.sin(q[3]) } } end,
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = p.t_end, rest = 1e-9, store_every = 20 }

local function margin(a) return 1 + 3 * math.cos(a) * (math.cos(a) - p.mu * math.sin(a)) end

memory { r_N = 0, r_T = 0, loss = 0, slip_after = 0 }

step(function(s, m)
  if s.step > 1 then return end
  local c = s.contacts.floor
  m.r_N, m.r_T = c.r[1], c.r[2]
  m.slip_after = c.u[2]
  m.loss = -(s.energy.friction + s.energy.shock)
end)

-- slip: velocity of the end along the floor, from the first moment on: the shock is its jump.
series {
  angle_deg = function(s) return math.deg(s.q[3]) end,
  slip = function(s)
    local c = s.contacts.floor
    return c.touching and c.u[2] or s.u[1] + p.l * math.sin(s.q[3]) * s.u[3]
  end,
  margin = function(s) return margin(s.q[3]) end,
}

observables {
  margin = function() return margin(a0) end,
  impulse_normal = function(s, m) return m.r_N end,
  impulse_tangential = function(s, m) return m.r_T end,
  loss = function(s, m) return m.loss end, slip_after = function(s, m) return m.slip_after end,
  final_angle_deg = function(s) return math.deg(s.q[3]) end,
}
