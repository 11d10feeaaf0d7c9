-- Gear train: three wheels on fixed bearings, driven by a motor of bounded torque against a brake.
-- Known answer: with the moments of inertia J1, J2, J3 and the ratios a = w2/w1, b = w3/w1 the first
-- wheel speeds up at
--   (torque - b brake) / (J1 + a^2 J2 + b^2 J3)
-- until it reaches the speed of the motor; alpha and exact agree to rounding.
local p = parameters { r1 = 0.1, r2 = 0.25, r3 = 0.15, thick = 0.05, density = 7800, torque = 5,
  brake = 1, speed = 1000, h = 1e-3, t_end = 1 }
limits(p, { r1 = { 1e-3, 1e3 }, r2 = { 1e-3, 1e3 }, r3 = { 1e-3, 1e3 }, thick = { 1e-3, 1e3 },
  density = { 1e-3, 1e6 }, torque = { 1e-6, 1e9 }, brake = { 0, 1e9 }, speed = { 1e-3, 1e9 },
  h = { 1e-9, 10 }, t_end = { 0, 1e9 } })
local radius, x = { p.r1, p.r2, p.r3 }, { 0, p.r1 + p.r2, p.r1 + 2 * p.r2 + p.r3 }
local function inertia(r) return p.density * math.pi * r ^ 4 * p.thick / 2 end
local a, b = -p.r1 / p.r2, p.r1 / p.r3
local exact = (p.torque - math.abs(b) * p.brake)
  / (inertia(p.r1) + a ^ 2 * inertia(p.r2) + b ^ 2 * inertia(p.r3))

world { gravity = { 0, 0, -9.81 } }
for k = 1, 3 do
  rigid { name = "wheel" .. k, cylinder = { radius = radius[k], length = p.thick, axis = { 0, 0, 1 } },
          density = p.density, at = { x[k], 0, 0 }, color = { 0.3 * k, 0.4, 0.7 - 0.2 * k } }
end
joint { kind = "hinge", axis = { 0, 0, 1 }, bodies = { "wheel1" }, at = { x[1], 0, 0 },
        motor = { velocity = p.speed, force = p.torque } }
joint { kind = "hinge", axis = { 0, 0, 1 }, bodies = { "wheel2" }, at = { x[2], 0, 0 } }
joint { kind = "hinge", axis = { 0, 0, 1 }, bodies = { "wheel3" }, at = { x[3], 0, 0 },
        friction = p.brake }
for k = 1, 2 do
  joint { kind = "gear", axis = { 0, 0, 1 }, bodies = { "wheel" .. k, "wheel" .. k + 1 },
          ratio = radius[k + 1] / radius[k] }
end
run { h = p.h, t_end = p.t_end }
camera { from = { x[3] / 2, -0.5, 3 * x[3] }, to = { x[3] / 2, 0, 0 }, angle = 30 }

observables {
  alpha = function(s) return s.t > 0 and s.joint(1).rate[1] / s.t or nil end,
  exact = function() return exact end,
  joint_gap = function(s) return s.report.largest_joint_gap end,
}
