// SPDX-License-Identifier: Apache-2.0
//
// An active-set method, for limit curves that are boxes along the tangents: then
//
//   low_c r_n ≤ −r_c ≤ high_c r_n      in each tangential component c on its own,
//
// and a contact is open (r = 0) or closed (u_n = 0), where each component sticks (u_c = 0) or slips
// at one of its bounds (r_c = −f r_n, f = high for u_c ≥ 0, low for u_c ≤ 0).  Once every contact
// has its modes, the reactions solve a linear system.
//
// Block principal pivoting (Júdice and Pires 1994): all components that violate an inequality
// change their mode at once, as long as their number falls at least every `patience` steps;
// otherwise only the last of them does (Murty's rule, which cannot cycle on a P-matrix), until the
// number is below the least so far.
//
// W may be singular, and with friction the problem has no P-matrix.  So it is solved around a
// centre with u = W r + q + α S (r − centre), S the size of each contact's block: for a large α
// that is one. The centre moves to the solution and α falls; where the modes go round in circles α
// grows, and where nothing is gained Gauss–Seidel leads to other modes, from the best point or from
// elsewhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "contact/methods/methods.h"

namespace stiction {

namespace {

constexpr const ModeStrategy& at = strategy.modes;

template <int D>
struct Box {
  std::array<double, D - 1> low{}, high{};
};

// The box that a polygon is: every vertex has each coordinate at one of its two ends.
std::optional<Box<3>> box_of(const ContactLaw<3>& law) {
  Box<3> box;
  if (law.other == nullptr) return law.mu == 0 ? std::optional(box) : std::nullopt;
  const LimitCurve& curve = law.other->curve();
  if (!curve.is_polygonal()) return std::nullopt;
  const std::vector<Vec2> corners = curve.vertices();
  for (const Vec2& p : corners)
    for (std::size_t c = 0; c < 2; ++c) {
      box.low[c] = std::min(box.low[c], p[static_cast<Eigen::Index>(c)]);
      box.high[c] = std::max(box.high[c], p[static_cast<Eigen::Index>(c)]);
    }
  // Coordinates that rounding left beside an end count as at it: 4 units of the box's size.
  const double near = 4 * std::numeric_limits<double>::epsilon() * law.mu;
  double area = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec2 &p = corners[k], &next = corners[(k + 1) % corners.size()];
    area += (p.x() * next.y() - p.y() * next.x()) / 2;
    for (std::size_t c = 0; c < 2; ++c) {
      const double x = p[static_cast<Eigen::Index>(c)];
      if (x > box.low[c] + near && x < box.high[c] - near) return std::nullopt;
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    if (box.low[c] >= -near) box.low[c] = 0;
    if (box.high[c] <= near) box.high[c] = 0;
  }
  // A diagonal segment or a triangle has such vertices too, but not the area.
  const double full = (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
  if (std::abs(full - area) > 1e-14 * law.mu * law.mu) return std::nullopt;
  return box;
}

std::optional<Box<2>> box_of(const ContactLaw<2>& law) { return Box<2>{{law.low}, {law.high}}; }

enum class Slip : char { low, stick, high };

template <int D>
struct Modes {
  bool open = true;
  std::array<Slip, D - 1> slip{};

  bool operator==(const Modes&) const = default;
};

template <int D>
class ActiveSet {
 public:
  explicit ActiveSet(Workspace<D>& work);
  void run();

 private:
  // Of contact i: the modes that its r and u ask for.
  Modes<D> guess(int i, const Part<D>& r, const Part<D>& u) const;
  void take_modes();
  bool solve_modes();
  bool inner();
  double bound(std::size_t i, std::size_t c) const {
    return modes_[i].slip[c] == Slip::high ? boxes_[i].high[c] : boxes_[i].low[c];
  }

  Workspace<D>& work_;
  const BlockMatrix& W_;
  int n_;
  double alpha_ = at.alpha;
  std::vector<Box<D>> boxes_;
  std::vector<Modes<D>> modes_;
  std::vector<double> size_;  // S
  std::vector<Block<D>> A_, C_;
  std::vector<char> open_;
  std::vector<std::pair<int, Modes<D>>> changes_;  // contacts that violate, and what they become
  Eigen::VectorXd centre_, r_, u_;
};

template <int D>
ActiveSet<D>::ActiveSet(Workspace<D>& work) : work_(work), W_(*work.W), n_(work.contacts()) {
  const auto size = static_cast<std::size_t>(n_);
  modes_.resize(size);
  A_.resize(size);
  C_.resize(size);
  open_.resize(size);
  changes_.reserve(size);
  for (int i = 0; i < n_; ++i) {
    boxes_.push_back(box_of(work.laws[i]).value());
    const double* block = W_.at(work.diagonal[static_cast<std::size_t>(i)]);
    double trace = 0;
    for (int c = 0; c < D; ++c) trace += std::abs(block[(D + 1) * c]);
    size_.push_back(trace / D > strategy.steps.no_block * work.mean_diagonal ? trace / D
                                                                             : work.mean_diagonal);
  }
  r_.resize(D * n_);
  u_.resize(D * n_);
}

template <int D>
Modes<D> ActiveSet<D>::guess(int i, const Part<D>& r, const Part<D>& u) const {
  const auto ii = static_cast<std::size_t>(i);
  const Part<D> z = r - u / size_[ii];
  Modes<D> modes;
  modes.open = z[0] <= 0;
  for (std::size_t c = 0; c < D - 1; ++c) {
    const double f = -z[static_cast<Eigen::Index>(c) + 1];
    modes.slip[c] = f >= boxes_[ii].high[c] * z[0]  ? Slip::high
                    : f <= boxes_[ii].low[c] * z[0] ? Slip::low
                                                    : Slip::stick;
  }
  return modes;
}

template <int D>
void ActiveSet<D>::take_modes() {
  for (int i = 0; i < n_; ++i)
    modes_[static_cast<std::size_t>(i)] =
        guess(i, work_.r.template segment<D>(D * i),
              velocity_at<D>(W_, work_.q->data(), work_.r.data(), i));
}

// The reactions that the modes give, and the velocities.
template <int D>
bool ActiveSet<D>::solve_modes() {
  for (int i = 0; i < n_; ++i) {
    const auto ii = static_cast<std::size_t>(i);
    const Modes<D>& modes = modes_[ii];
    open_[ii] = modes.open ? 1 : 0;
    A_[ii].setZero();
    C_[ii].setZero();
    if (!modes.open) {
      A_[ii](0, 0) = 1 / size_[ii];
      for (int c = 1; c < D; ++c) {
        if (modes.slip[static_cast<std::size_t>(c - 1)] == Slip::stick) {
          A_[ii](c, c) = 1 / size_[ii];
        } else {
          C_[ii](c, c) = 1;
          C_[ii](c, 0) = bound(ii, static_cast<std::size_t>(c - 1));
        }
      }
    }
    C_[ii] += alpha_ * size_[ii] * A_[ii];
    r_.template segment<D>(D * i) =
        -A_[ii] * (work_.q->template segment<D>(D * i) -
                   alpha_ * size_[ii] * centre_.template segment<D>(D * i));
  }
  if (!work_.system.solve(W_, A_, C_, open_, r_, at.gmres, *work_.team)) return false;
  ++work_.iterations;
  for (int i = 0; i < n_; ++i)
    u_.template segment<D>(D * i) =
        velocity_at<D>(W_, work_.q->data(), r_.data(), i) +
        alpha_ * size_[static_cast<std::size_t>(i)] *
            (r_.template segment<D>(D * i) - centre_.template segment<D>(D * i));
  return true;
}

// Modes around the centre that violate nothing; false if none were found.
template <int D>
bool ActiveSet<D>::inner() {
  int least = 1 << 30, left = at.patience, singles = 0;
  while (singles <= at.single_steps) {
    if (!solve_modes()) return false;
    const double zero_r = at.zero * r_.cwiseAbs().maxCoeff();
    int count = 0, last = -1;
    Modes<D> last_modes;
    changes_.clear();
    for (int i = 0; i < n_; ++i) {
      const auto ii = static_cast<std::size_t>(i);
      const Part<D> r = r_.template segment<D>(D * i), u = u_.template segment<D>(D * i);
      const double zero_u =
          at.zero * (work_.q->template segment<D>(D * i).norm() + size_[ii] * r.norm());
      Modes<D> next = modes_[ii];
      if (next.open) {
        if (u[0] >= -zero_u) continue;
        next = guess(i, r, u);
      } else if (r[0] < -zero_r) {
        next.open = true;
      } else {
        for (std::size_t c = 0; c < D - 1; ++c) {
          const double f = -r[static_cast<Eigen::Index>(c) + 1],
                       slip = u[static_cast<Eigen::Index>(c) + 1];
          const double low = boxes_[ii].low[c], high = boxes_[ii].high[c];
          if (low == high) continue;
          Slip& mode = next.slip[c];
          if (mode == Slip::stick) {
            if (f > high * r[0] + zero_r) mode = Slip::high;
            if (f < low * r[0] - zero_r) mode = Slip::low;
          } else if (mode == Slip::high ? slip < -zero_u : slip > zero_u) {
            mode = Slip::stick;
          }
          if (mode == modes_[ii].slip[c]) continue;
          ++count;
          last = i;
          last_modes = modes_[ii];
          last_modes.slip[c] = mode;
        }
        if (next == modes_[ii]) continue;
        changes_.emplace_back(i, next);
        continue;
      }
      ++count;
      last = i;
      last_modes = next;
      changes_.emplace_back(i, next);
    }
    if (changes_.empty()) return true;
    if (work_.budget_spent()) return false;
    if (count < least) {
      least = count;
      left = at.patience;
      singles = 0;
    } else {
      --left;
    }
    if (left >= 0) {
      for (const auto& [i, modes] : changes_) modes_[static_cast<std::size_t>(i)] = modes;
    } else {
      ++singles;
      modes_[static_cast<std::size_t>(last)] = last_modes;
    }
  }
  return false;
}

template <int D>
void ActiveSet<D>::run() {
  constexpr int sweeps = strategy.sweeps.elsewhere;
  work_.system.insist(W_);
  for (int round = 0; round < at.rounds; ++round) {
    const bool elsewhere = round % 2 == 1;
    if (elsewhere)
      work_.restart(round);
    else if (round > 0)
      work_.r = work_.best;
    gauss_seidel(work_, false,
                 elsewhere ? sweeps : sweeps << std::min(round / 2, at.most_doublings));
    if (work_.over()) return;
    take_modes();
    alpha_ = at.alpha;
    double best = infinity;
    int stale = 0;
    while (alpha_ <= at.most_alpha && stale < at.most_stale) {
      centre_ = work_.r;
      const bool found = inner();
      if (found) {
        work_.r = r_;
        if (work_.check(Method::active_set, alpha_)) return;
        alpha_ = std::max(at.fall * alpha_, at.least_alpha);
      } else {
        if (work_.check(Method::active_set, alpha_)) return;
        take_modes();
        alpha_ *= at.rise;
      }
      const double error = work_.errors.worst();
      stale = error < at.gain * best ? 0 : stale + 1;
      best = std::min(best, error);
    }
  }
}

}  // namespace

void require_boxes(const ContactProblem& problem, Model model) {
  if (model != Model::coulomb)
    throw InvalidInput("model is convex, expected coulomb for method active_set");
  if (problem.dimension == 2) return;
  ContactLaws<3> laws;
  laws.assign(problem.laws);
  for (int i = 0; i < problem.contacts(); ++i)
    if (!box_of(laws[i]))
      throw InvalidInput("law[" + std::to_string(i) + "] is " +
                         to_text(problem.laws[static_cast<std::size_t>(i)]) +
                         ", expected a box along the tangents for method active_set");
}

template <int D>
void active_set(Workspace<D>& work) {
  ActiveSet<D>(work).run();
}

template void active_set<2>(Workspace<2>&);
template void active_set<3>(Workspace<3>&);

}  // namespace stiction
