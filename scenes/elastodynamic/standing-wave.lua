-- A strip above its support, shaken at the start: u0 and u1 are a standing wave of shear.
-- Known answer: held at its top and across at its sides, with no contact, u_x is
-- cos(k y) (U cos(w t) + V/w sin(w t)), k = (2 mode - 1) pi/2, w = k sqrt(shear/density): at t_end
-- the nodes at the foot have `exact`; cells and steps halved together leave a quarter of the error
-- (order near 2), with or without a layer, whatever its degree.
local p = parameters {
  ny = 24, mode = 2, U = 0.2, V = -0.5, shear = 1.5, density = 0.7, eps = 0, degree = 0, t_end = 2,
}
limits(p, { ny = { 1, 10000 }, mode = { 1, 100 }, shear = { 1e-6, 1e6 }, density = { 1e-6, 1e6 },
  eps = { 0, 0.9 }, degree = { 0, 8 }, t_end = { 1e-6, 1e3 }, U = { -1e6, 1e6 }, V = { -1e6, 1e6 } })
local k = (2 * p.mode - 1) * math.pi / 2
local omega = k * math.sqrt(p.shear / p.density)
strip {
    name = "wave", size = { 1, 1 }, cells = { 1, p.ny }, mu_s = 0, mu_d = 0, v_c = 1, tau = 0, gap = 1,
    shear = p.shear, density = p.density, eps = p.eps, degree = p.degree,
    u0 = { function(t, x) return p.U * math.cos(k * x[2]) end },
    u1 = { function(t, x) return p.V * math.cos(k * x[2]) end },
    supports = {
      { side = "top", component = "x", value = 0 }, { side = "top", component = "y", value = 0 },
      { side = "left", component = "y", value = 0 }, { side = "right", component = "y", value = 0 },
    },
}
elastodynamic { dt = p.t_end / (4 * p.ny), t_end = p.t_end }

local function exact(t) return p.U * math.cos(omega * t) + p.V / omega * math.sin(omega * t) end
memory { displacement = p.U, worst = 0 }
-- the foot slips against a support at rest with minus its velocity, at the middle of a step
step(function(s, m)
  m.displacement = m.displacement - p.t_end / (4 * p.ny) * s.wave.w
  m.worst = math.max(m.worst, math.abs(m.displacement - exact(s.t)))
end)
observables {
  displacement = function(s, m) return m.displacement end,
  exact = function(s) return exact(s.t) end,
  largest_error = function(s, m) return m.worst end,
  open = function(s) return s.wave.open end,
  energy_error = function(s) return s.wave.energy_error end,
}
