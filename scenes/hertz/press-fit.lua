-- A shaft that is too thick in a hub: the pressure of the fit, and the force that pulls it out.
-- Known answer [Lame]: solid shaft of radius b, hub from b to c, interference d, the same material, free
-- ends: p = E d (c^2 - b^2) / (2 b c^2), met within 0.1 % for mu = 0; friction holds the lengthening of
-- the shaft back and adds some per cent. The shaft holds until the pull reaches mu times the pressure
-- summed over the surface, which the last steps meet to rounding.
-- The axisymmetric shaft begins with the interference as a penetration; then it is pulled. Units N, mm,
-- MPa.
local p = parameters { d = 0.01, mu = 0.15, cells = 8, length = 20, pull = 0.03, method = "auto" }
limits(p, { d = { 0, 1 }, mu = { 0, 1e6 }, cells = { 1, 1000 }, length = { 10 / p.cells, 1000 },
  pull = { -1, 1 } })
local b, c, E, nu = 10, 20, 2.1e5, 0.3

local long = math.floor(p.cells * p.length / b + 0.5)
mesh {
  grid { element = "Q4", cells = { p.cells, long }, body = "shaft",
    map = function(s, t) return (b + p.d) * s, p.length * t end },
  grid { element = "Q4", cells = { p.cells, long + 3 }, body = "hub",
    map = function(s, t) return b + (c - b) * s, p.length * t end },
}
solid { kinematics = "axisymmetric" }
body { group = "shaft", young = E, poisson = nu }
body { group = "hub", young = E, poisson = nu }
support { group = "hub.t0", component = "z", value = 0 }
support { group = "shaft.t0", component = "z", value = function(t) return t <= 1 and 0 or p.pull * (1 - t) end }
contact { name = "fit", slave = "shaft.s1", master = "hub.s0", mu = p.mu }
steps { times = { 1, 2, 3, 4 }, method = p.method }

local function middle(s) -- pressure half way up
  local best, pressure = 1e300, 0
  for _, q in ipairs(s.contact("fit")) do
    local off = math.abs(q.x[2] - p.length / 2)
    if off < best then best, pressure = off, q.pressure end
  end
  return pressure
end
local function normal_force(s)
  local sum = 0
  for _, q in ipairs(s.contact("fit")) do sum = sum + q.pressure * q.area end
  return sum
end
-- The corner node is held and in contact: its friction is in the force of the group.
local function pull(s)
  local _, f = s.force("shaft.t0")
  for _, q in ipairs(s.contact("fit")) do
    if q.at[2] == 0 then f = f - q.shear * q.area end
  end
  return -f
end

memory { fitted = 0 } -- pressure before the pull
step(function(s, m)
  if s.step == 1 then m.fitted = middle(s) end
end)
series { pull = pull, pressure = middle }
observables {
  p = function(s, m) return m.fitted end,
  p_lame = function() return E * p.d * (c * c - b * b) / (2 * b * c * c) end,
  pull = pull,
  pull_exact = function(s) return p.mu * normal_force(s) end,
  slipping = function(s) return s.slipping end,
  closed = function(s) return s.closed end,
  iterations = function(s) return s.iterations end,
}
