// What a material point answers to a strain: stress, tangent and history.
//   strain and stress (xx, yy, zz, xy[, yz, zx]), shear strains are the angles gamma = 2 eps
#ifndef STC_FEM_RESPONSE_H
#define STC_FEM_RESPONSE_H

#include <stiction/fem.h>

#define STC_VOIGT 6

/// A material under given kinematics.
typedef struct stc_response {
  stc_kinematics kinematics;
  int components;  ///< of strain: 4 in the plane, 6 in space
  double young, poisson, shear, bulk;
  double yield, hardening;  ///< yield = 0: elastic
  double C[STC_VOIGT][STC_VOIGT];
} stc_response;

/// Refuses constants without meaning, with "body `index` ('group'): " before the sentence.
stc_error stc_response_create(const stc_body *body, int index, stc_kinematics kinematics,
                              stc_response *response);

/// Numbers of history at a point: plastic strain and alpha; 0 if elastic.
int stc_response_history(const stc_response *response);

/// Stress and, where D is not NULL, D = d(stress)/d(strain), symmetric; `trial` is the history that
/// follows from `kept` (both NULL if elastic). False where there is no finite answer.
bool stc_response_stress(const stc_response *response, const double *strain, const double *kept,
                         double *trial, double *stress, double (*D)[STC_VOIGT]);

/// The stress of a strain and the history that belongs to it.
void stc_response_recall(const stc_response *response, const double *strain, const double *history,
                         double *stress);

/// Energy per volume of an elastic strain and of hardening, and work lost in plastic flow, for a
/// strain and the history that belongs to it.
void stc_response_energy(const stc_response *response, const double *strain, const double *history,
                         double *stored, double *plastic);

/// Plane stress with J2, see plane_stress.c; `stress` holds the trial stress on entry.
bool stc_plane_stress_return(const stc_response *response, double *history, double *stress,
                             double (*D)[STC_VOIGT]);

#endif
