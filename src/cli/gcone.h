// SPDX-License-Identifier: Apache-2.0
//
// What the sources of `gcone` share.  A source says where the contact comes from: a matrix, a free
// body, a model.  Each adds its options to the command and is listed in gcone.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/cli.h"
#include "stiction/generalized_cone.h"

namespace stiction::cli {

// What the options that all sources share say.
struct GconeCall {
  LimitCurve curve;                           // of --mu or --law
  std::string law;                            // as it was written: "disc:0.5"
  std::optional<Vec2> slip;                   // --slip, not zero
  std::optional<double> normal_acceleration;  // --normal-acceleration  [m/s²]
};

// One contact, from whatever source.
struct GconeContact {
  std::string title;         // for people: "rod at 45°, 1 kg"
  std::string origin;        // for messages: the file that W came from, empty for none
  Eigen::Matrix3d delassus;  // order t1, t2, n  [1/kg]
  std::optional<Vec2> slip;  // where the source knows it and --slip was not given  [m/s]
  std::optional<double> normal_acceleration;  // the same  [m/s²]
  std::string wanted;            // what would give the normal acceleration, for `reason`
  Json more = Json::object();    // keys to add to the answer
  std::function<void()> people;  // rows to add for people; may be empty
};

struct GconeSource {
  std::string option;  // "--matrix", for messages
  std::function<bool()> given;
  std::function<GconeContact(const GconeCall&)> contact;
  // Answers the whole call itself, such as a map, and returns true; may be empty.
  std::function<bool(const Shared&, const GconeCall&)> instead;
};

GconeSource add_gcone_matrix(CLI::App& command);
GconeSource add_gcone_rod(CLI::App& command);
GconeSource add_gcone_box(CLI::App& command);
GconeSource add_gcone_wheel(CLI::App& command);
GconeSource add_gcone_model(CLI::App& command);

// The answer for one contact.
void answer_gcone(const Shared& shared, const GconeCall& call, const GconeContact& contact);

Json array(const Eigen::Matrix3d& m);  // rows

}  // namespace stiction::cli
