// What the theorems of Paumier and Renard say of a strip, in words and as numbers of s.NAME.
#include "../../base/number.h"
#include "../view.h"
#include "elastodynamic_scene.h"

#include <string.h>

/// A text that grows by sentences.
typedef struct saying {
  char *text;
  size_t room, used;
} saying;

static void say(saying *s, const char *format, ...) STC_PRINTF(2, 3);

static void say(saying *s, const char *format, ...) {
  va_list args;
  if (s->used && s->room - s->used > 2) s->used += 2, memcpy(s->text + s->used - 2, "; ", 3);
  va_start(args, format);
  int count = stc_vsnprintf(s->text + s->used, s->room - s->used, format, args);
  va_end(args);
  if (count > 0)
    s->used += (size_t)count < s->room - s->used ? (size_t)count : s->room - s->used - 1;
}

static void say_fixed(saying *all, const stc_fixed_point *f) {
  if (f->converged)
    say(all, "fixed point of G in %d iterations, forces of the steps to %.1e", f->iterations,
        f->difference);
  else
    say(all, "G was iterated %d times down to %.1e of the motion", f->iterations, f->change);
  if (f->p > 0)
    say(all, "G^%d contracts by %.4f, %.3f per iteration at the end", f->p, f->factor, f->rate);
  else
    say(all, "no power of G contracted: b p max mu/eta_t = %.3g", f->instant);
  if (f->bound_p > 0) say(all, "proved for p = %.0f", f->bound_p);
}

void stc_wave_say_theorems(stc_wave_member *m) {
  const stc_wave_state *s = &m->state;
  saying all = {.text = m->theorems, .room = sizeof m->theorems};
  m->theorems[0] = 0;
  if (m->alpha > 0)
    say(&all, "C = %.4g, alpha = %.4g: norm %.3e, bound %.3e, at most %.2g of it", m->estimate.C,
        m->estimate.alpha, s->norm, s->bound, s->nearest);
  if (m->certificates)
    say(&all, "certificates: %.0f steps with one answer, %.0f with several, %.0f undecided",
        s->certified[STC_ANSWERS_ONE], s->certified[STC_ANSWERS_SEVERAL],
        s->certified[STC_ANSWERS_UNDECIDED]);
  if (m->fixed_window > 0) say_fixed(&all, &m->fixed);
}

static void show_fixed(lua_State *L, const stc_fixed_point *f) {
  stc_view_set_integer(L, "iterations_of_G", f->iterations);
  stc_view_set_integer(L, "p", f->p);
  stc_view_set_number(L, "factor", f->factor);
  stc_view_set_number(L, "rate", f->rate);
  stc_view_set_number(L, "bound_p", f->bound_p);
  stc_view_set_number(L, "difference", f->difference);
}

void stc_wave_show_theorems(lua_State *L, const stc_wave_member *m) {
  static const stc_number norms[] = {STC_NUMBER(stc_wave_state, norm),
                                     STC_NUMBER(stc_wave_state, bound),
                                     STC_NUMBER(stc_wave_state, nearest),
                                     {NULL, 0}};
  const stc_wave_state *s = &m->state;
  if (m->alpha > 0) {
    stc_view_set_numbers(L, s, norms);
    stc_view_set_number(L, "C", m->estimate.C);
    stc_view_set_number(L, "alpha", m->estimate.alpha);
    stc_view_set_number(L, "trace", m->estimate.trace);
    stc_view_set_number(L, "korn", m->estimate.korn);
  }
  if (m->certificates) {
    stc_view_set_text(L, "answers", stc_strip_answers_name((stc_strip_answers)s->answers));
    stc_view_set_number(L, "sharp", s->sharp);
    stc_view_set_number(L, "proved_one", s->certified[STC_ANSWERS_ONE]);
    stc_view_set_number(L, "proved_several", s->certified[STC_ANSWERS_SEVERAL]);
    stc_view_set_number(L, "undecided", s->certified[STC_ANSWERS_UNDECIDED]);
  }
  if (m->fixed_window > 0) show_fixed(L, &m->fixed);
}
