// SPDX-License-Identifier: Apache-2.0
//
// A problem in global form as the solver in the space of the bodies sees it: freedoms in nodes of
// six, contacts in batches of eight.
//
//   v = M⁻¹ (f + Hᵀ r)      velocities, eight numbers a node, in the order of elimination
//   u = H v + w             at the contacts; W = H M⁻¹ Hᵀ is never formed
//   K = M + Hᵀ D H          factorised for any D of unsymmetric 3×3 blocks, one a contact
//   r = P r',  u' = P u     with P = diag(1, T), T the square root of the limit curve's matrix: a
//                           disc of radius μ has T = μ I; every cone becomes ‖r'_t‖ ≤ r'_n, and
//                           the shift h(u_t) = ‖u'_t‖
//
// A factorisation costs what the pairs of bodies that touch ask for, however many contacts a pair
// has, while W has a block for each pair of contacts that share a body.
#pragma once

#include "contact/bodies/elimination.h"
#include "contact/bodies/kernels.h"
#include "contact/bodies/numbers.h"
#include "contact/proof/residual.h"
#include "stiction/contact_problem.h"

namespace stiction::bodies {

class BodySystem {
 public:
  // Whether the laws are discs, ellipses or nothing, in space, without joints, and M is symmetric.
  static bool takes(const GlobalProblem& problem);

  // Which bodies touch; keeps the analysis if these are the same as in the last problem.
  void set_pattern(const GlobalProblem& problem);
  // All else, after `set_pattern`.  Throws InvalidInput if M is singular.
  void set(const GlobalProblem& problem, Model model, const Kernels& with);

  const Kernels& kernels() const { return *kernels_; }
  int contacts() const { return contacts_; }
  int batches() const { return links_.batches; }
  int nodes() const { return blocks_.nodes; }
  // Products of blocks that a factorisation takes.
  double products() const { return 2.0 * static_cast<double>(elimination_.update_left().size()); }
  const Norms& norms() const { return norms_; }
  const ContactLaws<3>& laws() const { return laws_; }
  Model model() const { return model_; }
  const double* present() const { return present_.data(); }
  const double* transform() const { return transform_.data(); }
  const double* size() const { return size_.data(); }        // w = tr W_ii/3
  const double* tangent() const { return tangent_.data(); }  // τ² = ‖T‖²/2
  const Numbers& free_velocity() const { return free_; }     // M⁻¹ f

  // A vector of the contacts, three numbers each, as batches and back.
  void spread(const Eigen::VectorXd& x, Numbers& batches) const;
  void gather(const Numbers& batches, Eigen::VectorXd& x) const;
  // r' of reactions r, as far as the laws let these be.
  void spread_scaled(const Eigen::VectorXd& r, Numbers& scaled) const;
  // A vector of the nodes in the order of M.
  void gather_nodes(const Numbers& nodes, Eigen::VectorXd& v) const;

  bool factorise(const double* D, const unsigned char* active) const {
    return kernels_->factorise(blocks_, links_, D, active);
  }
  void solve(double* x) const { kernels_->solve(blocks_, x); }
  void mass_times(const double* x, double* y) const;
  void inverse_mass_times(const double* x, double* y) const;
  void velocities(const double* v, double* u) const { kernels_->velocities(links_, v, u); }  // H v
  void forces(const double* r, double* g) const { kernels_->forces(links_, r, g); }  // g += Hᵀ r

  // v and u at reactions r.
  void response(const Numbers& r, Numbers& v, Numbers& u) const;
  // Of reactions inside the cones, at their velocities.
  Errors errors(const Numbers& r, const Numbers& u) const;

 private:
  void find_nodes(const Eigen::SparseMatrix<double>& M);
  void find_links(const Eigen::SparseMatrix<double>& H);
  void find_graph(const Eigen::SparseMatrix<double>& M);
  void list_entries();
  void set_mass(const Eigen::SparseMatrix<double>& M);
  void set_rows(const Eigen::SparseMatrix<double>& H);
  void set_laws(const std::vector<Law>& laws);
  void set_sizes();

  const Kernels* kernels_ = nullptr;
  Model model_ = Model::coulomb;
  int contacts_ = 0;
  std::vector<int> node_, slot_;  // of each freedom
  int node_count_ = 0;
  std::vector<int> link_start_, link_node_, link_place_;
  Graph graph_;
  std::vector<std::pair<int, int>> edges_;
  Elimination elimination_;
  bool coupled_ = false;  // M couples nodes
  std::vector<int> mass_, part_start_, part_contact_, part_row_, part_column_;
  Numbers mass_value_, mass_inverse_, rows_, lower_, upper_, inverse_;
  Numbers mass_lower_, mass_upper_;  // the factors of M, where it couples nodes
  ContactLaws<3> laws_;
  Numbers present_, disc_, mu_, transform_, size_, tangent_;
  bool all_discs_ = true;
  Numbers free_, force_, free_contact_, w_;
  Norms norms_;
  Contacts links_;
  Blocks blocks_, mass_blocks_;
  std::vector<int> no_parts_, scratch_;
  Numbers row_;
  mutable Numbers work_;
};

}  // namespace stiction::bodies
