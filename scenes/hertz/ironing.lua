-- Ironing: an elastic die is pressed into a slab and drawn over it, with friction.
-- Known answer: while the die slides steadily the horizontal force is mu times the vertical one, since
-- the slab is elastic and level (to the tilt of the contact, 2 %); the contact wanders over many cells
-- of the slab, so its place has to be found anew (sliding = "finite"). Units N, mm, MPa.
local p = parameters { mu = 0.2, depth = 0.03, way = 1.5, cells = 60, die = 16, press = 4, draw = 20,
  method = "auto" }
limits(p, { mu = { 0, 1e6 }, depth = { -1, 1 }, cells = { 1, 10000 }, die = { 1, 1000 },
  press = { 1, 10000 }, draw = { 1, 10000 } })
local R, length, height = 3, 8, 2

mesh {
  grid { element = "Q4", cells = { p.cells, 10 }, body = "slab",
    map = function(s, t) return length * s, height * (t - 1) end },
  -- the lower side of the die is round
  grid { element = "Q4", cells = { p.die, 6 }, body = "die",
    map = function(s, t)
      local x = 2 * (s - 0.5)
      return 2.5 + x, (1 - t) * (R - math.sqrt(R * R - x * x)) + t * 1.2
    end },
}
solid { kinematics = "plane_strain" }
body { group = "slab", young = 1000, poisson = 0.3 }
body { group = "die", young = 2e4, poisson = 0.3 }
support { group = "slab.t0", component = "all", value = 0 }
support { group = "die.t1", component = "y", value = function(t) return -p.depth * math.min(t, 1) end }
support { group = "die.t1", component = "x", value = function(t) return p.way * math.max(0, t - 1) end }
contact { name = "contact", slave = "die.t0", master = "slab.t1", mu = p.mu, sliding = "finite" }
local times = {}
for k = 1, p.press do times[k] = k / p.press end
for k = 1, p.draw do times[p.press + k] = 1 + k / p.draw end
steps { times = times, method = p.method }

local function forces(s)
  local x, y = s.force("die.t1")
  return x, -y
end
series {
  horizontal = function(s) return (forces(s)) end,
  vertical = function(s) return select(2, forces(s)) end,
}
observables {
  horizontal = function(s) return (forces(s)) end,
  vertical = function(s) return select(2, forces(s)) end,
  ratio = function(s)
    local x, y = forces(s)
    return y > 0 and x / y or nil
  end,
  ratio_exact = function() return p.mu end,
  closed = function(s) return s.closed end,
  slipping = function(s) return s.slipping end,
  iterations = function(s) return s.iterations end,
}
