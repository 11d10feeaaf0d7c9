-- Bodies of one kind, or of five, fall into a box and come to rest; or a pyramid of boxes lands.
-- Every step is solved to tol, so that the next one begins from an answer.
local p = parameters {
  kind = "mix", n = 200, layers = 6, mu = 0.5, size = 0.05, h = 5e-3, t_end = 1, seed = 1, tol = 1e-8,
}
limits(p, { n = { 1, 1e5 }, layers = { 1, 1000 }, mu = { 0, 1e6 }, size = { 1e-9, 1e6 } })
local state = 7919 * p.seed + 12345
local function draw()  -- in [0, 1), the same everywhere
  state = (1103515245 * state + 12345) % 2147483648
  return state / 2147483648
end
local function noise() return 2 * draw() - 1 end

local function rock(a)
  local points = {}
  for k = 1, 14 do
    local x, y, z = noise(), noise(), noise()
    local scale = a * (0.7 + 0.3 * draw()) / math.max(1e-3, math.sqrt(x ^ 2 + y ^ 2 + z ^ 2))
    points[k] = { scale * x, scale * y, scale * z }
  end
  return points
end

local shapes = {
  sphere = function(b, a) b.sphere = a end,
  box = function(b, a) b.box = { 1.1 * a, 1.1 * a * (0.6 + 0.4 * draw()), 1.1 * a * (0.6 + 0.4 * draw()) } end,
  capsule = function(b, a) b.capsule = { radius = 0.45 * a, length = a } end,
  cylinder = function(b, a) b.cylinder = { radius = 0.6 * a, length = a } end,
  rock = function(b, a) b.hull = rock(a) end,
}
local names = { "sphere", "box", "capsule", "cylinder", "rock" }

world { mu = p.mu }
rigid { name = "floor", plane = true }
if p.kind == "pyramid" then
  for row = 0, p.n - 1 do
    for k = 0, p.n - 1 - row do
      rigid { box = { 10 * p.size, 10 * p.size, 10 * p.size }, density = 1000,
        at = { 11 * p.size * (k + 0.5 * row), 0, p.size * (5.2 + 10.2 * row) } }
    end
  end
else
  local across = math.max(2, math.ceil(math.sqrt(p.n / p.layers)))
  local pitch = 2.6 * p.size
  for k = -1, 1, 2 do
    rigid { plane = { -k, 0, 0 }, at = { k * across * pitch / 2, 0, 0 } }
    rigid { plane = { 0, -k, 0 }, at = { 0, k * across * pitch / 2, 0 } }
  end
  for k = 0, p.n - 1 do
    local i, j, layer = k % across, k // across % across, k // across ^ 2
    local b = { density = 2000, rotation = { axis = { noise(), noise(), noise() + 2 }, angle = 3 * noise() } }
    b.at = { (i + 0.5 - across / 2) * pitch + 0.1 * p.size * noise(),
      (j + 0.5 - across / 2) * pitch + 0.1 * p.size * noise(), p.size * (1.3 + 2.6 * layer) }
    shapes[p.kind == "mix" and names[1 + math.floor(5 * draw())] or p.kind](b, p.size * (0.75 + 0.25 * draw()))
    rigid(b)
  end
end
run { h = p.h, t_end = p.t_end, tol = p.tol, accept = 1, budget = 0, store_every = 1 }
observables { contacts = function(s) return s.report.contacts end }
