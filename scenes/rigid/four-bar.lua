-- Four-bar linkage: a parallelogram of two cranks and a bar on hinges, swinging.
-- Known answer: the bar moves without turning, so that the linkage is a pendulum of one degree of
-- freedom; with the masses m and M of a crank and of the bar, J = m (length^2/3 + width^2/12) of a
-- crank about its pivot and the amplitude a,
--   T = 2 pi sqrt((2 J + M length^2) / (g length (m + M))) (1 + a^2/16 + 11 a^4/3072).
-- period and exact agree to h^2. In space the hinges ask for 20 equations of 18 degrees of freedom
-- and leave one free: two of them repeat the others; joints are kept to rounding (joint_gap, m).
local p = parameters {
  length = 1, span = 2, width = 0.04, density = 1000, angle_deg = 10, g = 9.81, h = 2e-3, t_end = 6,
}
limits(p, { length = { 1e-6, 1e6 }, span = { 1e-6, 1e6 }, width = { 1e-6, 1e6 },
  density = { 1e-6, 1e9 }, angle_deg = { -90, 90 }, g = { 1e-9, 1e6 }, h = { 1e-9, 10 },
  t_end = { 0, 1e9 } })
local a = math.rad(p.angle_deg)
local L, w = p.length, p.width
local m, M = p.density * L * w ^ 2, p.density * p.span * w ^ 2
local J = m * (L ^ 2 / 3 + w ^ 2 / 12)
local exact = 2 * math.pi * math.sqrt((2 * J + M * L ^ 2) / (p.g * L * (m + M)))
  * (1 + a ^ 2 / 16 + 11 * a ^ 4 / 3072)
local x, z = L * math.sin(a), -L * math.cos(a)

world { gravity = { 0, 0, -p.g } }
for k = 0, 1 do
  rigid {
    name = "crank" .. k + 1, box = { w, w, L }, density = p.density,
    at = { k * p.span + x / 2, 0, z / 2 }, rotation = { axis = { 0, 1, 0 }, angle = -a },
    color = { 0.2, 0.4, 0.7 },
  }
end
rigid {
  name = "bar", box = { p.span, w, w }, density = p.density, at = { p.span / 2 + x, 0, z },
  color = { 0.8, 0.5, 0.2 },
}
for k = 0, 1 do
  local crank = "crank" .. k + 1
  joint { kind = "hinge", axis = { 0, 1, 0 }, bodies = { crank }, at = { k * p.span, 0, 0 } }
  joint { kind = "hinge", axis = { 0, 1, 0 }, bodies = { "bar", crank },
          at = { k * p.span + x, 0, z } }
end
run { h = p.h, t_end = p.t_end }
camera { from = { p.span / 2, -4 * p.span, 0 }, to = { p.span / 2, 0, -L / 2 }, angle = 30 }

memory { last = x, time = 0, first = -1, latest = -1, swings = 0 }

-- Times at which the bar passes the middle to the left, found between two steps.
step(function(s, m)
  local now = s.body("bar").x[1] - p.span / 2
  if now < 0 and m.last >= 0 then
    local at = m.time + (s.t - m.time) * m.last / (m.last - now)
    if m.first < 0 then m.first = at else m.swings = m.swings + 1 end
    m.latest = at
  end
  m.last, m.time = now, s.t
end)

observables {
  period = function(s, m) return m.swings > 0 and (m.latest - m.first) / m.swings or nil end,
  exact = function() return exact end,
  joint_gap = function(s) return s.report.largest_joint_gap end,
}
