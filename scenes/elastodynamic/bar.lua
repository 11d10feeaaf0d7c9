-- The column as finite elements: P1, implicit midpoint, with the mass of a layer at its surface.
-- Known answer: the ordinary equation of the layer, which runs beside it; eps = 0.1, 1600 elements,
-- dt = 0.0025: slip passes 0.2 at 6.128650 (exact 6.128666), sticks again at 12.0225 (12.023445).
-- A step has one answer where b S max|mu'| < 1; without layer that number is 3.46 on every mesh.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, eps = 0.1, rate = 0.1, t_turn = 8, t_end = 14, threshold = 0.2,
  N = 1600, dt = 0.0025, depth = 8, density = 1, speed = 1, load = 1, rule = "delay",
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, eps = { 0, 1e6 },
  rate = { -1e6, 1e6 }, t_turn = { 0, 1e9 }, t_end = { 0, 1e9 }, threshold = { 1e-12, 1e12 },
  N = { 2, 1e6 }, dt = { 1e-9, 1e9 }, depth = { 1e-9, 1e9 }, density = { 1e-12, 1e12 },
  speed = { 1e-12, 1e12 }, load = { 0, 1e12 } })
local function tau(t) return (p.t_turn == 0 or t < p.t_turn) and p.rate * t or p.rate * (2 * p.t_turn - t) end

bar {
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, density = p.density, speed = p.speed, load = p.load,
  depth = p.depth, elements = p.N, layer = p.eps, rule = p.rule, tau = tau, threshold = p.threshold,
}
column {
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, impedance = p.density * p.speed, load = p.load,
  layer = p.density * p.eps, rate = p.rate, t_turn = p.t_turn, threshold = p.threshold,
}
elastodynamic { dt = p.dt, t_end = p.t_end, store_every = math.max(1, math.floor(p.t_end / p.dt / 2000)) }

picture {
  title = "slip rate w", lines = { { "t", "column_w", "exact" }, { "t", "bar_w", "P1 elements" } },
}
picture { title = "energy of the bar", lines = { { "t", "bar_energy", "energy" } } }

memory { w7 = 0, w10 = 0, last = 0 }
-- w at t = 7 and t = 10: between the middles of two steps
step(function(s, m)
  if math.abs(s.t - p.dt - 7) < p.dt / 4 then m.w7 = (m.last + s.bar.w) / 2 end
  if math.abs(s.t - p.dt - 10) < p.dt / 4 then m.w10 = (m.last + s.bar.w) / 2 end
  m.last = s.bar.w
end)
observables {
  uniqueness = function(s) return s.bar.uniqueness end,
  jump_up_time = function(s) return s.bar.jump_up end,
  jump_down_time = function(s) return s.bar.jump_down end,
  jump_up_exact = function(s) return s.column.jump_up end,
  jump_down_exact = function(s) return s.column.jump_down end,
  w7 = function(s, m) return m.w7 end,
  w10 = function(s, m) return m.w10 end,
  several = function(s) return s.bar.several end,
  energy_error = function(s) return s.bar.energy_error end,
}
