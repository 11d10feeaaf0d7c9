-- Ball that falls on a floor and bounces.
-- Known answer: every impact keeps e^2 of the energy, so that the tops fall as e^2, e^4, ... and
-- with e = 1 the ball returns to its height for ever. energy_gain is the largest gain over the
-- start at any time, against m g height: it is 0 for every e from 0 to 1, up to rounding. tops
-- lists the heights after the first impacts (within h of the path), ratio is the first over the
-- start: e^2.
local p = parameters {
  e = 1, height = 1, radius = 0.1, mass = 1, mu = 0.3, g = 9.81, slide = 0, spin = 0,
  h = 1e-3, t_end = 5,
}
limits(p, { e = { 0, 1 }, height = { 0, 1e6 }, radius = { 1e-9, 1e6 }, mass = { 1e-12, 1e12 },
  mu = { 0, 1e6 }, g = { 0, 1e6 }, slide = { -1e6, 1e6 }, spin = { -1e6, 1e6 } })
local start = p.radius + p.height

world { gravity = { 0, 0, -p.g }, mu = p.mu, restitution = p.e }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
rigid {
  name = "ball",
  sphere = p.radius,
  mass = p.mass,
  at = { 0, 0, start },
  velocity = { p.slide, 0, 0 },
  omega = { 0, p.spin, 0 },
  color = { 0.8, 0.3, 0.2 },
}
run { h = p.h, t_end = p.t_end }
camera { from = { 0, -4 * start, 1.2 * start }, to = { 0, 0, 0.45 * start } }

memory { gain = 0, rising = 0, bounces = 0, top1 = 0, top2 = 0, top3 = 0 }

local scale = p.mass * (p.g * p.height + p.slide ^ 2 / 2 + p.radius ^ 2 * p.spin ^ 2 / 5)

-- A top is where the speed turns from up to down.
step(function(s, m)
  local e, b = s.energy, s.body("ball")
  m.gain = math.max(m.gain, (e.kinetic + e.potential - e.start) / scale)
  local up = b.velocity[3] > 0 and 1 or 0
  if m.rising == 1 and up == 0 then
    m.bounces = m.bounces + 1
    if m.bounces <= 3 then m["top" .. math.tointeger(m.bounces)] = b.x[3] - p.radius end
  end
  m.rising = up
end)

series {
  height = function(s) return s.body("ball").x[3] - p.radius end,
  energy = function(s) return s.energy.kinetic + s.energy.potential - s.energy.start end,
}

observables {
  energy_gain = function(s, m) return m.gain end,
  bounces = function(s, m) return m.bounces end,
  tops = function(s, m) return { m.top1, m.top2, m.top3 } end,
  ratio = function(s, m) return m.bounces > 0 and m.top1 / p.height or nil end,
}
