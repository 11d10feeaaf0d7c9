-- A rod between walls, one-dimensional: conduction with a source, current and Joule heat, convection
-- at an end, thermal stress, transients. Units SI or any consistent set.
-- Known answers:
--   joule      both ends at 0, potential U over the length L: T = sigma U^2 / (2 k L^2) x (L - x), which
--              quadratic cells have exactly and linear ones at their nodes; heat sigma U^2 A / L; the
--              largest temperature U^2 sigma / (8 k) does not depend on L.
--   wall       the end of the rod at T_hot, held between walls: stress -E alpha (T - reference) where
--              T is uniform, in one dimension (poisson = 0).
--   cool       from T = 1 with both ends at 0: T = sum over odd n of 4 / (n pi) sin(n pi x / L)
--              exp(-n^2 pi^2 k t / (c L^2)); from T = sin(pi x / L), shape = "sine", the first term
--              alone. The error falls like h^2 and like dt (theta = 1) or dt^2 (theta = 0.5).
--   convection steady, one end at T_hot, the other cooled with the coefficient h at T = 0:
--              heat = A T_hot / (L / k + 1 / h).
local p = parameters { case = "joule", element = "Q4", n = 10, steps = 10, theta = 1, L = 2, k = 3,
  c = 1.5, sigma = 7, U = 4, h = 2.5, hot = 80, E = 2e5, alpha = 1e-5, slope = 0, t_end = 0.1,
  shape = "step", coupling = "staggered" }
limits(p, { n = { 1, 2000 }, steps = { 1, 10000 }, theta = { 0.5, 1 }, L = { 1e-3, 1e3 },
  k = { 1e-6, 1e6 }, c = { 1e-6, 1e6 }, sigma = { 0, 1e9 }, U = { -1e3, 1e3 }, h = { 1e-6, 1e6 },
  hot = { -1e3, 1e3 }, E = { 1, 1e13 }, alpha = { -1, 1 }, slope = { 0, 1 }, t_end = { 1e-6, 1e6 } })
local W = 0.5 -- width; the thickness is 1
local space = p.element == "T4" or p.element == "H8"
grid { element = p.element, cells = space and { p.n, 1, 1 } or { p.n, 1 }, body = "rod",
  map = function(s, t, w)
    if space then return p.L * s, W * t, w end
    return p.L * s, W * t
  end }
solid { kinematics = space and "solid" or "plane_stress" }
body { group = "rod", young = p.E, poisson = 0 }
if p.case == "wall" then
  support { group = "rod.s0", component = "all", value = 0 }
  support { group = "rod.s1", component = "x", value = 0 }
else
  support { group = "rod", component = "all", value = 0 }
end

local case = assert(({ joule = 1, wall = 1, cool = 1, convection = 1 })[p.case],
  "case is joule, wall, cool or convection") and p.case
local function begin(t, x)
  if case ~= "cool" then return 0 end
  return p.shape == "sine" and math.sin(math.pi * x[1] / p.L) or 1
end
thermal { steady = case ~= "cool", initial = begin,
  theta = case == "cool" and p.theta or 1, coupling = p.coupling }
conductor { group = "rod", conductivity = p.k, capacity = p.c, electric = p.sigma, slope = p.slope,
  expansion = case == "wall" and p.alpha or 0 }
if case == "convection" then
  temperature { group = "rod.s0", value = p.hot }
  convection { group = "rod.s1", value = 0, coefficient = p.h }
else
  local value = case == "wall" and p.hot or 0
  temperature { group = "rod.s0", value = value }
  temperature { group = "rod.s1", value = value }
end
if p.sigma > 0 then
  potential { group = "rod.s0", value = case == "joule" and p.U or 0 }
  potential { group = "rod.s1", value = 0 }
end
steps(case == "cool" and { count = p.steps, t_end = p.t_end } or { times = { 1 } })

local function exact(x)
  if case == "joule" then return p.sigma * p.U ^ 2 / (2 * p.k * p.L ^ 2) * x * (p.L - x) end
  if case == "wall" then return p.hot end
  if case == "convection" then
    local q = p.hot / (p.L / p.k + 1 / p.h)
    return p.hot - q * x / p.k
  end
  if p.shape == "sine" then
    return math.sin(math.pi * x / p.L) * math.exp(-(math.pi / p.L) ^ 2 * p.k / p.c * p.t_end)
  end
  local sum = 0
  for n = 1, 199, 2 do
    local decay = -(n * math.pi / p.L) ^ 2 * p.k / p.c * p.t_end
    if decay > -700 then
      sum = sum + 4 / (n * math.pi) * math.sin(n * math.pi * x / p.L) * math.exp(decay)
    end
  end
  return sum
end

observables {
  -- the largest error at the nodes over the largest temperature
  error = function(s)
    local worst, most = 0, 0
    for _, node in ipairs(s.nodes("rod")) do
      local T = exact(node.x[1])
      worst = math.max(worst, math.abs(s.temperature(node.node) - T))
      most = math.max(most, math.abs(T))
    end
    return most > 0 and worst / most or worst
  end,
  -- at the middle only: what is smooth
  middle = function(s) return s.temperature(p.L / 2, 0, space and 0 or nil) end,
  middle_exact = function() return exact(p.L / 2) end,
  heat = function(s) return s.heat("rod.s0") + s.heat("rod.s1") end,
  joule = function(s) return s.heat_rate.joule end,
  joule_exact = function() return case == "joule" and p.sigma * p.U ^ 2 * W / p.L or 0 end,
  current = function(s) return s.current("rod.s0") end,
  current_exact = function() return case == "joule" and p.sigma * p.U * W / p.L or 0 end,
  stress = function(s)
    local sum = 0
    for _, cell in ipairs(s.cells("rod")) do sum = sum + cell.xx end
    return sum / #s.cells("rod")
  end,
  stress_exact = function() return case == "wall" and -p.E * p.alpha * p.hot or 0 end,
  balance = function(s) return s.heat_sum.error end,
}
