// Deformable bodies on meshes, small strain, with unilateral contact and dry friction:
//   F_int(u) = F_ext(t) + H(u)^T r,   (gap and slip, r) obey the contact law at every slave node,
// quasi-static, in load steps. Every setting has a default; the default method has no penalty.
//   stc_mesh_read -> stc_fem_create -> stc_fem_advance ... -> results -> stc_fem_free
// Units are SI, or any consistent set (N, mm, MPa).
#ifndef STICTION_FEM_H
#define STICTION_FEM_H

#include <stiction/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- Meshes ---

/// Cells, their nodes in Gmsh's order.
typedef enum stc_cell_type {
  STC_CELL_P1,  ///< a point
  STC_CELL_L2,  ///< line, 2 nodes
  STC_CELL_L3,  ///< line, 3 nodes
  STC_CELL_T3,  ///< triangle
  STC_CELL_T6,
  STC_CELL_Q4,  ///< quadrilateral
  STC_CELL_Q8,  ///< serendipity
  STC_CELL_T4,  ///< tetrahedron
  STC_CELL_H8,  ///< hexahedron
  STC_CELL_TYPES
} stc_cell_type;

STC_API const char *stc_cell_name(stc_cell_type type);  ///< "T3", ...
STC_API const char *stc_cell_summary(stc_cell_type type);
STC_API int stc_cell_dim(stc_cell_type type);
STC_API int stc_cell_nodes(stc_cell_type type);
STC_API int stc_cell_vtk(stc_cell_type type);  ///< VTK's number; it orders the nodes alike

/// Cells with a name: a body or a part of a surface.
typedef struct stc_group {
  const char *name;
  int dim;          ///< of its cells
  int cells;        ///< how many
  const int *cell;  ///< [cells] their numbers
} stc_group;

/// A mesh as plain arrays. One that the library made is freed with stc_mesh_free; one of the
/// caller's is only read.
typedef struct stc_mesh {
  int dim;  ///< of space: 2 or 3
  int nodes;
  const double *x;            ///< [nodes*dim]
  int cells;                  ///< bodies and surfaces alike
  const unsigned char *type;  ///< [cells] stc_cell_type
  const int *ptr;             ///< [cells+1] into node
  const int *node;            ///< [ptr[cells]]
  int groups;
  const stc_group *group;  ///< [groups]
} stc_mesh;

/// Reads a Gmsh file, version 2.2 or 4.1, ASCII or binary. Physical groups give the names; one
/// without a name is called by its number, and without any the cells of the highest dimension are
/// "body". A mesh whose z are all 0 is plane. A failure names the
/// file and the line or the entity.
STC_API stc_error stc_mesh_read(const char *path, stc_mesh **mesh);
STC_API stc_error stc_mesh_read_bytes(const char *path, const void *bytes, size_t length,
                                      stc_mesh **mesh);

/// Writes Gmsh 4.1 ASCII, whole or not at all.
STC_API stc_error stc_mesh_write(const char *path, const stc_mesh *mesh);

/// Cells the mapped grid is made of, with nodes at map(s, t[, w]) for s, t, w in the given rising
/// lists of numbers in [0, 1]. Quadratic cells put their mid nodes at map of the middle.
typedef struct stc_grid {
  stc_cell_type type;     ///< T3, T6, Q4, Q8; T4, H8
  int count[3];           ///< numbers in each list, at least 2; the third only in 3D
  const double *list[3];  ///< NULL: equally spaced
  const char *body;       ///< name of the body; its sides are "body.s0", "body.s1", "body.t0", ...
  /// x [2 or 3] of the point with coordinates s [2 or 3]; false stops. NULL: x = s.
  bool (*map)(void *user, const double *s, double *x);
  void *user;
} stc_grid;

/// Whether stc_mesh_grid makes cells of that type.
STC_API bool stc_cell_in_grid(stc_cell_type type);

STC_API stc_error stc_mesh_grid(const stc_grid *grid, stc_mesh **mesh);

/// One mesh of several, side by side: nodes are not merged; groups with one name become one.
STC_API stc_error stc_mesh_join(int count, const stc_mesh *const *mesh, stc_mesh **joined);

/// The number of a group; -1 if there is none of that name.
STC_API int stc_mesh_find(const stc_mesh *mesh, const char *name);

/// Refuses, naming the first one: indices out of range, coordinates that are not finite, inverted
/// or degenerate cells, nodes that belong to no body, surfaces with an edge of three cells.
STC_API stc_error stc_mesh_check(const stc_mesh *mesh);
STC_API void stc_mesh_free(stc_mesh **mesh);

// --- What is solved ---

typedef enum stc_kinematics {
  STC_PLANE_STRAIN,
  STC_PLANE_STRESS,
  STC_AXISYMMETRIC,  ///< x = (r, z); forces are those of the whole circle
  STC_SOLID
} stc_kinematics;

/// Isotropic; with a finite yield stress J2 plasticity with linear isotropic hardening,
/// sigma_y = yield + hardening * alpha, alpha the equivalent plastic strain.
typedef struct stc_material {
  double young, poisson;
  double yield;  ///< 0: elastic
  double hardening;
  double density;
} stc_material;

typedef struct stc_body {
  const char *group;
  stc_material material;
  double force[3];  ///< per volume
} stc_body;

/// A number that may depend on time and place; without a function it is `value` always.
typedef struct stc_given {
  double value;
  bool (*function)(void *user, double t, const double *x, double *value);
  void *user;
} stc_given;

/// Displacement component of a group's nodes.
typedef struct stc_support {
  const char *group;
  int component;
  stc_given displacement;
} stc_support;

/// Force per area on a surface (per length times unit thickness in the plane).
typedef struct stc_traction {
  const char *group;
  int component;  ///< -1: along the inward normal, a pressure
  stc_given traction;
} stc_traction;

/// A rigid obstacle: signed distance and outward unit normal at x; false stops.
typedef struct stc_obstacle {
  bool (*distance)(void *user, double t, const double *x, double *gap, double *normal);
  /// Displacement of the obstacle since t = 0 at the point x; NULL: at rest.
  bool (*motion)(void *user, double t, const double *x, double *displacement);
  void *user;
} stc_obstacle;

/// Slave nodes against a master surface or an obstacle.
typedef struct stc_pair {
  const char *name;    ///< for results and sentences
  const char *slave;   ///< group
  const char *master;  ///< group; NULL: the obstacle
  stc_obstacle obstacle;
  double mu;
  bool finite_sliding;  ///< the place on the master is found again in every iteration
  double normal[3];     ///< a fixed normal of the contact frame; zeros: from the surfaces
} stc_pair;

typedef struct stc_fem_description {
  const stc_mesh *mesh;
  stc_kinematics kinematics;
  double thickness;  ///< in the plane; 0: 1
  int bodies;
  const stc_body *body;
  int supports;
  const stc_support *support;
  int tractions;
  const stc_traction *traction;
  int pairs;
  const stc_pair *pair;
  const struct stc_thermal_description *thermal;  ///< heat and current: thermal.h; NULL: none
} stc_fem_description;

typedef enum stc_contact_method {
  STC_CONTACT_AUTO,  ///< active set, with the solvers of the discrete Coulomb problem behind it
  STC_CONTACT_ACTIVE_SET,  ///< semismooth Newton, statuses found inside each linear step
  STC_CONTACT_ADAPTED,     ///< adapted augmented Lagrangian: eps0 is only where it starts
  STC_CONTACT_UZAWA,       ///< augmented Lagrangian with the penalty eps0
  STC_CONTACT_PENALTY      ///< eps0 as it stands
} stc_contact_method;

/// FIELD(type, name, default, least, greatest, meaning)
#define STC_FEM_FIELDS(FIELD)                                                                      \
  FIELD(double, eps0, 0, 0, 1e300,                                                                 \
        "penalty, pressure per length, of adapted, uzawa, penalty; "                               \
        "0: from the bodies' stiffness")                                                           \
  FIELD(double, gap, 0, 0, 1e300,                                                                  \
        "penetration that adapted and uzawa leave; 0: from the size of the cells")                 \
  FIELD(double, first_gap, 0, 0, 1e300,                                                            \
        "penetration at the first augmentation of adapted; 0: from gap or the size of the cells")  \
  FIELD(                                                                                           \
      int, augmentations, -1, -1, 100,                                                             \
      "of adapted, each with a tenth of the gap before: gap = first_gap / 10^augmentations, two "  \
      "of them are chosen; -1: from gap and first_gap, or 1")                                      \
  FIELD(int, line_search, 1, 0, 1,                                                                 \
        "0: full Newton steps, penalties with the statuses of the iterate before")                 \
  FIELD(double, tol, 1e-10, 1e-15, 1, "relative residual of equilibrium")                          \
  FIELD(int, max_iterations, 100, 1, 1000000, "linear solves in one load step before it is cut")   \
  FIELD(int, max_cuts, 10, 0, 60, "halvings of a load step")                                       \
  FIELD(double, max_strain, 0.1, 0, 1e300, "principal strain up to which small strain is trusted") \
  FIELD(double, max_rotation, 0.1, 0, 1e300, "rotation, rad, up to which small strain is trusted") \
  FIELD(double, memory, 6e9, 1, 1e300, "bytes a factor of the stiffness may take; else multigrid") \
  FIELD(int, threads, 1, 1, 1024, "threads")

#define STC_FIELD_DECLARE(type, name, initial, least, greatest, meaning) type name;
typedef struct stc_fem_settings {
  stc_contact_method method;
  STC_FEM_FIELDS(STC_FIELD_DECLARE)
  /// Called between linear solves with the stage in words; false interrupts. NULL: never.
  bool (*progress)(void *user, const char *stage, double done);
  void *progress_user;
} stc_fem_settings;
#undef STC_FIELD_DECLARE

STC_API stc_fem_settings stc_default_fem_settings(void);
STC_API const char *stc_contact_method_name(stc_contact_method method);  ///< "active-set", ...

typedef struct stc_fem stc_fem;

/// Checks the description, numbers the unknowns, finds the contact candidates. The mesh must
/// outlive it; the rest is copied.
STC_API stc_error stc_fem_create(const stc_fem_description *description,
                                 const stc_fem_settings *settings, stc_fem **fem);
STC_API void stc_fem_free(stc_fem **fem);

/// What a load step did.
typedef struct stc_fem_report {
  bool accepted;  ///< otherwise the state is that of the step's beginning
  bool interrupted;
  int iterations;  ///< of all parts of a cut step: linear solves with a contact status while all
                   ///< bodies are elastic, else Newton's, statuses nested inside
  int factorisations;
  int cuts;
  int augmentations;   ///< of the multipliers of adapted and uzawa
  double residual;     ///< relative, of equilibrium
  double penetration;  ///< largest |g| of a closed contact
  double eta;          ///< of the discrete Coulomb problem at the end; NAN: too large to judge
  int closed, slipping;
  /// Of the bodies, the largest principal strain and rotation (rad) that the displacements have,
  /// and the cells that have them; -1: nothing moved.
  double strain, rotation;
  int strain_cell, rotation_cell;
  bool large;          ///< above max_strain or max_rotation: the answer is not to be trusted
  bool contradictory;  ///< supports press a contact that no force can open: there is no solution
  double assembly_seconds, factor_seconds, solve_seconds, contact_seconds;
  double megabytes;  ///< held by the factors or the hierarchy
  char reason[512];  ///< of a step that was not accepted: where, and what to do
} stc_fem_report;

/// From the time reached to t in one step, cut where it does not converge.
STC_API stc_error stc_fem_advance(stc_fem *fem, double t, stc_fem_report *report);
STC_API double stc_fem_time(const stc_fem *fem);
STC_API int stc_fem_dofs(const stc_fem *fem);  ///< unknowns, supports not counted

// --- Results ---

STC_API const double *stc_fem_displacement(const stc_fem *fem);  ///< [nodes*dim]
/// Internal force at every node, minus loads: [nodes*dim], zero where free, the reaction on
/// supports and contact.
STC_API const double *stc_fem_reaction(const stc_fem *fem);
/// Sum over a group's nodes of the reaction; axisymmetric: of the whole circle.
STC_API stc_error stc_fem_group_force(const stc_fem *fem, const char *group, double force[3]);
/// Stress (xx, yy, zz, xy, yz, zx) and equivalent plastic strain of a cell, means over its points.
STC_API void stc_fem_stress(const stc_fem *fem, int cell, double stress[6], double *alpha);
/// Strain energy plus what hardening stores, and work dissipated in plastic flow and in friction.
STC_API void stc_fem_energy(const stc_fem *fem, double *stored, double *plastic, double *friction);

typedef struct stc_fem_contact_point {
  int node;  ///< the slave node
  stc_contact_state state;
  double x[3];  ///< where it is now
  double gap;   ///< > 0 where open; infinite where nothing is opposite
  double normal[3], tangent[2][3];
  double area;      ///< tributary
  double pressure;  ///< >= 0
  double shear[2];  ///< along the tangents, as acting on the slave
  double slip[2];   ///< sum over the steps, along the tangents
} stc_fem_contact_point;

STC_API int stc_fem_contacts(const stc_fem *fem, int pair);
STC_API void stc_fem_contact(const stc_fem *fem, int pair, int k, stc_fem_contact_point *point);

/// The discrete Coulomb problem of the last linear step, in the global form with M the tangent
/// stiffness of the free unknowns, and the reactions found (N, T1[, T2] at every candidate; free
/// them with free(); r may be NULL).
STC_API stc_error stc_fem_problem(const stc_fem *fem, stc_problem **problem, double **r);

/// Everything a restart needs, as numbers: the same bits follow.
STC_API size_t stc_fem_state_size(const stc_fem *fem);
STC_API void stc_fem_save(const stc_fem *fem, double *state);
STC_API stc_error stc_fem_restore(stc_fem *fem, const double *state, size_t count);

#ifdef __cplusplus
}
#endif
#endif
