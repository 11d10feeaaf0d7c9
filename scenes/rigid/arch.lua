-- Semi-circular arch of voussoirs on two fixed feet, without mortar.
-- Known answer: it stands if forces in the cones of friction balance the weights. With enough
-- friction that needs a thickness of at least 0.1075 of the mean radius (Milankovitch; for many
-- voussoirs). With less friction blocks slide: critical_mu is the smallest mu that stands, found
-- by bisection on that convex question in the configuration of the start; nil where no mu helps.
-- For a thick arch, where blocks only slide, the thrust H must hold the crown, H >= w cot(a + atan
-- mu) at the joints at angles a from the top with the weight w = W a / pi above them, and must not
-- push the feet apart, H <= mu W/2: thick_mu, from max over a of (2 a / pi) cot(a + atan mu) = mu,
-- about 0.31. stands says what the run itself did at mu: no voussoir has moved by more than a
-- hundredth of the thickness.
local p = parameters {
  mu = 0.5, n = 21, thickness = 0.2, radius = 1, depth = 0.5, plane = true, density = 2000,
  g = 9.81, h = 2e-3, t_end = 2,
}
limits(p, { mu = { 0, 1e6 }, n = { 2, 10000 }, thickness = { 1e-6, 1e6 }, radius = { 1e-6, 1e6 },
  depth = { 1e-6, 1e6 }, density = { 1e-9, 1e12 }, g = { 0, 1e6 } })
local n = math.max(2, math.floor(p.n))
local inner, outer = p.radius * (1 - p.thickness / 2), p.radius * (1 + p.thickness / 2)

-- A place in the plane of the arch: x to the right, z or, in the plane mode, y up.
local function place(x, up, y)
  if p.plane then return { x, up } end
  return { x, y or 0, up }
end

world { plane = p.plane, gravity = place(0, -p.g), mu = p.mu }

local function color(k) return k % 2 == 0 and { 0.85, 0.75, 0.6 } or { 0.7, 0.6, 0.45 } end

local function voussoir(k)
  local points, middle = {}, math.pi * (k - 0.5) / n
  local cx, cz = p.radius * math.cos(middle), p.radius * math.sin(middle)
  for _, a in ipairs { math.pi * (k - 1) / n, math.pi * k / n } do
    for _, r in ipairs { inner, outer } do
      local x, z = r * math.cos(a) - cx, r * math.sin(a) - cz
      if p.plane then
        points[#points + 1] = { x, z }
      else
        points[#points + 1] = { x, -p.depth / 2, z }
        points[#points + 1] = { x, p.depth / 2, z }
      end
    end
  end
  return rigid { hull = points, density = p.density, at = place(cx, cz), color = color(k) }
end

local first
for k = 1, n do
  local number = voussoir(k)
  if k == 1 then first = number end
end
local size = 2 * p.radius * p.thickness
for k = -1, 1, 2 do
  rigid {
    name = k < 0 and "left" or "right",
    box = p.plane and { size, size } or { size, p.depth, size },
    at = place(k * p.radius, -size / 2),
    fixed = true,
    color = { 0.5, 0.5, 0.5 },
  }
end
run { h = p.h, t_end = p.t_end, store_every = 10 }
if p.plane then
  camera { from = { 0, p.radius / 2, 5 }, to = { 0, p.radius / 2, 0 }, width = 3 * p.radius }
else
  local r = p.radius
  camera { from = { 1.2 * r, -3.5 * r, 1.4 * r }, to = { 0, 0, 0.4 * r } }
end

local function drift(s)
  local most = 0
  for k = 1, n do
    local x, a = s.body(first + k - 1).at, math.pi * (k - 0.5) / n
    local up = p.plane and x[2] or x[3]
    most = math.max(most, math.sqrt((x[1] - p.radius * math.cos(a)) ^ 2
                                    + (up - p.radius * math.sin(a)) ^ 2))
  end
  return most
end

-- The smallest mu that stands, to nine digits; nil where none up to 100 does.
local function critical(s)
  local low, high = 0, 100
  if not s.equilibrium(high, "start") then return nil end
  for _ = 1, 45 do
    local middle = high > 1 and math.sqrt(math.max(low, 1e-3) * high) or (low + high) / 2
    if s.equilibrium(middle, "start") then high = middle else low = middle end
    if high - low <= 1e-9 * high then break end
  end
  return high
end

-- The same from the formula for a thick arch.
local function thick()
  local low, high = 0, 1
  for _ = 1, 60 do
    local mu, need = (low + high) / 2, 0
    for k = 0, n do
      local a = math.abs(math.pi / 2 - math.pi * k / n)
      local tan = math.tan(a + math.atan(mu))
      if tan > 0 and a > 0 then need = math.max(need, 2 * a / (math.pi * tan)) end
    end
    if need > mu then low = mu else high = mu end
  end
  return high
end

series { drift = drift }

observables {
  critical_mu = critical,
  thick_mu = thick,
  stands = function(s) return drift(s) <= 0.01 * p.thickness * p.radius end,
  drift = drift,
}
