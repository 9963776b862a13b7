// SPDX-License-Identifier: Apache-2.0
//
// The contacts of a mechanism: from a model, its configuration and velocity to the Delassus matrix
// and the acceleration of points that touch the world.
//
//   M v̇ + c = τ + Aᵀλ + Gᵀσ      c: Coriolis forces less gravity; τ: joint forces, none unless told
//   G v̇ = −Ġ v                   loops that stay closed and points that stick
//   W = A Λ Aᵀ                    Λ: the inverse of M constrained by G                   [1/kg]
//   a = A v̇₀ + Ȧ v               acceleration of a contact without contact force         [m/s²]
//
// With M = UᵀU and Z = U⁻ᵀGᵀ, Λ = U⁻¹(1 − ZZ⁺)U⁻ᵀ: rows of G that repeat others do no harm.  Where
// M is singular, because a link has no mass, Λ is the limit of small masses.  A contact that can
// move without moving mass has an infinite W; `delassus_limit` and `acceleration` then are those of
// a vanishing mass at the contact itself.
//
// A contact has axes in the world: n its normal, out of the ground; t1 the world's x axis projected
// on the tangent plane (y where n is parallel to x); t2 = n × t1.
#pragma once

#include "stiction/enumerate.h"
#include "stiction/generalized_cone.h"
#include "stiction/multibody_model.h"

namespace stiction {

// Rows t1, t2, n.  Throws InvalidInput for a normal that is zero or not finite.
Eigen::Matrix3d contact_axes(const Vec3& normal);

struct ContactPoint {
  int frame = 0;  // whose origin touches the world
  Vec3 normal = Vec3::UnitZ();
};

struct Mechanism {
  MultibodyModel model;
  std::vector<Loop> loops = {};    // closed besides those of the file
  std::vector<int> sticking = {};  // frames whose origin sticks to the world
};

// A mechanism at one configuration: a workspace, one a thread.
class MechanismState {
 public:
  explicit MechanismState(Mechanism mechanism);

  // The sizes and numbers of q, v and τ are the caller's to check (see MultibodyModel).  Throw
  // InvalidInput where M is not positive semidefinite; with a velocity also where a loop is open,
  // opens, or a point that sticks moves.
  void at(const Eigen::VectorXd& q);
  void at(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& forces);

  // W in the order t1, t2, n.  Throws InvalidInput where the contact can move without moving mass.
  Eigen::Matrix3d delassus(const ContactPoint& contact);
  // The same where it can: which directions are massless, and W on the others.
  DelassusLimit delassus_limit(const ContactPoint& contact);
  // Of several contacts at once, in the order t1, t2, n of the first, …
  Eigen::MatrixXd delassus(const std::vector<ContactPoint>& contacts);
  // A, with rows t1, t2, n.
  const Eigen::Matrix<double, 3, Eigen::Dynamic>& jacobian(const ContactPoint& contact);
  Eigen::MatrixXd mass() const;  // M

  // Of the last `at` with a velocity, order t1, t2, n.
  Vec3 velocity(const ContactPoint& contact);
  // Without contact force; along a massless direction a mass falls freely.  Throws InvalidInput
  // where joint forces push it along one.
  Vec3 acceleration(const ContactPoint& contact);
  const Eigen::VectorXd& free_acceleration() const { return free_; }  // v̇₀

  Vec3 position(const ContactPoint& contact) const { return kinematics_.position(contact.frame); }
  double loop_gap();  // of the configuration: the largest of a loop's open distances [m, rad]

  const Mechanism& mechanism() const { return mechanism_; }
  Eigen::VectorXd speeds() const { return v_.cwiseAbs(); }

 private:
  friend Eigen::VectorXd close_loops(MechanismState&, const Eigen::VectorXd&,
                                     const std::vector<std::string>&);
  void factor();
  void factor_limit();
  void rows_of(const ContactPoint& contact);
  // Of the last rows asked for: the directions in which the contact moves no mass, as columns, and
  // the motions of the mechanism that move it so.
  struct Massless {
    Eigen::MatrixXd directions, motions;
  };
  Massless massless() const;
  void half_of(const Eigen::Matrix<double, 3, Eigen::Dynamic>& rows, bool scaled);
  Eigen::MatrixXd root() const;  // U
  Eigen::MatrixXd constraint_rows();
  Eigen::VectorXd constraint_drift() const;
  Eigen::VectorXd loop_residual() const;
  void accelerate(const Eigen::VectorXd& forces);

  Mechanism mechanism_;
  Kinematics kinematics_;
  std::vector<Loop> loops_;  // all of them
  Eigen::MatrixXd factor_;   // R, unit upper, and
  Eigen::VectorXd inverse_;  // the inverse of D: M = RᵀDR, U = √D R
  Eigen::MatrixXd G_;        // empty without constraints
  Eigen::MatrixXd range_;    // orthonormal basis of the range of Z
  bool limit_ = false;       // M is singular: Λ = basis basisᵀ, and
  Eigen::MatrixXd basis_;
  Eigen::MatrixXd massless_;                              // directions that move no mass
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows_, half_;  // A, and X with W = X Xᵀ
  Vec3 normal_ = Vec3::Zero();                            // of the last contact asked for, and
  Eigen::Matrix3d axes_;                                  // its axes
  Eigen::VectorXd v_, free_;
  Eigen::VectorXd pushed_;  // forces, and
  double pushes_ = 0;       // the size of their terms, for those on massless parts
};

// The nearest configuration with every loop closed, the joints `held` kept where they are in q.
// Throws InvalidInput where none is found.
Eigen::VectorXd close_loops(MechanismState& state, const Eigen::VectorXd& q,
                            const std::vector<std::string>& held = {});

// What several contacts that touch do next: every solution of the contact problem between forces
// and accelerations, in that problem's order n, t1, t2.  A contact that slides has the friction of
// its slip; one at rest relative to the ground may stick or start to slip.
struct TouchingContact {
  ContactPoint point;
  Law law;
};

struct ContactMotions {
  std::vector<bool> touches;  // not those that move off the ground already
  std::vector<bool> slides;   // has a slip velocity
  Enumeration found;  // reactions [N] and accelerations [m/s²] of those that touch, n, t1, t2 each
  ContactProblem problem;  // that was enumerated, the friction of slips in its W
};

// At the last velocity of `state`.  Throws InvalidInput for a contact that moves into the ground.
ContactMotions contact_motions(MechanismState& state, const std::vector<TouchingContact>& contacts);

}  // namespace stiction
