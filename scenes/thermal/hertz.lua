-- A sphere pressed on a half-space conducts heat (or current) through the circle of contact:
-- constriction resistance.
-- Known answers: with the load P the radius is a = (3 P R / (4 E*))^(1/3) [Hertz], and two half-spaces of
-- conductivity k that touch there without resistance of the contact itself have the resistance
--   1 / (2 k a)
-- between their far ends [Holm]. Both bodies are cylinders of radius and height `far` a; their far faces
-- have the temperatures of the exact field, (1/pi) asin(2 a / (sqrt((r - a)^2 + z^2) + sqrt((r + a)^2 +
-- z^2))) below and 1 less that above. The resistance is within one cell over a of the formula, and gets
-- nearer as n grows. The potential, with the conductivity `electric`, is the same field; its Joule heat
-- then changes what the contact passes.
-- Axisymmetric; units N, mm, MPa, W, K.
local p = parameters { n = 16, m = 14, a = 0.1, far = 20, k = 0.05, contact = 1e4, electric = 0,
  coupling = "staggered", method = "auto" }
limits(p, { n = { 2, 1000 }, m = { 1, 1000 }, a = { 1e-3, 1 }, far = { 3, 1000 }, k = { 1e-6, 1e6 },
  contact = { 0, 1e12 }, electric = { 0, 1e9 } })
local R, E, nu = 20, 2e5, 0.3
local Estar = E / (2 * (1 - nu * nu))
local P = 4 * Estar * p.a ^ 3 / (3 * R)
local size, zone = p.far * p.a, 1.25 * p.a
local list = graded { zone = zone, fine = p.n, coarse = p.m, length = size }
mesh {
  grid { element = "Q4", lists = { list, list }, body = "sphere", map = function(s, t)
    local r = size * s
    return r, size * t + (1 - t) * r * r / (2 * R)
  end },
  grid { element = "Q4", lists = { list, mirrored(list) }, body = "ground",
    map = function(s, t) return size * s, size * (t - 1) end },
}
solid { kinematics = "axisymmetric" }
body { group = "sphere", young = E, poisson = nu }
body { group = "ground", young = E, poisson = nu }
support { group = "ground.t0", component = "z", value = 0 }
pressure { group = "sphere.t1", value = P / (math.pi * size * size) }
contact { name = "contact", slave = "sphere.t0", master = "ground.t1" }

local function field(r, z)
  local a = p.a
  local near, away = math.sqrt((r - a) ^ 2 + z ^ 2), math.sqrt((r + a) ^ 2 + z ^ 2)
  return math.asin(math.min(1, 2 * a / (near + away))) / math.pi
end
thermal { steady = true, coupling = p.coupling }
for _, name in ipairs { "sphere", "ground" } do
  conductor { group = name, conductivity = p.k, electric = p.electric }
end
local function above(t, x) return 1 - field(x[1], x[2]) end
local function below(t, x) return field(x[1], x[2]) end
-- The node where two far faces meet, and those of the contact, belong to one group only.
for _, side in ipairs { { "sphere.t1", above }, { "sphere.s1", above }, { "ground.t0", below },
  { "ground.s1", below } } do
  temperature { group = side[1], value = side[2] }
  if p.electric > 0 then potential { group = side[1], value = side[2] } end
end
junction { contact = "contact", heat = p.contact, electric = p.electric > 0 and p.contact or 0 }
steps { times = { 0.5, 1 }, method = p.method }

local function passed(s, what)
  local sum = 0
  for _, f in ipairs(s.flow("contact")) do sum = sum + f[what] end
  return sum
end
plot { name = "pressure", contact = "contact", along = "x", quantity = "pressure", range = { 0, 1.5 * p.a },
  curves = { Hertz = function(s, x)
    local p0 = 3 * P / (2 * math.pi * p.a ^ 2)
    return x < p.a and p0 * math.sqrt(1 - (x / p.a) ^ 2) or 0
  end } }
observables {
  resistance = function(s) return 1 / passed(s, "heat") end,
  resistance_exact = function() return 1 / (2 * p.k * p.a) end,
  resistance_electric = function(s) return p.electric > 0 and 1 / passed(s, "current") or nil end,
  resistance_electric_exact = function() return p.electric > 0 and 1 / (2 * p.electric * p.a) or nil end,
  radius = function(s)
    local width = 0
    for _, c in ipairs(s.contact("contact")) do
      if c.pressure > 0 then width = math.max(width, c.at[1]) end
    end
    return width
  end,
  radius_hertz = function() return p.a end,
  cell = function() return zone / p.n end,
  balance = function(s) return s.heat_rate.error end,
}
