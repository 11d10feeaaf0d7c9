// The generators behind the table of kinds. Each receives options that generate.c has checked.
#ifndef STC_DYNAMICS_GENERATORS_H
#define STC_DYNAMICS_GENERATORS_H

#include <stiction/generate.h>

stc_error stc_generate_spheres(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_discs(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_wall(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_wall2d(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_arch(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_tower(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_box(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_chain(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_painleve(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_painleve3d(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_wedge(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_wedge3d(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_jammed(const stc_generator *options, stc_problem **problem);
stc_error stc_generate_multiple(const stc_generator *options, stc_problem **problem);

#endif
