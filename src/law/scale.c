// The scaling of the laws whose cone is an ellipse over a plane.
#include "scale.h"
#include "law_ops.h"

bool stc_law_scale(const stc_law *law, double *D) {
  bool round = law->kind == STC_LAW_FRICTIONLESS || law->kind == STC_LAW_COULOMB ||
               law->kind == STC_LAW_ELLIPTIC;
  D[0] = 1.0;
  for (int k = 1; k < law->dim; k++)
    D[k] = !round ? 1.0 : law->kind == STC_LAW_FRICTIONLESS ? 0.0 : stc_law_mu(law, k - 1);
  return round;
}
