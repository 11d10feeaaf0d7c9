// The library never prints. What it has to say goes to two hooks of the caller: `log` gets
// sentences, `progress` gets numbers after each judgement and may stop the solve.
#include <stdio.h>
#include <stdlib.h>
#include <stiction/stiction.h>

typedef struct diary {
  int sentences;
  double printed;      // eta of the last line we printed
  double good_enough;  // eta at which we stop, long before the tolerance
} diary;

static void on_log(void *user, stc_log_level level, const char *message) {
  static const char *const names[] = {"debug", "info", "warning"};
  diary *d = user;
  d->sentences++;
  printf("  [%s] %s\n", names[level], message);
}

static bool on_progress(void *user, const stc_progress *p) {
  diary *d = user;
  if (p->best_eta < 0.1 * d->printed) {  // a line for each decimal digit
    printf("  %-12s %6ld iterations  eta %.1e\n", p->method, p->iterations, p->best_eta);
    d->printed = p->best_eta;
  }
  return p->best_eta > d->good_enough;  // false: stop and give me the best
}

static stc_error solve(const stc_problem *tower, diary *d, stc_info *info) {
  double *r = calloc((size_t)stc_problem_size(tower), sizeof *r);
  stc_settings settings = stc_default_settings();
  settings.log = on_log;
  settings.progress = on_progress;
  settings.user = d;
  stc_solver *solver = NULL;
  stc_error error = stc_solver_setup(&solver, tower, &settings);
  if (!error) error = stc_solver_solve(solver, &(stc_solution){.r = r}, info);
  stc_solver_free(&solver);
  free(r);
  return error;
}

int main(void) {
  stc_generator options = stc_default_generator("tower");
  stc_problem *tower = NULL;
  stc_info info;
  stc_error error = stc_generate(&options, &tower);
  for (int round = 0; !error && round < 2; round++) {
    diary d = {.printed = 10, .good_enough = round == 0 ? 0 : 1e-3};
    printf(round == 0 ? "To the end:\n" : "Until eta is 1e-3:\n");
    error = solve(tower, &d, &info);
    if (!error)
      printf("%s with eta %.1e; %d sentences\n\n", stc_status_name(info.status), info.residual.eta,
             d.sentences);
  }
  if (error) fprintf(stderr, "%s: %s\n", stc_error_text(error), stc_error_detail());
  stc_problem_free(&tower);
  return error ? 1 : 0;
}
