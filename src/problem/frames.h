// Contact frames: u_local = F u_space at every contact.
#ifndef STC_PROBLEM_FRAMES_H
#define STC_PROBLEM_FRAMES_H

#include "../linalg/csr.h"

/// Rows of H [dim*contacts x dofs] given in space axes, rotated into the frame of their contact.
stc_error stc_frames_rotate_rows(stc_arena *arena, const double *frame, int dim, const stc_csr *H,
                                 stc_csr *rotated);

/// The same for a vector [dim*contacts], in place.
void stc_frames_rotate(const double *frame, int dim, int contacts, double *x);

#endif
