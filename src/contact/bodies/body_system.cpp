// SPDX-License-Identifier: Apache-2.0
#include "contact/bodies/body_system.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stiction::bodies {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The place of component c of contact i in a vector of three numbers a contact.
std::size_t place(int i, int c) {
  return at(i / batch_size) * 3 * batch_size + at(c * batch_size + i % batch_size);
}

// T, whose square is the matrix of the limit curve's ellipse; nothing for other curves.
std::optional<Eigen::Matrix2d> root_of(const Law& law) {
  if (law.curve == Law::Curve::disc) return Eigen::Matrix2d(law.mu * Eigen::Matrix2d::Identity());
  const bool may_be = law.curve == Law::Curve::ellipse || law.curve == Law::Curve::free;
  if (!may_be) return std::nullopt;
  const LimitCurve curve = limit_curve(law);
  if (curve.shape() == LimitCurve::Shape::point) return Eigen::Matrix2d(Eigen::Matrix2d::Zero());
  if (curve.shape() != LimitCurve::Shape::ellipse) return std::nullopt;
  const Ellipse& e = curve.ellipse();
  Eigen::Matrix2d axes;
  axes << e.axis.x(), -e.axis.y(), e.axis.y(), e.axis.x();
  return Eigen::Matrix2d(axes * Vec2(e.a, e.b).asDiagonal() * axes.transpose());
}

bool is_symmetric(const Eigen::SparseMatrix<double>& M) {
  for (int c = 0; c < M.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
      if (it.row() == c) continue;
      const double other = M.coeff(c, it.row());
      if (std::abs(it.value() - other) > 1e-12 * std::max(std::abs(it.value()), std::abs(other)))
        return false;
    }
  return true;
}

}  // namespace

bool BodySystem::takes(const GlobalProblem& problem) {
  if (problem.dimension != 3 || problem.joints) return false;
  for (const Law& law : problem.laws)
    if (law.curve != Law::Curve::disc && !root_of(law)) return false;
  return is_symmetric(problem.M);
}

void BodySystem::set_pattern(const GlobalProblem& problem) {
  contacts_ = problem.contacts();
  links_.batches = (contacts_ + batch_size - 1) / batch_size;
  find_nodes(problem.M);
  find_links(problem.H);
  find_graph(problem.M);
  elimination_.analyse(graph_);
}

void BodySystem::set(const GlobalProblem& problem, Model model, const Kernels& with) {
  kernels_ = &with;
  model_ = model;
  list_entries();
  set_mass(problem.M);
  set_rows(problem.H);
  set_laws(problem.laws);
  const auto node_numbers = static_cast<std::size_t>(node_size) * at(node_count_);
  force_.assign(node_numbers);
  for (int k = 0; k < problem.f.size(); ++k)
    force_[at(node_size * elimination_.place(node_[at(k)]) + slot_[at(k)])] = problem.f[k];
  free_.assign(node_numbers);
  work_.assign(node_numbers);
  inverse_mass_times(force_.data(), free_.data());
  spread(problem.w, w_);
  free_contact_.assign(w_.size());
  velocities(free_.data(), free_contact_.data());
  double square = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    free_contact_[i] += w_[i];
    square += free_contact_[i] * free_contact_[i];
  }
  norms_.q = std::sqrt(square);
  set_sizes();
}

// Runs of freedoms that M couples are cut into sixes; short runs one after another share a node.
void BodySystem::find_nodes(const Eigen::SparseMatrix<double>& M) {
  const int n = static_cast<int>(M.rows());
  node_.resize(at(n));
  slot_.resize(at(n));
  node_count_ = 0;
  int run_end = 0, used = 6;
  bool long_run = false;
  for (int k = 0; k < n; ++k) {
    if (k == run_end) {  // a run ends where nothing before it reaches beyond
      run_end = k + 1;
      for (int c = k; c < run_end; ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it)
          if (it.value() != 0) run_end = std::max(run_end, static_cast<int>(it.row()) + 1);
      if (long_run || used + run_end - k > 6) used = 6;
      long_run = run_end - k > 6;
    }
    if (used == 6) {
      ++node_count_;
      used = 0;
    }
    node_[at(k)] = node_count_ - 1;
    slot_[at(k)] = used++;
  }
}

// The nodes of each contact, increasing: columns of H come node by node.
void BodySystem::find_links(const Eigen::SparseMatrix<double>& H) {
  const int padded = batch_size * links_.batches;
  std::vector<int>& last = part_start_;  // scratch: the last node seen of each contact
  last.assign(at(padded), -1);
  link_start_.assign(at(padded) + 1, 0);
  const auto each_link = [&](const auto& visit) {
    std::fill(last.begin(), last.end(), -1);
    for (int c = 0; c < H.outerSize(); ++c)
      for (Eigen::SparseMatrix<double>::InnerIterator it(H, c); it; ++it) {
        const int contact = static_cast<int>(it.row()) / 3;
        if (last[at(contact)] == node_[at(c)]) continue;
        last[at(contact)] = node_[at(c)];
        visit(contact, node_[at(c)]);
      }
  };
  each_link([&](int contact, int) { ++link_start_[at(contact) + 1]; });
  for (int i = 0; i < padded; ++i) link_start_[at(i) + 1] += link_start_[at(i)];
  link_node_.resize(at(link_start_.back()));
  std::vector<int>& next = part_contact_;  // scratch
  next.assign(link_start_.begin(), link_start_.end());
  each_link([&](int contact, int node) { link_node_[at(next[at(contact)]++)] = node; });
}

void BodySystem::find_graph(const Eigen::SparseMatrix<double>& M) {
  edges_.clear();
  coupled_ = false;
  for (int c = 0; c < M.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it)
      if (node_[at(c)] != node_[at(static_cast<int>(it.row()))] && it.value() != 0) {
        edges_.emplace_back(node_[at(c)], node_[at(static_cast<int>(it.row()))]);
        coupled_ = true;
      }
  for (int i = 0; i < contacts_; ++i)
    for (int a = link_start_[at(i)]; a < link_start_[at(i) + 1]; ++a)
      for (int b = link_start_[at(i)]; b < link_start_[at(i) + 1]; ++b)
        if (a != b) {
          const std::pair<int, int> edge(link_node_[at(a)], link_node_[at(b)]);
          // Contacts of a pair mostly come one after another.
          if (edges_.size() < 2 || (edge != edges_.back() && edge != edges_[edges_.size() - 2]))
            edges_.push_back(edge);
        }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  graph_.start.assign(at(node_count_) + 1, 0);
  graph_.neighbour.clear();
  for (const auto& [from, to] : edges_) {
    ++graph_.start[at(from) + 1];
    graph_.neighbour.push_back(to);
  }
  for (int i = 0; i < node_count_; ++i) graph_.start[at(i) + 1] += graph_.start[at(i)];
}

// Which contacts add to which block of K.
void BodySystem::list_entries() {
  link_place_.resize(link_node_.size());
  for (std::size_t k = 0; k < link_node_.size(); ++k)
    link_place_[k] = elimination_.place(link_node_[k]);
  const auto entries = elimination_.row().size();
  std::vector<int>& entry = mass_;  // scratch: of each pair of links, in the order of `each`
  entry.clear();
  const auto each = [&](const auto& visit) {
    for (int i = 0; i < contacts_; ++i)
      for (int a = link_start_[at(i)]; a < link_start_[at(i) + 1]; ++a)
        for (int b = link_start_[at(i)]; b < link_start_[at(i) + 1]; ++b)
          if (link_place_[at(a)] >= link_place_[at(b)]) visit(i, a, b);
  };
  part_start_.assign(entries + 1, 0);
  int last_row = -1, last_column = -1, last_entry = -1;  // contacts of a pair come one by one
  const auto find = [&](int row, int column) {
    if (row == column) return elimination_.column_start()[at(row)];
    if (row != last_row || column != last_column) {
      last_row = row;
      last_column = column;
      last_entry = elimination_.entry(row, column);
    }
    return last_entry;
  };
  each([&](int, int a, int b) {
    entry.push_back(find(link_place_[at(a)], link_place_[at(b)]));
    ++part_start_[at(entry.back()) + 1];
  });
  for (std::size_t e = 0; e < entries; ++e) part_start_[e + 1] += part_start_[e];
  for (std::vector<int>* list : {&part_contact_, &part_row_, &part_column_})
    list->resize(entry.size());
  std::vector<int>& next = scratch_;
  next.assign(part_start_.begin(), part_start_.end());
  std::size_t k = 0;
  each([&](int i, int a, int b) {
    const auto part = at(next[at(entry[k++])]++);
    part_contact_[part] = i;
    part_row_[part] = a;
    part_column_[part] = b;
  });
  const auto numbers = entries * block_size;
  if (lower_.size() != numbers) {
    lower_.assign(numbers);
    upper_.assign(numbers);
  }
  if (inverse_.size() != at(node_count_) * block_size)
    inverse_.assign(at(node_count_) * block_size);
  blocks_ = {.nodes = node_count_,
             .column_start = elimination_.column_start().data(),
             .row = elimination_.row().data(),
             .update_start = elimination_.update_start().data(),
             .update_left = elimination_.update_left().data(),
             .update_right = elimination_.update_right().data(),
             .part_start = part_start_.data(),
             .part_contact = part_contact_.data(),
             .part_row = part_row_.data(),
             .part_column = part_column_.data(),
             .lower = lower_.data(),
             .upper = upper_.data(),
             .inverse = inverse_.data()};
}

void BodySystem::set_mass(const Eigen::SparseMatrix<double>& M) {
  const auto entries = elimination_.row().size();
  mass_.assign(entries, -1);
  for (int j = 0; j < node_count_; ++j) mass_[at(elimination_.column_start()[at(j)])] = j;
  int count = node_count_;
  const auto entry_of = [&](int row, int column) {
    return at(elimination_.entry(elimination_.place(node_[at(row)]),
                                 elimination_.place(node_[at(column)])));
  };
  const auto below = [&](int row, int column) {
    return elimination_.place(node_[at(row)]) >= elimination_.place(node_[at(column)]);
  };
  if (coupled_)
    for (int c = 0; c < M.outerSize(); ++c)
      for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
        const int row = static_cast<int>(it.row());
        if (it.value() == 0 || !below(row, c)) continue;
        int& block = mass_[entry_of(row, c)];
        if (block < 0) block = count++;
      }
  mass_value_.assign(at(count) * block_size);
  std::vector<int>& used = scratch_;  // freedoms of each node
  used.assign(at(node_count_), 0);
  for (int c = 0; c < M.outerSize(); ++c) {
    ++used[at(elimination_.place(node_[at(c)]))];
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
      const int row = static_cast<int>(it.row());
      if (!below(row, c) || it.value() == 0) continue;
      const int block = node_[at(row)] == node_[at(c)] ? elimination_.place(node_[at(c)])
                                                       : mass_[entry_of(row, c)];
      mass_value_[at(block) * block_size + at(node_size * slot_[at(c)] + slot_[at(row)])] +=
          it.value();
    }
  }
  for (int j = 0; j < node_count_; ++j)
    for (int k = used[at(j)]; k < 6; ++k)
      mass_value_[at(j) * block_size + at((node_size + 1) * k)] = 1;
  blocks_.mass = mass_.data();
  blocks_.mass_value = mass_value_.data();
  mass_inverse_.assign(at(node_count_) * block_size);
  bool regular = true;
  if (coupled_) {
    mass_lower_.assign(entries * block_size);
    mass_upper_.assign(entries * block_size);
    no_parts_.assign(entries + 1, 0);
    mass_blocks_ = blocks_;
    mass_blocks_.part_start = no_parts_.data();
    mass_blocks_.lower = mass_lower_.data();
    mass_blocks_.upper = mass_upper_.data();
    mass_blocks_.inverse = mass_inverse_.data();
    regular = kernels_->factorise(mass_blocks_, links_, nullptr, nullptr);
  } else {
    for (int j = 0; j < node_count_ && regular; ++j)
      regular = kernels_->invert(mass_value_.data() + block_size * j,
                                 mass_inverse_.data() + block_size * j);
  }
  if (!regular) throw InvalidInput("M is singular, expected a matrix that can be inverted");
}

void BodySystem::set_rows(const Eigen::SparseMatrix<double>& H) {
  rows_.assign(link_node_.size() * 3 * node_size);
  std::vector<int>& link = scratch_;
  link.assign(link_start_.begin(), link_start_.end());
  for (int c = 0; c < H.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(H, c); it; ++it) {
      const int row = static_cast<int>(it.row()), contact = row / 3;
      int& k = link[at(contact)];
      while (link_node_[at(k)] != node_[at(c)]) ++k;
      rows_[at(k) * 3 * node_size + at(node_size * (row % 3) + slot_[at(c)])] += it.value();
    }
  links_.link_start = link_start_.data();
  links_.node = link_place_.data();
  links_.rows = rows_.data();
}

void BodySystem::set_laws(const std::vector<Law>& laws) {
  laws_.assign(laws);
  const auto padded = at(batch_size * batches());
  for (Numbers* numbers : {&present_, &disc_, &mu_, &size_, &tangent_}) numbers->assign(padded);
  transform_.assign(3 * padded);
  all_discs_ = true;
  for (int i = 0; i < batch_size * batches(); ++i) {
    Eigen::Matrix2d T = Eigen::Matrix2d::Identity();
    if (i < contacts_) {
      T = *root_of(laws[at(i)]);
      present_[at(i)] = 1;
      const bool disc = laws_[i].other == nullptr;
      disc_[at(i)] = disc ? 1 : 0;
      mu_[at(i)] = disc ? laws_[i].mu : 0;
      all_discs_ = all_discs_ && disc;
    }
    transform_[place(i, 0)] = T(0, 0);
    transform_[place(i, 1)] = T(0, 1);
    transform_[place(i, 2)] = T(1, 1);
    tangent_[at(i)] = T.isZero(0) ? 1 : T.squaredNorm() / 2;
  }
}

// w of each contact, and the mean of the diagonal of W.
void BodySystem::set_sizes() {
  double total = 0;
  Numbers &x = row_, &y = work_;
  x.assign(work_.size());
  for (int i = 0; i < contacts_; ++i) {
    double trace = 0;
    for (int c = 0; c < 3; ++c) {
      if (!coupled_) {
        for (int k = link_start_[at(i)]; k < link_start_[at(i) + 1]; ++k) {
          const double* row =
              rows_.data() + 3 * node_size * static_cast<std::ptrdiff_t>(k) + node_size * c;
          const Eigen::Map<const Eigen::Matrix<double, 6, 6>, 0, Eigen::OuterStride<node_size>>
              inverse(mass_inverse_.data() +
                      block_size * static_cast<std::ptrdiff_t>(link_place_[at(k)]));
          const Eigen::Map<const Eigen::Matrix<double, 6, 1>> h(row);
          trace += h.dot(inverse * h);
        }
        continue;
      }
      for (int k = link_start_[at(i)]; k < link_start_[at(i) + 1]; ++k)
        for (int a = 0; a < 6; ++a)
          x[at(node_size * link_place_[at(k)] + a)] =
              rows_[at(k) * 3 * node_size + at(node_size * c + a)];
      inverse_mass_times(x.data(), y.data());
      for (int k = link_start_[at(i)]; k < link_start_[at(i) + 1]; ++k)
        for (int a = 0; a < 6; ++a) {
          double& number = x[at(node_size * link_place_[at(k)] + a)];
          trace += number * y[at(node_size * link_place_[at(k)] + a)];
          number = 0;
        }
    }
    size_[at(i)] = trace / 3;
    total += trace;
  }
  const double mean = contacts_ > 0 ? total / (3 * contacts_) : 0;
  norms_.rho = mean > 0 ? 1 / mean : 1;
  for (int i = 0; i < batch_size * batches(); ++i)
    if (!(size_[at(i)] > 1e-12 * mean)) size_[at(i)] = mean > 0 ? mean : 1;
  if (!std::isfinite(total) || !std::isfinite(norms_.q))
    throw InvalidInput("H M⁻¹ Hᵀ overflows, expected masses and lengths of ordinary size");
}

void BodySystem::spread(const Eigen::VectorXd& x, Numbers& batches) const {
  batches.assign(at(links_.batches) * 3 * batch_size);
  for (int i = 0; i < contacts_; ++i)
    for (int c = 0; c < 3; ++c) batches[place(i, c)] = x[3 * i + c];
}

void BodySystem::spread_scaled(const Eigen::VectorXd& r, Numbers& scaled) const {
  spread(r, scaled);
  for (int i = 0; i < contacts_; ++i) {
    const double ss = transform_[place(i, 0)], st = transform_[place(i, 1)],
                 tt = transform_[place(i, 2)], det = ss * tt - st * st;
    double &s = scaled[place(i, 1)], &t = scaled[place(i, 2)];
    const double r_s = s, r_t = t;
    s = det > 0 ? (tt * r_s - st * r_t) / det : 0;
    t = det > 0 ? (ss * r_t - st * r_s) / det : 0;
  }
}

void BodySystem::gather(const Numbers& batches, Eigen::VectorXd& x) const {
  x.resize(3 * contacts_);
  for (int i = 0; i < contacts_; ++i)
    for (int c = 0; c < 3; ++c) x[3 * i + c] = batches[place(i, c)];
}

void BodySystem::gather_nodes(const Numbers& nodes, Eigen::VectorXd& v) const {
  v.resize(static_cast<Eigen::Index>(node_.size()));
  for (std::size_t k = 0; k < node_.size(); ++k)
    v[static_cast<Eigen::Index>(k)] =
        nodes[at(node_size * elimination_.place(node_[k]) + slot_[k])];
}

void BodySystem::mass_times(const double* x, double* y) const {
  kernels_->multiply(node_count_, mass_value_.data(), x, y);
  if (!coupled_) return;
  for (int j = 0; j < node_count_; ++j)
    for (int e = blocks_.column_start[j] + 1; e < blocks_.column_start[j + 1]; ++e) {
      if (mass_[at(e)] < 0) continue;
      const Eigen::Map<const Eigen::Matrix<double, 6, 6>, 0, Eigen::OuterStride<node_size>> block(
          mass_value_.data() + block_size * static_cast<std::ptrdiff_t>(mass_[at(e)]));
      const int i = blocks_.row[e];
      using Node = Eigen::Matrix<double, 6, 1>;
      Eigen::Map<Node>(y + node_size * i) += block * Eigen::Map<const Node>(x + node_size * j);
      Eigen::Map<Node>(y + node_size * j) +=
          block.transpose() * Eigen::Map<const Node>(x + node_size * i);
    }
}

void BodySystem::inverse_mass_times(const double* x, double* y) const {
  if (!coupled_) {
    kernels_->multiply(node_count_, mass_inverse_.data(), x, y);
    return;
  }
  std::copy(x, x + node_size * node_count_, y);
  kernels_->solve(mass_blocks_, y);
}

void BodySystem::response(const Numbers& r, Numbers& v, Numbers& u) const {
  work_.zero();
  forces(r.data(), work_.data());
  inverse_mass_times(work_.data(), v.data());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += free_[k];
  velocities(v.data(), u.data());
  for (std::size_t k = 0; k < u.size(); ++k) u[k] += w_[k];
}

Errors BodySystem::errors(const Numbers& r, const Numbers& u) const {
  ErrorSums sums = kernels_->errors(batches(), disc_.data(), mu_.data(), r.data(), u.data(),
                                    norms_.rho, model_ == Model::coulomb);
  for (int i = 0; i < contacts_ && !all_discs_; ++i) {
    if (laws_[i].other == nullptr) continue;
    const Vec3 r_i(r[place(i, 0)], r[place(i, 1)], r[place(i, 2)]);
    const Vec3 u_i(u[place(i, 0)], u[place(i, 1)], u[place(i, 2)]);
    sums.natural += natural_map<3>(laws_[i], r_i, u_i, 1, model_).squaredNorm();
    sums.scaled += natural_map<3>(laws_[i], r_i, u_i, norms_.rho, model_).squaredNorm();
    sums.reactions += r_i.squaredNorm();
  }
  return errors_from(sums.natural, sums.scaled, sums.reactions, norms_);
}

}  // namespace stiction::bodies
