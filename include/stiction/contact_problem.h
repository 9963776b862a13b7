// SPDX-License-Identifier: Apache-2.0
//
// The contact problem.  Contact i owns the components dimension·i … of every vector, in the order
// normal, tangent 1, tangent 2 (in 2-D normal, tangent).
//
//   u = W r + q           relative velocities at the contacts              [m/s]
//   r                     reactions                                        [N s]
//   W = H M⁻¹ Hᵀ          Delassus matrix, of d×d blocks                   [1/kg]
//   K* ∋ û ⟂ r ∈ K        û = u + h(u_t) e_n: exact Coulomb friction; û = u: the convex relaxation
//
// In global form M v = Hᵀ r + f and u = H v + w, with v the velocities of the system.  Bilateral
// rows (joints, loops) carry a force λ of any sign: G v + b = 0 in global form, Vᵀ r + R λ + s = 0
// in local form, where they add V λ to u.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "stiction/law.h"
#include "stiction/progress.h"

namespace stiction {

// A square matrix of square blocks in compressed rows; a block is stored column by column.  Each
// row lists its blocks by increasing column, the diagonal one among them.
struct BlockMatrix {
  int block = 3;              // rows and columns of a block
  std::vector<int> start{0};  // where each block row starts; one entry more than there are rows
  std::vector<int> column;    // block column of each block
  std::vector<double> value;  // block² numbers each

  int rows() const { return static_cast<int>(start.size()) - 1; }
  const double* at(int k) const {
    return value.data() + static_cast<std::ptrdiff_t>(k) * block * block;
  }
  double* at(int k) { return value.data() + static_cast<std::ptrdiff_t>(k) * block * block; }
};

// Entries outside the blocks are zero; blocks that are all zero, but for diagonal ones, are left
// out. Throws InvalidInput unless the matrix is square and a multiple of `block`.
BlockMatrix block_matrix(const Eigen::SparseMatrix<double>& matrix, int block);
BlockMatrix block_matrix(const Eigen::MatrixXd& matrix, int block);
Eigen::SparseMatrix<double> to_sparse(const BlockMatrix& matrix);

// y = W x
void multiply(const BlockMatrix& W, const Eigen::VectorXd& x, Eigen::VectorXd& y);

// Where a contact is, for drawing; not used in solving.
struct ContactPlace {
  std::optional<Vec3> position;
  std::optional<Eigen::Matrix3d> frame;  // rows n, t1, t2
  std::optional<std::pair<int, int>> bodies;
};

struct Bilateral {
  Eigen::SparseMatrix<double> V;  // components × rows
  Eigen::SparseMatrix<double> R;  // rows × rows
  Eigen::VectorXd s;
};

// The velocities u = H v + w under joints G v + b = 0 that a condensed problem came from.
// Condensing rounds: beside a mass of 1e-16 of its neighbour's, W = H M⁻¹Hᵀ is as if that were
// none.
struct Origin {
  Eigen::SparseMatrix<double> H;
  Eigen::VectorXd w;
  std::optional<std::pair<Eigen::SparseMatrix<double>, Eigen::VectorXd>> joints;  // G, b
};

struct ContactProblem {
  int dimension = 3;  // components a contact: 2 or 3; 4 and 5 are carried, not solved
  BlockMatrix W;
  Eigen::VectorXd q;
  std::vector<Law> laws;           // one a contact
  std::vector<double> mu_rolling;  // dimension 5: one a contact                                 [m]
  std::optional<Bilateral> bilateral;
  std::vector<ContactPlace> places;  // one a contact, or none at all
  // Of a condensed problem: what proofs that there is no solution are taken from.
  std::shared_ptr<const Origin> origin;

  int contacts() const { return static_cast<int>(laws.size()); }
};

struct GlobalProblem {
  int dimension = 3;
  Eigen::SparseMatrix<double> M;  // n × n
  Eigen::SparseMatrix<double> H;  // components × n: a row a contact component
  Eigen::VectorXd f, w;
  std::vector<Law> laws;
  std::vector<double> mu_rolling;
  std::optional<std::pair<Eigen::SparseMatrix<double>, Eigen::VectorXd>> joints;  // G, b
  std::vector<ContactPlace> places;

  int contacts() const { return static_cast<int>(laws.size()); }
};

using AnyProblem = std::variant<ContactProblem, GlobalProblem>;

// Throws InvalidInput, naming the field, where sizes differ, a number is not finite or a law is
// wrong.
void validate(const ContactProblem& problem);
void validate(const GlobalProblem& problem);

// The local form of a problem whose bilateral rows are eliminated, and the way back.  Bilateral
// rows may depend on each other.  Throws InvalidInput if M, or M together with the joints, is
// singular or if such rows contradict each other, naming one, and Stopped.
class Condensed {
 public:
  explicit Condensed(const GlobalProblem& problem, const Progress& progress = {});
  // Eliminates its bilateral rows, if it has any.
  explicit Condensed(const ContactProblem& problem, const Progress& progress = {});

  const ContactProblem& local() const { return local_; }
  // v = M⁻¹(f + Hᵀ r + Gᵀ λ); empty for a problem given in local form.
  Eigen::VectorXd generalized_velocities(const Eigen::VectorXd& reactions) const;
  // λ, one a bilateral row; the least where redundant rows leave it open.
  Eigen::VectorXd bilateral_forces(const Eigen::VectorXd& reactions) const;

 private:
  ContactProblem local_;
  Eigen::SparseMatrix<double> response_;            // M⁻¹Hᵀ, joints included
  Eigen::VectorXd free_;                            // v without reactions
  Eigen::SparseMatrix<double> bilateral_response_;  // dλ/dr
  Eigen::VectorXd bilateral_free_;                  // λ without reactions
};

}  // namespace stiction
