-- A column without reflections slides on a support that starts and turns back: the S-curve, exactly.
-- Known answer: the surface answers q = Z tau by q in h(w) = Z w + S mu(|w|) Sgn(w), with
-- mu(w) = mu_d + (mu_s - mu_d) exp(-w/v_c). Where S (mu_s - mu_d)/v_c > Z the curve h has a fold at
-- w = v_c ln(S (mu_s - mu_d)/(Z v_c)) and three w answer one q between fold and stick limit S mu_s.
-- Without layer (eps = 0) the slip jumps as late as it can: at Z tau = S mu_s on the way up, at the
-- fold on the way back. A layer of mass rho eps has one answer; as eps falls it tends to the late one,
-- its delay on the way back like eps^(2/3). For the numbers below, eps = 0: fold 0.138629436112,
-- jumps at 6 and 11.613705638880; eps = 0.01: 6.021487195 and 11.723311688.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, eps = 0, rate = 0.1, t_turn = 8, t_end = 16,
  density = 1, impedance = 1, load = 1, threshold = 0.2, q_probe = 0.5, dt = 0,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, eps = { 0, 1e6 },
  rate = { -1e6, 1e6 }, t_turn = { 0, 1e9 }, t_end = { 0, 1e9 }, density = { 0, 1e12 },
  impedance = { 1e-12, 1e12 }, load = { 0, 1e12 }, threshold = { p.eps > 0 and 1e-12 or 0, 1e12 } })
local law = { mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, impedance = p.impedance, load = p.load }
local h = curve(law)

column {
  mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, impedance = p.impedance, load = p.load,
  layer = p.density * p.eps, rate = p.rate, t_turn = p.t_turn, threshold = p.threshold,
}
elastodynamic { dt = p.dt > 0 and p.dt or p.t_end > 0 and p.t_end / 1600 or 1, t_end = p.t_end }

local sign = p.rate > 0 and 1 or -1
local q_most = p.impedance * math.abs(p.rate) * (p.t_turn > 0 and p.t_turn or p.t_end)
local answers = h.roots(q_most)
local top = 1.1 * math.max(answers[#answers], 2 * h.w_fold, p.v_c)
picture {
  title = "the curve q in h(w), and the trajectory on it", x_label = "q",
  curves = { { function(w) return sign * h.h(w), sign * w end, "h(w)" } },
  range = { 0, top },
  lines = { { "q", "w", "trajectory" } },
}
picture { title = "slip rate w", lines = { { "t", "w", "w" } } }
picture { title = "roots of q in h(w)", lines = { { "t", "roots", "roots" } } }

local roots = h.roots(p.q_probe)
observables {
  fold_slip_rate = function() return h.w_fold end,
  fold_q = function() return h.q_fold end,
  stick_limit = function() return h.stick_limit end,
  steepness = function() return h.steepness end,
  jump_up_time = function(s) return s.column.jump_up end,
  jump_down_time = function(s) return s.column.jump_down end,
  roots = function() return roots end,
  root_count = function() return #roots end,
  middle_root = function() return #roots == 3 and roots[2] or nil end,
  upper_root = function() return roots[#roots] end,
}
