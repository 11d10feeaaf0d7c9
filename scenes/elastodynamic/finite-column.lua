-- A column clamped at its top, over a support at constant speed: waves return, the surface sticks and slips.
-- Known answer: with maximal delay the slip rate is constant in each window of length 2 D/c, the wave
-- that comes in is the one that left a window before: alpha_n = alpha_(n-1) - 2 v_(n-1). For the
-- numbers below w = 0.445344645 in window 6, 0.455087526 in window 15, 0 in all others up to 15: the
-- slip up to t = 20 is 0.890689; elements with a layer of 0.003 give 0.891.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, V = 0.05, depth = 1, eps = 0.003, N = 800, dt = 0.001,
  t_end = 20,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, V = { -1e6, 1e6 },
  depth = { 1e-9, 1e9 }, eps = { 0, 1e6 }, N = { 2, 1e6 }, dt = { 1e-9, 1e9 }, t_end = { 0, 1e9 } })
reflections {
  name = "exact", mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, depth = p.depth, V = p.V,
}
bar {
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, depth = p.depth, elements = p.N, layer = p.eps,
  clamped = true, tau = p.V, threshold = 0.2,
}
elastodynamic { dt = p.dt, t_end = p.t_end, store_every = math.max(1, math.floor(p.t_end / p.dt / 4000)) }

picture {
  title = "slip rate w", lines = { { "t", "exact_w", "exact" }, { "t", "bar_w", "P1 elements" } },
}
picture {
  title = "slip", lines = { { "t", "exact_slip", "exact" }, { "t", "bar_slip", "P1 elements" } },
}
memory { most = 0 }
step(function(s, m) m.most = math.max(m.most, s.exact.w) end)
observables {
  slip = function(s) return s.bar.slip end,
  slip_exact = function(s) return s.exact.slip end,
  w = function(s) return s.exact.w end,
  w_most = function(s, m) return m.most end,
  jump_up_exact = function(s) return s.exact.jump_up end,
  jump_up_time = function(s) return s.bar.jump_up end,
  uniqueness = function(s) return s.bar.uniqueness end,
  several = function(s) return s.bar.several end,
  energy_error = function(s) return s.bar.energy_error end,
}
