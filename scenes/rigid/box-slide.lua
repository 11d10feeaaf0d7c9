-- Box that slides to rest on a floor.
-- Known answer: it stops after v0^2 / (2 mu g), whatever its mass and size, as long as it does not
-- tip over (mu height < length). For v0 = 2, mu = 0.5, g = 9.81: 0.4077472 m. The scheme is off by
-- at most mu g h^2 / 8: distance and exact differ by less. creep is the way it makes after that.
local p = parameters {
  mu = 0.5, g = 9.81, v0 = 2, mass = 1, length = 0.4, height = 0.1, heading_deg = 0,
  h = 1e-3, t_end = 0,
}
limits(p, { mu = { 0, 1e6 }, g = { 0, 1e6 }, v0 = { -1e6, 1e6 }, mass = { 1e-12, 1e12 },
  length = { 1e-9, 1e6 }, height = { 1e-9, 1e6 }, h = { 1e-9, 1e3 }, t_end = { 0, 1e9 } })
local brake = p.mu * p.g -- 1 s where nothing slows it down
local stop = brake > 0 and math.abs(p.v0) / brake or 0.5
local exact = brake > 0 and p.v0 ^ 2 / (2 * brake) or nil
local middle = math.abs(p.v0) * stop / 4
local a = math.rad(p.heading_deg)

world { gravity = { 0, 0, -p.g }, mu = p.mu }
rigid { name = "floor", plane = true, color = { 0.8, 0.8, 0.8 } }
rigid {
  name = "box",
  box = { p.length, p.length, p.height },
  mass = p.mass,
  at = { 0, 0, p.height / 2 },
  velocity = { p.v0 * math.cos(a), p.v0 * math.sin(a), 0 },
  color = { 0.2, 0.4, 0.7 },
}
run { h = p.h, t_end = p.t_end > 0 and p.t_end or 2 * stop + 10 * p.h }
camera { from = { middle, -6 * p.length, 3 * p.length }, to = { middle, 0, 0 }, angle = 25 }

memory { stop_time = -1, x = 0, y = 0 }

step(function(s, m)
  local b = s.body("box")
  local rests = b.velocity[1] == 0 and b.velocity[2] == 0
  if rests and m.stop_time < 0 then m.stop_time, m.x, m.y = s.t, b.x[1], b.x[2] end
end)

local function way(b) return math.sqrt(b.x[1] ^ 2 + b.x[2] ^ 2) end

series {
  way = function(s) return way(s.body("box")) end,
  speed = function(s)
    local v = s.body("box").velocity
    return math.sqrt(v[1] ^ 2 + v[2] ^ 2)
  end,
}

observables {
  distance = function(s) return way(s.body("box")) end,
  exact = function() return exact end,
  stop_time = function(s, m) return m.stop_time >= 0 and m.stop_time or nil end,
  creep = function(s, m)
    local x = s.body("box").x
    return m.stop_time >= 0 and math.sqrt((x[1] - m.x) ^ 2 + (x[2] - m.y) ^ 2) or nil
  end,
}
