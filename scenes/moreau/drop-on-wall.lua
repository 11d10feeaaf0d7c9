-- Ball dropped on an inclined wall: a shock with friction, no bounce.
-- Known answer: dropped from a height H it hits the wall at t = sqrt(2 H / g) with |u| = sqrt(2 g H)
-- and leaves the shock along the wall with |u| (sin a - mu cos a), or at rest if mu >= tan a. For
-- H = 1.25, g = 10, a = 45 degrees: t = 0.5, |u| = 5; mu = 0.5 gives 1.7677670 m/s, mu = 1.2 gives
-- 0. The penetration is that of one step, of order h.
local p = parameters { mu = 0.5, g = 10, angle_deg = 45, height = 1.25, m = 1, h = 1e-4, t_end = 0 }
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, height = { 0, 1e6 }, m = { 1e-12, 1e12 },
  t_end = { 0, 1e9 } })
local a = math.rad(p.angle_deg)
local n = { math.sin(a), math.cos(a) }  -- out of the wall
local d = { math.cos(a), -math.sin(a) } -- down the wall
local falls = p.g > 0 and p.height > 0 -- else 1 s
local t_end = p.t_end > 0 and p.t_end or falls and 1.4 * math.sqrt(2 * p.height / p.g) or 1

system { mass = p.m, q = { 0, p.height }, force = { 0, -p.m * p.g } }

wall {
  name = "wall",
  f = function(t, q) return -(n[1] * q[1] + n[2] * q[2]) end,
  gradient = { -n[1], -n[2] },
  friction = coulomb { mu = p.mu },
}

run { h = p.h, t_end = t_end }

memory { impact_time = -1, impact_step = -1, speed_before = 0, speed_after = 0 }

local function along_wall(u) return d[1] * u[1] + d[2] * u[2] end

-- The moment within the step at which the wall is reached comes from the distance at its beginning.
-- The velocity at the end of that step holds what gravity adds after the shock; the next step tells
-- how much that is.
step(function(s, m)
  local b = s.before
  if m.impact_time < 0 and s.contacts.wall.touching then
    local distance = n[1] * b.q[1] + n[2] * b.q[2]
    local approach = -(n[1] * b.u[1] + n[2] * b.u[2])
    m.impact_time = b.t + (approach > 0 and distance / approach or 0)
    m.impact_step = s.step
    m.speed_before = math.sqrt(b.u[1] ^ 2 + b.u[2] ^ 2) + p.g * (m.impact_time - b.t)
    m.speed_after = along_wall(s.u)
  elseif s.step == m.impact_step + 1 then
    local acceleration = (along_wall(s.u) - along_wall(b.u)) / s.h
    m.speed_after = m.speed_after - acceleration * (b.t - m.impact_time)
  end
end)

series {
  x = function(s) return s.q[1] end,
  y = function(s) return s.q[2] end,
  speed_along_wall = function(s) return along_wall(s.u) end,
}

observables {
  impact_time = function(s, m) return m.impact_time >= 0 and m.impact_time or nil end,
  speed_before = function(s, m) return m.speed_before end,
  speed_after = function(s, m) return m.speed_after end,
  final_speed = function(s) return along_wall(s.u) end,
}
