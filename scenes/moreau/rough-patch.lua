-- Block that slides over ground that gets rougher: C(q) of Moreau 1986. With mu = mu0 (1 + x / L)
-- v^2 = u0^2 - mu0 g (2 x + x^2 / L).
-- Known answer: it stops at x = L (sqrt(1 + u0^2 / (mu0 g L)) - 1), 0.228868986935 m with the numbers
-- below, and stays: the mean of mu on the way is more than mu0. With patch = true the ground is ice up
-- to x = L and rough beyond: the law itself is chosen, and the block stops u0^2 / (2 mu0 g) behind it.
local p = parameters { mu0 = 0.4, g = 10, L = 0.5, u0 = 1.5, m = 1, h = 1e-3, t_end = 0, patch = false }
limits(p, { mu0 = { 1e-6, 1e6 }, g = { 1e-6, 1e6 }, L = { 1e-6, 1e9 }, u0 = { 1e-6, 1e6 }, m = { 1e-12, 1e12 },
  h = { 1e-9, 1e6 }, t_end = { 0, 1e9 } })
local stop = p.patch and p.L + p.u0 ^ 2 / (2 * p.mu0 * p.g)
  or p.L * (math.sqrt(1 + p.u0 ^ 2 / (p.mu0 * p.g * p.L)) - 1)

system { mass = { p.m, p.m }, q = { 0, 0 }, u = { p.u0, 0 }, force = { 0, -p.m * p.g } }

local ice, rough = frictionless {}, coulomb { mu = p.mu0 }

wall {
  name = "ground", f = function(t, q) return -q[2] end, gradient = { 0, -1 },
  friction = function(speed, slip, past)
    if p.patch then return past.place[1] < p.L and ice or rough end
    return p.mu0 * (1 + past.place[1] / p.L)
  end,
}

run { h = p.h, t_end = p.t_end > 0 and p.t_end or 1.1 * (2 * stop / p.u0 + p.h) }

series { speed = function(s) return s.u[1] end, x = function(s) return s.q[1] end }

observables {
  stop_place = function(s) return s.q[1] end,
  expected = function() return stop end,
  speed = function(s) return s.u[1] end,
}
