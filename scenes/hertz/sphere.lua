-- Elastic sphere on an elastic half-space, axisymmetric: Hertz.
-- Known answer: a = (3 P R / (4 E*))^(1/3), p0 = 3 P / (2 pi a^2), 1/E* = 2 (1 - nu^2) / E. The largest
-- nodal pressure is within 1 % of p0 from n = 16 on, and the contact radius right to one cell.
-- Quarter disc R = 10 mm, turned around its axis, on a cylinder of the same size; the meshes do not
-- match. Units N, mm, MPa.
local p = parameters { n = 16, m = 12, method = "auto", delta = 0.03, ratio = 1.3 }
limits(p, { n = { 1, 1000 }, m = { 1, 1000 }, delta = { 1e-6, 1 }, ratio = { 0.05, 20 } })
local R, E, nu = 10, 2e5, 0.3
local zone = 1.25 * math.sqrt(p.delta * R)

-- The quarter disc that touches the origin from above: s along its arc, t along its axis.
local function disc(s, t)
  local a, b, c = math.pi / 4 * s, math.pi / 4 * (1 + t), R * math.sin(math.pi / 4)
  local x = (1 - t) * R * math.sin(a) + t * R * s + s * R * math.sin(b)
  local y = (1 - t) * (R - R * math.cos(a)) + t * R + (1 - s) * R * t + s * (R - R * math.cos(b))
  return x - s * ((1 - t) * c + t * R), y - s * (1 - t) * (R - c) - t * R
end

local other = math.floor(p.n * p.ratio + 0.5) -- cells of the half-space
local S = graded { zone = zone, fine = p.n, coarse = p.m, length = R * math.pi / 4 }
local T = graded { zone = zone, fine = p.n, coarse = p.m, length = R }
local depth = graded { zone = zone, fine = other, coarse = p.m, length = R }
mesh {
  grid { element = "Q4", lists = { S, T }, body = "sphere", map = disc },
  grid { element = "Q4", lists = { depth, mirrored(depth) }, body = "ground",
    map = function(s, t) return R * s, R * (t - 1) end },
}
solid { kinematics = "axisymmetric" }
body { group = "sphere", young = E, poisson = nu }
body { group = "ground", young = E, poisson = nu }
support { group = "ground.t0", component = "z", value = 0 }
support { group = "sphere.t1", component = "z", value = function(t) return -p.delta * t end }
contact { name = "contact", slave = "sphere.t0", master = "ground.t1" }
steps { times = { 0.5, 1 }, method = p.method }

local function most(s)
  local pressure, width = 0, 0
  for _, c in ipairs(s.contact("contact")) do
    pressure = math.max(pressure, c.pressure)
    if c.pressure > 0 then width = math.max(width, c.at[1]) end
  end
  return pressure, width
end
local Estar = E / (2 * (1 - nu * nu))
local function load(s)
  local _, f = s.force("sphere.t1")
  return -f
end
local function hertz(P) -- radius and largest pressure
  if P <= 0 then return 0, 0 end
  local a = (3 * P * R / (4 * Estar)) ^ (1 / 3)
  return a, 3 * P / (2 * math.pi * a * a)
end

plot { name = "pressure", contact = "contact", along = "x", quantity = "pressure", range = { 0, 0.8 },
  curves = { Hertz = function(s, x)
    local a, p0 = hertz(load(s))
    return x < a and p0 * math.sqrt(1 - (x / a) ^ 2) or 0
  end } }
series { load = function(s) return load(s) end }
observables {
  iterations = function(s) return s.iterations end,
  load = function(s) return load(s) end,
  p_max = function(s) return (most(s)) end,
  p_hertz = function(s) return select(2, hertz(load(s))) end,
  radius = function(s) return select(2, most(s)) end,
  radius_hertz = function(s) return (hertz(load(s))) end,
  cell = function() return zone / p.n end,
}
