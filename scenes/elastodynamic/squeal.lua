-- A brake pad on a disc that turns steadily: sliding feeds the vibrations of the pad.
-- Known answer: a coefficient that falls with the slip rate pushes with the motion. A pad of depth D,
-- clamped at its back, on a disc of speed V vibrates as exp(s t) with
--   Z coth(s D/c) + rho eps s = p |mu'(V)|,   s = sigma + i omega, sigma > 0:
-- however small, a disturbance grows until the surface sticks in each period (squeal). The bar is
-- this pad in one dimension: its growth and frequency are measured before it sticks; then it squeals
-- with that frequency. The block is the same pad in the plane, of length L and with free ends: it has
-- many modes, nothing damps them, and it ends in noise.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 1, V = 0.5, load = 0.1, D = 1, L = 2, eps = 0.1,
  N = 50, nx = 12, ny = 6, dt = 0.02, t_end = 200,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, V = { 0, 1e6 },
  load = { 0, 1e6 }, D = { 1e-6, 1e6 }, L = { 1e-6, 1e6 }, eps = { 0, 0.99 * p.D }, N = { 2, 1e6 },
  nx = { 1, 1000 }, ny = { 1, 1000 }, dt = { 1e-9, 1e9 }, t_end = { 0, 1e9 } })
local slope = (p.mu_s - p.mu_d) / p.v_c * math.exp(-p.V / p.v_c)

-- The root s nearest to i pi c/(2 D), by Newton's method: f(s) = cosh(s D) + (eps s - p|mu'|) sinh(s D)
local function multiply(a, b) return { a[1] * b[1] - a[2] * b[2], a[1] * b[2] + a[2] * b[1] } end
local function divide(a, b)
  local d = b[1] ^ 2 + b[2] ^ 2
  return { (a[1] * b[1] + a[2] * b[2]) / d, (a[2] * b[1] - a[1] * b[2]) / d }
end
local function hyperbolic(z)
  local up, down = math.exp(z[1]), math.exp(-z[1])
  local c, s = math.cos(z[2]), math.sin(z[2])
  return { (up + down) / 2 * c, (up - down) / 2 * s }, { (up - down) / 2 * c, (up + down) / 2 * s }
end
local function squeal()
  local s = { 0, math.pi / (2 * p.D) }
  for _ = 1, 50 do
    local cosh, sinh = hyperbolic({ s[1] * p.D, s[2] * p.D })
    local b = { p.eps * s[1] - p.load * slope, p.eps * s[2] }
    local bs, bc = multiply(b, sinh), multiply(b, cosh)
    local f = { cosh[1] + bs[1], cosh[2] + bs[2] }
    local df = { (p.D + p.eps) * sinh[1] + p.D * bc[1], (p.D + p.eps) * sinh[2] + p.D * bc[2] }
    local d = divide(f, df)
    s = { s[1] - d[1], s[2] - d[2] }
  end
  return s
end
local s1 = squeal()
local period = 2 * math.pi / s1[2]

bar {
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, load = p.load, depth = p.D, elements = p.N,
  layer = p.eps, clamped = true, tau = p.V,
}
strip {
  name = "block", mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, size = { p.L, p.D },
  cells = { p.nx, p.ny }, eps = p.eps, eta_n = 1e-2, eta_t = 1e-5, pressed = true, tau = p.V,
  supports = { { side = "top", component = "x", value = 0 },
    { side = "top", component = "y", value = -p.load * (p.D / 3 + 0.01) } },
}
elastodynamic { dt = p.dt, t_end = p.t_end, store_every = math.max(1, math.floor(p.t_end / p.dt / 4000)) }

picture { title = "slip rate of the bar", lines = { { "t", "bar_w", "w" } } }
picture { title = "mean slip rate of the block", lines = { { "t", "block_w", "w" } } }
picture { title = "slip rate of the block over place and time", map = "block" }

-- Two windows of six periods, in which the first mode is weighed and its phase is taken; then crossings
-- of V upwards in the last quarter.
local length, early = 6 * period, 5
local late = early + length
memory {
  c1 = 0, d1 = 0, c2 = 0, d2 = 0, last_bar = 0, bar_first = -1, bar_last = -1,
  bar_count = 0, stuck = 0, steps = 0,
}
local function weigh(m, c, d, w, t, start)
  local hann = math.sin(math.pi * (t - start) / length) ^ 2
  local x = (w - p.V) * hann * math.exp(-s1[1] * t)
  m[c] = m[c] + x * math.cos(s1[2] * t)
  m[d] = m[d] + x * math.sin(s1[2] * t)
end
local function cross(m, name, w, t)
  local last = m["last_" .. name]
  if last < p.V and w >= p.V and t > 0.75 * p.t_end then
    local at = t - p.dt * (w - p.V) / (w - last)
    if m[name .. "_count"] == 0 then m[name .. "_first"] = at end
    m[name .. "_last"] = at
    m[name .. "_count"] = m[name .. "_count"] + 1
  end
  m["last_" .. name] = w
end
step(function(s, m)
  local t = s.t - p.dt / 2
  if t >= early and t < early + length then weigh(m, "c1", "d1", s.bar.w, t, early) end
  if t >= late and t < late + length then weigh(m, "c2", "d2", s.bar.w, t, late) end
  cross(m, "bar", s.bar.w, t)
  if t > 0.75 * p.t_end then
    m.steps = m.steps + 1
    if s.block.stuck > 0 then m.stuck = m.stuck + 1 end
  end
end)
local function frequency(m, name)
  local count = m[name .. "_count"]
  return count > 1 and (count - 1) / (m[name .. "_last"] - m[name .. "_first"]) or nil
end
observables {
  growth_exact = function() return s1[1] end,
  frequency_exact = function() return s1[2] / (2 * math.pi) end,
  -- what is left after exp(-sigma t) was divided out
  growth = function(s, m)
    local a, b = m.c1 ^ 2 + m.d1 ^ 2, m.c2 ^ 2 + m.d2 ^ 2
    return a > 0 and b > 0 and s1[1] + math.log(b / a) / 2 / (late - early) or nil
  end,
  frequency = function(s, m)
    local phase = math.atan(m.d2, m.c2) - math.atan(m.d1, m.c1)
    phase = phase - 2 * math.pi * math.floor(phase / (2 * math.pi) + 0.5)
    return (s1[2] - phase / (late - early)) / (2 * math.pi)
  end,
  squeal_frequency = function(s, m) return frequency(m, "bar") end,
  block_sticks = function(s, m) return m.steps > 0 and m.stuck / m.steps or nil end,
  uniqueness = function(s) return math.max(s.bar.uniqueness, s.block.uniqueness) end,
  unconverged = function(s) return s.block.unconverged end,
}
