-- A block in space beside the strip in plane strain that it extends.
-- Known answer: held at its front and back (plane = true) the block moves as the strip does at every
-- y: friction and slip rate agree to rounding while most of the surface sticks (t <= t_compare);
-- then rounding errors grow, as all disturbances do on a surface that weakens. With free sides the
-- forces differ. The support may move across x: angle_deg turns it.
local p = parameters {
  mu_s = 0.6, mu_d = 0.2, v_c = 0.1, eps = 0.1, degree = 0, eta_n = 1e-2, eta_t = 1e-4, plane = true,
  nx = 16, ny = 4, nz = 4, width = 1, dt = 0.01, t_end = 5, angle_deg = 0, press = 0.3, t_compare = 3,
}
limits(p, { mu_s = { 0, 1e6 }, mu_d = { 0, 1e6 }, v_c = { 1e-12, 1e12 }, eps = { 0, 0.99 },
  degree = { 0, 2 }, nx = { 1, 1000 }, ny = { 1, 1000 }, nz = { 1, 1000 }, width = { 1e-6, 1e6 },
  dt = { 1e-9, 1e9 }, t_end = { 0, 1e9 }, press = { -1e3, 1e3 } })
local angle = math.rad(p.angle_deg)
local function tau(t) return 0.05 * math.min(t, 6) end
local function common(entries)
  entries.mu_s, entries.mu_d, entries.v_c = p.mu_s, p.mu_d, p.v_c
  entries.eps, entries.degree, entries.eta_n, entries.eta_t = p.eps, p.degree, p.eta_n, p.eta_t
  entries.pressed, entries.threshold = true, 0.05
  return entries
end
local sides = {
  { side = "top", component = "x", value = 0 }, { side = "top", component = "y", value = 0 },
  { side = "top", component = "z", value = -p.press },
}
if p.plane then
  sides[4] = { side = "front", component = "y", value = 0 }
  sides[5] = { side = "back", component = "y", value = 0 }
end

strip(common { name = "block", size = { 4, p.width, 1 }, cells = { p.nx, p.ny, p.nz },
  tau = { function(t) return tau(t) * math.cos(angle) end,
    function(t) return tau(t) * math.sin(angle) end },
  supports = sides })
strip(common { name = "plane", size = { 4, 1 }, cells = { p.nx, p.nz }, tau = tau,
  supports = { { side = "top", component = "x", value = 0 },
    { side = "top", component = "y", value = -p.press } } })
elastodynamic { dt = p.dt, t_end = p.t_end }

picture {
  title = "friction per width",
  lines = { { "t", "block_force", "block" }, { "t", "plane_friction", "strip" } },
}
picture {
  title = "mean slip rate", lines = { { "t", "block_w", "block" }, { "t", "plane_w", "strip" } },
}
-- In space w and friction are lengths of vectors; along the motion of the support they have a sign.
local function along(x, y) return x * math.cos(angle) + y * math.sin(angle) end
local function force(s) return along(s.block.friction_x, s.block.friction_y) / p.width end
series { block_force = force }

memory { force = 0, slip = 0, f4 = 0, last = 0 }
step(function(s, m)
  if s.t <= p.t_compare then
    m.force = math.max(m.force, math.abs(force(s) - s.plane.friction))
    m.slip = math.max(m.slip, math.abs(along(s.block.w_x, s.block.w_y) - s.plane.w))
  end
  if math.abs(s.t - p.dt - 4) < p.dt / 4 then m.f4 = (m.last + force(s)) / 2 end
  m.last = force(s)
end)
observables {
  slip_rate = function(s) return s.block.w end,
  friction = function(s) return s.block.friction end,
  friction_4 = function(s, m) return m.f4 end,
  friction_difference = function(s, m) return m.force end, slip_difference = function(s, m) return m.slip end,
  jump_up_time = function(s) return s.block.jump_up end,
  jump_up_plane = function(s) return s.plane.jump_up end,
  uniqueness = function(s) return s.block.uniqueness end,
  unconverged = function(s) return s.block.unconverged + s.plane.unconverged end,
  energy_error = function(s) return math.max(s.block.energy_error, s.plane.energy_error) end,
  dofs = function(s) return s.block.dofs end,
}
