-- Plate with grooves below that slides on a floor: friction that depends on direction, in the frame
-- of the plate, which may lie at any angle (heading_deg).
-- Known answer: with mu1 along the grooves and mu2 across them the reaction is
-- -mu_j^2 u_j / |(mu1 u1, mu2 u2)| N along each: u2 / u2(0) = (u1 / u1(0))^((mu2/mu1)^2), a path that
-- bends towards the grooves; along them alone it stops after u0^2 / (2 mu1 g). On a slope (slope_deg)
-- below atan(min(mu1, mu2)) it rests wherever it is.
local p = parameters { mu1 = 0.2, mu2 = 0.4, g = 9.81, u0 = 1, angle_deg = 45, heading_deg = 20,
  slope_deg = 0, h = 1e-4, t_end = 0.7 }
limits(p, { mu1 = { 0, 1e6 }, mu2 = { 0, 1e6 }, g = { 0, 1e6 }, u0 = { -1e6, 1e6 },
  angle_deg = { -360, 360 }, heading_deg = { -360, 360 }, slope_deg = { -89, 89 }, h = { 1e-9, 1e3 }, t_end = { 1e-9, 1e9 } })
local a, turned, slope = math.rad(p.angle_deg), math.rad(p.heading_deg), math.rad(p.slope_deg)
local u1, u2 = p.u0 * math.cos(a), p.u0 * math.sin(a) -- along the grooves and across
local c, s = math.cos(turned), math.sin(turned)

world { gravity = { p.g * math.sin(slope), 0, -p.g * math.cos(slope) } }
rigid { name = "floor", plane = true, surface = "floor", color = { 0.8, 0.8, 0.8 } }
rigid {
  name = "plate", box = { 0.4, 0.4, 0.01 }, at = { 0, 0, 0.005 }, surface = "grooved",
  rotation = { axis = { 0, 0, 1 }, angle = turned },
  velocity = { c * u1 - s * u2, s * u1 + c * u2, 0 }, color = { 0.3, 0.5, 0.7 },
}
surface_pair { "grooved", "floor", friction = elliptic { mu1 = p.mu1, mu2 = p.mu2 }, along = { 1, 0, 0 } }
run { h = p.h, t_end = p.t_end, store_every = 100, exact = true }
camera { from = { 0.3, -1.6, 1.2 }, to = { 0.2, 0.1, 0 }, angle = 30 }

local function in_grooves(v) return c * v[1] + s * v[2], -s * v[1] + c * v[2] end

memory { invariant_error = 0 }

-- ln(u2/u2(0)) - (mu2/mu1)^2 ln(u1/u1(0)) is zero while both are well above rounding.
step(function(state, m)
  local v1, v2 = in_grooves(state.body("plate").velocity)
  if math.min(math.abs(u1), math.abs(u2)) < 1e-6 * math.abs(p.u0) or p.u0 == 0 then return end
  local part1, part2 = v1 / u1, v2 / u2
  if part1 > 1e-2 and part2 > 1e-2 and p.mu1 > 0 then
    m.invariant_error = math.abs(math.log(part2) - (p.mu2 / p.mu1) ^ 2 * math.log(part1))
  end
end)

series {
  along = function(state) return (in_grooves(state.body("plate").velocity)) end,
  across = function(state) return select(2, in_grooves(state.body("plate").velocity)) end,
}

observables {
  along = function(state) return (in_grooves(state.body("plate").x)) end,
  across = function(state) return select(2, in_grooves(state.body("plate").x)) end,
  stop_along = function() return p.mu1 * p.g > 0 and p.u0 ^ 2 / (2 * p.mu1 * p.g) or nil end,
  invariant_error = function(state, m) return m.invariant_error end,
  spin = function(state) return math.abs(state.body("plate").omega[3]) end,
}
