// SPDX-License-Identifier: Apache-2.0
//
// A free body of mass 2: W of a contact at its centre of mass is 1/2.
#include <stiction/multibody.h>

int main() {
  const stiction::MultibodyModel model =
      stiction::parse_model(R"(<robot name="body">
    <link name="body"><inertial><mass value="2"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)",
                            "body", {.base = stiction::Base::floating});
  stiction::MechanismState state({model});
  state.at(model.neutral());
  const Eigen::Matrix3d W = state.delassus(stiction::ContactPoint{model.frame("body")});
  return W.isApprox(0.5 * Eigen::Matrix3d::Identity(), 1e-12) ? 0 : 1;
}
