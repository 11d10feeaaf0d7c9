-- A block is pressed on a slab and moved along it at a constant speed: heat of friction.
-- Known answers: the heat made is mu p v per area, exactly; the slab takes its share of it, e2 / (e1 + e2)
-- with the effusivities e = sqrt(k c) unless `share` says what the block takes. With these shares two
-- half-spaces are equally warm at the interface,
--   T = 2 mu p v sqrt(t / pi) / (e1 + e2),
-- until the heat reaches their other ends; the error falls with the cells. Units SI.
local p = parameters { n = 24, steps = 40, mu = 0.3, pressure = 2e6, speed = 0.5, t_end = 0.2, share = -1,
  k1 = 50, c1 = 3.5e6, k2 = 20, c2 = 2e6, heat = 1e9, theta = 1, depth = 0.02, coupling = "staggered" }
limits(p, { n = { 1, 1000 }, steps = { 1, 10000 }, mu = { 0, 1e3 }, pressure = { 1, 1e9 },
  speed = { 0, 1e3 }, t_end = { 1e-6, 1e6 }, share = { -1, 1 }, k1 = { 1e-6, 1e6 }, c1 = { 1, 1e9 },
  k2 = { 1e-6, 1e6 }, c2 = { 1, 1e9 }, heat = { 0, 1e12 }, theta = { 0.5, 1 }, depth = { 1e-6, 1e3 } })
local width = 0.01
local list = graded { zone = p.depth / 10, fine = p.n, coarse = p.n, length = p.depth }
mesh {
  grid { element = "Q4", lists = { { 0, 0.5, 1 }, list }, body = "block",
    map = function(s, t) return width * s, p.depth * t end },
  grid { element = "Q4", lists = { { 0, 0.3, 1 }, mirrored(list) }, body = "slab",
    map = function(s, t) return width * s, p.depth * (t - 1) end },
}
solid { kinematics = "plane_strain" }
body { group = "block", young = 2e11, poisson = 0 }
body { group = "slab", young = 1e11, poisson = 0 }
support { group = "slab", component = "x", value = 0 }
support { group = "slab.t0", component = "y", value = 0 }
support { group = "block", component = "x", value = function(t) return p.speed * t end }
pressure { group = "block.t1", value = p.pressure }
contact { name = "contact", slave = "block.t0", master = "slab.t1", mu = p.mu }

thermal { theta = p.theta, coupling = p.coupling }
conductor { group = "block", conductivity = p.k1, capacity = p.c1 }
conductor { group = "slab", conductivity = p.k2, capacity = p.c2 }
junction { contact = "contact", heat = p.heat, share = p.share >= 0 and p.share or nil }
steps { count = p.steps, t_end = p.t_end }

local e1, e2 = math.sqrt(p.k1 * p.c1), math.sqrt(p.k2 * p.c2)
local power = p.mu * p.pressure * p.speed * width
series { made = function(s) return s.heat_rate.friction end,
  temperature = function(s) return s.temperature(0, 0) end }
observables {
  power = function(s) return s.heat_rate.friction end,
  power_exact = function() return power end,
  stored = function(s) return s.heat_sum.stored end,
  stored_exact = function() return power * p.t_end end,
  work = function(s) return s.energy.friction end,
  passed = function(s) -- from the block to the slab through the junction
    local sum = 0
    for _, f in ipairs(s.flow("contact")) do sum = sum + f.heat end
    return sum
  end,
  interface = function(s)
    local sum, nodes = 0, s.nodes("block.t0")
    for _, node in ipairs(nodes) do sum = sum + s.temperature(node.node) end
    return sum / #nodes
  end,
  interface_exact = function() return 2 * power / width * math.sqrt(p.t_end / math.pi) / (e1 + e2) end,
  balance = function(s) return s.heat_sum.error / math.max(s.heat_sum.stored, 1e-300) end,
  passes = function(s) return s.passes end,
}
