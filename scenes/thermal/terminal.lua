-- A battery terminal: the copper lug of a cable is clamped on the lead post, and the current of a starter
-- heats both, mostly where they meet. Asperities carry heat and current; what conducts between them
-- depends on the pressure. Electro-thermo-mechanical, transient, axisymmetric.
-- Known answers: all heat is electric, U I at every moment, to rounding; heat that goes in is stored or
-- carried away, to rounding; a clamp twice as strong has a contact resistance about 2^0.95 times less.
-- Post of 12 mm radius and 15 mm height, lug of 18 mm and 4 mm; the current enters at the rim of the lug
-- and leaves through the foot of the post. SI units.
local p = parameters { current = 300, clamp = 3000, t_end = 60, steps = 12, n = 6, gas = 0.026,
  coupling = "staggered", method = "auto", law = "exponential", ambient = 20 }
limits(p, { current = { -1e4, 1e4 }, clamp = { 1, 1e5 }, t_end = { 1e-3, 1e5 }, steps = { 1, 1000 },
  n = { 1, 50 }, gas = { 0, 10 }, ambient = { -50, 100 } })
local post, lug, high, thick, bolt = 12e-3, 18e-3, 15e-3, 4e-3, 8e-3
mesh {
  grid { element = "Q8", cells = { 2 * p.n, 2 * p.n }, body = "post",
    map = function(s, t) return post * s, high * (t - 1) end },
  grid { element = "Q8", cells = { 3 * p.n, p.n }, body = "lug",
    map = function(s, t) return lug * s, thick * t end },
}
solid { kinematics = "axisymmetric" }
body { group = "post", young = 16e9, poisson = 0.42 }
body { group = "lug", young = 120e9, poisson = 0.34 }
support { group = "post.t0", component = "z", value = 0 }
-- the clamp presses evenly out to the radius of the bolt's head, up at once and then constant
pressure { group = "lug.t1", value = function(t, x)
  return x[1] < bolt and p.clamp / (math.pi * bolt ^ 2) or 0
end }
local layer = { law = "exponential", pressure = 2e9, length = 1.5e-6 }
if p.law == "power" then layer = { law = "power", pressure = 1e8, length = 3e-6, exponent = 2 } end
contact { name = "joint", slave = "post.t1", master = "lug.t0", layer = layer, mu = 0.3 }

thermal { reference = p.ambient, coupling = p.coupling }
conductor { group = "post", conductivity = 35, capacity = 1.47e6, electric = 4.8e6, slope = 4e-3,
  expansion = 29e-6 }
conductor { group = "lug", conductivity = 390, capacity = 3.45e6, electric = 58e6, slope = 3.9e-3,
  expansion = 17e-6 }
potential { group = "post.t0", value = 0 }
current { group = "lug.s1", value = p.current / (2 * math.pi * lug * thick) }
temperature { group = "post.t0", value = p.ambient } -- the battery is large
convection { group = "lug.t1", value = p.ambient, coefficient = 15 }
convection { group = "lug.s1", value = p.ambient, coefficient = 15 }
convection { group = "post.s1", value = p.ambient, coefficient = 15 }
junction { contact = "joint",
  heat = { solid = 2e4, pressure = 1e7, exponent = 0.95, gas = p.gas, gap = 10e-6 },
  electric = { solid = 5e7, pressure = 1e7, exponent = 0.95 } }
steps { count = p.steps, t_end = p.t_end, method = p.method }

local function voltage(s) -- at the rim, the mean that does the work
  local sum, weight, h = 0, 0, thick / p.n
  for _, node in ipairs(s.nodes("lug.s1")) do
    local at = node.x[2] / h -- Simpson's rule over each cell
    local whole = math.abs(at - math.floor(at + 0.5)) < 1e-6
    local w = not whole and 4 or (at < 0.5 or at > p.n - 0.5) and 1 or 2
    sum, weight = sum + w * s.potential(node.node), weight + w
  end
  return sum / weight
end
local function warmest(s)
  local most = -math.huge
  for _, name in ipairs { "post", "lug" } do
    for _, node in ipairs(s.nodes(name)) do most = math.max(most, s.temperature(node.node)) end
  end
  return most
end
local function joint(s)
  local current, joule = 0, 0
  for _, f in ipairs(s.flow("joint")) do current, joule = current + f.current, joule + f.joule end
  return current, joule
end
series { voltage = voltage, warmest = warmest,
  contact_heat = function(s) return s.heat_rate.contact end }
plot { name = "pressure", contact = "joint", along = "x", quantity = "pressure", range = { 0, post } }
observables {
  voltage = voltage,
  warmest = warmest,
  current = function(s) return -s.current("post.t0") end,
  power = function(s) return voltage(s) * p.current end,
  heat_made = function(s) return s.heat_rate.joule + s.heat_rate.contact end,
  contact_resistance = function(s)
    local current, joule = joint(s)
    return current ~= 0 and joule / current ^ 2 or nil
  end,
  force = function(s)
    local sum = 0
    for _, c in ipairs(s.contact("joint")) do sum = sum + c.pressure * c.area end
    return sum
  end,
  balance = function(s) return s.heat_sum.error end,
  stored = function(s) return s.heat_sum.stored end,
  passes = function(s) return s.passes end,
}
