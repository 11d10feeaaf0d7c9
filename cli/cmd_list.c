// stiction list: the tables of the library.
#include <string.h>

#include "cli.h"

// A list of names with a line on each.
typedef struct name_table {
  const char *name;
  cli_name_fn item;
  cli_name_fn summary;
} name_table;

static const char *setting_name(int k) {
  stc_setting field;
  return stc_settings_field(k, &field) ? field.name : NULL;
}

static const char *setting_meaning(int k) {
  stc_setting field;
  return stc_settings_field(k, &field) ? field.meaning : NULL;
}

// ---- deformable bodies

// Cells that fill the plane or space: those of a surface are not listed.
static stc_cell_type element_type(int k) {
  stc_cell_type type = 0;
  for (; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) > 1 && k-- == 0) break;
  return type;
}

static const char *element_name(int k) {
  stc_cell_type type = element_type(k);
  return type < STC_CELL_TYPES ? stc_cell_name(type) : NULL;
}

static const char *element_summary(int k) { return stc_cell_summary(element_type(k)); }

static const char *const materials[][2] = {
    {"elastic", "body { young, poisson }: linear and isotropic"},
    {"elastoplastic", "body { young, poisson, yield, hardening }: J2 with isotropic hardening"}};
enum { MATERIALS = sizeof materials / sizeof *materials };

static const char *material_name(int k) { return k < MATERIALS ? materials[k][0] : NULL; }
static const char *material_summary(int k) { return k < MATERIALS ? materials[k][1] : NULL; }

static const char *contact_name(int k) {
  return k <= STC_CONTACT_PENALTY ? stc_contact_method_name((stc_contact_method)k) : NULL;
}

static const char *contact_summary(int k) {
  static const char *const summary[STC_CONTACT_PENALTY + 1] = {
      "active-set, with the solvers of the discrete Coulomb problem behind it",
      "semismooth Newton, statuses found inside each linear step; nothing to choose",
      "adapted augmented Lagrangian: eps0 is only where it starts",
      "augmented Lagrangian with the penalty eps0", "the penalty eps0 as it stands"};
  return k <= STC_CONTACT_PENALTY ? summary[k] : NULL;
}

#define FEM_NAME(type, name, initial, least, greatest, meaning)    #name,
#define FEM_MEANING(type, name, initial, least, greatest, meaning) meaning,
static const char *const step_names[] = {STC_FEM_FIELDS(FEM_NAME) NULL};
static const char *const step_meanings[] = {STC_FEM_FIELDS(FEM_MEANING) NULL};
static const char *step_name(int k) { return step_names[k]; }
static const char *step_meaning(int k) { return step_meanings[k]; }

static const name_table tables[] = {{"methods", stc_method_name, stc_method_summary},
                                    {"laws", stc_law_name, stc_law_summary},
                                    {"settings", setting_name, setting_meaning},
                                    {"kinds", stc_generator_name, stc_generator_summary},
                                    {"scenes", cli_scene_name, cli_scene_summary},
                                    {"elements", element_name, element_summary},
                                    {"materials", material_name, material_summary},
                                    {"contact", contact_name, contact_summary},
                                    {"steps", step_name, step_meaning}};
enum { TABLES = sizeof tables / sizeof *tables };

static const char *table_name(int k) { return k < TABLES ? tables[k].name : NULL; }

static void print_table(const name_table *table) {
  int width = 0;
  stc_setting field;
  char range[40];
  for (int k = 0; table->item(k); k++) {
    int length = (int)strlen(table->item(k));
    if (length > width) width = length;
  }
  for (int k = 0; table->item(k); k++) {
    printf("%-*s  ", width, table->item(k));
    if (table->item == setting_name && stc_settings_field(k, &field)) {
      snprintf(range, sizeof range, "[%g, %g]", field.least, field.greatest);
      printf("%-6s  %-6g  %-14s  ", field.type, field.initial, range);
    }
    puts(table->summary(k));
  }
}

static void write_table(const name_table *table) {
  stc_setting field;
  cli_json json = cli_json_begin(stdout);
  cli_json_open(&json, table->name, '[');
  for (int k = 0; table->item(k); k++) {
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "name", table->item(k));
    cli_json_text(&json, "summary", table->summary(k));
    if (table->item == setting_name && stc_settings_field(k, &field)) {
      cli_json_text(&json, "type", field.type);
      cli_json_real(&json, "default", field.initial);
      cli_json_real(&json, "least", field.least);
      cli_json_real(&json, "greatest", field.greatest);
    }
    cli_json_close(&json, '}');
  }
  cli_json_close(&json, ']');
  cli_json_end(&json);
}

static int run_list(void *user) {
  const cli_args *args = user;
  const name_table *table = tables;
  if (!cli_known("list", args->word[0], table_name)) return CLI_WRONG;
  while (strcmp(args->word[0], table->name) != 0) table++;
  if (!table->item(0))
    cli_note("no %s were found; STICTION_SCENES names the directory they are in", table->name);
  if (args->json) write_table(table);
  if (!args->json && !args->quiet) print_table(table);
  return CLI_DONE;
}

#define JOB cli_args
COMMAND(list, "methods|laws|settings|kinds|scenes|elements|materials|contact|steps", 1, 1,
        "methods, laws, settings, scenes, elements and what else there is",
        "Lists what there is: methods and settings of 'solve', friction laws, kinds of\n"
        "'generate', scenes of 'run'; for deformable bodies elements, materials, contact\n"
        "methods and the entries of steps { }. A setting shows its type, default and\n"
        "range.",
        run_list, .options = NULL);
