-- Thinner and thinner layers: how the slip of a column tends to the one that jumps as late as it can.
-- Known answer: with the late jump at t0, the return to stick comes at t0 + a eps^p, where p rises to
-- 2/3 as eps falls (a layer passes a fold as Airy's function tells: 2.33811 (2 eps^2/(r h''))^(1/3));
-- the jump up is late by eps ln(1/eps). For the numbers below the exponents are 0.559, 0.597, 0.621,
-- 0.636; from eps = 1e-6 on 0.663 and more.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, rate = 0.1, t_turn = 8, t_end = 14, threshold = 0.2,
  eps = 0.1, ratio = 4,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, rate = { -1e6, 1e6 },
  t_turn = { 0, 1e9 }, t_end = { 1e-6, 1e9 }, threshold = { 1e-12, 1e12 }, eps = { 1e-6, 1e6 },
  ratio = { 1.01, 100 } })
local thickness = { p.eps, p.eps / p.ratio, p.eps / p.ratio ^ 2, p.eps / p.ratio ^ 3,
  p.eps / p.ratio ^ 4 }
local function add(name, eps)
  column {
    name = name, mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c, layer = eps, rate = p.rate,
    t_turn = p.t_turn, threshold = p.threshold,
  }
end
for k, eps in ipairs(thickness) do add("e" .. k, eps) end
add("none", 0)
elastodynamic { dt = p.t_end / 1400, t_end = p.t_end }

local h = curve { mu_s = p.mu_s, mu_d = p.mu_d, v_c = p.v_c }
local lines, loops = {}, {}
for k = 1, #thickness do
  local label = string.format("eps = %.3g", thickness[k])
  lines[k] = { "t", "e" .. k .. "_w", label }
  loops[k] = { "e" .. k .. "_q", "e" .. k .. "_w", label }
end
lines[#lines + 1] = { "t", "none_w", "no layer" }
picture { title = "slip rate w", lines = lines }
picture {
  title = "the curve q in h(w), and the trajectories", x_label = "q", lines = loops,
  curves = { { function(w) return h.h(w), w end, "h(w)" } }, range = { 0, 6 * p.v_c },
}

-- nil where slip has not come back to stick
local function delay(s, k)
  local late, first = s["e" .. k].jump_down, s.none.jump_down
  return late and first and late - first or nil
end
local function exponent(s, k)
  local a, b = delay(s, k), delay(s, k + 1)
  return a and b and a > 0 and b > 0 and math.log(a / b) / math.log(thickness[k] / thickness[k + 1]) or nil
end
-- a list, or nil where one of its entries is not there
local function each(count, entry)
  local list = {}
  for k = 1, count do
    list[k] = entry(k)
    if not list[k] then return nil end
  end
  return list
end
observables {
  eps = function() return thickness end,
  jump_up_times = function(s) return each(#thickness, function(k) return s["e" .. k].jump_up end) end,
  delays = function(s) return each(#thickness, function(k) return delay(s, k) end) end,
  exponents = function(s) return each(#thickness - 1, function(k) return exponent(s, k) end) end,
  last_exponent = function(s) return exponent(s, #thickness - 1) end,
}
