// A block on a slope of 4:3 with μ = 0.75, one time step: does it slide, and is that proven?
#include <stiction/stiction.h>

#include <cstdio>

int main() {
  using namespace stiction;
  ContactProblem problem;
  problem.W = block_matrix(Eigen::MatrixXd::Identity(3, 3), 3);  // 1/mass
  problem.q = 0.0981 * Vec3(-0.6, -0.8, 0);                      // gΔt along n, t1, t2
  problem.laws = {parse_law("disc:0.75")};

  const Solution solution = solve(problem);
  std::printf("%s\n", to_text(solution.status).c_str());
  std::printf("reaction %.6f %.6f N s\n", solution.reactions[0], solution.reactions[1]);
  std::printf("slips with %.6f m/s\n", solution.velocities[1]);

  const Certificate proof = certify(problem, solution.reactions);  // from the data alone
  std::printf("within 1e-12: %s\n", proof.within(1e-12) ? "yes" : "no");
}
