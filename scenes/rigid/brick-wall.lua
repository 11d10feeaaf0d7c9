-- Wall of bricks without mortar, in running bond, on a floor.
-- Known answer: it stands, and nothing moves: contact forces balance the weights exactly, friction
-- is not even needed. creep is the largest way of a brick from its place, in m; balance is the
-- error of the energy ledger against the energy scale m g (height of the wall); load is what the
-- floor carries over the weight of all bricks, 1.
local p = parameters {
  rows = 24, columns = 24, mu = 0.6, density = 1800, length = 0.25, depth = 0.12, height = 0.065,
  gap = 0.002, g = 9.81, h = 0.01, t_end = 10, tol = 1e-8,
}
limits(p, { rows = { 1, 1000 }, columns = { 1, 1000 }, mu = { 0, 1e6 }, density = { 1e-9, 1e12 },
  length = { 1e-6, 1e6 }, depth = { 1e-6, 1e6 }, height = { 1e-6, 1e6 }, g = { 0, 1e6 } })
limits(p, { gap = { 0, p.length / 2 } })
local rows, columns = math.max(1, math.floor(p.rows)), math.max(1, math.floor(p.columns))

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }

local places, weight = {}, 0

-- A brick whose left end is at x, in joints of the width `gap`.
local function brick(x, length, row)
  local at = { x + length / 2, 0, (row - 0.5) * p.height }
  local shade = 0.55 + 0.08 * ((row * 7 + #places * 3) % 4)
  places[#places + 1] = at
  weight = weight + p.density * (length - p.gap) * p.depth * p.height * p.g
  rigid {
    box = { length - p.gap, p.depth, p.height },
    density = p.density,
    at = at,
    color = { shade + 0.1, shade * 0.55, shade * 0.4 },
  }
end

for row = 1, rows do
  local x = -columns * p.length / 2
  local half = row % 2 == 0
  if half then brick(x, p.length / 2, row) end
  for k = 1, half and columns - 1 or columns do
    brick(x + (k - (half and 0.5 or 1)) * p.length, p.length, row)
  end
  if half then brick(-x - p.length / 2, p.length / 2, row) end
end

run { h = p.h, t_end = p.t_end, tol = p.tol, store_every = 20 }
local tall, wide = rows * p.height, columns * p.length
camera {
  from = { 0.5 * wide, -1.3 * math.max(wide, 2 * tall), 0.9 * tall }, to = { 0, 0, 0.45 * tall },
  angle = 32,
}

local function creep(s)
  local most = 0
  for k, at in ipairs(places) do
    local x = s.body(k + 1).x
    most = math.max(most, math.sqrt((x[1] - at[1]) ^ 2 + (x[2] - at[2]) ^ 2 + (x[3] - at[3]) ^ 2))
  end
  return most
end

series { creep = creep }

observables {
  creep = creep,
  balance = function(s) return math.abs(s.energy.error) / (weight * tall) end,
  bricks = function() return #places end,
  load = function(s)
    local sum = 0
    for _, c in ipairs(s.contacts()) do sum = sum + ((c.a == 1 or c.b == 1) and c.r[1] / s.h or 0) end
    return sum / weight
  end,
}
