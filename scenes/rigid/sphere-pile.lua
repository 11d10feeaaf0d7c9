-- Spheres that fall into a box and come to rest.
-- Known answer: a large pile of equal spheres at rest fills about 0.55 to 0.64 of its volume, a
-- small one between walls less, and it has about 4 to 6 contacts per sphere (4 is the least that
-- friction can hold). filling is measured below nine tenths of the height; load is what the floor
-- carries over the weight, friction of the walls carrying the rest; speed is the largest one left:
-- spheres roll for long.
local p = parameters {
  n = 60, layers = 3, radius = 0.02, spread = 0, side = 0, mu = 0.3, rolling = 0, density = 2500,
  g = 9.81, h = 2e-3, t_end = 1, tol = 1e-6, accept = 1e-6, threads = 2, walls = true,
}
limits(p, { n = { 1, 100000 }, layers = { 1, 1000 }, radius = { 1e-9, 1e6 }, spread = { 0, 0.9 },
  side = { 0, 1000 }, mu = { 0, 1e6 }, rolling = { 0, 1e6 }, density = { 1e-9, 1e12 }, g = { 0, 1e6 } })
local n = math.max(1, math.floor(p.n))
local across = math.max(1, math.ceil(math.sqrt(n / math.max(1, p.layers))))
local side = p.side > 0 and p.side or 2.8 * p.radius * across

world { gravity = { 0, 0, -p.g }, mu = p.mu, rolling = p.rolling }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
if p.walls then
  for k = -1, 1, 2 do
    rigid { plane = { -k, 0, 0 }, at = { k * side / 2, 0, 0 } }
    rigid { plane = { 0, -k, 0 }, at = { 0, k * side / 2, 0 } }
  end
end

-- Numbers from -1 to 1 that look random and are the same everywhere.
local seed = 1
local function noise()
  seed = (1103515245 * seed + 12345) % 2147483648
  return seed / 1073741824 - 1
end

-- Layers of a loose lattice, every second one shifted by half its pitch, so that spheres do not
-- fall on the tops of others.
local first, weight = nil, 0
local pitch = side / across
local slack = (pitch - 2 * p.radius * (1 + p.spread)) / 2
local layer, place = 0, 0
for _ = 1, n do
  local row = layer % 2 == 0 and across or math.max(1, across - 1)
  local r = p.radius * (1 + p.spread * noise())
  weight = weight + p.density * 4 / 3 * math.pi * r ^ 3 * p.g
  local number = rigid {
    sphere = r,
    density = p.density,
    at = { (place % row + 0.5 - row / 2) * pitch + slack * noise(),
           (place // row + 0.5 - row / 2) * pitch + slack * noise(),
           p.radius * (1 + p.spread) * (1 + 2.1 * layer) },
    color = { 0.4 + 0.3 * noise(), 0.5 + 0.2 * noise(), 0.7 },
  }
  first = first or number
  place = place + 1
  if place == row * row then layer, place = layer + 1, 0 end
end
run {
  h = p.h, t_end = p.t_end, tol = p.tol, accept = math.max(p.accept, p.tol), budget = 0, store_every = 20,
  threads = p.threads, memory = 8 * n + 64,
}
camera { from = { 2 * side, -3 * side, 2.5 * side }, to = { 0, 0, 0.2 * side }, angle = 25 }

local function speed(s)
  local most = 0
  for k = first, first + n - 1 do
    local v = s.body(k).velocity
    most = math.max(most, math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2))
  end
  return most
end

local function height(s)
  local most = 0
  for k = first, first + n - 1 do most = math.max(most, s.body(k).x[3]) end
  return most + p.radius
end

series { speed = speed, height = height }

observables {
  speed = speed,
  height = height,
  contacts_per_sphere = function(s)
    local count = 0
    for _, c in ipairs(s.contacts()) do
      if c.r[1] > 0 then count = count + ((c.a >= first and c.b >= first) and 2 or 1) end
    end
    return count / n
  end,
  filling = function(s)
    local top, volume = 0.9 * height(s), 0
    for k = first, first + n - 1 do
      local b = s.body(k)
      if b.x[3] < top then volume = volume + b.mass / p.density end
    end
    return p.walls and volume / (top * side ^ 2) or nil
  end,
  load = function(s)
    local sum = 0
    for _, c in ipairs(s.contacts()) do sum = sum + ((c.a == 1 or c.b == 1) and c.r[1] / s.h or 0) end
    return sum / weight
  end,
  largest_eta = function(s) return s.report.largest_eta end,
}
