-- Ball in a wedge between two walls: two contacts at once.
-- Known answer: dropped along the middle into a wedge whose walls make the angle a with the
-- horizontal, the ball meets both walls in one shock and stops dead: all of m g height is lost, to
-- the order of h. At rest the two walls carry the weight, N = m g / (2 cos a) each without friction;
-- with friction only their sum is known, support = m g.
local p = parameters { mu = 0.3, g = 10, angle_deg = 45, height = 0.2, m = 1, h = 1e-4, t_end = 0.5 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, height = { 0, 1e6 }, m = { 1e-12, 1e12 } })
local a = math.rad(p.angle_deg)
local c, d = math.cos(a), math.sin(a)

system { mass = p.m, q = { 0, p.height }, force = { 0, -p.m * p.g } }

wall {
  name = "left",
  f = function(t, q) return -(d * q[1] + c * q[2]) end,
  gradient = { -d, -c },
  tangents = { { c, -d } },
  friction = coulomb { mu = p.mu },
}

wall {
  name = "right",
  f = function(t, q) return -(-d * q[1] + c * q[2]) end,
  gradient = { d, -c },
  tangents = { { c, d } },
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = p.t_end }

series {
  x = function(s) return s.q[1] end,
  y = function(s) return s.q[2] end,
  left_force = function(s) return s.h > 0 and s.contacts.left.r[1] / s.h or 0 end,
  right_force = function(s) return s.h > 0 and s.contacts.right.r[1] / s.h or 0 end,
}

observables {
  final_speed = function(s) return math.sqrt(s.u[1] ^ 2 + s.u[2] ^ 2) end,
  final_height = function(s) return s.q[2] end,
  lost = function(s) return -(s.energy.shock + s.energy.friction) end,
  -- the vertical force of both walls
  support = function(s)
    local l, r = s.contacts.left.r, s.contacts.right.r
    return (c * (l[1] + r[1]) - d * (l[2] - r[2])) / s.h
  end,
}
