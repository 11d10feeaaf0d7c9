-- A heavy elastic block on a rough floor is pushed at its top: it slides or tips.
-- Known answer: the push cannot exceed W mu (then it slides) nor W width / (2 height) (then it tips
-- about its front edge), whichever is less; W is its weight. Exact, whatever the mesh, by balance of
-- forces and moments. Units N, m, Pa; unit thickness.
local p = parameters { mu = 0.3, width = 1, height = 2, cells = 8, push = 1e-3, method = "auto" }
limits(p, { mu = { 0, 1e6 }, width = { 1e-6, 1e6 }, height = { 1e-6, 1e6 }, cells = { 1, 1000 } })
local weight = 2000 * 9.81 * p.width * p.height

grid { element = "Q4", cells = { p.cells, math.max(1, math.floor(p.cells * p.height / p.width)) },
  body = "block", map = function(s, t) return p.width * s, p.height * t end }
solid { kinematics = "plane_strain" }
body { group = "block", young = 1e9, poisson = 0.2, density = 2000, force = { 0, -2000 * 9.81 } }
-- The top is moved sideways; it may rise.
support { group = "block.t1", component = "x", value = function(t) return t <= 1 and 0 or p.push * (t - 1) end }
contact { name = "floor", slave = "block.t0", mu = p.mu, obstacle = plane { point = { 0, 0 }, normal = { 0, 1 } } }
steps { times = { 1, 2, 3, 4, 5 }, method = p.method }

local function push(s) return (s.force("block.t1")) end
series { push = push }
observables {
  push = push,
  push_exact = function() return weight * math.min(p.mu, p.width / (2 * p.height)) end,
  motion = function(s)
    local closed, slipping = 0, 0
    for _, c in ipairs(s.contact("floor")) do
      if c.pressure > 0 then closed = closed + 1 end
      if c.state == "slip" then slipping = slipping + 1 end
    end
    if closed > 0 and slipping == closed then return "slides" end
    return closed <= 2 and "tips" or "rests"
  end,
  weight = function(s)
    local sum = 0
    for _, c in ipairs(s.contact("floor")) do sum = sum + c.pressure * c.area end
    return sum
  end,
  weight_exact = function() return weight end,
  iterations = function(s) return s.iterations end,
}
