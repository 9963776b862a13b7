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
#include "stiction/impact.h"

namespace stiction::cli {

// What the options that all sources share say.
struct GconeCall {
  LimitCurve curve;                           // of --mu or --law
  std::string law;                            // as it was written: "disc:0.5"; a map needs none
  std::optional<Vec2> slip;                   // --slip, not zero
  std::optional<double> normal_acceleration;  // --normal-acceleration  [m/s²]
  std::optional<Vec3> change, apex;           // --change, --apex  [m/s]
  std::optional<Vec3> impact;                 // --impact: the velocity before  [m/s]
  Restitution restitution;                    // --restitution
};

// One contact, from whatever source.
struct GconeContact {
  std::string title;         // for people: "rod at 45°, 1 kg"
  std::string origin;        // for messages: the file that W came from, empty for none
  Eigen::Matrix3d delassus;  // order t1, t2, n  [1/kg]; its finite part where
  Eigen::Matrix3d massless = Eigen::Matrix3d::Zero();  // these directions move no mass
  std::optional<Vec2> slip;  // where the source knows it and --slip was not given  [m/s]
  std::optional<double> normal_acceleration;  // the same  [m/s²]
  std::string wanted;                         // what else would give it, for `reason`
  Json more = Json::object();                 // keys to add to the answer
  std::function<void()> people;               // rows to add for people; may be empty
};

struct GconeSource {
  std::string option;  // "--matrix", for messages
  std::function<bool()> given;
  std::function<GconeContact(const GconeCall&)> contact;
  // Answers the whole call itself, such as a map, and returns true; may be empty.
  std::function<bool(const Shared&, const GconeCall&)> instead;
};

GconeSource add_gcone_matrix(CLI::App& command);
// Free bodies: --rod, --box and --wheel, with the options that they share.
std::vector<GconeSource> add_gcone_bodies(CLI::App& command);
// Throws InvalidInput for options of bodies where the source is none of them.
void require_body(const CLI::App& command, const std::string& source);
GconeSource add_gcone_model(CLI::App& command);

// The answer for one contact.
void answer_gcone(const Shared& shared, const GconeCall& call, const GconeContact& contact);

// The impact of a call that asks for one: keys of its own, and rows for people.
Json impact_json(const Impact& impact);
void show_impact(const Impact& impact);

Json array(const Eigen::Matrix3d& m);  // rows

}  // namespace stiction::cli
