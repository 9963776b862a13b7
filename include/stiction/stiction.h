// SPDX-License-Identifier: Apache-2.0
//
// All of the core at once.  Files and models have headers of their own: problem_io.h, slider_io.h,
// delassus_io.h, multibody.h, multibody_model.h, jamming_map.h.
#pragma once

#include "stiction/certificate.h"            // IWYU pragma: export
#include "stiction/constraint_problem.h"     // IWYU pragma: export
#include "stiction/constraint_separation.h"  // IWYU pragma: export
#include "stiction/contact_problem.h"        // IWYU pragma: export
#include "stiction/coulomb.h"                // IWYU pragma: export
#include "stiction/eigen_directions.h"       // IWYU pragma: export
#include "stiction/enumerate.h"              // IWYU pragma: export
#include "stiction/free_bodies.h"            // IWYU pragma: export
#include "stiction/friction_cone.h"          // IWYU pragma: export
#include "stiction/generalized_cone.h"       // IWYU pragma: export
#include "stiction/impact.h"                 // IWYU pragma: export
#include "stiction/law.h"                    // IWYU pragma: export
#include "stiction/limit_curve.h"            // IWYU pragma: export
#include "stiction/linearisation.h"          // IWYU pragma: export
#include "stiction/moment_function.h"        // IWYU pragma: export
#include "stiction/patch.h"                  // IWYU pragma: export
#include "stiction/progress.h"               // IWYU pragma: export
#include "stiction/section.h"                // IWYU pragma: export
#include "stiction/section_cone.h"           // IWYU pragma: export
#include "stiction/section_quality.h"        // IWYU pragma: export
#include "stiction/separation.h"             // IWYU pragma: export
#include "stiction/slider.h"                 // IWYU pragma: export
#include "stiction/slider_fit.h"             // IWYU pragma: export
#include "stiction/slider_identify.h"        // IWYU pragma: export
#include "stiction/slider_motion.h"          // IWYU pragma: export
#include "stiction/slider_points.h"          // IWYU pragma: export
#include "stiction/slider_push.h"            // IWYU pragma: export
#include "stiction/slider_slide.h"           // IWYU pragma: export
#include "stiction/slider_surface.h"         // IWYU pragma: export
#include "stiction/slip_law.h"               // IWYU pragma: export
#include "stiction/solver.h"                 // IWYU pragma: export
#include "stiction/types.h"                  // IWYU pragma: export
