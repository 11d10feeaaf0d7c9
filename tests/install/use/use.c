// One contact through the installed library: q = (-1, 0.5), mu = 1, W = I sticks with r = -q.
#include <stdio.h>

#include <stiction/stiction.h>

int main(void) {
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 0.5};
  double r[2] = {0, 0};
  stc_law law = stc_law_coulomb(2, 1);
  stc_contact_state state = stc_law_solve(&law, W, q, r);
  printf("stiction %s: %s, r = (%g, %g)\n", stc_version(), stc_contact_state_name(state), r[0],
         r[1]);
  return !(state == STC_CONTACT_STICK && r[0] == 1 && r[1] == -0.5);
}
