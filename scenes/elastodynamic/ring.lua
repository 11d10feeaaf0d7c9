-- A ring on a shaft that starts to turn: a curved contact surface, from a mesh. The outer edge is
-- pushed inwards by `press` and held; the shaft of radius 1 turns at the rate 0.2 t. The ring is slit
-- at the angle 0, where the ends of the grid meet.
-- Known answer: without friction a whole ring at rest has u = A r + B/r, u(1) = 0, u(2) = -press:
-- p = 2 G B - 2 (lambda + G) A (Lame); opposite to the slit the first step differs by 1e-3 of it. The
-- energy of every step balances to rounding. The picture shows the slip of the end as arrows.
local p = parameters {
  nr = 6, na = 48, press = 0.05, eps = 0.05, degree = 2, lambda = 1, shear = 1, mu = 0.3, rate = 0.2,
  eta_n = 0, eta_t = 1e-3, dt = 0.01, t_end = 2,
}
limits(p, { nr = { 1, 200 }, na = { 3, 1000 }, press = { -0.5, 0.5 }, eps = { 0, 0.5 },
  degree = { 0, 8 }, lambda = { 0, 1e9 }, shear = { 1e-9, 1e9 }, mu = { 0, 1e6 },
  eta_n = { 0, 1e9 }, eta_t = { 0, 1e9 }, dt = { 1e-9, 1e9 }, t_end = { 0, 1e9 } })
local ring = grid { element = "Q4", cells = { p.na, p.nr }, body = "ring", map = function(s, t)
  local angle, r = 2 * math.pi * s, 1 + p.eps + (1 - p.eps) * t
  return r * math.sin(angle), r * math.cos(angle)
end }
-- the layer lies between the shaft and the mesh, which begins at 1 + eps
local function pushed(k) return function(t, x) return -p.press / 2 * x[k] end end

strip {
  mesh = ring, contact = "ring.t0", eps = p.eps, degree = p.degree, lambda = p.lambda, shear = p.shear,
  mu = p.mu, eta_n = p.eta_n, eta_t = p.eta_t, pressed = true, threshold = 0.05,
  tau = { function(t, x) return p.rate * t * x[2] end, function(t, x) return -p.rate * t * x[1] end },
  supports = {
    { group = "ring.t1", component = "x", value = pushed(1) },
    { group = "ring.t1", component = "y", value = pushed(2) },
  },
}
elastodynamic { dt = p.dt, t_end = p.t_end }

picture { title = "mean slip rate along the shaft", lines = { { "t", "w", "mean" } } }
picture { title = "slip rates at the end", x_label = "x", arrows = "strip" }

memory { pressure = 0 }
step(function(s, m)
  if s.step > 1 then return end
  local nodes = s.strip.nodes()
  m.pressure = nodes[#nodes // 2].pressure
end)
local A = -p.press / 1.5  -- A 2 + B/2 = -press, A + B = 0
local lame = -2 * p.shear * A - 2 * (p.lambda + p.shear) * A
observables {
  pressure = function(s, m) return m.pressure end,
  pressure_lame = function() return lame end,
  pressure_error = function(s, m) return math.abs(m.pressure - lame) end,
  moment = function(s) return s.strip.friction end,  -- the radius is 1
  slip_rate = function(s) return s.strip.w end,
  unconverged = function(s) return s.strip.unconverged end,
  energy_error = function(s) return s.strip.energy_error end,
  dofs = function(s) return s.strip.dofs end,
}
