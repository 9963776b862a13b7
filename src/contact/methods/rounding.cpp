// SPDX-License-Identifier: Apache-2.0
#include "contact/methods/rounding.h"

#include <cmath>

#include "contact/workspace.h"

namespace stiction {

namespace {

constexpr int digits = 52;  // behind a double's leading one

}  // namespace

template <int D>
void move_by_units(Workspace<D>& work, std::vector<Block<D>>& J, Eigen::VectorXd& e) {
  const BlockMatrix& W = *work.W;
  const int n = work.contacts();
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < n; ++i) {
    const ContactLaw<D>& law = work.laws[i];
    const Part<D> r = work.r.template segment<D>(D * i);
    const Part<D> u = shifted<D>(law, exact_velocity_at<D>(W, work.q->data(), work.r.data(), i),
                                 work.options->model);
    law.project(Part<D>(r - u), J[at(i)]);
    e.template segment<D>(D * i) = exact_natural_map<D>(law, r, u, 1);
  }
  bool moved = true;
  for (int sweep = 0; sweep < strategy.rounding.sweeps && moved; ++sweep) {
    moved = false;
    for (int j = 0; j < n; ++j) {
      if (J[at(j)] != Block<D>::Identity()) continue;  // not sticking
      for (int c = 0; c < D; ++c) {
        double& x = work.r[D * j + c];
        if (x == 0) continue;
        // By a step e changes by step · J_i W_ij for each contact i.
        const auto each = [&](const auto& visit) {
          for (int k = W.start[at(j)]; k < W.start[at(j) + 1]; ++k) {
            const int i = W.column[at(k)];
            const Eigen::Map<const Block<D>> block(W.at(k));
            visit(i, Part<D>(J[at(i)] * block.row(c).transpose()));
          }
        };
        double slope = 0, square = 0;
        each([&](int i, const Part<D>& change) {
          slope += change.dot(e.template segment<D>(D * i));
          square += change.squaredNorm();
        });
        const double unit = std::ldexp(1.0, std::ilogb(x) - digits);
        const double end = x + unit * std::round(-slope / (square * unit)), step = end - x;
        if (!(step * (2 * slope + step * square) < 0)) continue;
        each([&](int i, const Part<D>& change) { e.template segment<D>(D * i) += step * change; });
        x = end;
        moved = true;
      }
    }
  }
}

template void move_by_units<2>(Workspace<2>&, std::vector<Block<2>>&, Eigen::VectorXd&);
template void move_by_units<3>(Workspace<3>&, std::vector<Block<3>>&, Eigen::VectorXd&);

}  // namespace stiction
