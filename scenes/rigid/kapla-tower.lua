-- Tower of planks laid crosswise, two to a layer.
-- Known answer: it stands while its centre stays above the lowest layer. Each layer may be turned
-- by twist_deg against the one below (besides the quarter of a rotation), which keeps the centre and only
-- winds the tower. stands: no plank has moved by more than a hundredth of its thickness; drift is
-- the largest way, in m; load is what the floor carries over the weight, 1.
local p = parameters {
  layers = 30, mu = 0.4, twist_deg = 2, density = 650, length = 0.1178, width = 0.0234,
  height = 0.0078, apart = 0.08, g = 9.81, h = 4e-3, t_end = 4,
}
limits(p, { layers = { 1, 1000 }, mu = { 0, 1e6 }, twist_deg = { -180, 180 }, density = { 1e-9, 1e12 },
  length = { 1e-6, 1e6 }, width = { 1e-6, 1e6 }, height = { 1e-6, 1e6 }, g = { 0, 1e6 } })
local layers = math.max(1, math.floor(p.layers))

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }

local places = {}
for layer = 1, layers do
  local a = (layer - 1) * (math.pi / 2 + math.rad(p.twist_deg))
  for side = -1, 1, 2 do
    local d, shade = side * p.apart / 2, layer % 2 == 0 and 0.95 or 0.8
    places[#places + 1] = { -d * math.sin(a), d * math.cos(a), (layer - 0.5) * p.height }
    rigid {
      box = { p.length, p.width, p.height },
      density = p.density,
      at = places[#places],
      rotation = { axis = { 0, 0, 1 }, angle = a },
      color = { shade, 0.8 * shade, 0.55 * shade },
    }
  end
end
run { h = p.h, t_end = p.t_end, store_every = 10 }
local tall = layers * p.height
camera { from = { 1.2 * tall + 0.2, -1.4 * tall - 0.2, 0.9 * tall }, to = { 0, 0, tall / 2 }, angle = 26 }

local function drift(s)
  local most = 0
  for k, at in ipairs(places) do
    local x = s.body(k + 1).x
    most = math.max(most, math.sqrt((x[1] - at[1]) ^ 2 + (x[2] - at[2]) ^ 2 + (x[3] - at[3]) ^ 2))
  end
  return most
end

series { drift = drift }

observables {
  stands = function(s) return drift(s) <= 0.01 * p.height end,
  drift = drift,
  load = function(s)
    local sum = 0
    for _, c in ipairs(s.contacts()) do sum = sum + ((c.a == 1 or c.b == 1) and c.r[1] / s.h or 0) end
    return sum / (#places * p.density * p.length * p.width * p.height * p.g)
  end,
}
