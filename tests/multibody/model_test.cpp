// SPDX-License-Identifier: Apache-2.0
//
// Reading models: what is there, what is refused, and that nothing hostile does harm.
#include "stiction/multibody_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "multibody/names.h"
#include "stiction/multibody.h"

namespace stiction {
namespace {

MultibodyModel mjcf(const std::string& inside, const ModelOptions& options = {}) {
  return parse_model("<mujoco><compiler angle='radian'/>" + inside + "</mujoco>", "test", options);
}

MultibodyModel shipped(const std::string& file, const ModelOptions& options = {}) {
  return read_model(std::string(STICTION_SOURCE "/scenes/models/") + file, options);
}

std::string refusal(const std::string& text, const ModelOptions& options = {}) {
  try {
    parse_model(text, "test", options);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

const std::string body =
    "<body name='a'><joint name='j' axis='0 1 0'/><inertial pos='1 0 0' mass='1' diaginertia='0 0 "
    "0'/>"
    "<site name='s' pos='1 0 0'/></body>";

TEST(Model, ListsJointsAndFrames) {
  const MultibodyModel arm = shipped("arm7.urdf");
  EXPECT_EQ(arm.name(), "arm7");
  EXPECT_EQ(arm.nq(), 7);
  EXPECT_EQ(arm.nv(), 7);
  EXPECT_EQ(arm.joint("j4").q, 3);
  EXPECT_EQ(arm.frames()[static_cast<std::size_t>(arm.frame("fingertip"))], "fingertip");
  const MultibodyModel floating = shipped("arm7.urdf", {.base = Base::floating});
  EXPECT_EQ(floating.nq(), 14);
  EXPECT_EQ(floating.nv(), 13);
  EXPECT_EQ(floating.neutral()[6], 1);
}

TEST(Model, NamesTheNearestWhereThereIsNone) {
  EXPECT_EQ(nearest_names("elbw", {"wrist", "elbow", "hand"}), "'elbow', 'hand' and 'wrist'");
  EXPECT_EQ(nearest_names("TIP", {"tip"}), "'tip'");
  const MultibodyModel arm = shipped("arm7.urdf");
  try {
    arm.frame("fingertop");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("the nearest are 'fingertip'"), std::string::npos);
  }
  EXPECT_THROW(arm.joint("j8"), InvalidInput);
}

TEST(Model, ChecksConfigurations) {
  const MultibodyModel box = shipped("box.xml");
  Eigen::VectorXd q = box.neutral();
  EXPECT_NO_THROW(box.check_configuration(q, "q"));
  q[6] = 1.1;
  EXPECT_THROW(box.check_configuration(q, "q"), InvalidInput);
  EXPECT_THROW(box.check_configuration(Eigen::VectorXd::Zero(6), "q"), InvalidInput);
  EXPECT_THROW(box.check_velocity(Eigen::VectorXd::Zero(7), "v"), InvalidInput);
  q = box.neutral();
  q[0] = std::nan("");
  EXPECT_THROW(box.check_configuration(q, "q"), InvalidInput);
}

// Two pendulums of one mass each: Pinocchio alone would see the first.
TEST(Model, SeveralBodiesInTheWorldAreAllThere) {
  std::string second = body;
  for (const char* name : {"'a'", "'j'", "'s'"}) {
    std::string other = name;
    other[1] = static_cast<char>(other[1] + 1);
    second.replace(second.find(name), 3, other);
  }
  const MultibodyModel model = mjcf("<worldbody>" + body + second + "</worldbody>");
  EXPECT_EQ(model.nv(), 2);
  Kinematics kinematics(model);
  kinematics.at(Eigen::Vector2d(0.3, -0.7));
  EXPECT_NEAR(kinematics.mass()(0, 0), 1, 1e-15);
  EXPECT_NEAR(kinematics.mass()(1, 1), 1, 1e-15);
  EXPECT_NEAR(kinematics.mass()(0, 1), 0, 1e-15);
}

TEST(Model, SwitchedOffConstraintsDoNotHold) {
  const std::string world = "<worldbody>" + body + "</worldbody>";
  const auto loops = [&](const char* active) {
    return mjcf(world + "<equality><connect body1='a' anchor='1 0 0' active='" + active +
                "'/></equality>")
        .loops()
        .size();
  };
  EXPECT_EQ(loops("true"), 1U);
  EXPECT_EQ(loops("false"), 0U);
}

// Links of 1 kg at the ends of bars of 1 m, the second turning twice as far as the first:
// v₂ = e(q) + 3 e(3q + 0.1), so M = 1 + |v₂|² = 11 + 6 cos(2q + 0.1).
TEST(Model, AJointThatMimicsFollows) {
  const std::string inertia =
      "<inertial><origin xyz='1 0 0'/><mass value='1'/><inertia ixx='0' iyy='0' izz='0' ixy='0' "
      "ixz='0' iyz='0'/></inertial>";
  const std::string limit =
      "<axis xyz='0 -1 0'/><limit lower='-3' upper='3' effort='1' velocity='1'/>";
  const MultibodyModel model = parse_model(
      "<robot name='m'><link name='b'/><link name='u'>" + inertia + "</link><link name='l'>" +
          inertia +
          "</link><link name='tip'/><joint name='j' type='revolute'><parent link='b'/><child "
          "link='u'/>" +
          limit + "</joint><joint name='k' type='revolute'><parent link='u'/><child link='l'/>" +
          "<origin xyz='1 0 0'/>" + limit +
          "<mimic joint='j' multiplier='2' offset='0.1'/></joint>" +
          "<joint name='e' type='fixed'><parent link='l'/><child link='tip'/><origin xyz='1 0 "
          "0'/></joint></robot>",
      "mimic");
  ASSERT_EQ(model.nq(), 1);
  MechanismState state({model});
  const double q = 0.4, mass = 11 + 6 * std::cos(2 * q + 0.1);
  state.at(Eigen::VectorXd::Constant(1, q));
  EXPECT_NEAR(state.mass()(0, 0), mass, 1e-13);
  const Vec3 row(-std::sin(q) - 3 * std::sin(3 * q + 0.1), 0,
                 std::cos(q) + 3 * std::cos(3 * q + 0.1));
  EXPECT_LE(
      (state.delassus(ContactPoint{model.frame("tip")}) - row * row.transpose() / mass).norm(),
      1e-13);
}

TEST(Model, RefusesWhatItWouldMisread) {
  const auto contains = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  };
  contains(refusal(""), "neither URDF");
  contains(refusal("hello <html/>"), "neither URDF");
  contains(refusal("<robot name='x'><link"), "cannot be read as a model");
  contains(refusal("<mujoco><worldbody><body></mujoco>"), "not XML");
  contains(refusal("<mujoco/>"), "worldbody");
  contains(refusal("<robot name='x'><link name='a'/></robot>"), "no joint");
  contains(refusal("<mujoco><worldbody>" + body +
                   "</worldbody><equality><joint joint1='j'/></equality></mujoco>"),
           "<joint> in <equality>");
  contains(
      refusal("<mujoco><include file='/etc/passwd'/><worldbody>" + body + "</worldbody></mujoco>"),
      "<include>");
  contains(
      refusal("<mujoco><worldbody>" + body + "</worldbody></mujoco>", {.base = Base::floating}),
      "cannot float");
  std::string negative = body;
  negative.replace(negative.find("mass='1'"), 8, "mass='-1'");
  contains(refusal("<mujoco><worldbody>" + negative + "</worldbody></mujoco>"), "mass of -1");
  EXPECT_EQ(refusal("<mujoco><worldbody>" + body + "</worldbody></mujoco>"), "accepted");
}

TEST(Model, HostileTextsDoNoHarm) {
  for (const char* open : {"<robot name='x'>", "<mujoco>"}) {
    std::string deep = open;
    for (int i = 0; i < 100000; ++i) deep += "<body><link>";
    EXPECT_NE(refusal(deep), "accepted");
    std::string entities = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>";
    for (int i = 0; i < 30; ++i) entities += "<!ENTITY b" + std::to_string(i) + " '&a;&a;&a;'>";
    EXPECT_NE(refusal(entities + "]>" + open + "&b29;"), "accepted");
    EXPECT_NE(refusal(std::string(open) + std::string(1000, '\0')), "accepted");
  }
  EXPECT_NE(
      refusal("<robot name='x'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
              "<parent link='a'/><child link='b'/><origin xyz='nan 0 0'/></joint></robot>"),
      "accepted");
}

}  // namespace
}  // namespace stiction
