// Tables of run files.
#include "run_tables.h"
#include "output.h"

void run_table(FILE *out, const stc_trajectory *run, const int *column, int columns) {
  csv c = {.out = out};
  for (int k = 0; k < columns; k++) csv_text(&c, run->name[column[k]]);
  csv_end(&c);
  for (long i = 0; i < run->rows; i++) {
    const double *row = run->value + (size_t)i * (size_t)run->columns;
    for (int k = 0; k < columns; k++) csv_reals(&c, &row[column[k]], 1);
    csv_end(&c);
  }
}

// ---- deformable bodies

bool run_table_fem(FILE *out, stc_snapshot *s, long row) {
  csv c = {.out = out};
  fputs("t,contact,node,state,x,y,z,gap,pressure,shear1,shear2,slip1,slip2,area,nx,ny,nz\n", out);
  for (long k = row < 0 ? 0 : row; k < (row < 0 ? s->rows : row + 1); k++) {
    if (!render_succeeds(stc_snapshot_load(s, k))) return false;
    for (int pair = 0; pair < s->pairs; pair++)
      for (int i = s->first[pair]; i < s->first[pair + 1]; i++) {
        char node[16];
        snprintf(node, sizeof node, "%d", s->point[i].node + 1);
        csv_reals(&c, &s->t, 1);
        csv_text(&c, s->pair[pair]);
        csv_text(&c, node);
        csv_text(&c, stc_contact_state_name(s->point[i].state));
        csv_reals(&c, s->point[i].x, 3);
        csv_reals(&c, (double[]){s->point[i].gap, s->point[i].pressure}, 2);
        csv_reals(&c, s->point[i].shear, 2);
        csv_reals(&c, s->point[i].slip, 2);
        csv_reals(&c, &s->point[i].area, 1);
        csv_reals(&c, s->point[i].normal, 3);
        csv_end(&c);
      }
  }
  return true;
}

// ---- rigid bodies: the contacts of the step that begins at each row

bool run_add_forces(stc_replay *replay, stage *s) {
  stc_world_report report;
  if (!render_succeeds(stc_replay_step(replay, &report))) return false;
  if (!report.accepted) {
    return render_fails("row %ld: the step that begins there has no answer: %s",
                        stc_replay_row(replay), report.reason);
  }
  if (stage_add_forces(s, stc_replay_world(replay))) return true;
  return render_fails("out of memory for the forces");
}

static void put_contacts(csv *c, const stc_replay *replay, const stage *s, double t) {
  for (int k = 0; k < s->forces; k++) {
    stc_world_contact contact;
    stc_world_contact_at(stc_replay_world(replay), k, &contact);
    csv_reals(c, &t, 1);
    for (int i = 0; i < 2; i++) {
      char number[16];
      const char *name = stc_replay_name(replay, contact.body[i].index);
      snprintf(number, sizeof number, "%d", contact.body[i].index + 1);
      csv_text(c, name ? name : number);
    }
    csv_text(c, stc_contact_state_name(contact.state));
    csv_reals(c, s->force[k].x, 3);
    csv_reals(c, &contact.point.gap, 1);
    csv_reals(c, contact.point.normal, 3);
    csv_reals(c, s->force[k].f, 3);
    csv_end(c);
  }
}

bool run_table_bodies(FILE *out, stc_replay *replay, long row) {
  stage s = {0};
  csv c = {.out = out};
  bool good = true;
  long end = row < 0 ? stc_replay_rows(replay) : row + 1;
  fputs("t,first,second,state,x,y,z,gap,nx,ny,nz,fx,fy,fz\n", out);
  for (long k = row < 0 ? 0 : row; k < end && good; k++) {
    good = render_succeeds(stc_replay_load(replay, k));
    double t = stc_replay_time(replay);
    good = good && run_add_forces(replay, &s);
    if (good) put_contacts(&c, replay, &s, t);
  }
  stage_free(&s);
  return good;
}
