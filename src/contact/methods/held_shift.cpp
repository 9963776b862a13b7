// SPDX-License-Identifier: Apache-2.0
#include "contact/methods/held_shift.h"

#include <algorithm>
#include <cmath>

namespace stiction {

template <int D>
auto HeldShift<D>::squares() -> Squares {
  std::vector<double>& parts = work_.parts;
  parts.resize(2 * static_cast<std::size_t>(chunks(work_.contacts())));
  for_chunks(*work_.team, work_.contacts(), [&](int first, int last, int) {
    double held = 0, exact = 0;
    for (int i = first; i < last; ++i) {
      const auto ii = static_cast<std::size_t>(i);
      const ContactLaw<D>& law = work_.laws[i];
      const Part<D> r = v_.trial.template segment<D>(D * i);
      const Part<D> u = velocity_at<D>(*work_.W, work_.q->data(), v_.trial.data(), i);
      Part<D> as_held = u, as_is = u;
      v_.new_shift[ii] = law.support(u);
      as_held[0] += v_.shift[ii];
      as_is[0] += v_.new_shift[ii];
      held += natural_map<D>(law, r, as_held, work_.norms.rho).squaredNorm();
      exact += natural_map<D>(law, r, as_is, work_.norms.rho).squaredNorm();
    }
    double* sums = parts.data() + 2 * (first / chunk);
    sums[0] = held;
    sums[1] = exact;
  });
  Squares sum;
  for (std::size_t k = 0; k < parts.size(); k += 2) {
    sum.held += parts[k];
    sum.exact += parts[k + 1];
  }
  return sum;
}

template <int D>
void HeldShift<D>::believe(double noise, double lost) {
  for (std::size_t i = 0; i < v_.shift.size(); ++i)
    if (v_.new_shift[i] < (v_.shift[i] > 0 ? lost : 1) * noise) v_.new_shift[i] = 0;
  v_.shift.swap(v_.new_shift);
}

template <int D>
void HeldShift<D>::start() {
  std::fill(v_.shift.begin(), v_.shift.end(), 0.0);
  if (!work_.guessed) return;
  work_.project(work_.r, v_.trial);
  believe(std::sqrt(squares().exact) / work_.norms.rho, 1);
}

template <int D>
void HeldShift<D>::update(double rate) {
  if (!(rate > strategy.shift.creeping)) return;
  work_.project(work_.r, v_.trial);
  const Squares sum = squares();
  if (strategy.shift.held_better * sum.held > sum.exact) return;
  believe(over_noise_ * std::sqrt(sum.held) / work_.norms.rho, strategy.shift.lost);
}

template <int D>
bool HeldShift<D>::believe_what_moves() {
  if (over_noise_ != strategy.shift.over_noise) return false;
  over_noise_ = strategy.shift.over_noise_moving;
  return true;
}

template class HeldShift<2>;
template class HeldShift<3>;

}  // namespace stiction
