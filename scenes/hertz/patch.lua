-- Patch test: a column of two blocks whose meshes do not match carries a uniform pressure.
-- Known answer: with free sides the axial stress is -pressure everywhere and all others vanish (plane
-- stress, or in space), so that the ends approach by pressure * height / E. A method of contact that
-- passes loads on rightly gives it to rounding for every element: error < 1e-10.
-- element is T3, T6, Q4, Q8 in the plane, T4, H8 in space. Units N, mm, MPa.
local p = parameters { element = "Q4", lower = 3, upper = 4, pressure = 10, young = 1000, poisson = 0.3,
  mu = 0, method = "auto", skew = 0.1 }
limits(p, { lower = { 1, 1000 }, upper = { 1, 1000 }, pressure = { 0, 1e12 }, young = { 1e-9, 1e12 },
  poisson = { 0, 0.499 }, mu = { 0, 1e6 }, skew = { -0.5, 0.5 } })
local space = p.element == "T4" or p.element == "H8"
local up = space and "w" or "t"

-- Inner lines are bent, so that the cells are no rectangles; outer faces stay flat.
local function bend(s) return p.skew * math.sin(math.pi * s) end
local function block(name, cells, base)
  if space then
    return grid { element = p.element, cells = { cells, cells, 2 }, body = name,
      map = function(s, t, w)
        local b = bend(s) * bend(t) * bend(w)
        return s + b, t - b, base + w + b
      end }
  end
  return grid { element = p.element, cells = { cells, 2 }, body = name,
    map = function(s, t)
      local b = bend(s) * bend(t)
      return s + b, base + t - b
    end }
end
mesh { block("lower", p.lower, 0), block("upper", p.upper, 1) }
if not space then solid { kinematics = "plane_stress" } end
for _, name in ipairs { "lower", "upper" } do
  body { group = name, young = p.young, poisson = p.poisson }
  support { group = name .. ".s0", component = "x", value = 0 }
  if space then support { group = name .. ".t0", component = "y", value = 0 } end
end
support { group = "lower." .. up .. "0", component = space and "z" or "y", value = 0 }
pressure { group = "upper." .. up .. "1", value = p.pressure }
contact { name = "contact", slave = "upper." .. up .. "0", master = "lower." .. up .. "1", mu = p.mu }
steps { times = { 1 }, method = p.method }

local function stress_error(s)
  local axial, worst = space and "zz" or "yy", 0
  for _, name in ipairs { "lower", "upper" } do
    for _, c in ipairs(s.cells(name)) do
      for _, k in ipairs { "xx", "yy", "zz", "xy", "yz", "zx" } do
        worst = math.max(worst, math.abs(c[k] + (k == axial and p.pressure or 0)))
      end
    end
  end
  return worst / p.pressure
end
local function displacement_error(s)
  local worst, axis = 0, space and 3 or 2
  for _, name in ipairs { "lower", "upper" } do
    for _, n in ipairs(s.nodes(name)) do
      local e = p.pressure / p.young
      for k = 1, axis do
        local exact = k == axis and -e * n.x[k] or p.poisson * e * n.x[k]
        worst = math.max(worst, math.abs(n.u[k] - exact) / e)
      end
    end
  end
  return worst
end
local function pressure_error(s)
  local worst = 0
  for _, c in ipairs(s.contact("contact")) do
    worst = math.max(worst, math.abs(c.pressure - p.pressure))
  end
  return worst / p.pressure
end

observables {
  error = function(s) return math.max(stress_error(s), displacement_error(s), pressure_error(s)) end,
  stress_error = stress_error,
  displacement_error = displacement_error,
  pressure_error = pressure_error,
  iterations = function(s) return s.iterations end,
}
