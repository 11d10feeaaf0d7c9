// The last linear step as a discrete Coulomb problem in the global form:
//   M = K, v = du, f = -b, w = gap and slip at du = 0.
#include "../base/fail.h"
#include "fem_data.h"

#include <string.h>

stc_error stc_fem_problem(const stc_fem *fem, stc_problem **problem, double **r) {
  size_t size = (size_t)fem->contacts * (size_t)fem->dim;
  *problem = NULL;
  if (r) *r = NULL;
  if (!fem->factorised || fem->H_version < 0 || !fem->contacts)
    return stc_fail(STC_ERR_ARGUMENT, "the model has no linear step with contact yet: advance it "
                                      "before asking for its problem");
  double *f = stc_calloc((size_t)fem->free, sizeof *f), *w = stc_calloc(size, sizeof *w);
  double *copy = stc_calloc(size, sizeof *copy);
  stc_error error = STC_OK;
  if (!f || !w || !copy) error = stc_fail(STC_ERR_MEMORY, "out of memory for the problem");
  if (!error) {
    for (int i = 0; i < fem->free; i++) f[i] = -fem->b[i];
    memcpy(w, fem->g, size * sizeof *w);
    memcpy(copy, fem->r, size * sizeof *copy);
    for (int k = 0; k < fem->contacts; k++)  // nothing opposite: open whatever happens
      if (!(fem->area[k] > 0)) w[k * fem->dim] = fem->length;
    error = stc_problem_create_global(&(stc_global_data){.dim = fem->dim,
                                                         .contacts = fem->contacts,
                                                         .dofs = fem->free,
                                                         .M = stc_csr_view(&fem->K),
                                                         .H = stc_csr_view(&fem->H),
                                                         .f = f,
                                                         .w = w,
                                                         .mu = fem->mu},
                                      problem);
  }
  stc_release(&f);
  stc_release(&w);
  if (!error && r)
    *r = copy;
  else
    stc_release(&copy);
  return error;
}
