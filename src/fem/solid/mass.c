// Mass: consistent on the pattern of K, or lumped.
//   m_ab = integral rho N_a N_b,   lumped m_a = m_aa (sum of all m) / (sum of all m_aa) per cell
#include "solid_data.h"

#include <string.h>

static stc_error check_density(const stc_solid *s) {
  for (int b = 0; b < s->bodies; b++)
    if (!(s->matter[b].density > 0))
      return stc_fail(STC_ERR_VALUE, "body %d has density %g; a mass needs density > 0", b,
                      s->matter[b].density);
  return STC_OK;
}

static void make_tables(const stc_solid *s, stc_table *table) {
  for (stc_cell_type type = 0; type < STC_CELL_TYPES; type++)
    if (stc_cell_dim(type) == s->dim) stc_table_create(type, STC_RULE_MASS, &table[type]);
}

static void cell_mass(const stc_solid *s, int k, const stc_table *t,
                      double (*m)[STC_CELL_MAX_NODES]) {
  double x[STC_CELL_MAX_DOFS];
  stc_solid_gather(s, k, s->mesh->x, x);
  for (int a = 0; a < t->nodes; a++)
    for (int b = 0; b < t->nodes; b++) m[a][b] = 0;
  for (int q = 0; q < t->rule.points; q++) {
    stc_point point;
    stc_point_at(t, q, x, &s->measure, &point);
    double mass = point.weight * s->matter[s->body[k]].density;
    for (int a = 0; a < t->nodes; a++)
      for (int b = 0; b < t->nodes; b++) m[a][b] += mass * t->N[q][a] * t->N[q][b];
  }
}

stc_error stc_solid_mass(const stc_solid *solid, double *val) {
  STC_TRY(check_density(solid));
  stc_table table[STC_CELL_TYPES];
  make_tables(solid, table);
  memset(val, 0, (size_t)stc_csr_entries(&solid->K) * sizeof *val);
  for (int k = 0; k < solid->cells; k++) {
    const stc_table *t = &table[solid->mesh->type[solid->cell[k]]];
    const int *node = stc_solid_nodes(solid, k), *at = solid->block_at + solid->block_ptr[k];
    double m[STC_CELL_MAX_NODES][STC_CELL_MAX_NODES];
    cell_mass(solid, k, t, m);
    for (int a = 0; a < t->nodes; a++)
      for (int b = 0; b < t->nodes; b++, at++)
        for (int i = 0; i < solid->dim; i++)
          val[solid->K.ptr[node[a] * solid->dim + i] + *at * solid->dim + i] += m[a][b];
  }
  return STC_OK;
}
