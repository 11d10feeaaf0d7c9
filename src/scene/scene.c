// Reads a scene: the file, the sandbox, what the scene says, and whether it says enough.
#include "../base/load.h"
#include "bodies/context.h"
#include "elastodynamic/elastodynamic_scene.h"
#include "fem/fem_scene.h"
#include "kind.h"
#include "parameters.h"
#include "scene_data.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

static const size_t USUAL_MEMORY = (size_t)256 << 20;  // bytes
static const long USUAL_INSTRUCTIONS = 100000000;      // about a second
static const double USUAL_SECONDS = 10;                // of the processor
static const size_t LONGEST_FILE = 16 << 20;           // bytes

stc_scene *stc_scene_of(lua_State *L) { return stc_sandbox_of(L)->user; }

// What is about to be taken from the arena fits into the account of the scene.
static void check_room(lua_State *L, size_t bytes) {
  if (bytes > stc_sandbox_room(L)) stc_sandbox_account(L, bytes);
}

const char *stc_scene_copy(lua_State *L, const char *text) {
  size_t length = strlen(text);
  check_room(L, length);
  char *copy = STC_TAKE(&stc_scene_of(L)->arena, char, length + 1);
  if (!copy) luaL_error(L, "out of memory");
  return memcpy(copy, text, length + 1);
}

double *stc_scene_numbers(lua_State *L, size_t count) {
  check_room(L, count > SIZE_MAX / sizeof(double) ? SIZE_MAX : count * sizeof(double));
  double *numbers = STC_TAKE(&stc_scene_of(L)->arena, double, count);
  if (!numbers) luaL_error(L, "out of memory for %I numbers", (LUAI_UACINT)count);
  return numbers;
}

// --- What was said ---

static stc_error missing(const stc_scene *scene, const char *what) {
  return stc_fail(STC_ERR_FORMAT, "%s:1: the scene does not describe its %s: %s { ... }",
                  scene->path, what, what);
}

// The dimension that one wall asks for; 0 if any will do.
static int dim_of_wall(const stc_scene_wall_data *wall) {
  if (wall->friction.law.dim) return wall->friction.law.dim;
  return wall->tangents.constant ? wall->tangents.rows + 1 : 0;
}

// The dimension of the contacts: what the system says, else what a wall asks for, else that of a
// point in the plane or in space.
static stc_error find_dim(stc_scene *scene) {
  for (int k = 0; k < scene->walls && !scene->dim; k++) scene->dim = dim_of_wall(&scene->wall[k]);
  if (!scene->dim && (scene->dofs == 2 || scene->dofs == 3)) scene->dim = scene->dofs;
  if (!scene->dim && scene->walls == 0) scene->dim = 2;
  if (scene->dim) return STC_OK;
  return stc_fail(STC_ERR_FORMAT,
                  "%s:%d: how many components a contact has is not said; give system an entry dim: "
                  "2 in the plane, 3 in space",
                  scene->path, scene->wall[0].line);
}

static stc_error check_wall(const stc_scene *scene, stc_scene_wall_data *wall) {
  int asked = dim_of_wall(wall);
  if (asked && asked != scene->dim)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: wall '%s' has contacts of %d components, the scene of %d", scene->path,
                    wall->line, wall->name, asked, scene->dim);
  bool has_tangents = wall->tangents.constant || stc_callback_is_there(&wall->tangents.function);
  if (!has_tangents && scene->dofs != scene->dim)
    return stc_fail(STC_ERR_FORMAT,
                    "%s:%d: wall '%s' needs an entry 'tangents', %d vectors: only for a point in "
                    "the plane or in space can they be left out",
                    scene->path, wall->line, wall->name, scene->dim - 1);
  wall->friction.law.dim = scene->dim;
  if (stc_law_check(&wall->friction.law) == STC_OK) return STC_OK;
  return stc_fail(STC_ERR_FORMAT, "%s:%d: wall '%s': %s", scene->path, wall->line, wall->name,
                  stc_error_detail());
}

stc_error stc_scene_check_system(stc_scene *scene) {
  if (!scene->dofs) return missing(scene, "system");
  if (!scene->has_run) return missing(scene, "run");
  STC_TRY(find_dim(scene));
  for (int k = 0; k < scene->walls; k++) STC_TRY(check_wall(scene, &scene->wall[k]));
  // Steps that are taken several times and combined have no place for what a contact remembers.
  for (int k = 0; k < scene->walls && scene->scheme == STC_SCHEME_EXTRAPOLATED; k++) {
    const stc_scene_wall_data *wall = &scene->wall[k];
    if (wall->friction.varies || wall->friction.patch.R > 0 || wall->restitution > 0)
      return stc_fail(STC_ERR_FORMAT,
                      "%s:%d: wall '%s': the extrapolated scheme is for smooth motion: a constant "
                      "mu, a radius that stays and no restitution",
                      scene->path, wall->line, wall->name);
  }
  return STC_OK;
}

// --- Reading ---

static int open_functions(lua_State *L) {
  stc_scene *scene = stc_scene_of(L);
  stc_scene_open_friction(L);
  stc_scene_open_functions(L);
  stc_deform_open_functions(L);
  stc_wave_open_functions(L);
  stc_bodies_open_functions(L);
  for (int k = 0; k < 2; k++) {
    lua_newtable(L);
    stc_guard_table(L);
    scene->args[k] = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  return stc_sandbox_seal(L);
}

static stc_error read_text(stc_scene *scene, const stc_scene_options *options) {
  long instructions = options->instructions > 0 ? options->instructions : USUAL_INSTRUCTIONS;
  scene->options = options;
  scene->box.path = scene->path;
  scene->box.most = options->memory ? options->memory : USUAL_MEMORY;
  scene->box.seconds = options->seconds > 0 ? options->seconds : USUAL_SECONDS;
  scene->box.beside = &scene->arena.bytes;
  scene->box.user = scene;
  scene->box.renamed = stc_old_global;
  scene->stepping = stc_default_stepping();
  scene->after_step.ref = scene->potential.ref = LUA_NOREF;
  STC_TRY(stc_sandbox_open(&scene->box));
  scene->box.instructions = instructions;
  STC_TRY(stc_sandbox_call(&scene->box, open_functions, NULL, 1));
  STC_TRY(stc_sandbox_run(&scene->box, scene->text, scene->length, instructions));
  STC_TRY(stc_scene_check_sets(scene));
  if (!scene->kind && scene->deform) scene->kind = &stc_kind_fem;  // meshes and nothing else
  if (!scene->kind) return missing(scene, "system");
  STC_TRY(scene->kind->check(scene));
  scene->options = NULL;
  return STC_OK;
}

static char *copy_of(stc_arena *arena, const char *text, size_t length) {
  char *copy = STC_TAKE(arena, char, length + 1);
  return copy ? memcpy(copy, text, length) : NULL;
}

stc_error stc_scene_read_text(const char *path, const char *text, size_t length,
                              const stc_scene_options *options, stc_scene **scene) {
  static const stc_scene_options usual = {0};
  if (scene) *scene = NULL;
  if (!path || !text || !scene || (options && options->sets && !options->set))
    return stc_fail(STC_ERR_ARGUMENT, "stc_scene_read_text needs a path, a text and an address");
  stc_scene *made = *scene = stc_calloc(1, sizeof *made);
  if (!made) return stc_fail(STC_ERR_MEMORY, "%s: out of memory for a scene", path);
  made->path = copy_of(&made->arena, path, strlen(path));
  made->text = copy_of(&made->arena, text, length);
  made->length = length;
  stc_error error = stc_arena_check(&made->arena);
  if (!error) error = read_text(made, options ? options : &usual);
  if (error) stc_scene_free(scene);
  return error;
}

stc_error stc_scene_read(const char *path, const stc_scene_options *options, stc_scene **scene) {
  char *text = NULL;
  size_t length = 0;
  if (scene) *scene = NULL;
  if (!path || !scene)
    return stc_fail(STC_ERR_ARGUMENT, "stc_scene_read needs a path and an address");
  stc_error error = stc_load(path, "a scene", LONGEST_FILE, &text, &length);
  if (!error) error = stc_scene_read_text(path, text, length, options, scene);
  stc_release(&text);
  return error;
}

void stc_scene_free(stc_scene **scene) {
  if (!scene || !*scene) return;
  stc_sandbox_close(&(*scene)->box);
  stc_deform_free(&(*scene)->deform);
  stc_bodies_free(&(*scene)->context);
  stc_scene_free_sections(*scene);
  stc_arena_free(&(*scene)->arena);
  stc_release(scene);
}

// --- Asking ---

bool stc_scene_parameter(const stc_scene *scene, int k, stc_parameter *parameter) {
  if (k < 0 || k >= scene->parameters) return false;
  *parameter = scene->parameter[k];
  return true;
}

const char *stc_scene_observable(const stc_scene *scene, int k) {
  return k >= 0 && k < scene->observables ? scene->observable[k].name : NULL;
}

const char *stc_scene_series(const stc_scene *scene, int k) {
  return k >= 0 && k < scene->series ? scene->serie[k].name : NULL;
}

const char *stc_scene_wall(const stc_scene *scene, int k) {
  return k >= 0 && k < scene->walls ? scene->wall[k].name : NULL;
}

const char *stc_scene_pair(const stc_scene *scene, int k) {
  const stc_deform *d = scene->deform;
  return d && k >= 0 && k < d->pairs.count ? d->pair[k].pair.name : NULL;
}

int stc_scene_dofs(const stc_scene *scene) { return scene->dofs; }
double stc_scene_end(const stc_scene *scene) { return scene->t_end; }
