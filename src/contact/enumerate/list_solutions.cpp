// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/list_solutions.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "contact/enumerate/linear_program.h"
#include "contact/enumerate/mode_conditions.h"
#include "contact/enumerate/mode_system.h"
#include "contact/enumerate/one_contact_all_solutions.h"
#include "contact/problem/units.h"
#include "contact/problem/validate.h"

namespace stiction {

namespace {

constexpr double near_zero = 1e-9;   // of the size of the terms
constexpr double same_point = 1e-7;  // of a component
constexpr double rounding_alone = 1e-14;
constexpr double many_roundings = 1e3;
constexpr double swallowed = 1e-4;  // of q, in rounding: conditions of 1e11 count as singular
constexpr double certain = 1e-8;    // of both errors

// Contact i's reactions over factors_i, its velocities times them: the same problem in other units,
// in which every contact's part of W is about 1, and q too.  What is found cannot depend on the
// units it came in.  Powers of two cost no rounding.
struct InUnits {
  explicit InUnits(const ContactProblem& problem);

  Eigen::VectorXd factors;  // a row each
  double speed = 1;         // q over this
  ContactProblem problem;
  Eigen::MatrixXd W;
};

InUnits::InUnits(const ContactProblem& original) : problem(original) {
  const int d = original.dimension, n = original.contacts();
  W = Eigen::MatrixXd(to_sparse(original.W));
  factors.setOnes(d * n);
  const auto root = [](double size) { return inverse_size(std::sqrt(size)); };
  std::vector<int> without;  // a block of their own
  for (int i = 0; i < n; ++i) {
    const double size = W.block(d * i, d * i, d, d).cwiseAbs().maxCoeff();
    if (size > 0)
      factors.segment(d * i, d).setConstant(root(size));
    else
      without.push_back(i);
  }
  for (const int i : without) {
    const double row = (W.middleRows(d * i, d) * factors.asDiagonal()).cwiseAbs().maxCoeff(),
                 column = (factors.asDiagonal() * W.middleCols(d * i, d)).cwiseAbs().maxCoeff();
    const double size = std::max({row, column}),
                 only = original.q.segment(d * i, d).cwiseAbs().maxCoeff();
    factors.segment(d * i, d).setConstant(inverse_size(size > 0 ? size : only));
  }
  W = factors.asDiagonal() * W * factors.asDiagonal();
  problem.W = block_matrix(W, d);
  problem.q = factors.cwiseProduct(original.q);
  speed = 1 / inverse_size(problem.q.cwiseAbs().maxCoeff());
  problem.q /= speed;
}

class Enumerator {
 public:
  Enumerator(const ContactProblem& problem, double max_seconds, const Progress& progress,
             const SolveFromStarts& from_starts)
      : original_(problem),
        units_(problem),
        problem_(units_.problem),
        W_(units_.W),
        progress_(progress),
        from_starts_(from_starts),
        d_(problem.dimension),
        n_(problem.contacts()),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                      std::chrono::duration<double>(max_seconds))) {}

  Enumeration run();

 private:
  // A solution in the units above, with what its components may be wrong by; of a continuum, a
  // point inside, and the conditions that describe it where they are linear.
  struct Found {
    Eigen::VectorXd r, error;
    std::vector<Mode> modes;
    int dimension = 0;
    Eigen::MatrixXd A, G;  // A r = b, G r + h ≥ 0
    Eigen::VectorXd b, h;
  };

  Eigen::VectorXd terms_of_velocity(const Eigen::VectorXd& r) const {
    return W_.cwiseAbs() * r.cwiseAbs() + problem_.q.cwiseAbs();
  }
  // The conditions of one piece a contact: A r = b, G r + h ≥ 0.
  struct Conditions {
    Eigen::MatrixXd A, G;
    Eigen::VectorXd b, h;
  };
  Conditions conditions_of(const std::vector<std::size_t>& choice) const;
  void try_combination(const std::vector<std::size_t>& choice);
  void add_continuum(const Conditions& conditions, const ModeSystem& system,
                     const Eigen::VectorXd& value, const Eigen::VectorXd& limit, Found found);
  bool is_certified(const Eigen::VectorXd& r);
  void add(Found found);
  bool holds(const Found& continuum, const Found& point) const;
  std::vector<Mode> modes_of(const Found& found) const;
  void drop_ends();
  void one_curved_contact(const LimitCurve& curve);
  void search();
  void merge_by_velocity();
  int dimension_at(const Found& found) const;
  bool goes_on(double share);
  Enumeration result() const;

  const ContactProblem& original_;
  const InUnits units_;
  const ContactProblem& problem_;
  const Eigen::MatrixXd& W_;
  const Progress& progress_;
  const SolveFromStarts& from_starts_;
  bool stopped_ = false;
  bool undecided_ = false;  // a combination that rounding kept from an answer
  bool linear_ = true;      // all laws are polygons
  double widest_ = 0;       // the greatest coefficient of friction
  bool unproven_ = false;   // complete, but nothing to build a proof on
  bool lost_ = false;       // a point that fails its certificate by no more than rounding
  int d_, n_;
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::vector<Piece>> pieces_;
  std::vector<Found> found_;
  bool complete_ = false;
  std::string reason_;
};

std::vector<Mode> Enumerator::modes_of(const Found& found) const {
  const Eigen::VectorXd speed = (W_ * found.r + problem_.q).cwiseAbs();
  const Eigen::VectorXd rounding =
      near_zero * terms_of_velocity(found.r) + W_.cwiseAbs() * found.error;
  std::vector<Mode> modes;
  for (int i = 0; i < n_; ++i) {
    const auto below = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& limit) {
      return (x.segment(d_ * i, d_).array() <= limit.segment(d_ * i, d_).array()).all();
    };
    modes.push_back(below(found.r.cwiseAbs(), found.error) ? Mode::open
                    : below(speed, rounding)               ? Mode::stick
                                                           : Mode::slip);
  }
  return modes;
}

// A point counts if its certificate does, and if what is left of it is rounding.  Where that is
// felt the point is lost; where it swallows q, reactions run away in a W that is singular.
bool Enumerator::is_certified(const Eigen::VectorXd& r) {
  if (!r.allFinite()) return false;
  const Certificate c = certify(problem_, r);
  if (c.within(certain)) return true;
  const double speed = problem_.q.norm(), rounding = std::numeric_limits<double>::epsilon() *
                                                     (W_.cwiseAbs() * r.cwiseAbs()).norm();
  const bool is_rounding = c.natural_map <= many_roundings * (1 + widest_) * rounding;
  if (speed == 0 || rounding <= certain * speed)
    return (is_rounding || !linear_) && c.scaled <= certain;
  if (is_rounding && linear_ && rounding <= swallowed * speed) lost_ = true;
  return false;
}

// The same point is found in every mode whose boundary it is.
void Enumerator::add(Found found) {
  if (!is_certified(found.r)) {
    undecided_ = true;
    return;
  }
  if (found.modes.empty()) found.modes = modes_of(found);
  for (const Found& known : found_) {
    const Eigen::ArrayXd size = found.r.cwiseAbs().cwiseMax(known.r.cwiseAbs()).array();
    const bool same = ((found.r - known.r).cwiseAbs().array() <=
                       same_point * size + found.error.array() + known.error.array())
                          .all();
    if (same && found.dimension <= known.dimension) return;
  }
  found_.push_back(std::move(found));
}

bool Enumerator::holds(const Found& continuum, const Found& point) const {
  if (continuum.A.size() == 0 || continuum.modes != point.modes) return false;
  const Eigen::VectorXd size = same_point * point.r.cwiseAbs() + point.error + continuum.error;
  const Eigen::VectorXd off = continuum.A * point.r - continuum.b,
                        inside = continuum.G * point.r + continuum.h;
  return (off.cwiseAbs().array() <=
          (continuum.A.cwiseAbs() * size).array() + same_point * continuum.b.cwiseAbs().array())
             .all() &&
         (inside.array() >=
          -(continuum.G.cwiseAbs() * size).array() - same_point * continuum.h.cwiseAbs().array())
             .all();
}

// The ends of a continuum are found again in modes that border on its own: they belong to it.  So
// does the whole of it where two combinations of modes mean the same.
void Enumerator::drop_ends() {
  std::vector<Found> kept;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    bool belongs = false;
    for (std::size_t k = 0; k < found_.size() && !belongs; ++k) {
      const Found &point = found_[i], &whole = found_[k];
      belongs = holds(whole, point) &&
                (point.dimension < whole.dimension ||
                 (point.dimension == whole.dimension && k < i && holds(point, whole)));
    }
    if (!belongs) kept.push_back(found_[i]);
  }
  found_ = std::move(kept);
}

auto Enumerator::conditions_of(const std::vector<std::size_t>& choice) const -> Conditions {
  const Eigen::Index size = static_cast<Eigen::Index>(d_) * n_;
  Eigen::MatrixXd A(size, size), rows(0, size);
  Eigen::VectorXd b(size), constants(0);  // A r = b, rows·r + constants ≥ 0
  Eigen::Index next = 0;
  for (int i = 0; i < n_; ++i) {
    const Piece& piece = pieces_[static_cast<std::size_t>(i)][choice[static_cast<std::size_t>(i)]];
    const auto row_of = [&](const Form& form) -> std::pair<Eigen::RowVectorXd, double> {
      Eigen::RowVectorXd row = form.of_u.transpose() * W_.middleRows(d_ * i, d_);
      row.segment(d_ * i, d_) += form.of_r.transpose();
      const double scale = inverse_size(row.norm());
      return {scale * row, scale * form.of_u.dot(problem_.q.segment(d_ * i, d_))};
    };
    for (const Form& form : piece.zero) {
      const auto [row, constant] = row_of(form);
      A.row(next) = row;
      b[next++] = -constant;
    }
    const Eigen::Index before = rows.rows();
    const auto more = static_cast<Eigen::Index>(piece.nonnegative.size());
    rows.conservativeResize(before + more, size);
    constants.conservativeResize(before + more);
    for (Eigen::Index k = 0; k < more; ++k) {
      const auto [row, constant] = row_of(piece.nonnegative[static_cast<std::size_t>(k)]);
      rows.row(before + k) = row;
      constants[before + k] = constant;
    }
  }
  return {A, rows, b, constants};
}

void Enumerator::try_combination(const std::vector<std::size_t>& choice) {
  const Conditions conditions = conditions_of(choice);
  const ModeSystem system(conditions.A, conditions.b);
  Found found;
  found.r = system.solution();
  if (system.regular()) {
    found.error = system.error();
    for (int i = 0; i < n_; ++i)
      if (choice[static_cast<std::size_t>(i)] == 0) {
        found.r.segment(d_ * i, d_).setZero();
        found.error.segment(d_ * i, d_).setZero();
      }
  }
  const auto& [A, rows, b, constants] = conditions;
  const Eigen::VectorXd value = rows * found.r + constants;
  Eigen::VectorXd limit = near_zero * (rows.cwiseAbs() * found.r.cwiseAbs() + constants.cwiseAbs());
  if (system.regular()) {
    limit += rows.cwiseAbs() * found.error;
    if ((value.array() >= -limit.array()).all()) add(std::move(found));
    return;
  }
  // A condensed W can be singular by the rounding of condensing alone.
  undecided_ = undecided_ || !system.clearly_singular() || original_.origin != nullptr;
  if (system.consistent()) {
    add_continuum(conditions, system, value, limit, std::move(found));
  }
}

// r + N z with all inequalities: a polyhedron.
void Enumerator::add_continuum(const Conditions& conditions, const ModeSystem& system,
                               const Eigen::VectorXd& value, const Eigen::VectorXd& limit,
                               Found found) {
  const auto& [A, rows, b, constants] = conditions;
  const Eigen::MatrixXd N = system.kernel();
  const Eigen::Index k = N.cols(), m = rows.rows();
  const double reach = std::max(system.scaled_solution().norm(), b.cwiseAbs().maxCoeff());
  double scale = reach > 0 ? reach : 1;
  Eigen::MatrixXd G = -rows * N;
  Eigen::VectorXd h = value / scale;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = (rows.row(i) * system.columns().asDiagonal()).norm();
    if (G.row(i).norm() <= near_zero * length) {
      undecided_ = undecided_ || G.row(i).norm() > rounding_alone * length;
      if (value[i] < -limit[i]) return;
      G.row(i).setZero();
      h[i] = 1;
    } else {
      G.row(i) /= length;
      h[i] /= length;
    }
  }
  h.array() += 1e-10;
  // Some corner of it, which says how far away it is.
  const LinearProgram corner = maximise(Eigen::VectorXd::Zero(k), G, h);
  if (corner.status != LinearProgram::Status::optimal) {
    undecided_ = undecided_ || !corner.clearly_infeasible;
    return;
  }
  const double far = std::max(1.0, corner.x.cwiseAbs().maxCoeff());
  scale *= far;
  h /= far;
  // The average of points that are farthest in each inequality lies inside; inequalities that none
  // of them satisfies strictly are equations.
  Eigen::VectorXd inside = Eigen::VectorXd::Zero(k);
  int points = 0;
  std::vector<Eigen::Index> equations;
  Eigen::MatrixXd bounded(m + 2 * k, k);
  Eigen::VectorXd bound(m + 2 * k);
  bounded << G, Eigen::MatrixXd::Identity(k, k), -Eigen::MatrixXd::Identity(k, k);
  bound << h, Eigen::VectorXd::Constant(2 * k, 10.0);
  for (Eigen::Index i = 0; i < m; ++i) {
    if (G.row(i).isZero(0)) continue;
    const LinearProgram lp = maximise(-G.row(i).transpose(), bounded, bound);
    if (lp.status != LinearProgram::Status::optimal) {
      undecided_ = true;
      return;
    }
    inside += lp.x;
    ++points;
    if (lp.value + h[i] < 1e-7) equations.push_back(i);
  }
  if (points > 0) inside /= points;
  Eigen::MatrixXd E(static_cast<Eigen::Index>(equations.size()), k);
  for (std::size_t i = 0; i < equations.size(); ++i)
    E.row(static_cast<Eigen::Index>(i)) = G.row(equations[i]);
  found.dimension = static_cast<int>(k);
  if (!equations.empty()) {
    Eigen::FullPivLU<Eigen::MatrixXd> rank(E);
    rank.setThreshold(1e-8);
    found.dimension -= static_cast<int>(rank.rank());
  }
  found.r += scale * (N * inside);
  found.error = near_zero * scale * system.columns();
  if (found.dimension > 0) {
    found.A = A;
    found.b = b;
    found.G = rows;
    found.h = constants;
  }
  add(std::move(found));
}

void Enumerator::one_curved_contact(const LimitCurve& curve) {
  for (const OneContactSolution& one : every_solution(curve.ellipse(), W_, problem_.q)) {
    Found found;
    found.r = one.reaction;
    found.error = Eigen::VectorXd::Zero(3);
    found.modes = {one.mode};
    found.dimension = one.dimension;
    add(std::move(found));
  }
}

// Whether there is time left and nobody stops it.
bool Enumerator::goes_on(double share) {
  stopped_ = progress_ && !progress_(share);
  return !stopped_ && std::chrono::steady_clock::now() < deadline_;
}

void Enumerator::search() {
  const auto add_point = [&](const Eigen::VectorXd& r) {
    Found found;
    found.r = r;
    found.error = Eigen::VectorXd::Constant(r.size(), near_zero * r.norm());
    add(std::move(found));
  };
  add_point(Eigen::VectorXd::Zero(d_ * n_));
  if (from_starts_)
    for (const Eigen::VectorXd& r :
         from_starts_(problem_, [&](double share) { return goes_on(share); }))
      add_point(r);
  merge_by_velocity();
  reason_ =
      "contacts on curved laws slip in a continuum of directions; searched from many "
      "starts";
  if (stopped_) reason_ += " until it was stopped";
}

// The solutions that share their velocities are a convex set, K cut by û·r = 0 and W r = u − q: one
// continuum, inside which is the mean of those found.
void Enumerator::merge_by_velocity() {
  std::vector<Found> kept;
  std::vector<double> members;
  for (const Found& found : found_) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Found& known) {
      const Eigen::VectorXd terms = terms_of_velocity(found.r).cwiseMax(terms_of_velocity(known.r));
      return known.modes == found.modes &&
             (W_ * (found.r - known.r)).norm() <= same_point * terms.norm();
    });
    if (same == kept.end()) {
      kept.push_back(found);
      members.push_back(1);
    } else {
      double& count = members[static_cast<std::size_t>(same - kept.begin())];
      same->r = (count * same->r + found.r) / (count + 1);
      same->error = same->error.cwiseMax(found.error);
      ++count;
    }
  }
  for (Found& found : kept) found.dimension = dimension_at(found);
  found_ = std::move(kept);
}

// How many directions lead on at the same velocities: each contact's force within the cone, or
// along itself where it slips or is on the cone's surface.
int Enumerator::dimension_at(const Found& found) const {
  Eigen::MatrixXd B(d_ * n_, 0);
  const auto add_column = [&](int contact, const Eigen::VectorXd& direction) {
    B.conservativeResize(Eigen::NoChange, B.cols() + 1);
    B.rightCols(1).setZero();
    B.col(B.cols() - 1).segment(d_ * contact, d_) = direction;
  };
  for (int i = 0; i < n_; ++i) {
    const Mode mode = found.modes[static_cast<std::size_t>(i)];
    const Vec3 r = found.r.segment<3>(d_ * i);
    if (mode == Mode::open) continue;
    const double gauge =
        limit_curve(problem_.laws[static_cast<std::size_t>(i)]).gauge(-r.tail<2>());
    if (mode == Mode::stick && gauge < (1 - same_point) * r[0])
      for (int c = 0; c < 3; ++c) add_column(i, Vec3::Unit(c));
    else
      add_column(i, r.normalized());
  }
  if (B.cols() == 0) return 0;
  const ModeSystem system(W_ * B, Eigen::VectorXd::Zero(d_ * n_));
  return system.regular() ? 0 : static_cast<int>(system.kernel().cols());
}

Enumeration Enumerator::run() {
  for (const Law& law : problem_.laws) {
    LimitCurve curve = limit_curve(law);
    if (d_ == 2) curve = section(curve);
    linear_ = linear_ && curve.is_polygonal();
    for (const Vec2& v : {Vec2(1, 0), Vec2(0, 1), Vec2(-1, 0), Vec2(0, -1)})
      widest_ = std::max(widest_, curve.support(v));
    if (curve.is_polygonal()) pieces_.push_back(pieces_of(curve, d_));
  }
  const LimitCurve first = limit_curve(problem_.laws[0]);
  if (linear_) {
    std::vector<std::size_t> choice(static_cast<std::size_t>(n_), 0);
    double combinations = 1, tried = 0;
    for (const auto& pieces : pieces_) combinations *= static_cast<double>(pieces.size());
    while (true) {
      try_combination(choice);
      if (!goes_on(++tried / combinations)) {
        reason_ = std::string(stopped_ ? "it was stopped" : "the time was up") +
                  " before all combinations of modes were tried";
        return result();
      }
      std::size_t i = 0;
      while (i < choice.size() && ++choice[i] == pieces_[i].size()) choice[i++] = 0;
      if (i == choice.size()) break;
    }
    drop_ends();
    complete_ = true;
  } else if (n_ == 1 && first.shape() == LimitCurve::Shape::ellipse) {
    one_curved_contact(first);
    complete_ = true;
    // Near singular its equations are not looked at for what rounding decides.
    unproven_ = undecided_ || !ModeSystem(W_, -problem_.q).regular();
    undecided_ = false;
  } else {
    search();
  }
  return result();
}

// In the problem's own units.
Enumeration Enumerator::result() const {
  Enumeration enumeration;
  // An empty list is taken for a proof.
  const bool open = lost_ || (undecided_ && found_.empty());
  enumeration.complete = complete_ && !open;
  enumeration.proves_none = enumeration.complete && found_.empty() && !unproven_;
  enumeration.reason =
      complete_ && open ? "rounding decides whether some modes hold a solution" : reason_;
  const Eigen::MatrixXd W(to_sparse(original_.W));
  for (const Found& found : found_) {
    EnumeratedSolution solution;
    solution.reactions = units_.speed * units_.factors.cwiseProduct(found.r);
    // Without q the solutions of these modes are a cone, whose points have no size of their own.
    if (found.dimension > 0 && original_.q.isZero(0))
      solution.reactions /= solution.reactions.cwiseAbs().maxCoeff();
    solution.velocities = W * solution.reactions + original_.q;
    solution.modes = found.modes;
    solution.dimension = found.dimension;
    solution.certificate = certify(original_, solution.reactions);
    enumeration.solutions.push_back(std::move(solution));
  }
  return enumeration;
}

}  // namespace

Enumeration list_solutions(const ContactProblem& problem, double max_seconds,
                           const Progress& progress, const SolveFromStarts& from_starts) {
  validate(problem);
  if (problem.dimension != 2 && problem.dimension != 3)
    throw InvalidInput("dimension is " + std::to_string(problem.dimension) + ", expected 2 or 3");
  if (problem.bilateral)
    throw InvalidInput("the problem has bilateral rows, expected them to be condensed");
  if (problem.contacts() > 12)
    throw InvalidInput("the problem has " + std::to_string(problem.contacts()) +
                       " contacts, expected at most 12 to enumerate");
  if (problem.contacts() == 0) {
    Enumeration none;
    none.solutions.emplace_back();
    none.complete = true;
    return none;
  }
  const Scaling scaling = validate_numbers(problem) ? Scaling() : Scaling(problem);
  if (scaling.is_none()) return Enumerator(problem, max_seconds, progress, from_starts).run();
  const ContactProblem scaled = scaling.scaled(problem);
  Enumeration all = Enumerator(scaled, max_seconds, progress, from_starts).run();
  for (EnumeratedSolution& one : all.solutions)
    scaling.back(problem, Model::coulomb, one.reactions, one.velocities, one.certificate);
  return all;
}

}  // namespace stiction
