-- Spheres that run out of a hopper with a slot.
-- Known answer: the outflow does not depend on how much is above (Beverloo): about 0.6 depth
-- sqrt(g) (slot - k d)^1.5 in volume of spheres per second, with k near 1.4 and d the diameter:
-- beverloo, in spheres per second. A slot of less than two or three diameters jams. slot and depth
-- are given in diameters. out counts the spheres below the slot; rate is the flow between the
-- first and the last tenth, steadiness its ratio between the second and the first half, near 1.
local p = parameters {
  n = 300, radius = 0.01, slot = 5, angle_deg = 50, depth = 4, mu = 0.3, density = 2500, g = 9.81,
  h = 2e-3, t_end = 1.5, tol = 1e-6, accept = 1e-6,
}
limits(p, { n = { 1, 100000 }, radius = { 1e-9, 1e6 }, slot = { 0, 100 }, angle_deg = { 1, 89 },
  depth = { 1, 100 }, mu = { 0, 1e6 }, density = { 1e-9, 1e12 }, g = { 0, 1e6 } })
local n, d = math.max(1, math.floor(p.n)), 2 * p.radius
local slot, depth, a = p.slot * d, p.depth * d * 1.05, math.rad(p.angle_deg)
local width = slot + 10 * d -- of the bin above the funnel
local drop = (width - slot) / 2 * math.tan(a)

world { gravity = { 0, 0, -p.g }, mu = p.mu }
local thick = 2 * d
local long = (width - slot) / 2 / math.cos(a)
for k = -1, 1, 2 do
  -- The funnel: its upper face goes through the lip of the slot.
  rigid {
    name = k < 0 and "left" or "right",
    box = { long, depth + 2 * d, thick },
    at = { k * (slot / 2 + long / 2 * math.cos(a) + thick / 2 * math.sin(a)), 0,
           long / 2 * math.sin(a) - thick / 2 * math.cos(a) },
    rotation = { axis = { 0, -1, 0 }, angle = k * a },
    fixed = true,
    color = { 0.6, 0.6, 0.65 },
  }
  rigid {
    box = { thick, depth + 2 * d, 40 * d },
    at = { k * (width / 2 + thick / 2), 0, drop + 20 * d },
    fixed = true,
    color = { 0.6, 0.6, 0.65 },
  }
  rigid { plane = { 0, -k, 0 }, at = { 0, k * depth / 2, 0 }, surface = "glass" }
end
surface_pair { "glass", mu = 0 }

local seed = 1
local function noise()
  seed = (1103515245 * seed + 12345) % 2147483648
  return seed / 1073741824 - 1
end

local first
local across, deep = math.floor(width / (1.05 * d)), math.max(1, math.floor(depth / (1.02 * d)))
for k = 0, n - 1 do
  local layer, rest = k // (across * deep), k % (across * deep)
  local number = rigid {
    sphere = p.radius,
    density = p.density,
    at = { (rest % across + 0.5) * width / across - width / 2 + 0.01 * d * noise(),
           (rest // across + 0.5) * depth / deep - depth / 2 + 0.004 * d * noise(),
           drop + (layer + 0.6) * 1.05 * d },
    color = { 0.85, 0.65 + 0.2 * noise(), 0.3 },
  }
  first = first or number
end
run {
  h = p.h, t_end = p.t_end, tol = p.tol, accept = math.max(p.accept, p.tol), budget = 0, store_every = 10,
  memory = 8 * n + 64,
}
camera { from = { 0, -3 * width, drop }, to = { 0, 0, drop / 2 }, width = 2.2 * width }

local function out(s)
  local count = 0
  for k = first, first + n - 1 do
    if s.body(k).x[3] < -p.radius then count = count + 1 end
  end
  return count
end

-- When 1/10, 1/2 and 9/10 of the spheres were out.
memory { some = -1, half = -1, most = -1 }

step(function(s, m)
  local count = out(s)
  if m.some < 0 and count >= 0.1 * n then m.some = s.t end
  if m.half < 0 and count >= 0.5 * n then m.half = s.t end
  if m.most < 0 and count >= 0.9 * n then m.most = s.t end
end)

series { out = out }

observables {
  out = out,
  rate = function(s, m)
    return m.most > m.some and m.some >= 0 and 0.8 * n / (m.most - m.some) or nil
  end,
  steadiness = function(s, m)
    return m.most > m.half and m.half > m.some and (m.half - m.some) / (m.most - m.half) or nil
  end,
  beverloo = function()
    local volume = 4 / 3 * math.pi * p.radius ^ 3
    return slot > 1.4 * d and 0.6 * depth * math.sqrt(p.g) * (slot - 1.4 * d) ^ 1.5 / volume or 0
  end,
  largest_eta = function(s) return s.report.largest_eta end,
}
