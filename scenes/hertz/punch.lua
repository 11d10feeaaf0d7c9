-- A rigid flat punch with a sharp corner on an elastic half-plane, frictionless.
-- Known answer: p(x) = P / (pi sqrt(a^2 - x^2)), infinite at the corner x = a [Sadowsky 1928]; at the
-- centre P / (pi a). Up to 0.9 a the computed pressure agrees within 2 %; at the corner it stays finite
-- and grows with refinement. Half of the plane is meshed, with cells that shrink towards the corner.
-- Units N, mm, MPa.
local p = parameters { n = 16, m = 16, method = "auto", delta = 0.01 }
limits(p, { n = { 1, 1000 }, m = { 1, 1000 }, delta = { 0, 1 } })
local a, E, nu, size = 1, 2e5, 0.3, 30

-- Places along x: n cells on [0, a] and m on [a, size], both smallest at the corner.
local function sizes(cells, length, first)
  local low, high = 1e-3, 10
  for _ = 1, 200 do
    local q, sum = (low + high) / 2, 0
    for k = 0, cells - 1 do sum = sum + first * q ^ k end
    if sum > length then high = q else low = q end
  end
  local list = {}
  for k = 1, cells do list[k] = first * low ^ (k - 1) end
  return list
end
local first = 0.25 * a / p.n
local inner, outer = sizes(p.n, a, first), sizes(p.m, size - a, first)
local S, depth, down, x = { 0 }, { 0 }, {}, 0
for k = 1, p.n do
  x = x + inner[p.n + 1 - k]
  S[k + 1] = x / size
end
S[#S] = a / size
x = a
for k = 1, p.m do
  x = x + outer[k]
  S[#S + 1] = x / size
end
S[#S] = 1
x = 0
for _, h in ipairs(sizes(p.n + p.m // 2, size, first)) do
  x = x + h
  depth[#depth + 1] = x / size
end
depth[#depth] = 1
for k = 1, #depth do down[k] = 1 - depth[#depth + 1 - k] end

grid { element = "Q4", lists = { S, down }, body = "plane",
  map = function(s, t) return size * s, size * (t - 1) end }
solid { kinematics = "plane_strain" }
body { group = "plane", young = E, poisson = nu }
support { group = "plane.s0", component = "x", value = 0 }
support { group = "plane.t0", component = "y", value = 0 }
-- Beyond its corner the punch is nowhere near.
contact { name = "contact", slave = "plane.t1",
  obstacle = function(t, x)
    if x[1] > a * (1 + 1e-9) then return size, 0, -1 end
    return -p.delta * t - x[2], 0, -1
  end }
steps { times = { 1 }, method = p.method }

local function load(s)
  local _, f = s.force("plane.t0")
  return 2 * f
end
local function exact(s, x) return load(s) / (math.pi * math.sqrt(a * a - x * x)) end

plot { name = "pressure", contact = "contact", along = "x", quantity = "pressure",
  range = { 0, 1 }, curves = { Sadowsky = function(s, x) return x < 0.99 * a and exact(s, x) or nil end } }
observables {
  iterations = function(s) return s.iterations end,
  load = load,
  p_centre = function(s) return s.contact("contact")[1].pressure end,
  p_centre_exact = function(s) return exact(s, 0) end,
  p_corner = function(s)
    local most = 0
    for _, c in ipairs(s.contact("contact")) do most = math.max(most, c.pressure) end
    return most
  end,
  error = function(s) -- relative, up to 0.9 a
    local worst = 0
    for _, c in ipairs(s.contact("contact")) do
      if c.x[1] < 0.9 * a then
        worst = math.max(worst, math.abs(c.pressure / exact(s, c.x[1]) - 1))
      end
    end
    return worst
  end,
}
