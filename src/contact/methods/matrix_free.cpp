// SPDX-License-Identifier: Apache-2.0
//
// Gauss–Seidel without W.  With M block-diagonal by bodies, the velocities of the bodies
//
//   v = M⁻¹ (f + Hᵀ r)
//
// are kept up to date: a contact reads u = H v + w from its bodies, is solved exactly with the
// diagonal block D = H M⁻¹ Hᵀ of its own, and hands the change of its reaction back to them.  A
// sweep costs a constant a contact however many contacts a body has, where W has a block for each
// pair of them.
//
// An iteration is a sweep there and one back.  They converge slowly along tall stacks, which
// Anderson's acceleration mends in part: from r an iteration leads to g, f = g − r, and the next
// point is g − Δg γ, where γ makes the last few f least, ‖f − Δf γ‖, measured by the contacts' own
// D.  It is projected on the cones.  Where an iteration moves r twice as far as the one before, the
// points remembered mislead, and are dropped.
//
// Reference: D. G. Anderson, "Iterative procedures for nonlinear integral equations", J. ACM 12
// (1965).
#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "contact/methods/matrix_free.h"
#include "contact/one/one_contact.h"
#include "contact/problem/components.h"
#include "contact/problem/validate.h"
#include "contact/proof/residual.h"
#include "contact/strategy.h"
#include "stiction/solver.h"

namespace stiction {

namespace {

constexpr const MatrixFreeStrategy& at = strategy.matrix_free;

// The bodies: index groups that M does not couple, six (in 2-D three) in a row where M allows it.
std::vector<std::vector<int>> bodies_of(const Eigen::SparseMatrix<double>& M, int dimension) {
  std::vector<std::vector<int>> groups = groups_of(M);
  const int size = dimension == 3 ? 6 : 3, n = static_cast<int>(M.rows());
  const bool aligned = n % size == 0 && std::all_of(groups.begin(), groups.end(), [&](auto& group) {
                         return group.front() / size == group.back() / size;
                       });
  if (!aligned) return groups;
  groups.assign(static_cast<std::size_t>(n / size), {});
  for (int i = 0; i < n; ++i) groups[static_cast<std::size_t>(i / size)].push_back(i);
  return groups;
}

// Contacts and bodies; S freedoms a body, or Eigen::Dynamic.
template <int D, int S>
class Bodies {
 public:
  using Freedoms = Eigen::Matrix<double, S, 1>;

  Bodies(const GlobalProblem& problem, const std::vector<std::vector<int>>& groups);

  int contacts() const { return static_cast<int>(link_start_.size()) - 1; }
  const double* diagonal(int i) const { return diagonal_.data() + D * D * std::ptrdiff_t{i}; }
  double mean_diagonal() const;

  // v = M⁻¹ (f + Hᵀ r)
  void update(const Eigen::VectorXd& r, Eigen::VectorXd& v) const {
    v = free_;
    for (int i = 0; i < contacts(); ++i) push(i, r.segment<D>(D * i), v);
  }
  Part<D> velocity(int i, const Eigen::VectorXd& v) const {
    Part<D> u = w_.segment<D>(D * i);
    each(i, [&](int body, const auto& H) { u.noalias() += H * part(v, body); });
    return u;
  }
  // v += M⁻¹ H_iᵀ r
  void push(int i, const Part<D>& r, Eigen::VectorXd& v) const {
    each(i, [&](int body, const auto& H) {
      const auto b = static_cast<std::size_t>(body);
      const int size = size_of(body);
      const Freedoms force = H.transpose() * r;
      v.segment<S>(body_start_[b], size).noalias() +=
          Eigen::Map<const Eigen::Matrix<double, S, S>>(inverse_.data() + inverse_start_[b], size,
                                                        size) *
          force;
    });
  }
  Eigen::VectorXd in_order(const Eigen::VectorXd& v) const {
    Eigen::VectorXd result(v.size());
    for (Eigen::Index k = 0; k < v.size(); ++k) result[order_[static_cast<std::size_t>(k)]] = v[k];
    return result;
  }
  const Eigen::VectorXd& free() const { return free_; }

 private:
  int size_of(int body) const {
    return body_start_[static_cast<std::size_t>(body) + 1] -
           body_start_[static_cast<std::size_t>(body)];
  }
  auto part(const Eigen::VectorXd& v, int body) const {
    return v.segment<S>(body_start_[static_cast<std::size_t>(body)], size_of(body));
  }
  template <class Visit>
  void each(int i, Visit&& visit) const {
    for (int k = link_start_[static_cast<std::size_t>(i)];
         k < link_start_[static_cast<std::size_t>(i) + 1]; ++k) {
      const auto kk = static_cast<std::size_t>(k);
      visit(body_[kk], Eigen::Map<const Eigen::Matrix<double, D, S>>(rows_.data() + row_start_[kk],
                                                                     D, size_of(body_[kk])));
    }
  }

  std::vector<int> order_;       // of the freedoms, body by body
  std::vector<int> body_start_;  // where a body's freedoms start in that order
  std::vector<double> inverse_;  // M⁻¹ of each body
  std::vector<std::size_t> inverse_start_;
  std::vector<int> link_start_, body_;  // the bodies of each contact
  std::vector<std::size_t> row_start_;  // their part of H, D × freedoms
  std::vector<double> rows_, diagonal_;
  Eigen::VectorXd free_, w_;  // v without reactions
};

template <int D, int S>
Bodies<D, S>::Bodies(const GlobalProblem& problem, const std::vector<std::vector<int>>& groups)
    : w_(problem.w) {
  const auto n = static_cast<std::size_t>(problem.M.rows());
  std::vector<int> body_of(n), place(n);
  body_start_.push_back(0);
  free_.resize(problem.M.rows());
  for (std::size_t b = 0; b < groups.size(); ++b) {
    const int size = static_cast<int>(groups[b].size());
    for (int k = 0; k < size; ++k) {
      const auto index = static_cast<std::size_t>(groups[b][static_cast<std::size_t>(k)]);
      body_of[index] = static_cast<int>(b);
      place[index] = k;
      order_.push_back(static_cast<int>(index));
    }
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd f(size);
    for (int c = 0; c < size; ++c) {
      const int index = groups[b][static_cast<std::size_t>(c)];
      f[c] = problem.f[index];
      for (Eigen::SparseMatrix<double>::InnerIterator it(problem.M, index); it; ++it)
        if (it.value() != 0) mass(place[static_cast<std::size_t>(it.row())], c) += it.value();
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(mass);
    if (!(lu.rcond() > 1e-14))
      throw InvalidInput("M is singular, expected a matrix that can be inverted");
    const Eigen::MatrixXd inverse = lu.inverse();
    inverse_start_.push_back(inverse_.size());
    inverse_.insert(inverse_.end(), inverse.data(), inverse.data() + inverse.size());
    free_.segment(body_start_.back(), size) = lu.solve(f);
    body_start_.push_back(body_start_.back() + size);
  }
  const Eigen::SparseMatrix<double, Eigen::RowMajor> H(problem.H);
  link_start_.push_back(0);
  std::vector<int> touched;
  for (int i = 0; i < problem.contacts(); ++i) {
    touched.clear();
    for (int c = 0; c < D; ++c)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(H, D * i + c); it; ++it)
        if (it.value() != 0) touched.push_back(body_of[static_cast<std::size_t>(it.col())]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    Block<D> diagonal = Block<D>::Zero();
    for (const int body : touched) {
      Eigen::Matrix<double, D, Eigen::Dynamic> part =
          Eigen::Matrix<double, D, Eigen::Dynamic>::Zero(D, size_of(body));
      for (int c = 0; c < D; ++c)
        for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(H, D * i + c); it; ++it)
          if (body_of[static_cast<std::size_t>(it.col())] == body)
            part(c, place[static_cast<std::size_t>(it.col())]) += it.value();
      body_.push_back(body);
      row_start_.push_back(rows_.size());
      rows_.insert(rows_.end(), part.data(), part.data() + part.size());
      const int size = size_of(body);
      diagonal +=
          part *
          Eigen::Map<const Eigen::MatrixXd>(
              inverse_.data() + inverse_start_[static_cast<std::size_t>(body)], size, size) *
          part.transpose();
    }
    link_start_.push_back(static_cast<int>(body_.size()));
    diagonal_.insert(diagonal_.end(), diagonal.data(), diagonal.data() + D * D);
  }
  for (const double x : diagonal_)
    if (!std::isfinite(x))
      throw InvalidInput("H M⁻¹ Hᵀ overflows, expected masses and lengths of ordinary size");
}

template <int D, int S>
double Bodies<D, S>::mean_diagonal() const {
  double sum = 0;
  for (int i = 0; i < contacts(); ++i)
    for (int c = 0; c < D; ++c) sum += std::abs(diagonal(i)[D * c + c]);
  return contacts() > 0 ? sum / (D * contacts()) : 0;
}

// The last points and their changes, newest last.
class Anderson {
 public:
  void clear() { count_ = 0; }

  // From the sweep r → g the next point to sweep from, in place of g.
  void advance(const Eigen::VectorXd& r, Eigen::VectorXd& g, const Eigen::VectorXd& weight) {
    f_ = (g - r).cwiseProduct(weight);
    if (count_ > 0) {
      const int place = (count_ - 1) % at.remembered;
      if (df_.rows() != r.size()) {
        df_.resize(r.size(), at.remembered);
        dg_.resize(r.size(), at.remembered);
      }
      df_.col(place) = f_ - last_f_;
      dg_.col(place) = g - last_g_;
    }
    last_f_ = f_;
    last_g_ = g;
    const int k = std::min(count_, at.remembered);
    ++count_;
    if (k == 0) return;
    Eigen::MatrixXd gram = df_.leftCols(k).transpose() * df_.leftCols(k);
    gram.diagonal() *= 1 + at.ridge;
    gram.diagonal().array() += 1e-300;
    const Eigen::VectorXd gamma = gram.ldlt().solve(df_.leftCols(k).transpose() * f_);
    if (gamma.allFinite() && gamma.cwiseAbs().sum() < at.most_weight) g -= dg_.leftCols(k) * gamma;
  }

 private:
  int count_ = 0;
  Eigen::VectorXd f_, last_f_, last_g_;
  Eigen::MatrixXd df_, dg_;
};

template <int D, int S>
class MatrixFree {
 public:
  MatrixFree(const GlobalProblem& problem, const std::vector<std::vector<int>>& groups,
             const SolverOptions& options)
      : begin_(std::chrono::steady_clock::now()), options_(options), bodies_(problem, groups) {
    laws_.assign(problem.laws);
    const int n = bodies_.contacts();
    pivots_.resize(static_cast<std::size_t>(n));
    beta_.assign(static_cast<std::size_t>(n), 0.0);
    weight_.resize(D * n);
    const double mean = bodies_.mean_diagonal();
    norms_.rho = mean > 0 ? 1 / mean : 1;
    u_.resize(D * n);
    for (int i = 0; i < n; ++i) {
      pivots_[static_cast<std::size_t>(i)].set(bodies_.diagonal(i), laws_[i]);
      const double trace = Eigen::Map<const Block<D>>(bodies_.diagonal(i)).trace() / D;
      weight_.segment<D>(D * i).setConstant(trace > 0 ? std::sqrt(trace * norms_.rho) : 1.0);
      u_.segment<D>(D * i) = bodies_.velocity(i, bodies_.free());
    }
    norms_.q = u_.stableNorm();
    r_.setZero(D * n);
  }

  Solution run(const Eigen::VectorXd* guess) {
    if (guess != nullptr) r_ = *guess;
    bodies_.update(r_, v_);
    best_.error = infinity;
    if (!check()) iterate();
    Solution& s = solution_;
    s.method = Method::matrix_free;
    s.reactions = best_.r;
    bodies_.update(s.reactions, v_);
    for (int i = 0; i < bodies_.contacts(); ++i) u_.segment<D>(D * i) = bodies_.velocity(i, v_);
    s.velocities = u_;
    s.generalized_velocities = bodies_.in_order(v_);
    s.certificate = certificate_from<D>(laws_, norms_, s.reactions, u_, options_.model);
    find_modes<D>(laws_, norms_, s.reactions, u_, options_.tolerance, s.modes);
    s.status = solved_ && s.certificate.within(options_.tolerance) ? Status::solved
               : out_of_time_                                      ? Status::time_limit
               : stopped_                                          ? Status::stopped
                                                                   : Status::stalled;
    s.seconds = seconds();
    return std::move(s);
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  bool budget_spent() const {
    const int next = solution_.iterations + 2;
    return (options_.max_iterations > 0 && next > options_.max_iterations) ||
           seconds() > options_.max_seconds;
  }
  double sweep();
  bool check();
  void iterate();

  std::chrono::steady_clock::time_point begin_;
  const SolverOptions& options_;
  Bodies<D, S> bodies_;
  ContactLaws<D> laws_;
  std::vector<ContactPivot<D>> pivots_;
  std::vector<double> beta_;
  Norms norms_;
  Eigen::VectorXd r_, v_, u_, weight_, before_;
  struct {
    Eigen::VectorXd r;
    double error = infinity;
  } best_;
  bool solved_ = false, out_of_time_ = false, stopped_ = false;
  Solution solution_;
};

// There and back; returns how far r moved, by weight.
template <int D, int S>
double MatrixFree<D, S>::sweep() {
  double change = 0;
  const int n = bodies_.contacts();
  for (int k = 0; k < 2 * n; ++k) {
    const int i = k < n ? k : 2 * n - 1 - k;
    const auto ii = static_cast<std::size_t>(i);
    const Part<D> before = r_.segment<D>(D * i);
    Part<D> r = before;
    const Eigen::Map<const Block<D>> diagonal(bodies_.diagonal(i));
    const Part<D> b = bodies_.velocity(i, v_) - diagonal * r;
    if (options_.model == Model::coulomb)
      solve_one_contact(pivots_[ii], laws_[i], b, r, beta_[ii]);
    else
      relax_one_contact<D>(diagonal, laws_[i], b, r);
    const Part<D> delta = r - before;
    if (delta.isZero(0)) continue;
    bodies_.push(i, delta, v_);
    r_.segment<D>(D * i) = r;
    change += delta.squaredNorm() * weight_[D * i] * weight_[D * i];
  }
  return std::sqrt(change);
}

// The errors at r, for which v is computed anew; true when it is time to end.
template <int D, int S>
bool MatrixFree<D, S>::check() {
  bodies_.update(r_, v_);
  double natural2 = 0, scaled2 = 0;
  for (int i = 0; i < bodies_.contacts(); ++i) {
    const Part<D> r = r_.segment<D>(D * i), u = bodies_.velocity(i, v_);
    natural2 += natural_map<D>(laws_[i], r, u, 1, options_.model).squaredNorm();
    scaled2 += natural_map<D>(laws_[i], r, u, norms_.rho, options_.model).squaredNorm();
  }
  const Errors errors = errors_from(natural2, scaled2, r_.squaredNorm(), norms_);
  if (errors.worst() < best_.error || best_.r.size() != r_.size()) {
    best_.error = errors.worst();
    best_.r = r_;
    solved_ = errors.within(options_.tolerance);
  }
  const Iteration line{
      Method::matrix_free, solution_.iterations, errors.relative, errors.scaled, seconds(), 0};
  if (options_.keep_history) solution_.history.push_back(line);
  if (options_.progress && !options_.progress(line)) stopped_ = true;
  if (!solved_ && budget_spent()) out_of_time_ = true;
  return solved_ || out_of_time_ || stopped_;
}

template <int D, int S>
void MatrixFree<D, S>::iterate() {
  Anderson anderson;
  double last_change = infinity, halved_error = best_.error;
  int next_check = 1, halved_at = 0;
  for (int k = 1;; ++k) {
    before_ = r_;
    const double change = sweep();
    solution_.iterations += 2;
    const double size = r_.cwiseProduct(weight_).norm();
    if (k >= next_check || budget_spent() || change <= at.settled * options_.tolerance * size) {
      if (check()) return;
      next_check = k + std::max(at.look_after, k / at.look_after_part);
      if (best_.error < at.gain * halved_error) {
        halved_error = best_.error;
        halved_at = k;
      } else if (k - halved_at > at.patience) {
        return;
      }
    }
    if (change > at.misled * last_change) {
      anderson.clear();
      last_change = infinity;
      continue;
    }
    last_change = change;
    anderson.advance(before_, r_, weight_);
    for (int i = 0; i < bodies_.contacts(); ++i)
      r_.segment<D>(D * i) = laws_[i].project(Part<D>(r_.segment<D>(D * i)));
    bodies_.update(r_, v_);
  }
}

template <int D, int S>
Solution run_matrix_free(const GlobalProblem& problem, const std::vector<std::vector<int>>& bodies,
                         const SolverOptions& options, const Eigen::VectorXd* guess) {
  return MatrixFree<D, S>(problem, bodies, options).run(guess);
}

}  // namespace

Solution solve_matrix_free(const GlobalProblem& problem, const SolverOptions& options,
                           const Eigen::VectorXd* guess) {
  const std::vector<std::vector<int>> bodies = bodies_of(problem.M, problem.dimension);
  const bool plane = problem.dimension == 2;
  const std::size_t usual = plane ? 3 : 6;
  const bool rigid = std::all_of(bodies.begin(), bodies.end(),
                                 [&](const auto& body) { return body.size() == usual; });
  if (plane)
    return rigid ? run_matrix_free<2, 3>(problem, bodies, options, guess)
                 : run_matrix_free<2, Eigen::Dynamic>(problem, bodies, options, guess);
  return rigid ? run_matrix_free<3, 6>(problem, bodies, options, guess)
               : run_matrix_free<3, Eigen::Dynamic>(problem, bodies, options, guess);
}

bool falls_apart(const GlobalProblem& problem) {
  const std::vector<std::vector<int>> bodies = bodies_of(problem.M, problem.dimension);
  return std::all_of(bodies.begin(), bodies.end(),
                     [](const auto& body) { return body.size() <= at.greatest_body; });
}

double blocks_of_W(const GlobalProblem& problem) {
  const std::vector<std::vector<int>> bodies = bodies_of(problem.M, problem.dimension);
  std::vector<int> body_of(static_cast<std::size_t>(problem.M.rows()));
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const int i : bodies[b]) body_of[static_cast<std::size_t>(i)] = static_cast<int>(b);
  // Each of a body's c contacts has a block with each of them.
  std::vector<double> count(bodies.size(), 0.0);
  std::vector<int> last(bodies.size(), -1);
  const Eigen::SparseMatrix<double, Eigen::RowMajor> H(problem.H);
  for (int row = 0; row < H.rows(); ++row)
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(H, row); it; ++it) {
      const auto body = static_cast<std::size_t>(body_of[static_cast<std::size_t>(it.col())]);
      if (it.value() == 0 || last[body] == row / problem.dimension) continue;
      last[body] = row / problem.dimension;
      ++count[body];
    }
  double blocks = 0;
  for (const double c : count) blocks += c * c;
  return blocks;
}

}  // namespace stiction
