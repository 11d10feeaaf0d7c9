// Contact points of rigid bodies as a table: those of the step that begins at each row.
#include "bodies_export.h"

static void print_name(FILE *out, const stc_replay *replay, int body) {
  const char *name = stc_replay_name(replay, body);
  if (name)
    fprintf(out, "%s,", name);
  else
    fprintf(out, "%d,", body + 1);
}

static void print_points(FILE *out, const stc_replay *replay, const stage *s, double t) {
  for (int k = 0; k < s->forces; k++) {
    stc_world_contact c;
    const double *x = s->force[k].x, *f = s->force[k].f;
    stc_world_contact_at(stc_replay_world(replay), k, &c);
    fprintf(out, "%.17g,", t);
    for (int i = 0; i < 2; i++) print_name(out, replay, c.body[i]);
    fprintf(out, "%s,%.17g,%.17g,%.17g,%.17g,", stc_contact_state_name(c.state), x[0], x[1], x[2],
            c.touch.gap);
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", c.touch.normal[0], c.touch.normal[1],
            c.touch.normal[2], f[0], f[1], f[2]);
  }
}

int rigid_contacts(stc_replay *replay, FILE *out, long row) {
  stage s = {0};
  int status = CLI_DONE;
  long end = row < 0 ? stc_replay_rows(replay) : row + 1;
  fputs("t,first,second,state,x,y,z,gap,nx,ny,nz,fx,fy,fz\n", out);
  for (long k = row < 0 ? 0 : row; k < end && !status; k++) {
    stc_error error = stc_replay_load(replay, k);
    if (error) return cli_complain_library(error);
    double t = stc_replay_time(replay);
    status = rigid_add_forces(replay, &s);
    if (!status) print_points(out, replay, &s, t);
  }
  stage_free(&s);
  return status;
}
