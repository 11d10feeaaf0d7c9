-- An elastic strip on a support that starts, in plane strain: periodic, or of finite length.
-- Known answer, periodic: every vertical line is the column of bar.lua, whatever lambda: with
-- N = 800 and dt = 0.005 slip passes 0.2 at 6.128580, and w(7), w(10) are those of the bar to 1e-8.
-- Finite (shape = "finite"): 4 by 1, pressed by 0.3 and clamped at its top; 40x10 cells, dt = 0.005:
-- normal force 3.698352 at the start, friction 0.462507 at t = 2, 1.625555 at t = 4, slip from
-- t = 4.242 on. Slip begins at x = 4, the end towards which the support moves, and runs to the other:
-- the picture shows it. What comes after is not converged on these meshes.
local p = parameters {
  shape = "periodic", mu_s = 0.6, mu_d = 0.2, v_c = 0.1, eps = 0.1, degree = 0, lambda = 1, shear = 1,
  eta_n = -1, eta_t = -1, nx = 0, ny = 0, dt = 0, t_end = 0, rule = "delay", max_iterations = 40,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, lambda = { 0, 1e9 },
  shear = { 1e-9, 1e9 }, nx = { -1, 1e4 }, ny = { -1, 1e4 }, dt = { -1, 1e9 }, t_end = { -1, 1e9 } })
local periodic = p.shape == "periodic"
local function usual(x, for_periodic, for_finite)
  local given = type(x) == "number" and x > 0
  return given and x or (periodic and for_periodic or for_finite)
end
local nx, ny = usual(p.nx, 2, 40), usual(p.ny, 800, 10)
local dt, t_end = usual(p.dt, 0.005, 0.005), usual(p.t_end, 13, 6)
local eta_n = p.eta_n >= 0 and p.eta_n or 1e-2
local eta_t = p.eta_t >= 0 and p.eta_t or (periodic and 1e-6 or 1e-4)
-- the displacement of the top that presses a periodic strip, 8 deep, with 1
local depth = p.degree == 0 and 8 - p.eps or 8
local press = periodic and depth / (p.lambda + 2 * p.shear) + eta_n or 0.3
local function tau(t)
  if periodic then return t < 8 and 0.1 * t or 0.1 * (16 - t) end
  return 0.05 * math.min(t, 6)
end

strip {
  size = periodic and { 1, 8 } or { 4, 1 }, cells = { nx, ny }, periodic = periodic, pressed = true,
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, rule = p.rule, tau = tau,
  lambda = p.lambda, shear = p.shear, eps = p.eps, degree = p.degree, eta_n = eta_n, eta_t = eta_t,
  max_iterations = p.max_iterations, supports = {
    { side = "top", component = "x", value = 0 },
    { side = "top", component = "y", value = -press },
  },
  threshold = periodic and 0.2 or 0.05,
}
elastodynamic { dt = dt, t_end = t_end, store_every = math.max(1, math.floor(t_end / dt / 1500)) }

picture {
  title = "mean and largest slip rate", lines = { { "t", "w", "mean" }, { "t", "largest", "largest" } },
}
picture { title = "friction", lines = { { "t", "friction", "friction" } } }
picture { title = "slip rate over place and time", map = "strip" }

memory { normal = -1, f2 = 0, f4 = 0, w7 = 0, w10 = 0, last_w = 0, last_f = 0 }
-- at a time between the middles of two steps
step(function(s, m)
  local function at(t) return math.abs(s.t - dt - t) < dt / 4 end
  if s.step == 1 then m.normal = s.strip.normal end
  if at(2) then m.f2 = (m.last_f + s.strip.friction) / 2 end
  if at(4) then m.f4 = (m.last_f + s.strip.friction) / 2 end
  if at(7) then m.w7 = (m.last_w + s.strip.w) / 2 end
  if at(10) then m.w10 = (m.last_w + s.strip.w) / 2 end
  m.last_w, m.last_f = s.strip.w, s.strip.friction
end)
observables {
  normal_start = function(s, m) return m.normal end,
  friction_2 = function(s, m) return m.f2 end, friction_4 = function(s, m) return m.f4 end,
  w7 = function(s, m) return m.w7 end, w10 = function(s, m) return m.w10 end,
  jump_up_time = function(s) return s.strip.jump_up end,
  jump_down_time = function(s) return s.strip.jump_down end,
  uniqueness = function(s) return s.strip.uniqueness end,
  several = function(s) return s.strip.several end,
  unconverged = function(s) return s.strip.unconverged end,
  energy_error = function(s) return s.strip.energy_error end,
  dofs = function(s) return s.strip.dofs end,
}
