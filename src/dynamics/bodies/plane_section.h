// What a part of a body has in the plane z = 0.
#ifndef STC_DYNAMICS_PLANE_SECTION_H
#define STC_DYNAMICS_PLANE_SECTION_H

#include "world_data.h"

typedef struct stc_plane_section {
  double area;
  double centre[2];
  double moment;  ///< polar, about the centre
} stc_plane_section;

/// Of a part that has a volume. Refuses one that does not meet the plane, and a capsule or cylinder
/// that leans out of it.
stc_error stc_part_section(const stc_part *part, stc_plane_section *section);

#endif
