// SPDX-License-Identifier: Apache-2.0
//
// Problems so large or so small that squares leave the range of doubles are solved in other units,
// powers of two, which round nothing:
//
//   q = 2^b q',  W = 2^a W':   u = 2^b u',  r = 2^(b−a) r'
#pragma once

#include "contact/proof/residual.h"

namespace stiction {

class Scaling {
 public:
  Scaling() = default;  // none
  explicit Scaling(const ContactProblem& problem);

  bool is_none() const { return W_ == 0 && q_ == 0; }
  ContactProblem scaled(const ContactProblem& problem) const;
  Eigen::VectorXd scaled_reactions(const Eigen::VectorXd& r) const;
  // Back to the problem's units; the certificate is that of the problem itself.  Throws
  // InvalidInput where doubles cannot hold the answer.
  void back(const ContactProblem& problem, Model model, Eigen::VectorXd& reactions,
            Eigen::VectorXd& velocities, Certificate& certificate) const;

 private:
  int W_ = 0, q_ = 0;  // a and b
};

}  // namespace stiction
