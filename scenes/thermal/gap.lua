-- Two rods in line, a gap between them: the hot one grows until they touch, and what flows then depends
-- on the pressure. In one dimension (poisson = 0, no motion across).
-- Known answer, by hand: with the flow q and the conductance h(p, g) = solid p / p0 + gas / (d + g),
--   q = h (T_a - T_b),  T_a = hot - q L / k,  T_b = q L / k,
--   alpha L ((hot + T_a) / 2 + T_b / 2) = gap - g + 2 L p / E,   p g = 0,
-- `hand` is the largest relative error of both equations. Where nothing grows (alpha = 0) and the rods
-- are pressed by `press`, these are resistances in series: q = hot / (2 L / k + 1 / h). SI units.
local p = parameters { gap = 5e-4, solid = 1e4, gas = 1e-3, hot = 100, alpha = 2e-5, press = 0,
  coupling = "staggered", passes = 0, element = "Q4", method = "auto" }
limits(p, { gap = { 0, 1 }, solid = { 0, 1e12 }, gas = { 0, 1e6 }, hot = { -1e4, 1e4 }, alpha = { -1, 1 },
  press = { 0, 1e9 }, passes = { 0, 1e6 } })
local L, E, k, p0, d = 1, 1e9, 20, 1e6, 1e-5
mesh {
  grid { element = p.element, cells = { 4, 1 }, body = "a", map = function(s, t) return L * (s - 1), t end },
  grid { element = p.element, cells = { 3, 2 }, body = "b", map = function(s, t) return p.gap + L * s, t end },
}
solid { kinematics = "plane_stress" }
for _, name in ipairs { "a", "b" } do
  body { group = name, young = E, poisson = 0 }
  conductor { group = name, conductivity = k, expansion = p.alpha }
  support { group = name, component = "y", value = 0 }
end
support { group = "b.s1", component = "x", value = 0 }
if p.press > 0 then
  pressure { group = "a.s0", value = p.press }
else
  support { group = "a.s0", component = "x", value = 0 }
end
contact { name = "c", slave = "a.s1", master = "b.s0" }
thermal { steady = true, coupling = p.coupling, passes = p.passes }
temperature { group = "a.s0", value = p.hot }
temperature { group = "b.s1", value = 0 }
junction { contact = "c", heat = { solid = p.solid, pressure = p0, exponent = 1, gas = p.gas, gap = d } }
steps { times = { 1 }, method = p.method }

local function contact_of(s)
  local c = s.contact("c")[1]
  return c.pressure, math.max(c.gap, 0)
end
local function h(pressure, g) return p.solid * pressure / p0 + p.gas / (d + g) end
observables {
  heat = function(s) return s.heat("a.s0") end,
  heat_series = function() return p.press > 0 and p.hot / (2 * L / k + 1 / h(p.press, 0)) or nil end,
  pressure = function(s) return (contact_of(s)) end,
  gap = function(s) return select(2, contact_of(s)) end,
  hand = function(s)
    local pressure, g = contact_of(s)
    local q = s.heat("a.s0")
    local a, b = p.hot - q * L / k, q * L / k
    local flow = math.abs(q - h(pressure, g) * (a - b)) / math.max(math.abs(q), 1e-300)
    if p.press > 0 then return flow end
    local grown = p.alpha * L * ((p.hot + a) / 2 + b / 2) - 2 * L * pressure / E
    return math.max(flow, math.abs(grown - p.gap + g) / math.max(p.gap, 1e-300))
  end,
  balance = function(s) return s.heat_rate.error end,
  passes = function(s) return s.passes end,
}
