-- House of cards: pairs that lean on each other, plates on their tops, pairs on the plates.
-- Known answer: a pair of thin cards that lean by the angle a against the vertical pushes its feet
-- apart with half its weight times tan a: it stands with mu >= tan(a) / 2, pair_mu, and without
-- the plates' weight that is all. A weight on the top must be carried along the cards, which needs
-- more, up to tan a. critical_mu is the smallest mu with which forces balance the weights of the
-- whole house (to nine digits, by bisection); stands says what the run did at mu.
local p = parameters {
  levels = 3, lean_deg = 20, mu = 0.6, length = 0.088, width = 0.063, thickness = 0.002,
  density = 800, g = 9.81, h = 2e-3, t_end = 2,
}
limits(p, { levels = { 1, 100 }, lean_deg = { 1, 80 }, mu = { 0, 1e6 }, length = { 1e-6, 1e6 },
  width = { 1e-6, 1e6 }, thickness = { 1e-9, p.length / 4 }, density = { 1e-9, 1e12 }, g = { 0, 1e6 } })
local a = math.rad(p.lean_deg)
local levels = math.max(1, math.floor(p.levels))
local H, w = p.length * math.cos(a), p.length * math.sin(a) -- inner side of a card: height, way out
local t = p.thickness / math.cos(a)
local c = t / 2 -- half width of the flat top of a pair
local tall = H + (t - c) * H / w
local spacing = 2 * (w + t) + 0.001

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "table", plane = true, color = { 0.35, 0.5, 0.35 } }

local places = {}
local function add(body)
  places[rigid(body)] = body.at
end

-- A card on the left (side = -1) or on the right of a pair, cut upright where the two meet and flat
-- on top.
local function card(x, z, side)
  local points = {}
  for _, q in ipairs { { w + t, 0 }, { w, 0 }, { 0, H }, { c, tall }, { 0, tall } } do
    for y = -1, 1, 2 do points[#points + 1] = { side * q[1], y * p.width / 2, q[2] } end
  end
  add { hull = points, density = p.density, at = { x, 0, z }, color = { 0.9, 0.9, 0.85 } }
end

local z = 0
for level = 1, levels do
  local pairs = levels - level + 1
  local x0 = -(pairs - 1) * spacing / 2
  for k = 0, pairs - 1 do
    card(x0 + k * spacing, z, -1)
    card(x0 + k * spacing, z, 1)
  end
  for k = 0, pairs - 2 do
    add {
      box = { spacing - 0.0002, p.width, p.thickness },
      density = p.density,
      at = { x0 + (k + 0.5) * spacing, 0, z + tall + p.thickness / 2 },
      color = { 0.8, 0.3, 0.3 },
    }
  end
  z = z + tall + p.thickness
end
run { h = p.h, t_end = p.t_end, store_every = 10 }
camera { from = { 0.5 * z + 0.05, -2.2 * z - 0.05, 0.8 * z }, to = { 0, 0, 0.45 * z }, angle = 27 }

local function drift(s)
  local most = 0
  for k, at in pairs(places) do
    local x = s.body(k).at
    most = math.max(most, math.sqrt((x[1] - at[1]) ^ 2 + (x[2] - at[2]) ^ 2 + (x[3] - at[3]) ^ 2))
  end
  return most
end

local function critical(s)
  local low, high = 0, 4
  if not s.equilibrium(high, "start") then return nil end
  while high - low > 1e-9 * high do
    local middle = (low + high) / 2
    if s.equilibrium(middle, "start") then high = middle else low = middle end
  end
  return high
end

series { drift = drift }

observables {
  stands = function(s) return drift(s) <= p.thickness end,
  drift = drift,
  critical_mu = critical,
  pair_mu = function() return math.tan(a) / 2 end,
}
