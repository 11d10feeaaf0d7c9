-- Two elastic or elastoplastic cylinders pressed together: Hertz, and the benchmark of the methods.
-- Known answer (elastic): a = sqrt(4 P R/2 / (pi E*)), p0 = 2 P / (pi a), 1/E* = 2 (1 - nu^2) / E;
-- the largest nodal pressure is within 0.2 % of p0 for n = 2, 4, 6, 12, 24, and the loads are
-- P = 2514.903, 2520.026, 2523.754, 2494.423, 2495.376 N/mm. Active sets need at most 4 and 2
-- iterations in the two steps for n <= 6. Elastoplastic (plane stress, no closed form), active sets:
-- P = 1313.279, 1532.761, 1423.459 for n = 2, 4, 6.
-- Quarter cylinders R = 10 mm; n cells of 0.38/n mm on the contact arc, then m that grow; the flat
-- faces may widen. half_width is the place of the last node that is closed. Units N, mm, MPa.
local p = parameters {
  n = 4, m = 0,                -- cells in the contact zone, and beyond it (0: 8, or 25 from n = 12 on)
  material = "elastic",        -- or elastoplastic
  method = "auto", eps0 = 0,   -- contact method; where its penalty starts (0: from the stiffness)
  gap = 0,                     -- penetration it leaves (0: from the cells)
  first_gap = 0, augmentations = -1,  -- of adapted: two of these three may be chosen
  line_search = 1, max_cuts = 10, max_iterations = 100,
  delta = 0.06, steps = 2, mu = 0, tol = 1e-10,
}
limits(p, { n = { 1, 1000 }, m = { 0, 1000 }, delta = { -1, 1 }, steps = { 1, 10000 },
  mu = { 0, 1e6 } })
local R, E, nu, zone = 10, 2e5, 0.3, 0.38
local elastic = p.material == "elastic"
assert(elastic or p.material == "elastoplastic", "material is elastic or elastoplastic")
local m = p.m > 0 and p.m or (p.n < 12 and 8 or 25)

-- The quarter disc that touches the origin from above: s along its arc, t along its axis.
local function disc(s, t)
  local a, b, c = math.pi / 4 * s, math.pi / 4 * (1 + t), R * math.sin(math.pi / 4)
  local x = (1 - t) * R * math.sin(a) + t * R * s + s * R * math.sin(b)
  local y = (1 - t) * (R - R * math.cos(a)) + t * R + (1 - s) * R * t + s * (R - R * math.cos(b))
  return x - s * ((1 - t) * c + t * R), y - s * (1 - t) * (R - c) - t * R
end

local S = graded { zone = zone, fine = p.n, coarse = m, length = R * math.pi / 4 }
local T = graded { zone = zone, fine = p.n, coarse = m, length = R }
local upper = grid { element = "Q4", lists = { S, T }, body = "upper", map = disc }
local lower = grid { element = "Q4", lists = { S, mirrored(T) }, body = "lower",
  map = function(s, t)
    local x, y = disc(s, 1 - t)
    return x, -y
  end }
mesh { lower, upper }

solid { kinematics = elastic and "plane_strain" or "plane_stress" }
for _, name in ipairs { "lower", "upper" } do
  body { group = name, young = E, poisson = nu, yield = elastic and 0 or 1000,
    hardening = elastic and 0 or 2000 }
  support { group = name .. ".s0", component = "x", value = 0 }
end
support { group = "lower.t0", component = "y", value = 0 }
support { group = "upper.t1", component = "y",
  value = function(t) return -p.delta * t / p.steps end }
contact { name = "contact", slave = "upper.t0", master = "lower.t1", mu = p.mu, normal = { 0, 1 } }

local times = {}
for k = 1, p.steps do times[k] = k end
steps { times = times, method = p.method, eps0 = p.eps0, gap = p.gap, first_gap = p.first_gap,
  augmentations = p.augmentations, line_search = p.line_search, max_cuts = p.max_cuts,
  max_iterations = p.max_iterations, tol = p.tol }

local Estar = elastic and E / (2 * (1 - nu * nu)) or E / 2
local function load(s)
  local _, f = s.force("upper.t1")
  return -2 * f
end
local function hertz(P) -- half-width and largest pressure
  if P <= 0 then return 0, 0 end
  local a = math.sqrt(4 * P * R / 2 / (math.pi * Estar))
  return a, 2 * P / (math.pi * a)
end
local function most(s)
  local pressure, width = 0, 0
  for _, c in ipairs(s.contact("contact")) do
    pressure = math.max(pressure, c.pressure)
    if c.pressure > 0 then width = math.max(width, c.at[1]) end
  end
  return pressure, width
end

plot { name = "pressure", contact = "contact", along = "x", quantity = "pressure", range = { 0, 0.6 },
  curves = elastic and { Hertz = function(s, x)
    local a, p0 = hertz(load(s))
    return x < a and p0 * math.sqrt(1 - (x / a) ^ 2) or 0
  end } or nil }

series {
  load = function(s) return load(s) end,
  p_max = function(s) return (most(s)) end,
}
observables {
  iterations = function(s) return s.iterations end,
  factorisations = function(s) return s.factorisations end,
  load = function(s) return load(s) end,
  p_max = function(s) return (most(s)) end,
  p_hertz = function(s) return select(2, hertz(load(s))) end,
  half_width = function(s) return select(2, most(s)) end,
  half_width_hertz = function(s) return (hertz(load(s))) end,
  penetration = function(s) return s.penetration end,
  augmentations = function(s) return s.augmentations end,
  alpha_max = function(s)
    local alpha = 0
    for _, name in ipairs { "lower", "upper" } do
      for _, c in ipairs(s.cells(name)) do alpha = math.max(alpha, c.alpha) end
    end
    return alpha
  end,
}
