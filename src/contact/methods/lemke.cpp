// SPDX-License-Identifier: Apache-2.0
//
// Lemke's complementary pivoting, for limit curves that are polygons.
//
// Let p_k be the vertices of C.  With −r_t = Σ β_k p_k exact Coulomb friction is a linear
// complementarity problem (Stewart and Trinkle 1996, Anitescu and Potra 1997):
//
//   u_n = (W r + q)_n   ≥ 0  ⟂  r_n ≥ 0
//   w_k = λ − p_k·u_t   ≥ 0  ⟂  β_k ≥ 0      λ = h(u_t) where r_n > 0
//   s   = r_n − Σ β_k   ≥ 0  ⟂  λ   ≥ 0
//
// The convex relaxation has r = Σ β_k g_k over the rays g_k = (1, −p_k) of K, and w_k = g_k·u ≥ 0 ⟂
// β_k ≥ 0.  The tangential u stay in the system as free variables, so that it is as sparse as W.
//
// A covering vector d > 0 makes w − M z − d z₀ = b feasible for a large z₀.  Each pivot lets the
// complement of what left the basis enter, until z₀ leaves (solved) or nothing blocks (a ray: this
// path does not end at a solution).  The components of d are random, which does what lexicographic
// pivoting does: the path meets b + t d, t > 0, and a generic d misses every cone of two dimensions
// less, so that no two variables reach zero together before the end and no basis comes twice.
// After a ray the method starts over with another d.
//
// The basis is kept as a sparse LU factorisation and a product of the pivots since.
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <random>

#include "contact/methods/methods.h"

namespace stiction {

namespace {

constexpr const LemkeStrategy& at = strategy.lemke;

template <int D>
using Tangent = Eigen::Matrix<double, D - 1, 1>;

bool is_polygon(const ContactLaw<2>&) { return true; }
bool is_polygon(const ContactLaw<3>& law) {
  return law.other == nullptr ? law.mu == 0 : law.other->curve().is_polygonal();
}

std::vector<Tangent<2>> vertices(const ContactLaw<2>& law) {
  std::vector<Tangent<2>> list{Tangent<2>(law.high)};
  if (law.low < law.high) list.emplace_back(law.low);
  return list;
}
std::vector<Vec2> vertices(const ContactLaw<3>& law) {
  return law.other == nullptr ? std::vector<Vec2>{Vec2::Zero()} : law.other->curve().vertices();
}

// A power of two near x > 0: scaling by it is exact.
double binary(double x) { return std::exp2(std::round(std::log2(x))); }

// The problem as A x − d z₀ = b.  The unknowns x are, by index, the w_j, their complements z_j, and
// the free velocities.  Row j < pairs defines w_j, row pairs + k the k-th free velocity.
template <int D>
struct Complementarity {
  struct Generator {  // z_j pushes contact `contact` by g
    int contact = 0;
    Part<D> g;
  };
  int pairs = 0, free = 0;
  Eigen::SparseMatrix<double> A;
  Eigen::VectorXd b;
  std::vector<Generator> generators;  // of each pair; g = 0 for λ
  std::vector<double> scale;          // of each contact
  double size = 1;                    // r = size · scale · Σ z g

  int rows() const { return pairs + free; }
  int z0() const { return 2 * pairs + free; }
  bool is_free(int v) const { return v >= 2 * pairs && v != z0(); }
  int complement(int v) const { return v < pairs ? v + pairs : v - pairs; }

  explicit Complementarity(const Workspace<D>& work);

 private:
  using Triplets = std::vector<Eigen::Triplet<double>>;

  void number(const Workspace<D>& work);
  void choose_scales(const Workspace<D>& work);
  void add_corners(std::size_t contact, Triplets& entries);
  void add_velocities(const Workspace<D>& work, std::size_t contact, Triplets& entries);
  // The row of a velocity, −1 where it does not matter.
  int velocity(std::size_t i, int c) const {
    if (!convex && c == 0) return first[i];
    if (first_free[i] == first_free[i + 1]) return -1;
    return pairs + first_free[i] + c - (convex ? 0 : 1);
  }

  bool convex = false;
  // Of each contact the corners that count, its first pair, and its first free velocity.
  std::vector<std::vector<Tangent<D>>> corners;
  std::vector<int> first, first_free;
};

template <int D>
void Complementarity<D>::number(const Workspace<D>& work) {
  const int n = work.contacts();
  const auto contacts = static_cast<std::size_t>(n);
  corners.resize(contacts);
  first.resize(contacts + 1);
  first_free.resize(contacts + 1);
  for (int i = 0; i < n; ++i) {
    const auto ii = static_cast<std::size_t>(i);
    corners[ii] = vertices(work.laws[i]);
    if (!convex) std::erase_if(corners[ii], [](const Tangent<D>& p) { return p.norm() == 0; });
    const int count = static_cast<int>(corners[ii].size());
    first[ii + 1] = first[ii] + (convex ? count : count > 0 ? count + 2 : 1);
    first_free[ii + 1] = first_free[ii] + (convex ? D : count > 0 ? D - 1 : 0);
  }
  pairs = first.back();
  free = first_free.back();
  generators.assign(static_cast<std::size_t>(pairs), {0, Part<D>::Zero()});
}

// A contact's velocities and reactions are scaled so that its block of W has unit size.
template <int D>
void Complementarity<D>::choose_scales(const Workspace<D>& work) {
  double largest = 0;
  for (int i = 0; i < work.contacts(); ++i) {
    double trace = 0;
    const double* block = work.W->at(work.diagonal[static_cast<std::size_t>(i)]);
    for (int c = 0; c < D; ++c) trace += std::abs(block[(D + 1) * c]);
    const double mean = trace / D, md = work.mean_diagonal;
    scale.push_back(1 / binary(std::sqrt(mean > strategy.steps.no_block * md ? mean : md)));
    largest =
        std::max(largest, scale.back() * work.q->template segment<D>(D * i).cwiseAbs().maxCoeff());
  }
  if (largest > 0) size = binary(largest);
}

// The rows of β and λ.
template <int D>
void Complementarity<D>::add_corners(std::size_t i, Triplets& entries) {
  for (int j = first[i]; j < first[i + 1]; ++j)
    generators[static_cast<std::size_t>(j)].contact = static_cast<int>(i);
  int row = first[i];
  if (!convex) generators[static_cast<std::size_t>(row++)].g[0] = 1;
  double radius = 0;
  for (const Tangent<D>& p : corners[i]) radius = std::max(radius, p.norm());
  // β and λ are in units of the radius: s = radius r_n − Σ β, over the radius where that is > 1.
  const double share = std::max(1.0, radius);
  const int last = first[i + 1] - 1;  // s and λ
  for (const Tangent<D>& p : corners[i]) {
    Part<D>& g = generators[static_cast<std::size_t>(row)].g;
    g[0] = convex ? 1 : 0;
    g.template tail<D - 1>() = -p / (convex ? 1.0 : radius);
    if (convex) g.normalize();
    for (int c = convex ? 0 : 1; c < D; ++c)
      entries.emplace_back(row, pairs + velocity(i, c), -g[c]);
    if (!convex) {
      entries.emplace_back(row, pairs + last, -1.0);
      entries.emplace_back(last, pairs + row, 1 / share);
    }
    ++row;
  }
  if (!convex && !corners[i].empty()) entries.emplace_back(last, pairs + first[i], -radius / share);
}

// The rows of u = W r + q.
template <int D>
void Complementarity<D>::add_velocities(const Workspace<D>& work, std::size_t i,
                                        Triplets& entries) {
  const BlockMatrix& W = *work.W;
  for (int c = 0; c < D; ++c)
    if (velocity(i, c) >= 0)
      b[velocity(i, c)] = scale[i] * (*work.q)[D * static_cast<int>(i) + c] / size;
  for (int k = W.start[i]; k < W.start[i + 1]; ++k) {
    const auto j = static_cast<std::size_t>(W.column[static_cast<std::size_t>(k)]);
    const Block<D> block = scale[i] * scale[j] * Eigen::Map<const Block<D>>(W.at(k));
    for (int pair = first[j]; pair < first[j + 1]; ++pair) {
      const Part<D> u = block * generators[static_cast<std::size_t>(pair)].g;
      for (int c = 0; c < D; ++c)
        if (velocity(i, c) >= 0 && u[c] != 0)
          entries.emplace_back(velocity(i, c), pairs + pair, -u[c]);
    }
  }
}

template <int D>
Complementarity<D>::Complementarity(const Workspace<D>& work) {
  convex = work.options->model == Model::convex;
  number(work);
  choose_scales(work);
  Triplets entries;
  for (int j = 0; j < pairs; ++j) entries.emplace_back(j, j, 1.0);
  for (int k = 0; k < free; ++k) entries.emplace_back(pairs + k, 2 * pairs + k, 1.0);
  for (std::size_t i = 0; i < corners.size(); ++i) add_corners(i, entries);
  b.setZero(rows());
  for (std::size_t i = 0; i < corners.size(); ++i) add_velocities(work, i, entries);
  A.resize(rows(), 2 * pairs + free);
  A.setFromTriplets(entries.begin(), entries.end());
}

template <int D>
class Lemke {
 public:
  explicit Lemke(Workspace<D>& work)
      : work_(work), problem_(work), d_(problem_.rows()), alpha_(problem_.rows()) {}

  // True if the run is over: solved, out of time, or stopped.
  bool attempt(int number);

 private:
  // A pivot: `column` entered at `position`.
  struct Update {
    int position = 0;
    Eigen::VectorXd column;
  };
  bool factorise();
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  void pivot(int position, int entering);
  int leaving() const;
  void set_reactions();
  bool finish();

  Workspace<D>& work_;
  Complementarity<D> problem_;
  Eigen::VectorXd d_, x_, alpha_;  // covering vector, basic values, the entering column
  std::vector<int> basis_;         // the unknown at each position
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu_;
  std::vector<Update> updates_;
};

// The basis from scratch, and the basic values.
template <int D>
bool Lemke<D>::factorise() {
  const Eigen::Index n = problem_.rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index position = 0; position < n; ++position) {
    const int v = basis_[static_cast<std::size_t>(position)];
    if (v == problem_.z0()) {
      for (int j = 0; j < problem_.pairs; ++j) entries.emplace_back(j, position, -d_[j]);
      continue;
    }
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem_.A, v); it; ++it)
      entries.emplace_back(it.row(), position, it.value());
  }
  Eigen::SparseMatrix<double> B(n, n);
  B.setFromTriplets(entries.begin(), entries.end());
  updates_.clear();
  lu_.compute(B);
  if (lu_.info() != Eigen::Success) return false;
  x_ = solve(problem_.b);
  // One step of refinement, the residual in longer numbers.
  std::vector<long double> residual(problem_.b.data(), problem_.b.data() + n);
  for (Eigen::Index c = 0; c < n; ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(B, c); it; ++it)
      residual[static_cast<std::size_t>(it.row())] -=
          static_cast<long double>(it.value()) * static_cast<long double>(x_[c]);
  Eigen::VectorXd rest(n);
  for (Eigen::Index i = 0; i < n; ++i)
    rest[i] = static_cast<double>(residual[static_cast<std::size_t>(i)]);
  x_ += solve(rest);
  return x_.allFinite();
}

template <int D>
Eigen::VectorXd Lemke<D>::solve(const Eigen::VectorXd& right) const {
  Eigen::VectorXd y = lu_.solve(right);
  for (const Update& update : updates_) {
    const double t = y[update.position] / update.column[update.position];
    if (t == 0) continue;
    y -= t * update.column;
    y[update.position] = t;
  }
  return y;
}

template <int D>
void Lemke<D>::pivot(int position, int entering) {
  const double step = x_[position] / alpha_[position];
  x_ -= step * alpha_;
  x_[position] = step;
  basis_[static_cast<std::size_t>(position)] = entering;
  updates_.push_back({position, alpha_});
  ++work_.iterations;
}

// Which basic unknown reaches zero first, −1 if none: Harris's test, which among those that do so
// within rounding takes the greatest pivot; z₀ before all.
template <int D>
int Lemke<D>::leaving() const {
  const double zero = at.zero_pivot * alpha_.cwiseAbs().maxCoeff();
  const double slack = at.slack * (1 + x_.cwiseAbs().maxCoeff());
  const auto can = [&](int i) {
    return alpha_[i] > zero && !problem_.is_free(basis_[static_cast<std::size_t>(i)]);
  };
  double bound = infinity;
  for (int i = 0; i < problem_.rows(); ++i)
    if (can(i)) bound = std::min(bound, (std::max(x_[i], 0.0) + slack) / alpha_[i]);
  int best = -1;
  for (int i = 0; i < problem_.rows(); ++i) {
    if (!can(i) || x_[i] > bound * alpha_[i]) continue;
    if (basis_[static_cast<std::size_t>(i)] == problem_.z0()) return i;
    if (best < 0 || alpha_[i] > alpha_[best]) best = i;
  }
  return best;
}

template <int D>
void Lemke<D>::set_reactions() {
  work_.r.setZero();
  for (int position = 0; position < problem_.rows(); ++position) {
    const int pair = basis_[static_cast<std::size_t>(position)] - problem_.pairs;
    if (pair < 0 || pair >= problem_.pairs) continue;
    const auto& [contact, g] = problem_.generators[static_cast<std::size_t>(pair)];
    const double factor = problem_.size * problem_.scale[static_cast<std::size_t>(contact)];
    work_.r.template segment<D>(D * contact) += factor * std::max(x_[position], 0.0) * g;
  }
}

template <int D>
bool Lemke<D>::finish() {
  if (!updates_.empty()) factorise();
  if (!x_.allFinite()) return false;
  set_reactions();
  return work_.check(Method::lemke);
}

template <int D>
bool Lemke<D>::attempt(int number) {
  const int pairs = problem_.pairs, z0 = problem_.z0();
  std::mt19937_64 engine(static_cast<unsigned>(number));
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  d_.setZero();
  for (int j = 0; j < pairs; ++j)
    d_[j] = number == 0 ? 1 + uniform() : std::pow(10.0, 2 * uniform() - 1);
  basis_.clear();
  for (int v = 0; v < z0; ++v)
    if (v < pairs || v >= 2 * pairs) basis_.push_back(v);
  if (!factorise()) return false;
  // z₀ just large enough for every w ≥ 0.
  int position = -1;
  for (int j = 0; j < pairs; ++j)
    if (x_[j] < 0 && (position < 0 || x_[j] / d_[j] < x_[position] / d_[position])) position = j;
  if (position < 0) return finish();
  alpha_ = solve(-d_);
  int entering = problem_.complement(basis_[static_cast<std::size_t>(position)]);
  pivot(position, z0);
  for (int step = 1; step <= at.most_pivots_a_pair * pairs + at.most_pivots; ++step) {
    if (step % at.pivots_a_check == 0 || work_.budget_spent()) {
      set_reactions();
      if (work_.check(Method::lemke)) return true;
    }
    if (updates_.size() >= at.pivots_a_factor && !factorise()) return false;
    alpha_ = solve(problem_.A.col(entering));
    position = leaving();
    // A small pivot is believed only if it comes from a fresh factorisation.
    if (!updates_.empty() &&
        (position < 0 || alpha_[position] < at.doubtful_pivot * alpha_.cwiseAbs().maxCoeff())) {
      if (!factorise()) return false;
      alpha_ = solve(problem_.A.col(entering));
      position = leaving();
    }
    if (position < 0) return false;  // a ray
    const int gone = basis_[static_cast<std::size_t>(position)];
    pivot(position, entering);
    if (gone == z0) return finish();
    entering = problem_.complement(gone);
  }
  return false;
}

struct Size {
  double rows = 0, entries = 0;

  bool fits() const { return rows <= at.most_rows && entries <= at.most_entries; }
};

// Rows of the basis, and entries of A that come from W, at most.
Size size_of(const BlockMatrix& W, const std::vector<int>& corners) {
  Size size;
  for (const int count : corners) size.rows += W.block + 1 + count;
  for (const int j : W.column)
    size.entries += W.block * (1.0 + corners[static_cast<std::size_t>(j)]);
  return size;
}

}  // namespace

template <int D>
int lemke_rows(const Workspace<D>& work) {
  std::vector<int> corners;
  for (int i = 0; i < work.contacts(); ++i) {
    if (!is_polygon(work.laws[i])) return 0;
    corners.push_back(static_cast<int>(vertices(work.laws[i]).size()));
  }
  const Size size = size_of(*work.W, corners);
  return size.fits() ? static_cast<int>(size.rows) : 0;
}

void require_polygons(const ContactProblem& problem, Model) {
  std::vector<int> corners;
  for (std::size_t i = 0; i < problem.laws.size(); ++i) {
    const LimitCurve curve = limit_curve(problem.laws[i]);
    if (problem.dimension == 3 && !curve.is_polygonal())
      throw InvalidInput("law[" + std::to_string(i) + "] is " + to_text(problem.laws[i]) +
                         ", expected a polygon for method lemke");
    corners.push_back(problem.dimension == 3 ? static_cast<int>(curve.vertices().size()) : 2);
  }
  const Size size = size_of(problem.W, corners);
  if (!size.fits())
    throw InvalidInput("the problem has " + text(size.rows) + " complementarity rows with " +
                       text(size.entries) + " entries, expected at most " + text(at.most_rows) +
                       " with " + text(at.most_entries) + " for method lemke");
}

template <int D>
void lemke(Workspace<D>& work, int first, int last) {
  Lemke<D> method(work);
  for (int number = first; number < last; ++number) {
    if (method.attempt(number)) return;
    if (work.budget_spent()) {
      work.out_of_time = true;
      return;
    }
  }
}

template int lemke_rows<2>(const Workspace<2>&);
template int lemke_rows<3>(const Workspace<3>&);
template void lemke<2>(Workspace<2>&, int, int);
template void lemke<3>(Workspace<3>&, int, int);

}  // namespace stiction
