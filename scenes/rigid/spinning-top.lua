-- Tops: a free asymmetric one, or a heavy symmetric one on its tip.
-- Known answer: the free top (kind = "free") keeps its energy and its angular momentum in space;
-- the scheme keeps both to rounding, whatever h. Turning about its middle axis it tumbles over and
-- over (flips counts). The heavy top (kind = "heavy") with spin w (heavy_spin) about its axis,
-- leaning by the angle a, precesses steadily at W with (I1 - I3) cos a W^2 - I3 w W + m g d = 0,
-- I1 about the tip, d from the tip to the centre; it is started so, and keeps a, W and the energy
-- to h^2 or better. energy_error and momentum_error are the largest so far, relative; of the heavy
-- top the momentum about z.
local p = parameters {
  kind = "free", lx = 0.3, ly = 0.2, lz = 0.1, density = 1000, spin = 20, tilt = 0.01,
  heavy_spin = 150, lean_deg = 30, g = 9.81, h = 1e-3, t_end = 5,
}
limits(p, { lx = { 1e-6, 1e6 }, ly = { 1e-6, 1e6 }, lz = { 1e-6, 1e6 }, density = { 1e-9, 1e12 },
  spin = { -1e6, 1e6 }, heavy_spin = { -1e6, 1e6 }, g = { 0, 1e6 } })
local heavy = p.kind == "heavy"
local a = math.rad(p.lean_deg)
local r, d = 0.1, 0.15 -- disc and its distance from the tip
local thick = 0.02
local m3 = p.density * math.pi * r ^ 2 * thick
local I3, I1 = m3 * r ^ 2 / 2, m3 * (r ^ 2 / 4 + thick ^ 2 / 12 + d ^ 2)
-- The slow one of the two steady precessions.
local A, B, C = (I1 - I3) * math.cos(a), I3 * p.heavy_spin, m3 * p.g * d
local root = B ^ 2 - 4 * A * C
local W = heavy and 2 * C / (B + math.sqrt(math.max(root, 0))) or 0

world { gravity = { 0, 0, heavy and -p.g or 0 } }
if heavy then
  local axis = { math.sin(a), 0, math.cos(a) }
  local w = { p.heavy_spin * axis[1], 0, p.heavy_spin * axis[3] + W }
  rigid {
    name = "top",
    cylinder = { radius = r, length = thick },
    density = p.density,
    at = { d * axis[1], 0, d * axis[3] },
    rotation = { axis = { 0, 1, 0 }, angle = a },
    omega = w,
    velocity = { 0, w[3] * d * axis[1] - w[1] * d * axis[3], 0 },
    color = { 0.8, 0.5, 0.2 },
  }
  joint { kind = "ball", bodies = { "top" }, at = { 0, 0, 0 } }
else
  rigid {
    name = "top",
    box = { p.lx, p.ly, p.lz },
    density = p.density,
    omega = { p.tilt * p.spin, p.spin, p.tilt * p.spin },
    color = { 0.8, 0.5, 0.2 },
  }
end
run { h = p.h, t_end = p.t_end }
camera { from = { 0.6, -0.8, 0.4 }, to = { 0, 0, 0.05 } }

memory { energy = 0, momentum = 0, lean = 0, flips = 0, side = 1, E0 = 0, x0 = 0, y0 = 0, z0 = 0,
         phase = 0, last = 0 }

local function momentum(b)
  local x, v, s = b.x, b.velocity, b.spin
  return { s[1] + b.mass * (x[2] * v[3] - x[3] * v[2]), s[2] + b.mass * (x[3] * v[1] - x[1] * v[3]),
           s[3] + b.mass * (x[1] * v[2] - x[2] * v[1]) }
end

-- Second axis of the body in space.
local function second(q)
  return { 2 * (q[2] * q[3] - q[1] * q[4]), 1 - 2 * (q[2] ^ 2 + q[4] ^ 2),
           2 * (q[3] * q[4] + q[1] * q[2]) }
end

local function look(s, m, first)
  local b, L = s.body("top"), momentum(s.body("top"))
  if first then m.x0, m.y0, m.z0 = L[1], L[2], L[3] end
  local size = math.sqrt(m.x0 ^ 2 + m.y0 ^ 2 + m.z0 ^ 2)
  local off = heavy and math.abs(L[3] - m.z0)
    or math.sqrt((L[1] - m.x0) ^ 2 + (L[2] - m.y0) ^ 2 + (L[3] - m.z0) ^ 2)
  m.momentum = math.max(m.momentum, off / size)
  return b
end

step(function(s, m)
  local b = look(s, m, s.step == 1)
  local scale = heavy and math.abs(s.energy.kinetic) or s.energy.start
  local change = s.energy.kinetic + s.energy.potential - s.energy.start
  m.energy = math.max(m.energy, math.abs(change) / scale)
  if heavy then
    m.lean = math.max(m.lean, math.abs(math.acos(b.x[3] / d) - a))
    local phase = math.atan(b.x[2], b.x[1])
    local step = phase - m.last
    if step < -math.pi then step = step + 2 * math.pi end
    if step > math.pi then step = step - 2 * math.pi end
    m.phase, m.last = m.phase + step, phase
  else
    local side = second(b.rotation)[2] >= 0 and 1 or -1
    if side ~= m.side then m.flips, m.side = m.flips + 1, side end
  end
end)

series {
  upright = function(s)
    local b = s.body("top")
    return heavy and b.x[3] / d or second(b.rotation)[2]
  end,
  energy = function(s) return s.energy.kinetic + s.energy.potential - s.energy.start end,
}

observables {
  energy_error = function(s, m) return m.energy end,
  momentum_error = function(s, m) return m.momentum end,
  flips = function(s, m) return not heavy and m.flips or nil end,
  precession = function(s, m) return heavy and m.phase / s.t or nil end,
  exact_precession = function() return heavy and root >= 0 and W or nil end,
  lean_error_deg = function(s, m) return heavy and math.deg(m.lean) or nil end,
}
