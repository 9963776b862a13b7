// SPDX-License-Identifier: Apache-2.0
//
// Every law once: its names, its parameters in order, and its curve.  Texts, files and the command
// line's help are made from this table, so that a new law is a new row.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "stiction/law.h"

namespace stiction {

// A field of `Law`.  `angle` and `roll` are both `angle_deg`: of an ellipse, and of what rolls.
enum class LawParameter { mu, mu2, bearing, angle, roll, sides, vertices };

struct LawForm {
  Law::Curve curve;
  std::string_view name, key;  // in texts, `ratchet-free`, and in files, `ratchet_free`
  std::array<LawParameter, 3> parameters;
  std::size_t count;
  LimitCurve (*make)(const Law&);  // throws InvalidInput where a number is out of range

  bool has(LawParameter parameter) const;
  bool turns() const { return has(LawParameter::angle) || has(LawParameter::roll); }
  std::string usage() const;  // "ellipse:MU1,MU2,ANGLE"
};

std::span<const LawForm> law_forms();
const LawForm& form_of(Law::Curve curve);
std::string_view name_of(LawParameter parameter, const LawForm& form);  // "MU1"

}  // namespace stiction
