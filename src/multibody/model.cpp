// SPDX-License-Identifier: Apache-2.0
//
// The one file that sees Pinocchio: it reads a model, and gives its mass matrix, Jacobians and
// bias.  Pinocchio writes the angle of an unbounded hinge, and of a planar joint, as its cosine and
// sine; here it is an angle like any other, and the two are made on the way in.
#include "stiction/multibody_model.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <iostream>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/parsers/mjcf.hpp>
#include <pinocchio/parsers/urdf.hpp>
#include <set>

#include "base/file.h"
#include "base/isolated.h"
#include "multibody/mjcf.h"
#include "multibody/names.h"

namespace stiction {

namespace pin = pinocchio;

struct MultibodyModel::Contents {
  pin::Model model;
  std::vector<ModelJoint> joints;
  std::vector<std::string> frames;
  std::vector<pin::FrameIndex> frame_index;  // of each of them, and after these the loops' own
  std::vector<Loop> loops;
  std::vector<int> angles;  // coordinates that Pinocchio takes as cosine and sine, ascending
  int nq = 0;
};

namespace {

enum class Format { urdf, mjcf };

// By the name of the outermost element.
Format format_of(const std::string& text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto is = [&](const char* name) {
      const std::size_t length = std::char_traits<char>::length(name);
      return text.compare(at + 1, length, name) == 0 &&
             text.find_first_of(" \t\r\n/>", at + 1 + length) == at + 1 + length;
    };
    if (is("robot")) return Format::urdf;
    if (is("mujoco")) return Format::mjcf;
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) break;
    } else if (text[at + 1] != '?' && text[at + 1] != '!') {
      break;
    }
  }
  throw InvalidInput("is neither URDF (<robot>) nor MJCF (<mujoco>)");
}

// Libraries that speak to standard error are not heard; what matters they throw.
class Silence {
 public:
  Silence() : cerr_(std::cerr.rdbuf(nullptr)), cout_(std::cout.rdbuf(nullptr)) {}
  ~Silence() {
    std::cerr.rdbuf(cerr_);
    std::cout.rdbuf(cout_);
    std::cerr.clear();
    std::cout.clear();
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::streambuf *cerr_, *cout_;
};

// A text under the name of a file that is nowhere on the disc.
class TextFile {
 public:
  explicit TextFile(const std::string& text) : file_(memfd_create("model", MFD_CLOEXEC)) {
    if (file_ < 0 || write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw InvalidInput("cannot be read now: no memory is to be had");
  }
  ~TextFile() { close(file_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

using Points = std::vector<pin::PointAnchorConstraintModel>;
using Welds = std::vector<pin::FrameAnchorConstraintModel>;

void parse(const std::string& path, const std::string& text, const ModelOptions& options,
           pin::Model& model, Points& points, Welds& welds) {
  const Silence silence;
  const bool floating = options.base == Base::floating;
  if (format_of(text) == Format::urdf) {
    if (floating)
      pin::urdf::buildModelFromXML(text, pin::JointModelFreeFlyer(), model, false, true);
    else
      pin::urdf::buildModelFromXML(text, model, false, true);
    return;
  }
  const std::string tree = one_tree(text, floating);
  // It reads files, not texts; meshes are looked for beside the file.
  std::unique_ptr<TextFile> rewritten;
  if (tree != text || path.empty()) rewritten = std::make_unique<TextFile>(tree);
  const std::string file = rewritten ? rewritten->path() : path;
  if (floating)
    pin::mjcf::buildModel(file, pin::JointModelFreeFlyer(), "root_joint", model, points, welds);
  else
    pin::mjcf::buildModel(file, model, points, welds);
}

void check_numbers(const pin::Model& model) {
  if (model.nv == 0) throw InvalidInput("has no joint that moves");
  if (model.nv > 1000)
    throw InvalidInput("has " + std::to_string(model.nv) + " degrees of freedom, at most 1000");
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const pin::Inertia& body = model.inertias[j];
    const bool finite = std::isfinite(body.mass()) && body.lever().allFinite() &&
                        body.inertia().matrix().allFinite() &&
                        model.jointPlacements[j].toHomogeneousMatrix().allFinite();
    if (!finite)
      throw InvalidInput("joint '" + model.names[j] +
                         "': its place, or the mass or inertia it carries, is not a finite number");
    if (body.mass() < 0)
      throw InvalidInput("joint '" + model.names[j] + "' carries a mass of " + text(body.mass()) +
                         ", expected a number ≥ 0");
  }
  for (const pin::Frame& frame : model.frames)
    if (!frame.placement.toHomogeneousMatrix().allFinite())
      throw InvalidInput("frame '" + frame.name + "' is not at a finite place");
}

bool is_angle_pair(const pin::JointModel& joint) { return joint.nq() == 2 && joint.nv() == 1; }

bool is_planar(const pin::JointModel& joint) { return joint.shortname() == "JointModelPlanar"; }

void list_joints(MultibodyModel::Contents& contents) {
  for (std::size_t j = 1; j < contents.model.joints.size(); ++j) {
    const pin::JointModel& joint = contents.model.joints[j];
    if (joint.nv() == 0) continue;  // it mimics another
    const bool pair = is_angle_pair(joint), planar = is_planar(joint);
    ModelJoint entry{contents.model.names[j], contents.nq, pair || planar ? joint.nv() : joint.nq(),
                     joint.idx_v(), joint.nv()};
    if (pair || planar) contents.angles.push_back(entry.q + entry.nq - 1);
    contents.nq += entry.nq;
    contents.joints.push_back(std::move(entry));
  }
}

// A link and a joint may have one name: the link goes first.
void list_frames(MultibodyModel::Contents& contents) {
  std::set<std::string> seen;
  for (const int kind : {pin::BODY | pin::OP_FRAME | pin::SENSOR, pin::FIXED_JOINT | pin::JOINT})
    for (std::size_t f = 1; f < contents.model.frames.size(); ++f) {
      const pin::Frame& frame = contents.model.frames[f];
      if ((frame.type & kind) == 0 || !seen.insert(frame.name).second) continue;
      contents.frames.push_back(frame.name);
      contents.frame_index.push_back(f);
    }
}

template <class Constraints>
void add_loops(const Constraints& constraints, bool rigid, MultibodyModel::Contents& contents) {
  for (const auto& constraint : constraints) {
    const auto end = [&](pin::JointIndex joint, const pin::SE3& placement, const char* name) {
      contents.frame_index.push_back(
          contents.model.addFrame(pin::Frame("loop " + std::to_string(contents.loops.size()) + name,
                                             joint, placement, pin::OP_FRAME),
                                  false));
      return static_cast<int>(contents.frame_index.size()) - 1;
    };
    const int first = end(constraint.joint1_id, constraint.joint1_placement, "a");
    const int second = end(constraint.joint2_id, constraint.joint2_placement, "b");
    contents.loops.push_back({first, second, rigid});
  }
}

std::shared_ptr<const MultibodyModel::Contents> fill(const std::string& path,
                                                     const std::string& text,
                                                     const ModelOptions& options) {
  auto contents = std::make_shared<MultibodyModel::Contents>();
  Points points;
  Welds welds;
  try {
    parse(path, text, options, contents->model, points, welds);
  } catch (const InvalidInput&) {
    throw;
  } catch (const std::exception& error) {
    // Some messages begin with where in the reader they come from.
    std::string message = error.what();
    if (const std::size_t at = message.find("message:\n"); at != std::string::npos)
      message.erase(0, at + 9);
    const std::size_t from = message.find_first_not_of(" \n"),
                      to = message.find_last_not_of(" \n.");
    message = from == std::string::npos ? "" : message.substr(from, to + 1 - from);
    throw InvalidInput("cannot be read as a model: " + message);
  }
  check_numbers(contents->model);
  contents->model.gravity.linear() = options.gravity;
  list_joints(*contents);
  list_frames(*contents);
  add_loops(points, false, *contents);
  add_loops(welds, true, *contents);
  return contents;
}

// q as Pinocchio takes it.
void expand(const MultibodyModel::Contents& contents, const Eigen::VectorXd& q,
            Eigen::VectorXd& out) {
  out.resize(contents.model.nq);
  Eigen::Index to = 0;
  std::size_t next = 0;
  for (Eigen::Index from = 0; from < q.size(); ++from) {
    if (next < contents.angles.size() && contents.angles[next] == from) {
      out[to++] = std::cos(q[from]);
      out[to++] = std::sin(q[from]);
      ++next;
    } else {
      out[to++] = q[from];
    }
  }
}

}  // namespace

MultibodyModel::MultibodyModel(std::shared_ptr<const Contents> contents)
    : contents_(std::move(contents)) {}

const std::string& MultibodyModel::name() const { return contents_->model.name; }
int MultibodyModel::nq() const { return contents_->nq; }
int MultibodyModel::nv() const { return contents_->model.nv; }
const std::vector<ModelJoint>& MultibodyModel::joints() const { return contents_->joints; }
const std::vector<std::string>& MultibodyModel::frames() const { return contents_->frames; }
const std::vector<Loop>& MultibodyModel::loops() const { return contents_->loops; }

Vec3 MultibodyModel::gravity() const { return contents_->model.gravity.linear(); }

Eigen::VectorXd MultibodyModel::neutral() const {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(nq());
  const Eigen::VectorXd theirs = pin::neutral(contents_->model);
  for (const ModelJoint& joint : joints()) {
    const pin::JointModel& source =
        contents_->model.joints[contents_->model.getJointId(joint.name)];
    if (source.nq() == joint.nq)
      q.segment(joint.q, joint.nq) = theirs.segment(source.idx_q(), joint.nq);
  }
  return q;
}

int MultibodyModel::frame(const std::string& wanted) const {
  for (std::size_t i = 0; i < frames().size(); ++i)
    if (frames()[i] == wanted) return static_cast<int>(i);
  throw InvalidInput("no frame is called '" + wanted + "', the nearest are " +
                     nearest_names(wanted, frames()));
}

const ModelJoint& MultibodyModel::joint(const std::string& wanted) const {
  std::vector<std::string> names;
  for (const ModelJoint& joint : joints()) {
    if (joint.name == wanted) return joint;
    names.push_back(joint.name);
  }
  throw InvalidInput("no joint is called '" + wanted + "', the nearest are " +
                     nearest_names(wanted, names));
}

void MultibodyModel::check_configuration(const Eigen::VectorXd& q, const std::string& what) const {
  if (q.size() != nq())
    throw InvalidInput(what + " has " + std::to_string(q.size()) + " numbers, expected " +
                       std::to_string(nq()));
  if (!q.allFinite()) throw InvalidInput(what + " has a number that is not finite");
  Eigen::VectorXd theirs;
  expand(*contents_, q, theirs);
  if (!pin::isNormalized(contents_->model, theirs, 1e-6))
    throw InvalidInput(what +
                       " has a quaternion whose length is not 1, expected one of unit length");
}

void MultibodyModel::check_velocity(const Eigen::VectorXd& v, const std::string& what) const {
  if (v.size() != nv())
    throw InvalidInput(what + " has " + std::to_string(v.size()) + " numbers, expected " +
                       std::to_string(nv()));
  if (!v.allFinite()) throw InvalidInput(what + " has a number that is not finite");
}

namespace {

MultibodyModel model_of(const std::string& path, const std::string& text, const std::string& name,
                        const ModelOptions& options) {
  if (!options.gravity.allFinite()) throw InvalidInput("gravity is not finite");
  try {
    const io::Limits limits{20, std::size_t{1} << 30, true};
    io::isolated(limits, "cannot be read as a model: the reader fails on it", [&] {
      fill(path, text, options);
      return std::string();
    });
    return MultibodyModel(fill(path, text, options));
  } catch (const InvalidInput& error) {
    throw InvalidInput(name + ": " + error.what());
  }
}

}  // namespace

MultibodyModel read_model(const std::filesystem::path& path, const ModelOptions& options) {
  return model_of(path.string(), read_file(path), path.string(), options);
}

MultibodyModel parse_model(const std::string& text, const std::string& name,
                           const ModelOptions& options) {
  return model_of("", text, name, options);
}

struct Kinematics::Workspace {
  explicit Workspace(const MultibodyModel& its_model)
      : model(its_model), data(its_model.contents().model), jacobian(6, its_model.nv()) {
    acceleration = Eigen::VectorXd::Zero(its_model.nv());
  }
  const Eigen::VectorXd& configuration(const Eigen::VectorXd& q) {
    if (model.contents().angles.empty()) return q;
    expand(model.contents(), q, expanded);
    return expanded;
  }
  const pin::Frame& frame(int index) const {
    const MultibodyModel::Contents& contents = model.contents();
    return contents.model.frames[contents.frame_index[static_cast<std::size_t>(index)]];
  }
  pin::SE3 placement(int index) const {
    const pin::Frame& f = frame(index);
    return data.oMi[f.parentJoint] * f.placement;
  }

  MultibodyModel model;
  pin::Data data;
  Rows6 jacobian;
  Eigen::VectorXd expanded, acceleration;
};

Kinematics::Kinematics(const MultibodyModel& model)
    : workspace_(std::make_unique<Workspace>(model)) {}
Kinematics::~Kinematics() = default;
Kinematics::Kinematics(Kinematics&&) noexcept = default;
Kinematics& Kinematics::operator=(Kinematics&&) noexcept = default;

void Kinematics::at(const Eigen::VectorXd& q) {
  Workspace& w = *workspace_;
  // In world axes the mass matrix leaves the joints' Jacobians behind.
  pin::crba(w.model.contents().model, w.data, w.configuration(q), pin::Convention::WORLD);
}

void Kinematics::at(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  Workspace& w = *workspace_;
  const pin::Model& model = w.model.contents().model;
  const Eigen::VectorXd& theirs = w.configuration(q);
  pin::nonLinearEffects(model, w.data, theirs, v);
  pin::forwardKinematics(model, w.data, theirs, v, w.acceleration);
  pin::crba(model, w.data, theirs, pin::Convention::WORLD);
}

const Eigen::MatrixXd& Kinematics::mass() const { return workspace_->data.M; }
const Eigen::VectorXd& Kinematics::bias() const { return workspace_->data.nle; }

Vec3 Kinematics::position(int frame) const { return workspace_->placement(frame).translation(); }
Eigen::Matrix3d Kinematics::rotation(int frame) const {
  return workspace_->placement(frame).rotation();
}

const Kinematics::Rows6& Kinematics::jacobian(int frame) {
  Workspace& w = *workspace_;
  const pin::Frame& f = w.frame(frame);
  w.jacobian.setZero();
  pin::getFrameJacobian(w.model.contents().model, w.data, f.parentJoint, f.placement,
                        pin::LOCAL_WORLD_ALIGNED, w.jacobian);
  return w.jacobian;
}

void Kinematics::point_rows(int frame, const Eigen::Matrix3d& axes,
                            Eigen::Matrix<double, 3, Eigen::Dynamic>& rows) {
  Workspace& w = *workspace_;
  const pin::Model& model = w.model.contents().model;
  const pin::Frame& f = w.frame(frame);
  rows.setZero(3, model.nv);
  if (!model.mimicking_joints.empty()) {
    rows = axes * jacobian(frame).topRows<3>();
    return;
  }
  // A column of data.J is a joint's twist as seen at the world's origin.
  const Vec3 at = w.data.oMi[f.parentJoint].act(f.placement.translation());
  const auto& support = model.supports[f.parentJoint];
  for (std::size_t k = 1; k < support.size(); ++k) {
    const int first = model.idx_vs[support[k]];
    for (int c = first; c < first + model.nvs[support[k]]; ++c) {
      const auto twist = w.data.J.col(c);
      const Vec3 linear = twist.head<3>(), angular = twist.tail<3>();
      rows.col(c) = axes * (linear + angular.cross(at));
    }
  }
}

Eigen::Matrix<double, 6, 1> Kinematics::drift(int frame) const {
  const pin::Frame& f = workspace_->frame(frame);
  return pin::getFrameClassicalAcceleration(workspace_->model.contents().model, workspace_->data,
                                            f.parentJoint, f.placement, pin::LOCAL_WORLD_ALIGNED)
      .toVector();
}

}  // namespace stiction
