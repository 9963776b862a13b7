// SPDX-License-Identifier: Apache-2.0
//
// A mechanism of rigid bodies and joints, read from a URDF or MJCF file.
//
//   q   configuration: for each joint that moves, in the order of `joints`, its coordinates:
//         hinge    angle [rad]            slide     displacement [m]
//         free     x, y, z [m] and a unit quaternion x, y, z, w     ball   the quaternion alone
//         planar   x, y [m] and an angle [rad]
//   v   velocity: as many numbers a joint as it has degrees of freedom; of a free joint the linear
//       and the angular velocity in the body's own axes                               [m/s, rad/s]
//
// What is read is what moves: joints, masses and inertias, frames (links, joints, sites), and of
// MJCF the closed loops (<equality> connect and weld).  Shapes, limits, springs, damping, joint
// friction and motors are not.  A joint that mimics another one follows it.
//
// Built on Pinocchio, which only src/multibody/model.cpp sees.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stiction/types.h"

namespace stiction {

enum class Base {
  fixed,    // as the file has it: its root is fixed to the world, or moves by a joint of its own
  floating  // the root body moves freely, by a joint "root_joint" before all others
};

struct ModelOptions {
  Base base = Base::fixed;
  Vec3 gravity = Vec3(0, 0, -9.80665);  // [m/s²]
};

struct ModelJoint {
  std::string name;
  int q = 0, nq = 1;  // where its coordinates are in a configuration, and how many
  int v = 0, nv = 1;  // and in a velocity
};

// The origins of two frames stay together; if rigid, their axes too.
struct Loop {
  int first = 0, second = 0;
  bool rigid = false;
};

class MultibodyModel {
 public:
  struct Contents;
  explicit MultibodyModel(std::shared_ptr<const Contents> contents);

  const std::string& name() const;
  int nq() const;
  int nv() const;
  const std::vector<ModelJoint>& joints() const;
  const std::vector<std::string>& frames() const;  // whose index is what `frame` gives
  const std::vector<Loop>& loops() const;          // that the file closes
  Eigen::VectorXd neutral() const;                 // zero angles and displacements
  Vec3 gravity() const;                            // [m/s²]

  // Both throw InvalidInput, listing the nearest names, where there is none so called.
  int frame(const std::string& name) const;
  const ModelJoint& joint(const std::string& name) const;

  // Throw InvalidInput, naming `what`, for a wrong length, a number that is not finite or a
  // quaternion that is not of length one within 1e-6.
  void check_configuration(const Eigen::VectorXd& q, const std::string& what) const;
  void check_velocity(const Eigen::VectorXd& v, const std::string& what) const;

  const Contents& contents() const { return *contents_; }

 private:
  std::shared_ptr<const Contents> contents_;
};

// The file is first read in a process of its own, so that a hostile one does no harm.  Throws
// InvalidInput, naming the file, where it cannot be read as a model with at least one joint.
MultibodyModel read_model(const std::filesystem::path& path, const ModelOptions& options = {});

// The same of a text, which messages call `name`; MJCF's meshes are not looked for.
MultibodyModel parse_model(const std::string& text, const std::string& name,
                           const ModelOptions& options = {});

// Position and motion of a model at one configuration: a workspace, one a thread.
class Kinematics {
 public:
  using Rows6 = Eigen::Matrix<double, 6, Eigen::Dynamic>;

  explicit Kinematics(const MultibodyModel& model);
  ~Kinematics();
  Kinematics(Kinematics&&) noexcept;
  Kinematics& operator=(Kinematics&&) noexcept;

  // M(q), and what the functions below need; sizes are the caller's to check.
  void at(const Eigen::VectorXd& q);
  // The same, and the bias and drift of the velocity v.
  void at(const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  const Eigen::MatrixXd& mass() const;  // M, its upper triangle                   [kg, kg m²]
  const Eigen::VectorXd& bias() const;  // forces that keep v̇ = 0: Coriolis, less gravity
  Vec3 position(int frame) const;       // of its origin, in the world                     [m]
  Eigen::Matrix3d rotation(int frame) const;  // its axes as columns, in the world

  // Of the frame's origin and of its rotation, in world axes: velocity = J v.
  const Rows6& jacobian(int frame);
  // The velocity of the frame's origin alone, in axes whose rows are given: rows = axes · J.
  void point_rows(int frame, const Eigen::Matrix3d& axes,
                  Eigen::Matrix<double, 3, Eigen::Dynamic>& rows);
  // J̇v: its acceleration and angular acceleration for v̇ = 0.
  Eigen::Matrix<double, 6, 1> drift(int frame) const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace stiction
