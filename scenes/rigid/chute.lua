-- Bodies that go down a chute.
-- Known answer: side by side in one layer they do not meet. Boxes slide with the acceleration g
-- (sin a - mu cos a), or rest where mu >= tan a; spheres roll with 5/7 g sin a where mu >= 2/7 tan
-- a, else they slide with g (sin a - mu cos a) and rotate as well. speed is the mean one along the
-- chute, exact what the formula says (one layer). With more layers the upper ones run over the
-- lower ones.
local p = parameters {
  shape = "sphere", angle_deg = 25, mu = 0.5, rows = 8, columns = 5, layers = 1, size = 0.05,
  density = 1000, g = 9.81, h = 2e-3, t_end = 0.5, tol = 1e-8,
}
limits(p, { mu = { 0, 1e6 }, rows = { 1, 1000 }, columns = { 1, 1000 }, layers = { 1, 1000 },
  size = { 1e-9, 1e6 }, density = { 1e-9, 1e12 }, g = { 0, 1e6 } })
local a = math.rad(p.angle_deg)
local rows, columns = math.max(1, math.floor(p.rows)), math.max(1, math.floor(p.columns))
local layers = math.max(1, math.floor(p.layers))
local balls = p.shape == "sphere"

-- x goes down the chute, z away from it: gravity leans instead.
world { gravity = { p.g * math.sin(a), 0, -p.g * math.cos(a) }, mu = p.mu }
rigid { name = "chute", plane = true, color = { 0.7, 0.7, 0.7 } }
local wide = 1.2 * p.size * columns
for k = -1, 1, 2 do rigid { plane = { 0, -k, 0 }, at = { 0, k * wide / 2, 0 } } end

local first
for layer = 0, layers - 1 do
  for i = 0, rows - 1 do
    for k = 0, columns - 1 do
      local body = {
        density = p.density,
        at = { 1.2 * p.size * (i + 0.4 * (layer % 2)), 1.2 * p.size * (k + 0.5) - wide / 2,
               p.size * (layer + 0.5) },
        color = { 0.3 + 0.6 * i / rows, 0.4, 0.8 - 0.5 * k / columns },
      }
      if balls then body.sphere = p.size / 2 else body.box = { p.size, p.size, p.size } end
      local number = rigid(body)
      first = first or number
    end
  end
end
local n = rows * columns * layers
run {
  h = p.h, t_end = p.t_end, tol = p.tol, accept = math.max(1e-6, p.tol), budget = 0, store_every = 5,
}
camera {
  from = { 0.6 * p.size * rows + 0.3, -15 * p.size - 2 * wide, 12 * p.size },
  to = { 0.6 * p.size * rows + 0.1, 0, 0 },
  up = { -math.sin(a), 0, math.cos(a) },
}

local function speed(s)
  local sum = 0
  for k = first, first + n - 1 do sum = sum + s.body(k).velocity[1] end
  return sum / n
end

local function rate()
  local slides = p.g * (math.sin(a) - p.mu * math.cos(a))
  if balls and p.mu >= 2 / 7 * math.tan(a) then return 5 / 7 * p.g * math.sin(a) end
  return math.max(slides, 0)
end

series { speed = speed }

observables {
  speed = speed,
  exact = function(s) return layers == 1 and rate() * s.t or nil end,
  way = function(s)
    local sum = 0
    for k = first, first + n - 1 do sum = sum + s.body(k).x[1] end
    return sum / n - 0.6 * p.size * (rows - 1) - (layers > 1 and 0.24 * p.size or 0)
  end,
}
