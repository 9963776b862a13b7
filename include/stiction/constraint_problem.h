// SPDX-License-Identifier: Apache-2.0
//
// Constraints of any kind in one problem.  Constraint i owns rows side by side of every vector, in
// the order of the list, and one convex set:
//
//   contact    over a section C: K = {r_n ≥ 0, −r_t ∈ r_n C}, K* ∋ û ⟂ r ∈ K, û = u + h(u_t) e_n.
//              Rows n, t1, t2, then spin about n, then rolling about t1 and t2, as far as the
//              section has dimensions: 0 frictionless, 1 a contact in the plane, 2 slip, 3 slip and
//              spin, 4 slip and rolling, 5 slip, spin and rolling
//   fixed      r ∈ −C, u normal to C at −r: dry friction of a joint, a motor's limit, a pad under
//              known pressure
//   limit      r ≥ 0, u ≥ 0, r u = 0: one row
//   bilateral  u = 0, r free: a joint that stays in the problem
//
// with  u = W r + q + R r + b   what the laws see: the velocities at the constraints [m/s, rad/s],
//                               and of soft or driven ones
//       R ≥ 0                   compliance, diagonal                          [1/kg]
//       b                       bias: a belt's velocity, a spring's           [m/s]
//
// In global form M v = Hᵀ r + f and W r + q = H v + w.  A ContactProblem is the short way to write
// contacts of one dimension, and what solves it fastest.
#pragma once

#include "stiction/contact_problem.h"
#include "stiction/section.h"

namespace stiction {

struct Constraint {
  enum class Kind { contact, fixed, limit, bilateral };
  Kind kind = Kind::contact;
  Section section;                       // of a contact or a fixed set
  int bilateral_rows = 1;                // of a bilateral constraint
  std::vector<double> compliance, bias;  // R and b, one a row, or none

  int rows() const;
};

std::string to_text(Constraint::Kind kind);

Constraint contact_constraint(Section section);
Constraint fixed_constraint(Section section);
Constraint limit_constraint();
Constraint bilateral_constraint(int rows);

// Of a contact in the plane: a limit curve cut by its first axis.
Section plane_section(const Law& law);

// Where each constraint's rows start; one entry more than there are constraints.
std::vector<int> row_starts(const std::vector<Constraint>& constraints);

struct ConstraintProblem {
  std::vector<Constraint> constraints;
  Eigen::SparseMatrix<double> W;  // rows × rows
  Eigen::VectorXd q;
};

struct GlobalConstraintProblem {
  std::vector<Constraint> constraints;
  Eigen::SparseMatrix<double> M;  // n × n
  Eigen::SparseMatrix<double> H;  // rows × n
  Eigen::VectorXd f, w;
};

using AnyConstraintProblem = std::variant<ConstraintProblem, GlobalConstraintProblem>;

// Throw InvalidInput, naming the constraint and the field, where sizes differ or a number is wrong.
void validate(const ConstraintProblem& problem);
void validate(const GlobalConstraintProblem& problem);

// What a problem of contacts says at length; bilateral rows are to be condensed away first.  Of
// dimension 5 each contact is one over the product of its law and a disc of rolling.  Throws
// InvalidInput for dimension 4, which has no section.
ConstraintProblem written_out(const ContactProblem& problem);

// The local form and the way back.  Throws InvalidInput if M is singular, and Stopped.
class CondensedConstraints {
 public:
  explicit CondensedConstraints(const GlobalConstraintProblem& problem,
                                const Progress& progress = {});

  const ConstraintProblem& local() const { return local_; }
  Eigen::VectorXd generalized_velocities(const Eigen::VectorXd& reactions) const;  // M⁻¹(f + Hᵀ r)

 private:
  ConstraintProblem local_;
  Eigen::SparseMatrix<double> response_;  // M⁻¹Hᵀ
  Eigen::VectorXd free_;                  // v without reactions
};

}  // namespace stiction
