// SPDX-License-Identifier: Apache-2.0
//
// The texts of this room's enums; those of the methods are in their table.
#include "base/named.h"
#include "contact/methods/methods.h"
#include "stiction/separation.h"
#include "stiction/solver.h"

namespace stiction {

namespace {

constexpr Named<Status> statuses[] = {{Status::solved, "solved"},
                                      {Status::no_solution, "no_solution"},
                                      {Status::stalled, "stalled"},
                                      {Status::time_limit, "time_limit"},
                                      {Status::stopped, "stopped"}};
constexpr Named<Model> models[] = {{Model::coulomb, "coulomb"}, {Model::convex, "convex"}};
constexpr Named<Mode> modes[] = {{Mode::open, "open"},
                                 {Mode::stick, "stick"},
                                 {Mode::slip, "slip"},
                                 {Mode::undecided, "undecided"}};
using Proves = Separation::Proves;
constexpr Named<Proves> proofs[] = {{Proves::no_solution, "no_solution"},
                                    {Proves::existence_not_guaranteed, "existence_not_guaranteed"}};

}  // namespace

std::string to_text(Method method) { return name_of(method_rows, method); }
std::string to_text(Status status) { return name_of(statuses, status); }
std::string to_text(Model model) { return name_of(models, model); }
std::string to_text(Mode mode) { return name_of(modes, mode); }
std::string to_text(Proves proves) { return name_of(proofs, proves); }

Method parse_method(const std::string& text, const std::string& what) {
  return value_of(method_rows, text, what);
}
Model parse_friction_model(const std::string& text, const std::string& what) {
  return value_of(models, text, what);
}
Proves parse_proves(const std::string& text, const std::string& what) {
  return value_of(proofs, text, what);
}

std::string method_names() { return names_of(method_rows); }
std::string model_names() { return names_of(models); }

}  // namespace stiction
