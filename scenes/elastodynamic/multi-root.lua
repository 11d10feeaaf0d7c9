-- Without inertia at the surface a time step has several answers: three rules, three motions.
-- Known answer: b S max|mu'| = 2 sqrt(3) = 3.464 for dt = dx/c and the numbers below, whatever the
-- mesh; slip begins at 6.00 with the late and the least root, at 4.60 with the greatest, and ends at
-- three different times: no refinement makes them agree. With a layer, eps > 0, all three are one.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, rate = 0.1, t_turn = 8, t_end = 14, N = 1600, dt = 0.005,
  depth = 8, eps = 0,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, rate = { -1e6, 1e6 },
  t_turn = { 0, 1e9 }, t_end = { 0, 1e9 }, N = { 2, 1e6 }, dt = { 1e-9, 1e9 }, depth = { 1e-9, 1e9 },
  eps = { 0, 1e6 } })
local function tau(t) return (p.t_turn == 0 or t < p.t_turn) and p.rate * t or p.rate * (2 * p.t_turn - t) end
local rules = { "delay", "min", "max" }
for _, rule in ipairs(rules) do
  bar {
    name = rule, mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, depth = p.depth, elements = p.N,
    layer = p.eps, rule = rule, tau = tau, threshold = 0.1,
  }
end
elastodynamic { dt = p.dt, t_end = p.t_end, store_every = math.max(1, math.floor(p.t_end / p.dt / 2800)) }

for _, rule in ipairs(rules) do
  picture { title = "slip rate w, rule '" .. rule .. "'", lines = { { "t", rule .. "_w", rule } } }
end
picture {
  title = "roots of a step",
  lines = { { "t", "delay_roots", "delay" }, { "t", "min_roots", "min" }, { "t", "max_roots", "max" } },
}

-- when each of them slid last
memory { delay = -1, min = -1, max = -1 }
step(function(s, m)
  for _, rule in ipairs(rules) do
    if s[rule].w > 0 then m[rule] = s.t end
  end
end)
local function each(entry)
  return function(s) return { s.delay[entry] or -1, s.min[entry] or -1, s.max[entry] or -1 } end
end
observables {
  rules = function() return table.concat(rules, ", ") end,
  uniqueness = function(s) return s.delay.uniqueness end,
  jump_up_times = each("jump_up"),
  last_slip_times = function(s, m) return { m.delay, m.min, m.max } end,
  several = each("several"),
  spread = function(s)
    local t = each("jump_up")(s)
    return math.max(t[1], t[2], t[3]) - math.min(t[1], t[2], t[3])
  end,
}
