-- A rigid sphere pressed into an elastic block in space: Hertz, and the problem that grows.
-- Known answer: a = (3 P R / (4 E*))^(1/3), p0 = 3 P / (2 pi a^2), E* = E / (1 - nu^2). The largest nodal
-- pressure is within 1 % of p0 from n = 8 on. A quarter of the block is meshed: n cells per edge in
-- the contact zone, m beyond it, so that there are about 3 (n + m + 1)^3 unknowns: n = 8, m = 6 gives
-- 1e4, n = 16, m = 16 gives 1e5, n = 35, m = 34 gives 1e6. Units N, mm, MPa.
local p = parameters { n = 8, m = 6, element = "H8", mu = 0, method = "auto", delta = 0.02, steps = 1,
  threads = 1 }
limits(p, { n = { 1, 200 }, m = { 1, 200 }, mu = { 0, 1e6 }, delta = { 1e-6, 1 }, steps = { 1, 10000 },
  threads = { 1, 1024 } })
local R, E, nu, size = 10, 2e5, 0.3, 6
local zone = 1.3 * math.sqrt(p.delta * R)

local h, low, high = zone / p.n, 1e-3, 10
for _ = 1, 200 do
  local q, sum = (low + high) / 2, 0
  for k = 1, p.m do sum = sum + h * q ^ k end
  if sum > size - zone then high = q else low = q end
end
local out, down, x = { 0 }, {}, 0
for k = 1, p.n + p.m do
  x = x + (k <= p.n and h or h * low ^ (k - p.n))
  out[k + 1] = x / size
end
out[#out] = 1
for k = 1, #out do down[k] = 1 - out[#out + 1 - k] end

grid { element = p.element, lists = { out, out, down }, body = "block",
  map = function(s, t, w) return size * s, size * t, size * (w - 1) end }
body { group = "block", young = E, poisson = nu }
support { group = "block.s0", component = "x", value = 0 }
support { group = "block.t0", component = "y", value = 0 }
support { group = "block.w0", component = "z", value = 0 }
contact { name = "contact", slave = "block.w1", mu = p.mu,
  obstacle = sphere { center = { 0, 0, R }, radius = R,
    motion = function(t) return 0, 0, -p.delta * t end } }
steps { count = p.steps, method = p.method, threads = p.threads }

local Estar = E / (1 - nu * nu)
local function load(s)
  local _, _, f = s.force("block.w0")
  return 4 * f
end
local function hertz(P) -- radius and largest pressure
  if P <= 0 then return 0, 0 end
  local a = (3 * P * R / (4 * Estar)) ^ (1 / 3)
  return a, 3 * P / (2 * math.pi * a * a)
end
local function most(s)
  local pressure, area = 0, 0
  for _, c in ipairs(s.contact("contact")) do
    pressure = math.max(pressure, c.pressure)
    if c.pressure > 0 then area = area + 4 * c.area end
  end
  return pressure, math.sqrt(area / math.pi)
end

observables {
  dofs = function(s) return s.dofs end, iterations = function(s) return s.iterations end,
  load = function(s) return load(s) end,
  p_max = function(s) return (most(s)) end,
  p_hertz = function(s) return select(2, hertz(load(s))) end,
  radius = function(s) return select(2, most(s)) end,
  radius_hertz = function(s) return (hertz(load(s))) end,
  closed = function(s) return s.closed end,
  cell = function() return h end,
}
