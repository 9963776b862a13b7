// SPDX-License-Identifier: Apache-2.0
//
// A problem goes through each format and stays what it is.
#include <stiction/problem_io.h>
#include <stiction/slider_io.h>

#include <filesystem>

int main() {
  stiction::ContactProblem problem;
  problem.W = stiction::block_matrix(Eigen::MatrixXd(Eigen::Matrix3d::Identity()), 3);
  problem.q = Eigen::Vector3d(-1, 0.25, 0);
  problem.laws = {stiction::Law{.mu = 0.5}};
  for (const char* name : {"consumer.json", "consumer.dat", "consumer.hdf5"}) {
    stiction::write_problem(name, problem);
    const auto back = std::get<stiction::ContactProblem>(stiction::read_problem(name));
    std::filesystem::remove(name);
    if (back.q != problem.q || !(back.laws == problem.laws)) return 1;
  }
  const stiction::SliderFile slider = stiction::parse_slider_file(R"({"supports": [
    {"type": "point", "at": [0, 0], "normal_force": 1, "law": {"curve": "disc", "mu": 0.5}}]})",
                                                                  "slider");
  return slider.supports.size() == 1 ? 0 : 1;
}
