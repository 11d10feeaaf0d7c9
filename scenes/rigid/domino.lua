-- Row of dominoes; the first one is pushed.
-- Known answer: a domino of height H and thickness d tips if it gets the energy to lift its centre
-- over the edge, m g (sqrt(H^2 + d^2) - H) / 2; turning about the edge with the rate w it has m
-- (H^2 + d^2) w^2 / 6, so that w > tip_rate = sqrt(3 g (sqrt(H^2 + d^2) - H) / (H^2 + d^2)). With
-- a faster push all fall, with a slower one none; spaced by more than H none but the first. fallen
-- counts those that lean by more than 45 degrees or lie on the next; speed is that of the wave in
-- the second half of the row, m/s.
local p = parameters {
  n = 20, height = 0.048, width = 0.024, thickness = 0.0075, spacing = 0.02, push = 1.5, mu = 0.3,
  density = 1200, g = 9.81, h = 5e-4, t_end = 0, tol = 1e-6,
}
limits(p, { n = { 1, 10000 }, height = { 1e-6, 1e6 }, width = { 1e-6, 1e6 }, thickness = { 1e-6, 1e6 },
  push = { 0, 1e6 }, mu = { 0, 1e6 }, density = { 1e-9, 1e12 },
  g = { 1e-9, 1e6 }, t_end = { 0, 1e9 } })
limits(p, { spacing = { p.thickness, 1e6 } })
local n = math.max(1, math.floor(p.n))
local square = p.height ^ 2 + p.thickness ^ 2
local tip_rate = math.sqrt(3 * p.g * (math.sqrt(square) - p.height) / square)
local rate = p.push * tip_rate

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
local first
for k = 1, n do
  local body = {
    box = { p.thickness, p.width, p.height },
    density = p.density,
    at = { (k - 1) * p.spacing, 0, p.height / 2 },
    color = { 0.15, 0.2 + 0.5 * k / n, 0.6 },
  }
  if k == 1 then -- it turns about its lower edge on the right
    body.omega = { 0, rate, 0 }
    body.velocity = { rate * p.height / 2, 0, rate * p.thickness / 2 }
  end
  local number = rigid(body)
  if k == 1 then first = number end
end
local fall = p.g > 0 and math.sqrt(p.height / p.g) or 0
local t_end = p.t_end > 0 and p.t_end or 0.6 + 3 * n * fall * 0.35
run { h = p.h, t_end = t_end, tol = p.tol, accept = math.max(1e-6, p.tol), budget = 0, store_every = 10 }
local long = n * p.spacing
camera { from = { 0.9 * long, -0.8 * long, 0.5 * long }, to = { long / 2, 0, 0 } }

memory { half = -1, last = -1 }

-- Cosine of the angle between the domino and the vertical.
local function upright(s, k)
  local q = s.body(first + k - 1).rotation
  return 1 - 2 * (q[2] ^ 2 + q[3] ^ 2)
end

-- What counts is that a domino leans so far that it cannot come back.
local over = p.height / math.sqrt(square)

step(function(s, m)
  if m.half < 0 and upright(s, math.max(1, n // 2)) < over then m.half = s.t end
  if m.last < 0 and upright(s, n) < over then m.last = s.t end
end)

local function fallen(s)
  local count = 0
  for k = 1, n do
    if upright(s, k) < over then count = count + 1 end
  end
  return count
end

series { fallen = fallen }

observables {
  fallen = fallen,
  tip_rate = function() return tip_rate end,
  speed = function(s, m)
    local way = (n - math.max(1, n // 2)) * p.spacing
    return m.last > m.half and m.half >= 0 and way / (m.last - m.half) or nil
  end,
}
