// SPDX-License-Identifier: Apache-2.0
#include "stiction/enumerate.h"

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "contact/linear_program.h"
#include "stiction/solver.h"

namespace stiction {

namespace {

// One way a contact can be: linear forms of its r and u that vanish, and others that are ≥ 0.
struct Form {
  Eigen::VectorXd of_r, of_u;
};
struct Piece {
  std::vector<Form> zero, nonnegative;
};

constexpr double near_zero = 1e-9;  // of the size of the terms

class Pieces {
 public:
  explicit Pieces(int dimension) : d_(dimension) {}

  Form form() const { return {Eigen::VectorXd::Zero(d_), Eigen::VectorXd::Zero(d_)}; }
  Form r(int component, double factor = 1) const {
    Form f = form();
    f.of_r[component] = factor;
    return f;
  }
  Form u(int component, double factor = 1) const {
    Form f = form();
    f.of_u[component] = factor;
    return f;
  }
  // n·u_t, and −n·r_t − b r_n
  Form slip_along(const Vec2& n) const {
    Form f = form();
    for (int c = 1; c < d_; ++c) f.of_u[c] = n[c - 1];
    return f;
  }
  Form below(const Vec2& n, double b) const {  // b r_n + n·r_t ≥ 0
    Form f = form();
    f.of_r[0] = b;
    for (int c = 1; c < d_; ++c) f.of_r[c] = n[c - 1];
    return f;
  }

  Piece open() const {
    Piece piece;
    for (int c = 0; c < d_; ++c) piece.zero.push_back(r(c));
    piece.nonnegative.push_back(u(0));
    return piece;
  }
  Piece stick(const LimitCurve& curve) const {
    Piece piece;
    for (int c = 0; c < d_; ++c) piece.zero.push_back(u(c));
    piece.nonnegative.push_back(r(0));
    for (const HalfPlane& half : curve.half_planes())
      if (d_ == 3 || half.normal.x() != 0)
        piece.nonnegative.push_back(below(half.normal, half.offset));
    return piece;
  }
  Piece at_vertex(const Vec2& p, const std::vector<Form>& wedge) const {
    Piece piece;
    piece.zero.push_back(u(0));
    for (int c = 1; c < d_; ++c) {
      Form f = r(c);
      f.of_r[0] = p[c - 1];
      piece.zero.push_back(f);
    }
    piece.nonnegative = wedge;
    piece.nonnegative.push_back(r(0));
    return piece;
  }
  Piece on_flat(const Vec2& from, const Vec2& to, const Vec2& n, double b) const {
    const Vec2 e = (to - from).normalized();
    Piece piece;
    piece.zero = {u(0), slip_along(e), below(n, b)};
    // −r_t·e between from·e and to·e times r_n
    piece.nonnegative = {r(0), slip_along(n), below(e, to.dot(e)), below(-e, -from.dot(e))};
    return piece;
  }

 private:
  int d_;
};

// The interval that a curve is in 2-D, as a curve along the first axis.
LimitCurve section(const LimitCurve& curve) {
  const double left = curve.gauge({-1, 0}), right = curve.gauge({1, 0});
  const double low = left < infinity ? -1 / left : 0, high = right < infinity ? 1 / right : 0;
  return low < high ? polygon({{low, 0}, {high, 0}}) : free_curve();
}

std::vector<Piece> pieces_of(const LimitCurve& curve, int dimension) {
  const Pieces make(dimension);
  std::vector<Piece> list{make.open(), make.stick(curve)};
  if (dimension == 2) {
    // Slip towards ±t, or without friction either way.
    double low = 0, high = 0;
    for (const Vec2& p : curve.vertices()) {
      low = std::min(low, p.x());
      high = std::max(high, p.x());
    }
    list.push_back(make.at_vertex({high, 0}, {make.u(1)}));
    list.push_back(make.at_vertex({low, 0}, {make.u(1, -1)}));
    return list;
  }
  if (curve.shape() == LimitCurve::Shape::point) {
    list.push_back(make.at_vertex({0, 0}, {}));
    return list;
  }
  const auto& pieces = curve.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Vec2& first = pieces[(i + pieces.size() - 1) % pieces.size()].normal;
    const Vec2& last = pieces[i].normal;
    // v in the wedge: first × v ≥ 0 and v × last ≥ 0.
    list.push_back(make.at_vertex(pieces[i].from, {make.slip_along({-first.y(), first.x()}),
                                                   make.slip_along({last.y(), -last.x()})}));
    if (curve.shape() == LimitCurve::Shape::segment && i == 1)
      continue;  // the same flat from behind
    Piece flat =
        make.on_flat(pieces[i].from, curve.piece_end(i), pieces[i].normal, pieces[i].offset);
    if (curve.shape() == LimitCurve::Shape::segment)  // slips either way across
      flat.nonnegative.erase(flat.nonnegative.begin() + 1);
    list.push_back(flat);
  }
  return list;
}

// The size that reactions have: ‖q‖ over mean|diag W|, or ‖q‖ itself where that mean is 0.
double reaction_size(const ContactProblem& problem, const Eigen::MatrixXd& W) {
  const double mean = W.diagonal().cwiseAbs().mean();
  return std::max(problem.q.norm() / (mean > 0 ? mean : 1.0), 1e-300);
}

class Enumerator {
 public:
  Enumerator(const ContactProblem& problem, double max_seconds, const Progress& progress)
      : problem_(problem),
        progress_(progress),
        d_(problem.dimension),
        n_(problem.contacts()),
        W_(Eigen::MatrixXd(to_sparse(problem.W))),
        unit_(reaction_size(problem, W_)),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                      std::chrono::duration<double>(max_seconds))) {}

  Enumeration run();

 private:
  void try_combination(const std::vector<std::size_t>& choice);
  bool add(const Eigen::VectorXd& r, int dimension);
  void drop_ends();
  bool one_curved_contact(const LimitCurve& curve);
  bool goes_on(double share);

  const ContactProblem& problem_;
  const Progress& progress_;
  bool stopped_ = false;
  int d_, n_;
  Eigen::MatrixXd W_;
  double unit_;  // the size that reactions have: ‖q‖ over mean|diag W|
  std::chrono::steady_clock::time_point deadline_;
  std::vector<std::vector<Piece>> pieces_;
  struct Continuum {
    std::size_t solution;  // its index
    Eigen::MatrixXd A;
    Eigen::VectorXd b;  // A r = b
    Eigen::MatrixXd G;
    Eigen::VectorXd h;  // G r + h ≥ 0
  };
  std::vector<Continuum> continua_;
  Enumeration result_;
};

// A point counts if its certificate does; the same point is found in every mode whose boundary it
// is.
bool Enumerator::add(const Eigen::VectorXd& r, int dimension) {
  if (!r.allFinite()) return false;
  // Reactions so large that rounding swallows the velocities pass any certificate: no solution.
  if (problem_.q.norm() > 0 && 2.2e-16 * r.norm() > 1e-8 * unit_) return false;
  const Certificate certificate = certify(problem_, r);
  if (!certificate.within(1e-8)) return false;
  const double size = std::max(r.norm(), 1e-300);
  for (EnumeratedSolution& known : result_.solutions) {
    if ((known.reactions - r).norm() > 1e-7 * std::max(size, known.reactions.norm())) continue;
    if (dimension <= known.dimension) return false;
  }
  EnumeratedSolution solution;
  solution.reactions = r;
  solution.velocities = W_ * r + problem_.q;
  solution.dimension = dimension;
  solution.certificate = certificate;
  const double speed = std::max(problem_.q.norm(), solution.velocities.norm());
  for (int i = 0; i < n_; ++i) {
    const double force = r.segment(d_ * i, d_).norm(),
                 slip = solution.velocities.segment(d_ * i, d_).norm();
    solution.modes.push_back(force <= near_zero * size   ? Mode::open
                             : slip <= near_zero * speed ? Mode::stick
                                                         : Mode::slip);
  }
  result_.solutions.push_back(std::move(solution));
  return true;
}

// The ends of a continuum are found again in modes that border on its own: they belong to it.
void Enumerator::drop_ends() {
  const auto belongs = [&](const EnumeratedSolution& solution) {
    return std::any_of(continua_.begin(), continua_.end(), [&](const Continuum& c) {
      const EnumeratedSolution& whole = result_.solutions[c.solution];
      if (solution.dimension >= whole.dimension || solution.modes != whole.modes) return false;
      const double size = std::max(solution.reactions.norm(), unit_);
      return (c.A * solution.reactions - c.b).norm() <= 1e-7 * size &&
             (c.G * solution.reactions + c.h).minCoeff() >= -1e-7 * size;
    });
  };
  std::vector<EnumeratedSolution> kept;
  for (const EnumeratedSolution& solution : result_.solutions)
    if (!belongs(solution)) kept.push_back(solution);
  result_.solutions = std::move(kept);
}

void Enumerator::try_combination(const std::vector<std::size_t>& choice) {
  const Eigen::Index size = static_cast<Eigen::Index>(d_) * n_;
  Eigen::MatrixXd A(size, size);
  Eigen::VectorXd b(size);
  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> constants;  // row·r + constant ≥ 0
  Eigen::Index next = 0;
  for (int i = 0; i < n_; ++i) {
    const Piece& piece = pieces_[static_cast<std::size_t>(i)][choice[static_cast<std::size_t>(i)]];
    const auto row_of = [&](const Form& form) -> std::pair<Eigen::RowVectorXd, double> {
      Eigen::RowVectorXd row = form.of_u.transpose() * W_.middleRows(d_ * i, d_);
      row.segment(d_ * i, d_) += form.of_r.transpose();
      return {row, form.of_u.dot(problem_.q.segment(d_ * i, d_))};
    };
    for (const Form& form : piece.zero) {
      const auto [row, constant] = row_of(form);
      const double scale = row.norm() > 0 ? 1 / row.norm() : 1;
      A.row(next) = scale * row;
      b[next++] = -scale * constant;
    }
    for (const Form& form : piece.nonnegative) {
      const auto [row, constant] = row_of(form);
      const double scale = row.norm() > 0 ? 1 / row.norm() : 1;
      rows.emplace_back(scale * row);
      constants.push_back(scale * constant);
    }
  }
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(1e-11);
  const Eigen::VectorXd r = lu.solve(b);
  const double scale = std::max({r.norm(), b.cwiseAbs().maxCoeff(), unit_});
  if (lu.rank() == size) {
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (rows[k].dot(r) + constants[k] < -near_zero * scale) return;
    add(r, 0);
    return;
  }
  if ((A * r - b).norm() > near_zero * scale) return;  // inconsistent: no solution in these modes
  // r + N z with all inequalities: a polyhedron.
  const Eigen::MatrixXd N = lu.kernel().householderQr().householderQ() *
                            Eigen::MatrixXd::Identity(size, lu.dimensionOfKernel());
  const Eigen::Index k = N.cols(), m = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd G(m, k);
  Eigen::VectorXd h(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    G.row(i) = -rows[static_cast<std::size_t>(i)] * N;
    h[i] =
        (rows[static_cast<std::size_t>(i)].dot(r) + constants[static_cast<std::size_t>(i)]) / scale;
    if (G.row(i).norm() < near_zero) G.row(i).setZero();
  }
  h.array() += 1e-10;
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
    if (G.row(i).isZero(0)) {
      if (h[i] < 0) return;
      continue;
    }
    const LinearProgram lp = maximise(-G.row(i).transpose(), bounded, bound);
    if (lp.status != LinearProgram::Status::optimal) return;
    inside += lp.x;
    ++points;
    if (lp.value + h[i] < 1e-7) equations.push_back(i);
  }
  if (points > 0) inside /= points;
  Eigen::MatrixXd E(static_cast<Eigen::Index>(equations.size()), k);
  for (std::size_t i = 0; i < equations.size(); ++i)
    E.row(static_cast<Eigen::Index>(i)) = G.row(equations[i]);
  int dimension = static_cast<int>(k);
  if (!equations.empty()) {
    Eigen::FullPivLU<Eigen::MatrixXd> rank(E);
    rank.setThreshold(1e-8);
    dimension -= static_cast<int>(rank.rank());
  }
  if (!add(r + scale * (N * inside), dimension) || dimension == 0) return;
  Continuum continuum{result_.solutions.size() - 1, A, b, Eigen::MatrixXd(m, size),
                      Eigen::VectorXd(m)};
  for (Eigen::Index i = 0; i < m; ++i) {
    continuum.G.row(i) = rows[static_cast<std::size_t>(i)];
    continuum.h[i] = constants[static_cast<std::size_t>(i)];
  }
  continua_.push_back(std::move(continuum));
}

// One contact on an arc: u_n = 0 and u_t = −β A r_t leave ‖r_t(β)‖_A = r_n(β), found as every sign
// change of g over β; g has at most four roots, since both sides times det are quadratic.
bool Enumerator::one_curved_contact(const LimitCurve& curve) {
  const double nn = W_(0, 0);
  add(Eigen::VectorXd::Zero(3), 0);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(W_);
  if (lu.rank() < 3 || nn == 0) return false;
  add(lu.solve(-problem_.q), 0);
  const Ellipse& e = curve.ellipse();
  Eigen::Matrix2d R;
  R.col(0) = e.axis;
  R.col(1) = Vec2(-e.axis.y(), e.axis.x());
  const Eigen::Matrix2d S =
      R.transpose() *
      (W_.bottomRightCorner(2, 2) - W_.bottomLeftCorner(2, 1) * W_.topRightCorner(1, 2) / nn) * R;
  const double nu = -problem_.q[0] / nn;
  const Vec2 c = R.transpose() * (problem_.q.tail(2) + W_.bottomLeftCorner(2, 1) * nu);
  const Vec2 nt = R.transpose() * W_.topRightCorner(1, 2).transpose() / nn;
  const Vec2 A(1 / (e.a * e.a), 1 / (e.b * e.b));
  // N(β) = −adj(S + βA) c = N0 + N1 β, det = d0 + d1 β + d2 β²
  const Vec2 N0(-(S(1, 1) * c[0] - S(0, 1) * c[1]), -(S(0, 0) * c[1] - S(1, 0) * c[0]));
  const Vec2 N1(-A[1] * c[0], -A[0] * c[1]);
  const double d0 = S.determinant(), d1 = A[0] * S(1, 1) + A[1] * S(0, 0), d2 = A[0] * A[1];
  // (ν det − nt·N)² − ‖(N_x/a, N_y/b)‖² = 0, of degree four.
  const Vec3 right(nu * d0 - nt.dot(N0), nu * d1 - nt.dot(N1), nu * d2);
  Eigen::Matrix<double, 5, 1> p = Eigen::Matrix<double, 5, 1>::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) p[i + j] += right[i] * right[j];
  for (int axis = 0; axis < 2; ++axis) {
    p[0] -= A[axis] * N0[axis] * N0[axis];
    p[1] -= 2 * A[axis] * N0[axis] * N1[axis];
    p[2] -= A[axis] * N1[axis] * N1[axis];
  }
  int degree = 4;
  while (degree > 0 && std::abs(p[degree]) <= 1e-14 * p.cwiseAbs().maxCoeff()) --degree;
  if (degree == 0) return p[0] != 0;
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(degree, degree);
  for (int i = 0; i < degree; ++i) companion(i, degree - 1) = -p[i] / p[degree];
  for (int i = 1; i < degree; ++i) companion(i, i - 1) = 1;
  for (const std::complex<double>& root : companion.eigenvalues()) {
    double beta = root.real();
    if (std::abs(root.imag()) > 1e-6 * (1 + std::abs(root)) || beta < 0) continue;
    for (int k = 0; k < 3; ++k) {  // polish
      double value = 0, slope = 0;
      for (int i = degree; i >= 0; --i) {
        slope = slope * beta + value;
        value = value * beta + p[i];
      }
      if (slope != 0) beta -= value / slope;
    }
    const double det = d0 + (d1 + d2 * beta) * beta;
    if (det == 0) continue;
    const Vec2 t = (N0 + N1 * beta) / det;
    const Vec2 world = R * t;
    add(Vec3(nu - nt.dot(t), world.x(), world.y()), 0);
  }
  return true;
}

// Whether there is time left and nobody stops it.
bool Enumerator::goes_on(double share) {
  stopped_ = progress_ && !progress_(share);
  return !stopped_ && std::chrono::steady_clock::now() < deadline_;
}

Enumeration Enumerator::run() {
  bool linear = true;
  for (const Law& law : problem_.laws) {
    LimitCurve curve = limit_curve(law);
    if (d_ == 2) curve = section(curve);
    linear = linear && curve.is_polygonal();
    if (curve.is_polygonal()) pieces_.push_back(pieces_of(curve, d_));
  }
  if (linear) {
    std::vector<std::size_t> choice(static_cast<std::size_t>(n_), 0);
    double combinations = 1, tried = 0;
    for (const auto& pieces : pieces_) combinations *= static_cast<double>(pieces.size());
    while (true) {
      try_combination(choice);
      if (!goes_on(++tried / combinations)) {
        result_.reason = std::string(stopped_ ? "it was stopped" : "the time was up") +
                         " before all combinations of modes were tried";
        return result_;
      }
      std::size_t i = 0;
      while (i < choice.size() && ++choice[i] == pieces_[i].size()) choice[i++] = 0;
      if (i == choice.size()) break;
    }
    drop_ends();
    result_.complete = true;
    return result_;
  }
  const LimitCurve first = limit_curve(problem_.laws[0]);
  if (n_ == 1 && first.shape() == LimitCurve::Shape::ellipse && one_curved_contact(first)) {
    result_.complete = true;
    return result_;
  }
  add(Eigen::VectorXd::Zero(d_ * n_), 0);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const int starts = 60;
  for (int k = 0; k < starts && goes_on(static_cast<double>(k) / starts); ++k) {
    Eigen::VectorXd start(d_ * n_);
    for (double& x : start) x = unit_ * std::pow(10.0, normal(engine)) * normal(engine);
    SolverOptions options{.tolerance = 1e-11, .max_seconds = 1};
    options.method = k % 2 == 0 ? Method::automatic : Method::newton;
    add(solve(problem_, options, k == 0 ? nullptr : &start).reactions, 0);
  }
  result_.reason =
      "contacts on curved laws slip in a continuum of directions; searched from many "
      "starts";
  if (stopped_) result_.reason += " until it was stopped";
  return result_;
}

}  // namespace

Enumeration enumerate(const ContactProblem& problem, double max_seconds, const Progress& progress) {
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
  return Enumerator(problem, max_seconds, progress).run();
}

}  // namespace stiction
