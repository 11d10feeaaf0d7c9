-- Heavy box on a light one, on a floor.
-- Known answer: it stands, whatever the ratio of the masses: the lower contacts carry (1 + ratio)
-- times the weight of the light box, exactly. Iterations that pass impulses from contact to contact
-- need about `ratio` rounds to find that, and let the stack sink or slide meanwhile. stands: no box
-- has moved by more than 1e-6 of its size; drift is the largest way in m; load is the force under
-- the light box over both weights, 1.
local p = parameters {
  ratio = 100, mass = 1, size = 0.2, boxes = 2, mu = 0.5, g = 9.81, h = 2e-3, t_end = 5,
}
limits(p, { ratio = { 1e-9, 1e12 }, mass = { 1e-12, 1e12 }, size = { 1e-9, 1e6 }, boxes = { 1, 1000 },
  mu = { 0, 1e6 }, g = { 0, 1e6 } })

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
local weight, n = 0, math.max(2, math.floor(p.boxes))
for k = 1, n do
  local mass = k == n and p.mass * p.ratio or p.mass
  weight = weight + mass * p.g
  rigid {
    name = k == n and "heavy" or "light" .. k,
    box = { p.size, p.size, p.size },
    mass = mass,
    at = { 0, 0, (k - 0.5) * p.size },
    color = k == n and { 0.3, 0.3, 0.3 } or { 0.9, 0.8, 0.5 },
  }
end
run { h = p.h, t_end = p.t_end }
local top = n * p.size
camera { from = { 2.5 * top, -3 * top, 1.6 * top }, to = { 0, 0, top / 2 }, angle = 24 }

memory { drift = 0 }

local function drift(s)
  local most = 0
  for k = 1, n do
    local x = s.body(k + 1).x
    most = math.max(most, math.sqrt(x[1] ^ 2 + x[2] ^ 2 + (x[3] - (k - 0.5) * p.size) ^ 2))
  end
  return most
end

step(function(s, m) m.drift = math.max(m.drift, drift(s)) end)

series { drift = drift }

observables {
  stands = function(s, m) return m.drift <= 1e-6 * p.size end,
  drift = function(s, m) return m.drift end,
  load = function(s)
    local sum = 0
    for _, c in ipairs(s.contacts()) do sum = sum + ((c.a == 1 or c.b == 1) and c.r[1] / s.h or 0) end
    return sum / weight
  end,
}
