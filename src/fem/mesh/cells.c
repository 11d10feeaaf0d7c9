// Cell types: names, dimensions, numbers of nodes.
#include <stiction/fem.h>

#include "shape_functions.h"

static const struct {
  const char *name;
  int dim, nodes, corners;
} cells[STC_CELL_TYPES] = {
    [STC_CELL_P1] = {"P1", 0, 1, 1}, [STC_CELL_L2] = {"L2", 1, 2, 2},
    [STC_CELL_L3] = {"L3", 1, 3, 2}, [STC_CELL_T3] = {"T3", 2, 3, 3},
    [STC_CELL_T6] = {"T6", 2, 6, 3}, [STC_CELL_Q4] = {"Q4", 2, 4, 4},
    [STC_CELL_Q8] = {"Q8", 2, 8, 4}, [STC_CELL_T4] = {"T4", 3, 4, 4},
    [STC_CELL_H8] = {"H8", 3, 8, 8},
};

static bool known_cell(stc_cell_type type) { return (unsigned)type < STC_CELL_TYPES; }

const char *stc_cell_name(stc_cell_type type) { return known_cell(type) ? cells[type].name : "?"; }

int stc_cell_dim(stc_cell_type type) { return known_cell(type) ? cells[type].dim : -1; }

int stc_cell_nodes(stc_cell_type type) { return known_cell(type) ? cells[type].nodes : 0; }

int stc_cell_corners(stc_cell_type type) { return known_cell(type) ? cells[type].corners : 0; }
