-- The theorems of Paumier and Renard on a strip, rounded: the estimate of theorem 1 along the run
-- (norm stays below bound), the iteration of theorem 2 over the window [0, window] (G^p contracts by
-- `factor` < 1, its fixed point has the forces of the steps: `difference`), and a certificate of
-- every step (`proved_one`).
-- Known answer: norm is below bound in every step, factor is below 1, difference near 1e-9 of the
-- forces, and every step is proved to have one answer. Without a layer (eps = 0) there is neither
-- estimate nor one answer: --set eps=0 --set eta_t=0 --set v_c=0.02 --set dt=0.04 finds steps with
-- several.
local p = parameters {
  eps = 0.2, degree = 0, eta_n = 0.05, eta_t = 0.05, press = 0.2, nx = 8, ny = 3, dt = 0.005,
  t_end = 4, alpha = 0.5, window = 0.3, mu_s = 0.6, mu_d = 0.2, v_c = 0.1, space = false,
}
limits(p, { eps = { 0, 0.9 }, degree = { 0, 8 }, eta_n = { 0, 1e6 }, eta_t = { 0, 1e6 },
  press = { -1e3, 1e3 }, nx = { 1, 1e4 }, ny = { 1, 1e4 }, dt = { 1e-9, 1e9 }, t_end = { 0, 1e9 },
  alpha = { 0, 1e6 }, window = { 0, 1e3 }, mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 },
  v_c = { 1e-12, 1e12 } })
local layer, rounded = p.eps > 0 and p.alpha > 0, p.eta_n > 0 and p.eta_t > 0
local function side(component, value) return { side = "top", component = component, value = value } end

strip {
  size = p.space and { 2, 1, 1 } or { 2, 1 }, cells = p.space and { p.nx, 2, p.ny } or { p.nx, p.ny },
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, eps = p.eps, degree = p.degree, eta_n = p.eta_n,
  eta_t = p.eta_t, pressed = true, threshold = 0.05, tau = function(t) return 0.1 * t end,
  supports = p.space and { side("x", 0), side("y", 0), side("z", -p.press) }
    or { side("x", 0), side("y", -p.press) },
  estimate = layer and p.alpha or nil, certificate = true,
  window = layer and rounded and p.window or nil,
}
elastodynamic { dt = p.dt, t_end = p.t_end }

local lines = { { "t", "w", "slip rate" } }
picture { title = "mean slip rate", lines = lines }
picture { title = "greatest eigenvalue of the certificate", lines = { { "t", "sharp", "sharp" } } }
if layer then
  picture { title = "norm of theorem 1", lines = { { "t", "norm", "norm" } } }
end

local function of(name) return function(s) return s.strip[name] or 0 end end
observables {
  norm = of("norm"), bound = of("bound"), largest_part_of_bound = of("nearest"), C = of("C"),
  alpha = of("alpha"), p = of("p"), factor = of("factor"), rate = of("rate"), bound_p = of("bound_p"),
  iterations = of("iterations_of_G"), difference = of("difference"), sharp = of("sharp"),
  proved_one = of("proved_one"), proved_several = of("proved_several"), undecided = of("undecided"),
  unconverged = of("unconverged"), energy_error = of("energy_error"), slip_rate = of("w"),
}
