-- A block pressed on another one through a layer of asperities, from which the conductance follows.
-- Known answers, uniform under the pressure p (poisson = 0, any method):
--   power        gap = -length (p / pressure)^(1 / exponent)
--   exponential  gap = -length log(p / pressure + exp(-reach / length))
--   heat         p^0.95 law: h = solid (p / pressure)^0.95; blocks of height 1: hot / (2 / k + 1 / h)
-- With shape = "round" the upper block has a round foot, and no closed form: all methods agree, and a
-- thin layer gives the answer without one. Units N, mm.
local p = parameters { law = "power", load = 5, pressure = 20, length = 1e-3, exponent = 2, reach = 0,
  method = "auto", coupling = "staggered", mu = 0, n = 4, shape = "flat", solid = 30, hot = 10, down = 0 }
limits(p, { load = { 1e-6, 1e3 }, pressure = { 1e-6, 1e9 }, length = { 1e-9, 1 }, exponent = { 1, 20 },
  reach = { 0, 1 }, mu = { 0, 1e3 }, n = { 1, 200 }, solid = { 0, 1e9 }, hot = { -1e3, 1e3 },
  down = { 0, 0.1 } })
local k, round = 2, p.shape == "round"
mesh {
  grid { element = "Q4", cells = { p.n, p.n }, body = "low", map = function(s, t) return s, t - 1 end },
  grid { element = "Q4", cells = { p.n + 1, p.n }, body = "up", map = function(s, t)
    return s, t + (round and (1 - t) * s * s / 20 or 0)
  end },
}
solid { kinematics = "plane_strain" }
for _, name in ipairs { "low", "up" } do
  body { group = name, young = 1e4, poisson = round and 0.3 or 0 }
  conductor { group = name, conductivity = k }
  support { group = name .. ".s0", component = "x", value = 0 }
end
support { group = "low.t0", component = "y", value = 0 }
if p.down > 0 then
  support { group = "up.t1", component = "y", value = -p.down }
else
  pressure { group = "up.t1", value = p.load }
end
local layer
if p.law == "power" then
  layer = { law = "power", pressure = p.pressure, length = p.length, exponent = p.exponent }
elseif p.law == "exponential" then
  layer = { law = "exponential", pressure = p.pressure, length = p.length, reach = p.reach }
end
contact { name = "c", slave = "up.t0", master = "low.t1", mu = p.mu, layer = layer }
thermal { steady = true, coupling = p.coupling }
temperature { group = "low.t0", value = 0 }
temperature { group = "up.t1", value = p.hot }
junction { contact = "c", heat = { solid = p.solid, pressure = p.pressure, exponent = 0.95 } }
steps { times = { 1 }, method = p.method }

plot { name = "pressure", contact = "c", along = "x", quantity = "pressure", range = { 0, 1 } }
observables {
  gap = function(s)
    local sum, points = 0, s.contact("c")
    for _, c in ipairs(points) do sum = sum + c.gap end
    return sum / #points
  end,
  gap_exact = function()
    if p.law == "power" then return -p.length * (p.load / p.pressure) ^ (1 / p.exponent) end
    if p.law ~= "exponential" then return 0 end
    local reach = p.reach > 0 and p.reach or 14 * p.length
    return -p.length * math.log(p.load / p.pressure + math.exp(-reach / p.length))
  end,
  heat = function(s) return s.heat("up.t1") end,
  heat_exact = function() return p.hot / (2 / k + 1 / (p.solid * (p.load / p.pressure) ^ 0.95)) end,
  force = function(s) return -select(2, s.force("low.t0")) end,
  p_max = function(s)
    local most = 0
    for _, c in ipairs(s.contact("c")) do most = math.max(most, c.pressure) end
    return most
  end,
  iterations = function(s) return s.iterations end,
}
