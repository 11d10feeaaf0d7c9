// Writes small scenes into a directory: where the fuzzer starts from.  scene_seeds DIRECTORY
// Together they use every entry a scene can have.
#include <stdio.h>
#include <stdlib.h>

typedef struct seed {
  const char *name, *text;
} seed;

static const seed seeds[] = {
    {"lists.lua",
     "local t, s = {}, 'ab'\n"
     "for i = 1, 200 do table.insert(t, 1, i * 7 % 13) end\n"
     "table.sort(t) table.sort(t, function(a, b) return a > b end)\n"
     "for i = 1, 6 do s = s .. s .. table.concat(t, ',', 1, 9) end\n"
     "assert(select('#', table.unpack(t)) == #t and table.remove(t, 1) and s:upper() < s)\n"
     "s = string.format('%s %q %5.2f %d', s:sub(2, 9), s:reverse(), 0.5, tonumber('12', 8))\n"
     "for k, v in pairs({ 3, 2, x = 1, [0.5] = 4 }) do t[#t + 1] = tostring(k) .. v end\n"
     "system { mass = 1, q = { 0 }, force = function() table.remove(t, 1) return { #t } end }\n"
     "run { h = 0.1, t_end = 1 }\n"},
    {"mark.lua", "\xEF\xBB\xBF"
                 "system { mass = 1, q = { 0 } }\r\nrun { h = 0.1, t_end = 1 }\r\n"},
    {"block.lua",
     "-- with parameters\n"
     "local p = parameters { mu = 0.3, h = 0.1, name = 'a', on = true }\n"
     "system { mass = 1, q = { 0, 0 }, u = { 1, 0 }, force = { 0, -10 } }\n"
     "wall { name = 'floor', f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
     "  friction = coulomb { mu = p.mu }, restitution = 0.5 }\n"
     "run { h = p.h, t_end = 1, rest = 1e-9, tol = 1e-12, accept = 1e-8, store_every = 2,\n"
     "  correction = 1, solver = { method = 'nsgs', ['nsgs.omega'] = 1 } }\n"
     "memory { low = math.huge }\n"
     "step(function(s, m) m.low = math.min(m.low, s.u[1]) end)\n"
     "series { x = function(s) return s.q[1] end }\n"
     "observables { low = function(s, m) return m.low end }\n"},
    {"laws.lua",
     "system { mass = { 1, 1, 1 }, q = { 0, 0, 0 }, u = { 1, 1, 0 },\n"
     "  force = function(t, q, u) return { 0, 0, -10 - u[3] } end,\n"
     "  potential = function(t, q) return 10 * q[3] end }\n"
     "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1 },\n"
     "  tangents = { { 1, 0, 0 }, { 0, 1, 0 } }, friction = elliptic { mu1 = 0.2, mu2 = 0.4 } }\n"
     "wall { f = function(t, q) return q[1] - 1 end, gradient = function() return { 1, 0, 0 } "
     "end,\n"
     "  velocity = function(t, q) return { math.cos(t), 0, 0 } end,\n"
     "  friction = stribeck { mu_s = 0.5, mu_k = 0.3, v_c = 0.1, exponent = 2 } }\n"
     "wall { f = function(t, q) return -1 end, gradient = { 1, 0, 0 },\n"
     "  friction = tabulated { speed = { 0, 1 }, mu = { 0.3, 0.2 } } }\n"
     "run { h = 0.1, t_end = 1 }\n"},
    {"sections.lua",
     "local p = section { polygon = { { 1, 0 }, { 0, 1 }, { -1, -1 } }, mu = 0.5 }\n"
     "system { mass = 1, q = { 0, 0, 0 }, u = { 1, 1, 0 }, force = { 0, 0, -10 } }\n"
     "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1 }, friction = p,\n"
     "  tangents = { { 1, 0, 0 }, { 0, 1, 0 } } }\n"
     "wall { f = function(t, q) return q[1] - 1 end, gradient = { 1, 0, 0 },\n"
     "  friction = function(speed) return p end }\n"
     "wall { f = function(t, q) return -1 end, gradient = { 1, 0, 0 },\n"
     "  friction = section { curve = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } } } }\n"
     "wall { f = function(t, q) return -1 end, gradient = { 1, 0, 0 }, friction = section {\n"
     "  superellipse = { a = 1, b = 0.5, exponent = 3, angle = 0.2, centre = { 0.1, 0 } } } }\n"
     "wall { f = function(t, q) return -1 end, gradient = { 1, 0, 0 }, friction = section {\n"
     "  support = function(x, y) return math.sqrt(x * x + y * y / 4) end } }\n"
     "run { h = 0.1, t_end = 0.5 }\n"},
    {"interval.lua",
     "system { mass = 1, q = { 0, 0 }, u = { 1, 0 }, force = { 0, -10 } }\n"
     "wall { f = function(t, q) return -q[2] end, gradient = { 0, -1 },\n"
     "  friction = section { back = 0.2, forth = 0.6, mu = stribeck { mu_s = 1, mu_k = 0.5,\n"
     "  v_c = 0.1 } } }\n"
     "run { h = 0.1, t_end = 0.5 }\n"},
    {"ball.lua",
     "local function I(x) return 2 / 5 * x ^ 2 end\n"
     "system { mass = { 1, 1, 1, I(1) }, q = { 0, 0, 0, 0 }, u = { 1, 0, 0, 5 },\n"
     "  force = { 0, 0, -1, 0 } }\n"
     "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0 },\n"
     "  tangents = function() return { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } } end,\n"
     "  friction = contensou { mu = 0.3, radius = 0.1 } }\n"
     "run { h = 0.5, t_end = 1, scheme = 'extrapolated', scheme_tol = 1e-6, stops = { 0.3 } }\n"
     "for k, v in pairs({ a = 1, b = 2 }) do assert(v > 0, string.format('%s %d', k, v)) end\n"},
    {"pressed.lua",
     "system { mass = 1, q = { 0, 0, 0, 0 }, u = { 1, 0, 0, 5 }, force = { 0, 0, -1, 0 } }\n"
     "wall { f = function(t, q) return -q[3] end, gradient = { 0, 0, -1, 0 },\n"
     "  tangents = { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 0, 1 } },\n"
     "  friction = contensou { mu = function(v, s, past) return 0.3 + past.age end,\n"
     "    hertz = { R = 0.1, E = 1e4, load = 1 } } }\n"
     "run { h = 0.1, t_end = 1 }\n"},
    {"heat.lua",
     "mesh { grid { element = 'Q4', cells = { 1, 1 }, body = 'a', map = function(s, t) return s, t "
     "- "
     "1 end },\n"
     "  grid { element = 'Q4', cells = { 2, 1 }, body = 'b' } }\n"
     "solid { kinematics = 'plane_strain' }\n"
     "body { group = 'a', young = 100, poisson = 0.2 } body { group = 'b', young = 100, poisson = "
     "0 "
     "}\n"
     "support { group = 'a.t0', component = 'all', value = 0 }\n"
     "support { group = 'b.s0', component = 'x', value = 0 }\n"
     "pressure { group = 'b.t1', value = 1 }\n"
     "contact { name = 'c', slave = 'b.t0', master = 'a.t1' }\n"
     "thermal { steady = false, initial = function(t, x) return x[1] end, reference = 1, theta = "
     "0.5,\n"
     "  coupling = 'monolithic', passes = 3, tol = 1e-8 }\n"
     "conductor { group = 'a', conductivity = 2, capacity = 1, electric = 3, slope = 0.1 }\n"
     "conductor { group = 'b', conductivity = 2, capacity = 1, electric = 3, expansion = 1e-3, "
     "source = 1 }\n"
     "temperature { group = 'a.t0', value = 0 } potential { group = 'a.t0', value = 0 }\n"
     "flux { group = 'b.s1', value = function(t, x) return t end } current { group = 'b.t1', value "
     "= "
     "1 }\n"
     "convection { group = 'b.s0', value = 3, coefficient = 2 }\n"
     "junction { contact = 'c', heat = { solid = 5, pressure = 2, exponent = 0.95, gas = 1, gap = "
     "0.1 },\n"
     "  electric = function(p, g) return p + 1 end, share = 0.4, temperature = 1, potential = 2 }\n"
     "steps { times = { 0.5, 1 } }\n"
     "observables { T = function(s) return s.temperature(1) + s.potential(0, 0) + s.heat('a.t0') "
     "+\n"
     "  s.current('a.t0') + s.flow('c')[1].heat + s.heat_rate.error + s.heat_sum.stored + s.passes "
     "end }\n"},
    {"bodies.lua",
     "local a = grid { element = 'Q4', cells = { 1, 1 }, body = 'a',\n"
     "  map = function(s, t) return s, t - 1 end }\n"
     "local b = grid { element = 'T3', lists = { { 0, 0.6, 1 }, { 0, 1 } }, body = 'b' }\n"
     "mesh { a, b }\n"
     "solid { kinematics = 'plane_stress', thickness = 2 }\n"
     "body { group = 'a', young = 100, poisson = 0.3, force = { 0, -1 }, density = 1 }\n"
     "body { group = 'b', young = 100, poisson = 0.3, yield = 1, hardening = 10 }\n"
     "support { group = 'a.t0', component = 'all', value = 0 }\n"
     "support { group = 'b.t1', component = 'x', value = function(t, x) return 0.01 * t * x[1] end "
     "}\n"
     "traction { group = 'a.s1', component = 'x', value = 1 }\n"
     "pressure { group = 'b.t1', value = function(t) return t end }\n"
     "contact { name = 'c', slave = 'b.t0', master = 'a.t1', mu = 0.3, sliding = 'finite' }\n"
     "steps { times = { 0.5, 1 }, method = 'active-set', tol = 1e-9, max_cuts = 1 }\n"
     "series { f = function(s) return (s.force('b.t1')) end }\n"
     "plot { name = 'p', contact = 'c', along = 'x', quantity = 'shear', range = { 0, 1 },\n"
     "  points = 3, curves = { zero = function(s, x) return 0 * x end } }\n"
     "observables { it = function(s) return s.iterations end, word = function() return 'a' end,\n"
     "  u = function(s) return s.displacement(1, 1) end, n = function(s) return #s.nodes('a') "
     "end,\n"
     "  p = function(s) return s.contact('c')[1].pressure end,\n"
     "  c = function(s) return s.cells('b')[1].alpha end }\n"},
    {"waves.lua",
     "local c = curve { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, impedance = 1, load = 1 }\n"
     "column { name = 'a', mu_s = 0.6, mu_d = 0.2, v_c = 0.1, impedance = 1, load = 1,\n"
     "  layer = 0.1, rate = 0.1, t_turn = 8, threshold = 0.2 }\n"
     "reflections { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, depth = 1, speed = 1, V = 0.05 }\n"
     "bar { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, density = 1, speed = 1, load = 1, depth = 1,\n"
     "  elements = 4, layer = 0.1, rule = 'max', clamped = true, tau = 0.1, threshold = 0.2 }\n"
     "strip { mu_s = 0.6, mu_d = 0.2, v_c = 0.1, size = { 1, 1 }, cells = { 2, 1 }, eps = 0.1,\n"
     "  degree = 1, eta_n = 0.01, eta_t = 1e-4, tau = { function(t) return 0.1 * t end },\n"
     "  pressed = true, force = { 0, -0.1 }, pressure = 1, rule = 'min', supports = {\n"
     "  { side = 'top', component = 'x', value = 0 },\n"
     "  { side = 'top', component = 'y', value = function(t, x) return -0.1 * x[2] end } },\n"
     "  tractions = { { side = 'left', component = 'normal', value = 0.1 } } }\n"
     "elastodynamic { dt = 0.1, t_end = 1, store_every = 2 }\n"
     "picture { title = 'p', x_label = 'x', curves = { { function(u) return u, c.h(u) end, 'b' } "
     "},\n"
     "  points = 3, range = { 0, 1 }, lines = { { 't', 'bar_w', 'c' } }, map = 'strip' }\n"
     "observables { n = function(s) return #s.strip.nodes() end, w = function(s) return s.a.w "
     "end,\n"
     "  r = function() return c.roots(0.5) end }\n"},
    {"wave_mesh.lua",
     "local m = grid { element = 'Q4', cells = { 4, 2 }, body = 'b', map = function(s, t)\n"
     "  return (1 + t) * math.sin(s), (1 + t) * math.cos(s) end }\n"
     "strip { mesh = m, contact = 'b.t0', eps = 0.1, degree = 3, eta_n = 0.01, eta_t = 1e-3,\n"
     "  mu = { speed = { 0, 0.1, 1 }, mu = { 0.6, 0.3, 0.4 } }, gap = 0.01,\n"
     "  regions = { { group = 'b', stiffness = { { 3, 1, 0 }, { 1, 4, 0 }, { 0, 0, 1 } },\n"
     "    scale = function(t, x) return 1 + x[1] ^ 2 end, density = 2, force = { 0, 0.1 } } },\n"
     "  u0 = { 0.01 }, u1 = { 0, function(t, x) return -0.1 * x[2] end },\n"
     "  tau = { function(t, x) return t * x[2] end, function(t, x) return -t * x[1] end },\n"
     "  supports = { { group = 'b.t1', component = 'x', value = 0 } },\n"
     "  tractions = { { group = 'b.s0', component = 'normal', value = 0.1 } } }\n"
     "strip { name = 'c', size = { 1, 1 }, cells = { 2, 1 }, tau = 0.1, steepest = 4, greatest = "
     "1,\n"
     "  mu = function(v) return 0.2 + 0.4 * math.exp(-10 * v) end }\n"
     "strip { name = 'd', size = { 1, 1 }, cells = { 2, 1 }, tau = 0.1, mu = 0.3, eps = 0.1,\n"
     "  eta_n = 0.1, eta_t = 0.1, estimate = 1, certificate = true, window = 0.3, gap = -0.1 }\n"
     "elastodynamic { dt = 0.1, t_end = 1 }\n"
     "picture { title = 'p', arrows = 'strip' }\n"
     "observables { n = function(s) return s.strip.nodes()[1].slip[2] end }\n"},
    {"rigid.lua",
     "world { gravity = { 0, 0, -9.81 }, mu = 0.5, restitution = 0.1, rolling = 1e-3 }\n"
     "local f = rigid { name = 'floor', plane = { 0, 0, 1 }, surface = 'stone' }\n"
     "rigid { terrain = { points = { { 5, 0, 0 }, { 6, 0, 0 }, { 5, 1, 0 } },\n"
     "  triangles = { { 1, 2, 3 } } } }\n"
     "rigid { name = 'a', box = { 1, 1, 1 }, at = { 0, 0, 0.5 }, density = 2, color = { 1, 0, 0 } "
     "}\n"
     "rigid { name = 'b', sphere = 0.5, at = { 0, 0, 1.5 }, velocity = { 1, 0, 0 }, mass = 1,\n"
     "  inertia = { 0.1, 0.1, 0.1 }, omega = { 0, 1, 0 }, rotation = { axis = { 0, 1, 0 }, angle = "
     "1 } "
     "}\n"
     "rigid { name = 'c', capsule = { radius = 0.1, length = 1, axis = { 1, 0, 0 } },\n"
     "  at = { 3, 0, 0.1 }, mass = 1 }\n"
     "rigid { name = 'd', cylinder = { radius = 0.5, length = 1 }, at = { 3, 3, 0.5 },\n"
     "  rotation = { 1, 0, 0, 0 } }\n"
     "rigid { name = 'e', hull = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },\n"
     "  at = { -3, 0, 0 } }\n"
     "rigid { name = 'f', parts = { { box = { 1, 1, 1 } }, { sphere = 0.2, at = { 0, 0, 0.6 },\n"
     "  rotation = { axis = { 0, 0, 1 }, angle = 1 }, density = 3 } }, at = { -3, 3, 0.5 } }\n"
     "rigid { name = 'g', box = { 1, 1, 1 }, at = { 0, 5, 3 }, fixed = true }\n"
     "rigid { name = 'h', sphere = 0.5, at = { 0, -5, 1 },\n"
     "  drive = function(t) return 0, 0, -math.sin(t), 0, 1 end }\n"
     "surface_pair { 'stone', 'usual', mu = 0.2, restitution = 0 }\n"
     "ignore { 'a', 'c' }\n"
     "joint { kind = 'hinge', bodies = { 'd', 'e' }, at = { 0, 0, 1 }, axis = { 0, 1, 0 } }\n"
     "joint { kind = 'ball', bodies = { 'f' }, at = { -3, 3, 1 } }\n"
     "run { h = 0.01, t_end = 0.1, t_start = 0, tol = 1e-8, accept = 1e-4, reach = 0.1,\n"
     "  correction = 0.2, memory = 20, threads = 1, store_every = 2, solver = { method = 'nsgs' } "
     "}\n"
     "camera { from = { 9, 9, 9 }, to = { 0, 0, 0 }, up = { 0, 0, 1 }, angle = 30 }\n"
     "series { z = function(s) return s.body('a').x[3] end }\n"
     "observables { n = function(s) return #s.contacts() end, e = function(s) return "
     "s.energy.error end,\n"
     "  t = function(s) return s.body(f).rotation end, w = function(s) return s.report.eta end "
     "}\n"},
    {"flat.lua",
     "world { plane = true, gravity = { 0, -9.81 } }\n"
     "rigid { plane = true }\n"
     "rigid { name = 'a', hull = { { 0, 0 }, { 1, 0 }, { 0, 1 } }, mass = 2, inertia = 0.5,\n"
     "  at = { 0, 1 }, rotation = 0.1, velocity = { 1, 0 }, omega = 2 }\n"
     "rigid { name = 'b', box = { 1, 1 }, at = { 3, 0.5 }, rotation = { angle = 0 } }\n"
     "rigid { name = 'c', box = { 1, 1 }, at = { 6, 3 }, drive = function(t) return 1, 0, t end "
     "}\n"
     "joint { kind = 'prismatic', bodies = { 'b' }, at = { 3, 0 }, axis = { 0, 1 } }\n"
     "run { h = 0.01, t_end = 0.1 }\n"
     "camera { from = { 0, 0, 9 }, to = { 0, 0, 0 }, width = 5 }\n"
     "observables { q = function(s) return s.equilibrium(0.5) end,\n"
     "  r = function(s) return s.equilibrium(0.5, 'start') end,\n"
     "  a = function(s) return s.body('a').angle end }\n"},
    {"obstacles.lua",
     "grid { element = 'H8', cells = { 1, 1, 1 }, body = 'a' }\n"
     "body { group = 'a', young = 100, poisson = 0.3 }\n"
     "support { group = 'a.w1', component = 'z', value = -0.01 }\n"
     "contact { name = 'p', slave = 'a.w0', normal = { 0, 0, 1 },\n"
     "  obstacle = plane { point = { 0, 0, 0 }, normal = { 0, 0, 1 } } }\n"
     "contact { name = 's', slave = 'a.s0', obstacle = sphere { center = { -9, 0, 0 }, radius = "
     "9,\n"
     "  motion = function(t, x) return 0.01 * t, 0, 0 end } }\n"
     "contact { name = 'c', slave = 'a.s1', obstacle = cylinder { point = { 9, 0, 0 },\n"
     "  axis = { 0, 1, 0 }, radius = 8 } }\n"
     "contact { name = 'h', slave = 'a.t0', mu = 0.1, obstacle = obstacle {\n"
     "  distance = function(t, x) return x[2], 0, 1, 0 end } }\n"
     "contact { name = 'f', slave = 'a.t1', obstacle = function(t, x) return 2 - x[2], 0, -1, 0 "
     "end "
     "}\n"
     "steps { count = 2, t_end = 1, method = 'adapted', eps0 = 100 }\n"}};

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 2) return fprintf(stderr, "usage: scene_seeds DIRECTORY\n"), 1;
  for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
    snprintf(path, sizeof path, "%s/%s", argv[1], seeds[k].name);
    FILE *out = fopen(path, "w");
    if (!out || fputs(seeds[k].text, out) < 0 || fclose(out)) return perror(path), 1;
  }
  return 0;
}
