// SPDX-License-Identifier: Apache-2.0
//
// What the commands on contact problems share: reading, condensing, showing.
#pragma once

#include "cli/cli.h"
#include "stiction/certificate.h"

namespace stiction::cli {

std::string kind_name(const AnyProblem& problem);
std::vector<Law>& laws_of(AnyProblem& problem);

// One law for all contacts; `*` stands for each contact's own coefficient.
void replace_laws(AnyProblem& problem, const std::string& law_text);

// A row a contact.
Json rows(const Eigen::VectorXd& vector, int dimension);
Json to_json(const Certificate& c);

// A problem whose bilateral rows and masses are condensed.  Throws InvalidInput, naming the file,
// for one that cannot be solved.
struct Prepared {
  Prepared(AnyProblem given, const std::string& path);

  AnyProblem problem;
  double seconds = 0;  // that condensing took
  Condensed condensed;
};

}  // namespace stiction::cli
