// SPDX-License-Identifier: Apache-2.0
//
// A large problem with its contacts in the order of their neighbourhood.  Balls poured into a heap
// come in random places: then every block of W reads a reaction from somewhere else in memory, and
// a product with W takes ten times as long.
#pragma once

#include <vector>

#include "stiction/contact_problem.h"

namespace stiction {

class Reordered {
 public:
  // The problem in a better order; itself where its own is nearly as good.  Keeps what it knows if
  // the pattern of W is the same as the last one's.
  const ContactProblem& set(const ContactProblem& problem);

  // Into the order of the problem that `set` gave; valid until the next call.
  const Eigen::VectorXd& there(const Eigen::VectorXd& r);
  // And back.
  void back(Eigen::VectorXd& r);
  template <class Value>
  void back(std::vector<Value>& one_a_contact) const {
    if (order_.empty()) return;
    const std::vector<Value> moved = one_a_contact;
    for (std::size_t p = 0; p < order_.size(); ++p)
      one_a_contact[static_cast<std::size_t>(order_[p])] = moved[p];
  }

 private:
  void analyse(const BlockMatrix& W);

  std::vector<int> pattern_start_, pattern_;  // of the W analysed
  std::vector<int> order_;                    // contact at each position; empty: its own order
  std::vector<int> source_;                   // block of W for each block of the W in order
  ContactProblem problem_;
  Eigen::VectorXd moved_;
};

}  // namespace stiction
