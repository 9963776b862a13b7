// SPDX-License-Identifier: Apache-2.0
//
// The loads of a patch as the section of a constraint: any slider under unit normal force.
//
//   C ⊂ R³   (F_x, F_y, M)/N, every load that the slider can carry over its total normal force N;
//            a contact's rows are then two slips and the spin about the normal   [-, -, m]
//   h(v)     = H(v)/N, the slider's power
//
// C is the limit surface with all it encloses, facets and corners as they are: slider.h.  Moments
// are about the slider's reference point.
//
// The nearest load to f is p = P(v), v = f − p: the motion that minimises
//
//   φ(v) = ½‖v − f‖² + h(v),
//
// which is strongly convex.  `motion` tells whether f is inside, and else where to start.  So p is
// found to 1e-12 of f and the reach, but where an area is under a law with flats: there Wolfe's
// method may end at 1e-6.
#pragma once

#include "stiction/section.h"
#include "stiction/slider.h"

namespace stiction {

class Patch : public SupportBody {
 public:
  explicit Patch(Slider slider);

  const Slider& slider() const { return slider_; }

  int dimension() const override { return 3; }
  double support(const UpTo6& v) const override;
  SectionFace face(const UpTo6& v) const override;
  SectionProjection project(const UpTo6& f) const override;
  double gauge(const UpTo6& f) const override;
  double reach() const override { return reach_; }

 private:
  Slider slider_;
  Eigen::Matrix3d span_;  // the projection on the span of the loads
  double reach_ = 0;
};

Section patch_section(const Slider& slider);

}  // namespace stiction
