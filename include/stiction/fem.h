// Deformable bodies on meshes, small strain, with unilateral contact and dry friction:
//   F_int(u) = F_ext(t) + H(u)^T r,   (gap and slip, r) obey the contact law at every slave node,
// quasi-static, in load steps. Every setting has a default; the default method has no penalty.
//   stc_mesh_read -> stc_fem_create -> stc_fem_advance ... -> results -> stc_fem_free
// Units are SI, or any consistent set (N, mm, MPa).
#ifndef STICTION_FEM_H
#define STICTION_FEM_H

#include <stiction/mesh.h>
#include <stiction/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

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

typedef enum stc_layer_law {
  STC_LAYER_NONE,
  STC_LAYER_POWER,       ///< p = pressure (d / length)^exponent, d = -gap
  STC_LAYER_EXPONENTIAL  ///< p = pressure (exp(-gap / length) - exp(-reach / length))
} stc_layer_law;

/// Asperities: a layer between the surfaces that yields to pressure, and may carry it before they
/// meet.
typedef struct stc_layer {
  stc_layer_law law;
  double pressure, length;  ///< > 0
  double exponent;          ///< >= 1
  double reach;  ///< > 0: gap of the exponential law beyond which nothing is carried; 0: 14
                 ///< lengths, where 1e-6 of the pressure is left
} stc_layer;

/// Slave nodes against a master surface or an obstacle.
typedef struct stc_pair {
  const char *name;    ///< for results and sentences
  const char *slave;   ///< group
  const char *master;  ///< group; NULL: the obstacle
  stc_obstacle obstacle;
  double mu;
  const stc_coefficient *coefficient;  ///< of each node, by load steps; copied; NULL: mu
  bool finite_sliding;  ///< the place on the master is found again in every iteration
  double normal[3];     ///< a fixed normal of the contact frame; zeros: from the surfaces
  stc_layer layer;
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
