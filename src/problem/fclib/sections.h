// Sections of contacts in a file: a group of our own beside those of FCLIB, whose readers pass over
// it.
//   /stiction_sections  section_of, corners, arcs, [corner], [arc]
#ifndef STC_PROBLEM_SECTIONS_H
#define STC_PROBLEM_SECTIONS_H

#include "../problem_data.h"
#include "file.h"
#include "h5_image.h"

/// Adds the group where some law has a section. Arrays live in the arena.
stc_error stc_sections_put(stc_image *image, const stc_problem *problem, stc_arena *arena);

/// What was read: *law is NULL where the file has no such group, else [contacts] in the file's
/// arena.
typedef struct stc_stored_sections {
  stc_law *law;
  stc_cone_section **section;  ///< [count] the caller's
  int count;
} stc_stored_sections;

stc_error stc_sections_read(stc_fclib_file *file, int dim, int contacts, const double *mu,
                            const double *mu2, stc_stored_sections *stored);

#endif
