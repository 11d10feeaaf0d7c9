-- Chain of n links on ball joints, hung at one end and let go at the horizontal.
-- Known answer: however violently it whips about, every joint holds (joint_gap, m, is rounding) and
-- the tip is never further from the support than the chain is long: stretch, the largest so far,
-- is at most 1. Links that are not neighbours may hit each other; without that (touch = 0) nothing
-- takes energy: loss is what friction and shocks took, in J, and energy_error the largest error of
-- the time step so far, in units of the energy between the horizontal and the lowest place.
local p = parameters {
  n = 20, link = 0.4, radius = 0.04, density = 1000, touch = 0, g = 9.81, h = 1 / 60, t_end = 5,
}
limits(p, { n = { 1, 1000 }, link = { 1e-6, 1e6 }, radius = { 1e-7, 1e5 }, density = { 1e-6, 1e9 },
  touch = { 0, 1 }, g = { 0, 1e6 }, h = { 1e-9, 10 }, t_end = { 0, 1e9 } })
local n, L = math.floor(p.n), p.link
if p.radius >= L / 4 then error("radius: a link is longer than 4 radius; make it smaller") end
local top = { 0, 0, n * L + 1 }

world { gravity = { 0, 0, -p.g } }
for k = 1, n do
  rigid {
    name = "link" .. k, density = p.density, at = { (k - 0.5) * L, 0, top[3] },
    capsule = { radius = p.radius, length = L - 4 * p.radius, axis = { 1, 0, 0 } },
    color = { 0.2 + 0.6 * k / n, 0.4, 0.8 - 0.6 * k / n },
  }
  joint { kind = "ball", bodies = k > 1 and { "link" .. k, "link" .. k - 1 } or { "link1" },
          at = { (k - 1) * L, 0, top[3] } }
  for j = 1, p.touch == 0 and k - 1 or 0 do ignore { "link" .. j, "link" .. k } end
end
run { h = p.h, t_end = p.t_end }
camera { from = { 0, -3 * n * L, top[3] / 2 }, to = { 0, 0, top[3] / 2 }, angle = 40 }

memory { stretch = 0, worst = 0 }

step(function(s, m)
  local b = s.body("link" .. n)
  local d = 0
  for i = 1, 3 do d = d + (b.x[i] - top[i]) ^ 2 end
  m.stretch = math.max(m.stretch, math.sqrt(d) / ((n - 0.5) * L))
  local unit = n * b.mass * p.g * n * L / 2
  m.worst = math.max(m.worst, unit > 0 and math.abs(s.energy.error) / unit or 0)
end)

observables {
  joint_gap = function(s) return s.report.largest_joint_gap end,
  stretch = function(s, m) return m.stretch end,
  loss = function(s) return s.energy.friction + s.energy.shock end,
  energy_error = function(s, m) return m.worst end,
}
