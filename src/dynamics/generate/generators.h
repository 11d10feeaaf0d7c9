// The generators behind the table of kinds. Each receives options that gallery.c has checked.
#ifndef STC_DYNAMICS_GENERATORS_H
#define STC_DYNAMICS_GENERATORS_H

#include <stiction/generate.h>

stc_error stc_gallery_spheres(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_discs(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_wall(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_wall2d(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_arch(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_tower(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_box(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_chain(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_painleve(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_painleve3d(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_wedge(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_wedge3d(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_jammed(const stc_gallery *options, stc_problem **problem);
stc_error stc_gallery_multiple(const stc_gallery *options, stc_problem **problem);

#endif
