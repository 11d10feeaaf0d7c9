// Whether the contact problem of a step must have a solution, by the certificates of the problem,
// and the impulses by which its walls jam where the existence criterion fails.
#include "simulation.h"

#include "../../base/fail.h"
#include "../../base/vec3.h"

#include <stiction/cert.h>

#include <math.h>
#include <string.h>

// |H^T rho| against |rho|, and -w.rho against the largest |w|, that count as a jam.
static const double BALANCE = 1e-4, AGAINST = 1e-3;

/// rho balances itself, and the velocities that are prescribed work against it.
static bool jams(stc_simulation *s, const double *rho) {
  const stc_contacts *c = &s->contacts;
  double size = stc_vector_norm(rho, c->H.rows), against = 0, largest = 0, scale = 0;
  stc_csr_multiply_transposed(&c->H, rho, 0, s->scratch);
  for (int k = 0; k < c->H.rows; k++) {
    double w = c->bounce[k] - c->drive[k];
    against += w * rho[k];
    largest = fmax(largest, fabs(w));
  }
  for (int e = 0; e < c->H.ptr[c->H.rows]; e++) scale = fmax(scale, fabs(c->H.val[e]));
  double left = stc_vector_norm(s->scratch, s->system.dofs);
  return left <= BALANCE * scale * size && against < -AGAINST * largest * size;
}

stc_error stc_contacts_existence(stc_simulation *s, stc_existence *existence, double *ray) {
  stc_certify_settings settings = stc_default_certify_settings();
  stc_certificate *certificate = NULL;
  *existence = STC_EXISTENCE_UNDECIDED;
  settings.cheap = true;
  stc_error error = stc_certify(s->problem, &settings, &certificate);
  if (error == STC_ERR_UNSUPPORTED) return STC_OK;  // spin and rolling have no certificates
  if (error) return error;
  const double *rho = stc_certificate_jamming(certificate);
  if (stc_certificate_verdict(certificate) == STC_VERDICT_EXISTS) {
    *existence = STC_EXISTENCE_PROVED;
  } else if (rho && jams(s, rho)) {
    *existence = STC_EXISTENCE_JAMMED;
    double size = stc_vector_norm(rho, s->contacts.H.rows);
    for (int k = 0; k < s->contacts.H.rows; k++) ray[k] = rho[k] / size;
  }
  stc_certificate_free(&certificate);
  return STC_OK;
}
