-- Cattaneo and Mindlin: pressed cylinders are sheared below the limit of friction, to and fro.
-- Known answer for equal materials: with the half-width a and pressure p0 of Hertz,
--   q(x) = mu p0 (sqrt(1 - x^2/a^2) - (c/a) sqrt(1 - x^2/c^2)),  c = a sqrt(1 - Q / (mu P)),
-- the middle |x| < c sticks. Where it slips, the two faces have moved apart by
--   g(x) = 2 mu p0 / (E* a) integral from c to |x| of sqrt(y^2 - c^2) dy,
-- so a first loading dissipates D = 2 integral from c to a of mu p g dx, and a full cycle between Q and -Q
-- dissipates 4 D. Both are computed for the P and Q found; one cell is the resolution of c. Cycle:
-- within 2 % from n = 24 on. Two half cylinders R = 10 mm; the upper flat face is moved. Units N, mm, MPa.
local p = parameters { n = 24, m = 25, mu = 0.3, delta = 0.06, shear = 0.012, cycles = 1, method = "auto" }
limits(p, { n = { 1, 1000 }, m = { 1, 1000 }, mu = { 0, 1e6 }, delta = { 1e-6, 1 }, shear = { -1, 1 },
  cycles = { 0, 1000 } })
local R, E, nu, zone = 10, 2e5, 0.3, 0.45

-- The quarter disc that touches the origin from above: s along its arc, t along its axis.
local function disc(s, t)
  local a, b, c = math.pi / 4 * s, math.pi / 4 * (1 + t), R * math.sin(math.pi / 4)
  local x = (1 - t) * R * math.sin(a) + t * R * s + s * R * math.sin(b)
  local y = (1 - t) * (R - R * math.cos(a)) + t * R + (1 - s) * R * t + s * (R - R * math.cos(b))
  return x - s * ((1 - t) * c + t * R), y - s * (1 - t) * (R - c) - t * R
end
-- Both quarters: s from 0 to 1 goes from the left end to the right.
local function half(s, t)
  local x, y = disc(math.abs(2 * s - 1), t)
  return s < 0.5 and -x or x, y
end

local quarter = graded { zone = zone, fine = p.n, coarse = p.m, length = R * math.pi / 4 }
local T, S = graded { zone = zone, fine = p.n, coarse = p.m, length = R }, {}
for k = #quarter, 2, -1 do S[#S + 1] = (1 - quarter[k]) / 2 end
for k = 1, #quarter do S[#S + 1] = (1 + quarter[k]) / 2 end
mesh {
  grid { element = "Q4", lists = { S, T }, body = "upper", map = half },
  grid { element = "Q4", lists = { S, mirrored(T) }, body = "lower",
    map = function(s, t)
      local x, y = half(s, 1 - t)
      return x, -y
    end },
}
solid { kinematics = "plane_strain" }
body { group = "lower", young = E, poisson = nu }
body { group = "upper", young = E, poisson = nu }
support { group = "lower.t0", component = "all", value = 0 }
support { group = "upper.t1", component = "y", value = function(t) return -p.delta * math.min(t, 1) end }
-- 1: pressed; 2: sheared; then a cycle takes two steps.
local function cycle(t)
  if t <= 1 then return 0 end
  if t <= 2 then return t - 1 end
  local u = (t - 2) % 2
  return u <= 1 and 1 - 2 * u or 2 * u - 3
end
support { group = "upper.t1", component = "x", value = function(t) return p.shear * cycle(t) end }
contact { name = "contact", slave = "upper.t0", master = "lower.t1", mu = p.mu, normal = { 0, 1 } }
local times = { 1, 2 }
for k = 1, 2 * p.cycles do times[k + 2] = k + 2 end
steps { times = times, method = p.method }

local Estar = E / (2 * (1 - nu * nu))
local function forces(s)
  local x, y = s.force("upper.t1")
  return -y, x
end
-- a, c, p0 for the forces of this moment
local function exact(s)
  local P, Q = forces(s)
  if P <= 0 then return 0, 0, 0 end
  local a = math.sqrt(4 * P * R / 2 / (math.pi * Estar))
  return a, a * math.sqrt(math.max(0, 1 - math.abs(Q) / (p.mu * P))), 2 * P / (math.pi * a)
end
-- on the slave, which is pulled along: opposed to Q
local function shear(s, x)
  local a, c, p0 = exact(s)
  local _, Q = forces(s)
  x = math.abs(x)
  if x >= a then return 0 end
  local q = math.sqrt(1 - (x / a) ^ 2) - (x < c and c / a * math.sqrt(1 - (x / c) ^ 2) or 0)
  return (Q > 0 and -1 or 1) * p.mu * p0 * q
end
-- D by Simpson's rule in x = c + (a - c) y^2, which takes the root at c away
local function dissipation(s)
  local a, c, p0 = exact(s)
  if c >= a then return 0 end
  local function g(x)
    local root = math.sqrt(math.max(0, x * x - c * c))
    local inner = c > 0 and c * c * math.log((x + root) / c) or 0
    return p.mu * p0 / (Estar * a) * (x * root - inner)
  end
  local sum, n = 0, 400
  for k = 0, n do
    local y = k / n
    local x = c + (a - c) * y * y
    local f = p.mu * p0 * math.sqrt(math.max(0, 1 - (x / a) ^ 2)) * g(x) * 2 * (a - c) * y
    sum = sum + f * ((k == 0 or k == n) and 1 or k % 2 == 1 and 4 or 2)
  end
  return 2 * sum / (3 * n)
end
-- largest x that sticks, with half of the cell beyond it
local function stick(s)
  local width = 0
  for _, c in ipairs(s.contact("contact")) do
    if c.state == "stick" then width = width + c.area / 2 end
  end
  return width
end
local function q_error(s)
  local worst, _, _, p0 = 0, exact(s)
  for _, c in ipairs(s.contact("contact")) do
    worst = math.max(worst, math.abs(c.shear - shear(s, c.at[1])))
  end
  return worst / (p.mu * p0)
end

memory { stick = 0, stick_exact = 0, q_error = 0, first = 0, first_exact = 0, begun = 0, load = 0, force = 0 }
step(function(s, m)
  if s.step ~= 2 then return end
  local a, c = exact(s)
  m.load, m.force = forces(s)
  m.stick, m.stick_exact, m.q_error = stick(s), c, q_error(s)
  m.begun, m.first, m.first_exact = s.energy.friction, s.energy.friction, dissipation(s)
end)
plot { name = "shear", contact = "contact", along = "x", quantity = "shear", range = { -0.5, 0.5 },
  points = 401, curves = { Mindlin = shear } }
plot { name = "pressure", contact = "contact", along = "x", quantity = "pressure", range = { -0.5, 0.5 },
  points = 401, curves = { Hertz = function(s, x)
    local a, _, p0 = exact(s)
    return math.abs(x) < a and p0 * math.sqrt(1 - (x / a) ^ 2) or 0
  end } }
series { tangential = function(s) return select(2, forces(s)) end,
  normal = function(s) return (forces(s)) end }
observables {
  load = function(s, m) return m.load end,
  ratio = function(s, m) return m.force / (p.mu * m.load) end,
  stick_half_width = function(s, m) return m.stick end,
  stick_half_width_exact = function(s, m) return m.stick_exact end,
  q_error = function(s, m) return m.q_error end,
  first_dissipation = function(s, m) return m.first end,
  first_dissipation_exact = function(s, m) return m.first_exact end,
  dissipation = function(s, m) return p.cycles > 0 and s.energy.friction - m.begun or nil end,
  dissipation_exact = function(s, m) return p.cycles > 0 and 4 * p.cycles * m.first_exact or nil end,
  iterations = function(s) return s.iterations end,
  cell = function() return zone / p.n end,
}
