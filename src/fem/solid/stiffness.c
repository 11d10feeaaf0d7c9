// Internal force and tangent stiffness: cells by blocks, blocks by colours.
#include "../../base/stop.h"
#include "solid_data.h"

#include <string.h>

/// One assembly, as the threads see it.
typedef struct job {
  stc_solid *solid;
  const double *u;
  double *F, *val;  ///< val may be NULL
  const int *block;
} job;

/// Displacements of a cell's nodes less the shift of the first, which strains nothing: what is left
/// has the rounding errors of strains, however far the body moved. Towards an axis there is no
/// shift.
static void gather_shape(const stc_solid *s, int k, const double *u, double *v) {
  int nodes = stc_solid_table(s, k)->nodes, dim = s->dim;
  const double *first = u + (ptrdiff_t)stc_solid_nodes(s, k)[0] * dim;
  stc_solid_gather(s, k, u, v);
  for (int i = s->measure.axisymmetric; i < dim; i++)
    for (int a = 0; a < nodes; a++) v[a * dim + i] -= first[i];
}

/// Force and stiffness of a cell.
typedef struct cell_sums {
  double F[STC_CELL_MAX_DOFS];
  double K[STC_CELL_MAX_DOFS][STC_CELL_MAX_DOFS];
} cell_sums;

static bool sum_cell(const stc_solid *s, int k, const double *u, bool stiffness, cell_sums *sums) {
  const stc_table *t = stc_solid_table(s, k);
  const stc_response *r = &s->matter[s->body[k]].response;
  double x[STC_CELL_MAX_DOFS], v[STC_CELL_MAX_DOFS], D[STC_VOIGT][STC_VOIGT];
  double strain[STC_VOIGT], stress[STC_VOIGT];
  size_t numbers = (size_t)stc_response_history(r), at = s->history[k];
  stc_solid_gather(s, k, s->mesh->x, x);
  gather_shape(s, k, u, v);
  int dofs = t->nodes * t->dim;
  memset(sums->F, 0, (size_t)dofs * sizeof *sums->F);
  if (stiffness) memset(sums->K, 0, (size_t)dofs * sizeof *sums->K);
  for (int q = 0; q < t->rule.points; q++, at += numbers) {
    stc_point point;
    stc_point_at(t, q, x, &s->measure, &point);
    stc_point_strain(t, &point, v, strain);
    stc_solid_cool(s, k, q, strain);
    if (!stc_response_stress(r, strain, s->kept + at, s->trial + at, stress, stiffness ? D : NULL))
      return false;
    stc_point_add_force(t, &point, stress, sums->F);
    if (stiffness) stc_point_add_stiffness(t, &point, D, sums->K);
  }
  return true;
}

/// Adds the cell's blocks; `dim` is written out by the callers, for loops of known length.
static inline void add_blocks(const stc_solid *s, int k, int dim, const cell_sums *sums,
                              double *val) {
  const int *node = stc_solid_nodes(s, k), *at = s->block_at + s->block_ptr[k];
  int nodes = stc_solid_table(s, k)->nodes;
  for (int a = 0; a < nodes; a++, at += nodes)
    for (int i = 0; i < dim; i++) {
      const double *from = sums->K[a * dim + i];
      double *row = val + s->K.ptr[node[a] * dim + i];
      for (int b = 0; b < nodes; b++)
        for (int j = 0; j < dim; j++) row[at[b] * dim + j] += from[b * dim + j];
    }
}

static const double CELL = 2000;  // operations of a cell, about

static void assemble_block(void *argument, int k) {
  const job *j = argument;
  stc_solid *s = j->solid;
  int block = j->block[k];
  cell_sums sums;
  s->failed[block] = -1;
  for (int c = s->schedule.first[block]; c < s->schedule.first[block + 1]; c++) {
    if (stc_stop_due(CELL)) return;
    if (!sum_cell(s, c, j->u, j->val != NULL, &sums)) {
      s->failed[block] = c;
      return;
    }
    const int *node = stc_solid_nodes(s, c);
    int nodes = stc_solid_table(s, c)->nodes, dim = s->dim;
    for (int a = 0; a < nodes; a++)
      for (int i = 0; i < dim; i++) j->F[node[a] * dim + i] += sums.F[a * dim + i];
    if (j->val) {
      // What lies left of the diagonal is the mirror of what lies right of it.
      int dofs = stc_solid_table(s, c)->nodes * s->dim;
      for (int row = 1; row < dofs; row++)
        for (int col = 0; col < row; col++) sums.K[row][col] = sums.K[col][row];
      if (s->dim == 2)
        add_blocks(s, c, 2, &sums, j->val);
      else
        add_blocks(s, c, 3, &sums, j->val);
    }
  }
}

static stc_error name_failure(const stc_solid *s) {
  for (int block = 0; block < s->schedule.blocks; block++) {
    if (s->failed[block] < 0) continue;
    int c = s->cell[s->failed[block]];
    double x[3] = {0};
    stc_mesh_centre(s->mesh, c, x);
    return stc_fail(STC_ERR_NUMERIC,
                    "no finite stress in cell %d (%s) at (%g, %g, %g); take a smaller step", c,
                    stc_cell_name(s->mesh->type[c]), x[0], x[1], x[2]);
  }
  return STC_OK;
}

stc_error stc_solid_assemble(stc_solid *solid, const double *u, double *F, double *val) {
  const stc_schedule *p = &solid->schedule;
  memcpy(solid->u, u, (size_t)solid->size * sizeof *u);
  memset(F, 0, (size_t)solid->size * sizeof *F);
  if (val) memset(val, 0, (size_t)stc_csr_entries(&solid->K) * sizeof *val);
  for (int c = 0; c < p->colours; c++) {
    job j = {solid, solid->u, F, val, p->block + p->colour[c]};
    stc_team_run(solid->team, assemble_block, &j, p->colour[c + 1] - p->colour[c]);
  }
  STC_TRY(stc_stop_try(0));
  return name_failure(solid);
}

void stc_solid_keep(stc_solid *solid) {
  memcpy(solid->kept, solid->trial, solid->history[solid->cells] * sizeof *solid->kept);
}
