// SPDX-License-Identifier: Apache-2.0
#include "stiction/separation.h"

#include <Eigen/Dense>
#include <cmath>

#include "base/part_of.h"
#include "cone/compensated.h"
#include "contact/proof/separation_program.h"
#include "contact/strategy.h"
#include "stiction/constraint_separation.h"
#include "stiction/friction_cone.h"

namespace stiction {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double unit_rounding = 0x1p-53;
// Zero means: entries that differ by so many roundings, each on its own, make it zero exactly.  Of
// planted directions the first is at most 3 and the second at most 1.
constexpr double roundings = 32;           // of a component of Aᵀs
constexpr double roundings_of_step = 2.5;  // of sᵀW s
// s_i ∈ K: the distance over ‖s_i‖.
constexpr double in_cone = 1e-14;
// q·s < 0: over Σ|q_k s_k|.  Less than the solver's tolerance can tell from zero proves nothing.
constexpr double against = 1e-8;
// q·s ≤ 0
constexpr double along_zero = 1e-12;

// A polygon inside the curve: itself, or sixteen of its boundary points; of an ellipse those of the
// disc it is an image of, so that it is as near to both.
LimitCurve polygon_inside(const LimitCurve& curve) {
  if (curve.is_polygonal()) return curve;
  const bool ellipse = curve.shape() == LimitCurve::Shape::ellipse;
  std::vector<Vec2> points{Vec2::Zero()};
  for (long k = 0; k < 16; ++k) {
    const Vec2 u = Direction::turn(k, 16).unit();
    if (ellipse)
      points.push_back(
          curve.ellipse().from_axes({curve.ellipse().a * u.x(), curve.ellipse().b * u.y()}));
    else
      points.push_back(curve.face(u).first);
  }
  return polygon(points);
}

LimitCurve curve_of(const ContactProblem& problem, int contact) {
  const LimitCurve curve = limit_curve(problem.laws[static_cast<std::size_t>(contact)]);
  return problem.dimension == 2 ? with_bearing(curve, Direction::degrees(90)) : curve;
}

Vec3 part_of_contact(const Eigen::VectorXd& s, int d, int i) {
  return {s[d * i], s[d * i + 1], d == 3 ? s[d * i + 2] : 0.0};
}

// What a direction must not move: Aᵀ s = 0, with A = W; or of a condensed problem A = (H; G), whose
// rows below the contacts' carry the joints' forces.
struct Rows {
  Rows(const ContactProblem& problem, const Origin* origin);

  // Aᵀ s as if summed exactly, over the columns' sizes.
  Eigen::VectorXd pull(const Eigen::VectorXd& s) const;
  // What one rounding of every entry on its own would make of it: √Σ (s_i/row_i)² over the entries
  // of a column.
  Eigen::VectorXd noise(const Eigen::VectorXd& s) const;
  // (row A column), all of about 1
  Sparse scaled() const { return row.asDiagonal() * A * column.asDiagonal(); }

  Sparse A;
  Eigen::VectorXd q;            // s·u = q·s where Aᵀ s = 0
  Eigen::VectorXd row, column;  // over the largest entries
  bool condensed = false, symmetric = false;
};

Rows::Rows(const ContactProblem& problem, const Origin* origin) : condensed(origin != nullptr) {
  if (!condensed) {
    A = to_sparse(problem.W);
    q = problem.q;
  } else if (!origin->joints) {
    A = origin->H;
    q = origin->w;
  } else {
    const auto& [G, b] = *origin->joints;
    const Sparse& H = origin->H;
    std::vector<Eigen::Triplet<double>> entries;
    for (int c = 0; c < H.outerSize(); ++c) {
      for (Sparse::InnerIterator it(H, c); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), c, it.value());
      for (Sparse::InnerIterator it(G, c); it; ++it)
        entries.emplace_back(static_cast<int>(H.rows() + it.row()), c, it.value());
    }
    A.resize(H.rows() + G.rows(), H.cols());
    A.setFromTriplets(entries.begin(), entries.end());
    q.resize(A.rows());
    q << origin->w, b;
  }
  A.prune([](Eigen::Index, Eigen::Index, double x) { return x != 0; });
  row = Eigen::VectorXd::Ones(A.rows());
  column = Eigen::VectorXd::Ones(A.cols());
  // Each time the ratio of two rows falls to its root.
  for (int k = 0; k < 20; ++k) {
    Eigen::VectorXd rows = Eigen::VectorXd::Zero(A.rows()),
                    columns = Eigen::VectorXd::Zero(A.cols());
    for (int j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it) {
        const double size = std::abs(row[it.row()] * it.value() * column[j]);
        rows[it.row()] = std::max(rows[it.row()], size);
        columns[j] = std::max(columns[j], size);
      }
    double change = 0;
    const auto divide = [&](Eigen::VectorXd& scale, const Eigen::VectorXd& size) {
      for (Eigen::Index i = 0; i < size.size(); ++i) {
        if (!(size[i] > 0)) continue;
        scale[i] /= std::sqrt(size[i]);
        change = std::max(change, std::abs(size[i] - 1));
      }
    };
    divide(row, rows);
    divide(column, columns);
    if (change < 1e-3) break;
  }
  if (condensed) return;
  // As a quadratic form W says the same with rows and columns of one size.
  const Sparse other = scaled(), difference = other - Sparse(other.transpose());
  constexpr double of_one_size = 1e-12;
  symmetric =
      difference.coeffs().size() == 0 || difference.coeffs().abs().maxCoeff() <= of_one_size;
}

Eigen::VectorXd Rows::pull(const Eigen::VectorXd& s) const {
  Eigen::VectorXd off(A.cols());
  for (int j = 0; j < A.outerSize(); ++j) {
    Twofold sum;
    for (Sparse::InnerIterator it(A, j); it; ++it)
      if (s[it.row()] != 0) sum = sum + Twofold::product(it.value(), s[it.row()]);
    off[j] = sum.value() * column[j];
  }
  return off;
}

Eigen::VectorXd Rows::noise(const Eigen::VectorXd& s) const {
  Eigen::VectorXd size(A.cols());
  const Eigen::VectorXd x = s.cwiseQuotient(row);
  for (int j = 0; j < A.outerSize(); ++j) {
    double sum = 0;
    for (Sparse::InnerIterator it(A, j); it; ++it) sum += x[it.row()] * x[it.row()];
    size[j] = unit_rounding * std::sqrt(sum);
  }
  return size;
}

// The joints' forces that balance s: Gᵀλ = −Hᵀs, as near as can be.
Eigen::VectorXd with_joints(const Rows& rows, const Eigen::VectorXd& s) {
  const Eigen::Index joints = rows.A.rows() - s.size();
  Eigen::VectorXd all = Eigen::VectorXd::Zero(rows.A.rows());
  all.head(s.size()) = s;
  if (joints == 0) return all;
  const Sparse G = Sparse(rows.scaled().transpose()).rightCols(joints).transpose();
  Sparse gram = G * G.transpose();
  constexpr double redundant = 1e-12;  // rows that say the same leave λ open
  Sparse little(joints, joints);
  little.setIdentity();
  gram += redundant * little;
  const Eigen::SimplicialLLT<Sparse> factor(gram);
  for (int k = 0; k < 6; ++k) {
    const Eigen::VectorXd step = factor.solve(G * rows.pull(all));
    all.tail(joints) -= step.cwiseProduct(rows.row.tail(joints));
  }
  return all;
}

// Whether Aᵀ s is zero but for rounding, of joints' forces too.
bool vanishes(const Rows& rows, const Eigen::VectorXd& s) {
  const Eigen::VectorXd off = rows.pull(s);
  if (off.isZero(0)) return true;
  const Eigen::VectorXd noise = rows.noise(s);
  if (!(off.cwiseAbs().array() <= roundings * noise.array()).all()) return false;
  if (!rows.symmetric) return true;
  const Eigen::VectorXd x = s.cwiseQuotient(rows.row);
  return std::abs(x.dot(off)) <= roundings_of_step * x.cwiseAbs().cwiseProduct(noise).norm();
}

// Where Aᵀ s is a few roundings the forces along s that solve may be as large as 1/rounding, and
// yet doubles: W r + q = 0 on the rows of s, all others clear.
bool solved_along(const ContactProblem& problem, const Rows& rows, const Eigen::VectorXd& s) {
  std::vector<Eigen::Index> used;
  for (Eigen::Index k = 0; k < s.size(); ++k)
    if (s[k] != 0) used.push_back(k);
  const auto count = static_cast<Eigen::Index>(used.size());
  if (count > strategy.existence.rows_along) return false;
  Eigen::MatrixXd W(count, count);
  Eigen::VectorXd q(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::VectorXd column = rows.A.col(static_cast<int>(used[static_cast<std::size_t>(j)]));
    for (Eigen::Index i = 0; i < count; ++i) W(i, j) = column[used[static_cast<std::size_t>(i)]];
    q[j] = problem.q[used[static_cast<std::size_t>(j)]];
  }
  const Eigen::VectorXd part = W.partialPivLu().solve(-q);
  if (!part.allFinite()) return false;
  Eigen::VectorXd r = Eigen::VectorXd::Zero(s.size());
  for (Eigen::Index j = 0; j < count; ++j) r[used[static_cast<std::size_t>(j)]] = part[j];
  std::vector<Twofold> u(static_cast<std::size_t>(s.size()));
  for (Eigen::Index k = 0; k < s.size(); ++k) u[static_cast<std::size_t>(k)].high = problem.q[k];
  for (int j = 0; j < rows.A.outerSize(); ++j)
    for (Sparse::InnerIterator it(rows.A, j); it; ++it) {
      Twofold& sum = u[static_cast<std::size_t>(it.row())];
      sum = sum + Twofold::product(it.value(), r[j]);
    }
  const int d = problem.dimension;
  const double little = against * problem.q.norm();
  for (int i = 0; i < problem.contacts(); ++i) {
    if (r[d * i] < 0) return false;
    for (int c = 0; c < d; ++c) {
      const double speed = u[static_cast<std::size_t>(d * i + c)].value();
      const bool open = r[d * i] == 0;
      if (open ? c == 0 && speed < -little : std::abs(speed) > little) return false;
    }
  }
  return true;
}

// s, found or given, of unit length or any.
bool verify(const ContactProblem& problem, const Rows& rows, const Separation& separation,
            Model model) {
  const int d = problem.dimension;
  const Eigen::VectorXd& s = separation.direction;
  const Eigen::VectorXd all = with_joints(rows, s);
  if (!all.allFinite() || !vanishes(rows, all)) return false;
  bool normal_only = true;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Vec3 s_i = part_of_contact(s, d, i);
    const double bound = in_cone * s_i.norm();
    if (FrictionCone(curve_of(problem, i)).distance(s_i) > bound) return false;
    normal_only = normal_only && s_i.tail<2>().norm() <= bound;
  }
  const double along = rows.q.dot(all), size = rows.q.cwiseProduct(all).cwiseAbs().sum();
  if (separation.proves == Separation::Proves::existence_not_guaranteed)
    return along <= along_zero * size;
  if (!(model == Model::convex || normal_only) || !(along < -against * size)) return false;
  if (rows.condensed) {  // W and q, which may have been changed since, are to say so too
    constexpr double about = 1e-6;
    const Rows own(problem, nullptr);
    const Eigen::VectorXd x = s.cwiseQuotient(own.row);
    return problem.q.dot(s) < 0 && own.pull(s).norm() <= about * x.norm();
  }
  return rows.pull(s).isZero(0) || !solved_along(problem, rows, s);
}

// P: W itself, if that is symmetric, or A Aᵀ.
enum class Form { itself, squared };

// The program of all cones, or of normal forces alone, in units of the rows.
struct Prepared {
  Prepared(const ContactProblem& problem, const Rows& rows, bool normal_only, Form form);

  std::vector<Eigen::Index> used;  // rows of A
  Sparse P, part;                  // part: the rows of A that are used, scaled; all columns
  Form form;
  Eigen::VectorXd q;
  std::vector<SeparationProgram::Block> blocks;

  // s, with joints' forces, of x in the program
  Eigen::VectorXd direction(const Rows& rows, const Eigen::VectorXd& x) const {
    Eigen::VectorXd s = Eigen::VectorXd::Zero(rows.A.rows());
    for (std::size_t k = 0; k < used.size(); ++k)
      s[used[k]] = rows.row[used[k]] * x[static_cast<Eigen::Index>(k)];
    return s;
  }
};

Prepared::Prepared(const ContactProblem& problem, const Rows& rows, bool normal_only, Form form_)
    : form(form_) {
  const int d = problem.dimension;
  const auto row_of = [&](Eigen::Index k) { return used[static_cast<std::size_t>(k)]; };
  for (int i = 0; i < problem.contacts(); ++i) {
    SeparationProgram::Block block;
    block.row = static_cast<Eigen::Index>(used.size());
    for (int c = 0; c < (normal_only ? 1 : d); ++c) used.push_back(d * i + c);
    if (normal_only) {
      block.rays = Eigen::MatrixXd::Ones(1, 1);
    } else {
      const std::vector<Vec3> rays = FrictionCone(polygon_inside(curve_of(problem, i))).rays();
      block.rays.resize(d, static_cast<Eigen::Index>(rays.size()));
      for (std::size_t k = 0; k < rays.size(); ++k)
        block.rays.col(static_cast<Eigen::Index>(k)) =
            rays[k].head(d).cwiseQuotient(rows.row.segment(d * i, d)).stableNormalized();
    }
    blocks.push_back(std::move(block));
  }
  for (Eigen::Index k = static_cast<Eigen::Index>(d) * problem.contacts(); k < rows.A.rows(); ++k) {
    SeparationProgram::Block block{static_cast<Eigen::Index>(used.size()), Eigen::MatrixXd(1, 2)};
    block.rays << 1, -1;
    used.push_back(k);
    blocks.push_back(std::move(block));
  }
  const auto count = static_cast<Eigen::Index>(used.size());
  q.resize(count);
  for (Eigen::Index k = 0; k < count; ++k) q[k] = rows.q[row_of(k)] * rows.row[row_of(k)];
  if (const double largest = q.cwiseAbs().maxCoeff(); largest > 0 && largest < infinity)
    q /= largest;
  std::vector<Eigen::Triplet<double>> choice;
  for (Eigen::Index k = 0; k < count; ++k)
    choice.emplace_back(static_cast<int>(k), static_cast<int>(row_of(k)), 1.0);
  Sparse chosen(count, rows.A.rows());
  chosen.setFromTriplets(choice.begin(), choice.end());
  part = chosen * rows.scaled();
  if (form == Form::squared) {
    P = part * Sparse(part.transpose());
  } else {
    const Sparse square = part * Sparse(chosen.transpose());
    P = 0.5 * (square + Sparse(square.transpose()));
  }
}

struct Best {
  std::optional<Separation> found;
  bool proof() const { return found && found->proves == Separation::Proves::no_solution; }
};

void search(const ContactProblem& problem, const Rows& rows, Model model, bool normal_only,
            Form form, const Progress& progress, Best& best) {
  using Proves = Separation::Proves;
  constexpr const ExistenceStrategy& at = strategy.existence;
  const Prepared prepared(problem, rows, normal_only, form);
  SeparationProgram program(prepared.P, prepared.q, prepared.blocks);
  const Eigen::Index size = problem.q.size();
  const auto pull = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    const Eigen::VectorXd off = rows.pull(prepared.direction(rows, x));
    if (form == Form::squared) return prepared.part * off;
    Eigen::VectorXd some(x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k)
      some[k] = off[prepared.used[static_cast<std::size_t>(k)]];
    return some;
  };
  const auto look = [&] {
    const Eigen::VectorXd s =
        prepared.direction(rows, program.clean(pull)).head(size).stableNormalized();
    if (!s.allFinite() || s.isZero(0)) return;
    for (const Proves proves : {Proves::no_solution, Proves::existence_not_guaranteed})
      if ((proves == Proves::no_solution || !best.found) &&
          verify(problem, rows, {s, proves}, model)) {
        best.found = {s, proves};
        return;
      }
  };
  double next = at.first_gap;
  for (int k = 0; k < at.most_steps; ++k) {
    if (progress && !progress(static_cast<double>(k) / at.most_steps))
      throw Stopped("stopped before a direction was found");
    if (!program.step() || program.only_zero()) return;
    if (program.gap() > next) continue;
    look();
    if (best.proof() || program.gap() < at.last_gap) return;
    next = at.next_gap * program.gap();
  }
}

}  // namespace

bool verify_separation(const ContactProblem& problem, const Separation& separation, Model model) {
  if (problem.dimension == 5) return verify_separation(written_out(problem), separation);
  const Eigen::VectorXd& s = separation.direction;
  if (s.size() != static_cast<Eigen::Index>(problem.dimension) * problem.contacts() ||
      !s.allFinite() || s.isZero(0))
    return false;
  // In units in which no square leaves the range of doubles.
  return verify(problem, Rows(problem, problem.origin.get()),
                {s.stableNormalized(), separation.proves}, model);
}

std::optional<Separation> find_separation(const ContactProblem& problem, Model model,
                                          const Progress& progress, Among among) {
  if (problem.contacts() == 0) return std::nullopt;
  const Rows rows(problem, problem.origin.get());
  Best best;
  try {
    for (const bool normal_only : {true, false}) {
      if (!normal_only && among == Among::normal_forces) break;
      const double begin = normal_only ? 0 : 0.5;
      // W = Wᵀ need not be positive semidefinite: then it says nothing, and W Wᵀ does.
      if (rows.symmetric)
        search(problem, rows, model, normal_only, Form::itself,
               part_of(progress, begin, begin + 0.25), best);
      if (!best.found)
        search(problem, rows, model, normal_only, Form::squared,
               part_of(progress, begin + 0.25, begin + 0.5), best);
      if (best.proof()) break;
    }
  } catch (const Stopped&) {
    if (!best.found) throw;
  }
  return best.found;
}

}  // namespace stiction
