// SPDX-License-Identifier: Apache-2.0
//
// What each contact does at a solution, as far as the tolerance can tell.
#include <algorithm>
#include <cmath>

#include "contact/proof/residual.h"

namespace stiction {

namespace {

// Whether the force lies inside K, and would with so much less.
bool is_inside(const ContactLaw<2>& law, const Eigen::Vector2d& r, double force) {
  return std::min(law.high * r[0] + r[1], -r[1] - law.low * r[0]) > force;
}
bool is_inside(const ContactLaw<3>& law, const Vec3& r, double force) {
  if (law.other == nullptr) return law.mu * r[0] - std::sqrt(r[1] * r[1] + r[2] * r[2]) > force;
  return law.mu > 0 && law.other->curve().contains(-r.tail<2>(), r[0] - force / law.mu);
}

}  // namespace

template <int D>
void find_modes(const ContactLaws<D>& laws, const Norms& norms, const Eigen::VectorXd& r,
                const Eigen::VectorXd& u, double tolerance, std::vector<Mode>& modes) {
  const auto contacts = static_cast<int>(r.size() / D);
  modes.resize(static_cast<std::size_t>(contacts));
  double square = 0;
  for (const double x : r) square += x * x;
  const double force =
      undecided_margin * tolerance * std::max(std::sqrt(square), norms.rho * norms.q);
  const double speed = force / norms.rho;
  for (int i = 0; i < contacts; ++i) {
    const Part<D> r_i = r.segment<D>(D * i), u_i = u.segment<D>(D * i);
    Mode& mode = modes[static_cast<std::size_t>(i)];
    mode = Mode::undecided;
    const bool pressed = r_i[0] > force, apart = u_i[0] > speed;
    if (apart) {
      if (!pressed) mode = Mode::open;
    } else if (pressed) {
      double slip = 0;
      for (int c = 1; c < D; ++c) slip += u_i[c] * u_i[c];
      if (slip > speed * speed)
        mode = Mode::slip;
      else if (is_inside(laws[i], r_i, force))
        mode = Mode::stick;
    }
  }
}

template void find_modes<2>(const ContactLaws<2>&, const Norms&, const Eigen::VectorXd&,
                            const Eigen::VectorXd&, double, std::vector<Mode>&);
template void find_modes<3>(const ContactLaws<3>&, const Norms&, const Eigen::VectorXd&,
                            const Eigen::VectorXd&, double, std::vector<Mode>&);

namespace {

template <int D>
std::vector<Mode> modes_in(const ContactProblem& problem, const Eigen::VectorXd& r,
                           const Eigen::VectorXd& u, double tolerance) {
  ContactLaws<D> laws;
  laws.assign(problem.laws);
  std::vector<Mode> modes;
  find_modes<D>(laws, problem_norms(problem.W, problem.q), r, u, tolerance, modes);
  return modes;
}

}  // namespace

std::vector<Mode> modes_at(const ContactProblem& problem, const Eigen::VectorXd& reactions,
                           const Eigen::VectorXd& velocities, double tolerance) {
  const Eigen::Index size = static_cast<Eigen::Index>(problem.dimension) * problem.contacts();
  for (const auto& [vector, name] :
       {std::pair(&reactions, "reactions"), {&velocities, "velocities"}})
    if (vector->size() != size)
      throw InvalidInput(std::string(name) + " has " + std::to_string(vector->size()) +
                         " numbers, expected " + std::to_string(size));
  if (problem.dimension == 2) return modes_in<2>(problem, reactions, velocities, tolerance);
  if (problem.dimension == 3) return modes_in<3>(problem, reactions, velocities, tolerance);
  return modes_at(written_out(problem), reactions, velocities, tolerance);
}

}  // namespace stiction
