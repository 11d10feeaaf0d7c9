// Stiction: mechanics with contact and dry friction. Includes every layer.
#ifndef STICTION_H
#define STICTION_H

#include <stiction/base.h>
#include <stiction/bodies.h>
#include <stiction/cert.h>
#include <stiction/edit.h>
#include <stiction/elastodynamic.h>
#include <stiction/events.h>
#include <stiction/fem.h>
#include <stiction/generate.h>
#include <stiction/geometry.h>
#include <stiction/joints.h>
#include <stiction/lagrangian.h>
#include <stiction/law.h>
#include <stiction/linalg.h>
#include <stiction/loads.h>
#include <stiction/mesh.h>
#include <stiction/model.h>
#include <stiction/problem.h>
#include <stiction/queries.h>
#include <stiction/scene.h>
#include <stiction/solve.h>
#include <stiction/thermal.h>

#endif
