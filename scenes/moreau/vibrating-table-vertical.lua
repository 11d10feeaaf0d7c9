-- Block on a table that shakes vertically, A sin(omega t): it lifts off and lands again.
-- Known answer: with G = A omega^2 / g > 1 it lifts off when sin(omega t) = 1/G and flies as a free
-- body until the table meets it. For omega = 20 pi and G = 1.5 (g = 10, A = 3.79954e-3): lift-off at
-- 0.01161398 s, landing at 0.06837208 s. With G <= 1 it stays.
local p = parameters {
  g = 10, A = 15 / (20 * math.pi) ^ 2, omega = 20 * math.pi, m = 1, h = 1e-6, t_end = 0,
}
limits(p, { g = { 0, 1e6 }, A = { -1e3, 1e3 }, omega = { -1e6, 1e6 }, m = { 1e-12, 1e12 },
  t_end = { 0, 1e9 } })
-- a flight takes at most 2 A omega / g, and a period is added on both sides of it
local speed = math.abs(p.A * p.omega)
local t_end = 0.1 -- where nothing shakes, or nothing falls
if p.t_end > 0 then
  t_end = p.t_end
elseif p.omega ~= 0 and p.g > 0 then
  t_end = 4 * math.pi / math.abs(p.omega) + 2 * speed / p.g
end
local function height(t) return p.A * math.sin(p.omega * t) end
local function rate(t) return p.A * p.omega * math.cos(p.omega * t) end

system {
  mass = p.m,
  q = { 0, 0 },
  u = { 0, p.A * p.omega },
  force = { 0, -p.m * p.g },
}

wall {
  name = "table",
  f = function(t, q) return height(t) - q[2] end,
  gradient = { 0, -1 },
  velocity = function(t, q) return { 0, rate(t) } end,
}

-- The block follows the table up to the error of the trapezoidal rule: within it, it is in contact.
run { h = p.h, t_end = t_end, rest = math.abs(p.A) * (p.omega * p.h) ^ 2, store_every = 100 }

memory { lift_off_time = -1, landing_time = -1, r = 0, r_before = 0 }

-- Lift-off is where the reaction, a straight line over the last two pressed steps, reaches zero;
-- landing where the gap does within the step.
step(function(s, m)
  local r = s.contacts.table.r[1]
  local flies = m.lift_off_time >= 0
  if not flies and r <= 0 and m.r > 0 then
    local fall = m.r_before - m.r
    m.lift_off_time = s.before.t - s.h / 2 + (fall > 0 and s.h * m.r / fall or 0)
  elseif flies and m.landing_time < 0 and r > 0 then
    local b = s.before
    local gap, closing = b.q[2] - height(b.t), rate(b.t) - b.u[2]
    m.landing_time = b.t + (closing > 0 and gap / closing or 0)
  end
  m.r_before, m.r = m.r, r
end)

series {
  height = function(s) return s.q[2] end,
  table_height = function(s) return height(s.t) end,
}

observables {
  lift_off_time = function(s, m) return m.lift_off_time >= 0 and m.lift_off_time or nil end,
  landing_time = function(s, m) return m.landing_time >= 0 and m.landing_time or nil end,
}
