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
// A row a constraint, which starts here; the last start is the end.
Json rows(const Eigen::VectorXd& vector, const std::vector<int>& starts);
Json to_json(const Certificate& c);
Json to_json(const std::vector<Mode>& modes);
void show(const Certificate& c);

// A problem whose bilateral rows and masses are condensed once that is asked for.  Both throw
// InvalidInput, naming the file, for one that cannot be solved.
class Prepared {
 public:
  Prepared(AnyProblem given, std::string path);

  const Condensed& condensed() const;
  double seconds() const { return seconds_; }  // that condensing took

  AnyProblem problem;

 private:
  std::string path_;
  mutable double seconds_ = 0;
  mutable std::optional<Condensed> condensed_;
};

}  // namespace stiction::cli
