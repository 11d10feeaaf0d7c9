-- A periodic strip, or a block in space, over a support that goes up and down, for one thickness of
-- the layer; cells and steps shrink with it. As eps falls the motion comes near the one with maximal
-- delay: up at t = 6, back to stick at 13 - ln 4 = 11.6137056.
-- Known answer, degree 0, plane: 6.1290775, 6.0782571, 6.0456465 and 12.025, 11.895, 11.8025 for
-- eps = 0.1, 0.05, 0.025: late by about eps ln(1/eps)/2, and by eps^0.55 and more (2/3 in the end).
-- In space the way up is the same; then slip differs across the surface, as all disturbances grow.
local p = parameters {
  eps = 0.1, degree = 0, space = false, ratio = 0.2, steps = 20, depth = 6.5, t_end = 12.4,
}
limits(p, { eps = { 1e-3, 1 }, degree = { 0, 8 }, ratio = { 0.01, 10 }, steps = { 1, 1000 },
  depth = { 1.5, 100 }, t_end = { 0, 100 } })
local stiff = p.degree == 0 and p.depth - p.eps or p.depth
local cells = math.max(1, math.floor((p.depth - p.eps) / (p.ratio * p.eps) + 0.5))
local press = stiff / 3 + 0.01  -- a pressure of 1
local function held(side, component, value)
  return { side = side, component = component, value = value or 0 }
end

strip {
  size = p.space and { 0.5, 0.5, p.depth } or { 1, p.depth },
  cells = p.space and { 1, 1, cells } or { 1, cells }, periodic = true, pressed = true,
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, eps = p.eps, degree = p.degree, eta_n = 0.01,
  tau = function(t) return t < 8 and 0.1 * t or 0.1 * (16 - t) end, threshold = 0.2,
  supports = p.space
      and { held("top", "x"), held("top", "y"), held("top", "z", -press), held("front", "y"), held("back", "y") }
    or { held("top", "x"), held("top", "y", -press) },
}
elastodynamic { dt = p.eps / p.steps, t_end = p.t_end, store_every = 10 }

local down = 13 - math.log(4)
observables {
  jump_up_time = function(s) return s.strip.jump_up end,
  jump_down_time = function(s) return s.strip.jump_down end,
  late_up = function(s) return s.strip.jump_up and s.strip.jump_up - 6 end,
  late_down = function(s) return s.strip.jump_down and s.strip.jump_down - down end,
  several = function(s) return s.strip.several end,
  unconverged = function(s) return s.strip.unconverged end,
  energy_error = function(s) return s.strip.energy_error end,
}
