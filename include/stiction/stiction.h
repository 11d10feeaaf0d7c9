// Stiction: mechanics with contact and dry friction. Includes every layer.
#ifndef STICTION_H
#define STICTION_H

#include <stiction/base.h>
#include <stiction/cert.h>
#include <stiction/collide.h>
#include <stiction/fem.h>
#include <stiction/gallery.h>
#include <stiction/law.h>
#include <stiction/linalg.h>
#include <stiction/problem.h>
#include <stiction/rigid.h>
#include <stiction/scene.h>
#include <stiction/solve.h>
#include <stiction/wave.h>
#include <stiction/world.h>

#endif
