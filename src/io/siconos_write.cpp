// SPDX-License-Identifier: Apache-2.0
//
// Writing Siconos's text: W as block CSR, M and H as CSparse triplets, numbers in digits that read
// back to the same double.
#include "io/discs_only.h"
#include "stiction/problem_io.h"

namespace stiction {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// The share written of all matrix entries, told now and then.
struct Written {
  const Progress& progress;
  double all;
  std::size_t done = 0;

  void one_more() {
    if (progress && done++ % 16384 == 0 && !progress(static_cast<double>(done - 1) / all))
      throw Stopped("stopped before all was written");
  }
};

void add_lines(std::string& out, const Eigen::VectorXd& values) {
  for (const double x : values) (out += text(x)) += '\n';
}

void add_blocks(std::string& out, const BlockMatrix& W, Written& written) {
  const int n = W.rows(), d = W.block;
  const std::string size = std::to_string(d * n), rows = std::to_string(n);
  const std::string blocks = std::to_string(W.column.size());
  out += "1\n" + size + '\n' + size + '\n' + blocks + '\n' + rows + '\n' + rows + '\n';
  if (W.column.empty()) return;
  for (int side = 0; side < 2; ++side) {
    for (int i = 1; i <= n; ++i) (out += std::to_string(d * i)) += '\t';
    out += '\n';
  }
  out += std::to_string(n + 1) + '\n' + blocks + '\n';
  for (const int p : W.start) (out += std::to_string(p)) += '\t';
  out += '\n';
  for (const int j : W.column) (out += std::to_string(j)) += '\t';
  out += '\n';
  for (int k = 0; k < static_cast<int>(W.column.size()); ++k) {
    written.one_more();
    (out += std::to_string(k)) += '\n';
    for (int e = 0; e < d * d; ++e) (out += text(W.at(k)[e])) += '\n';
  }
}

void add_triplets(std::string& out, const Sparse& matrix, Written& written) {
  const std::string rows = std::to_string(matrix.rows()), cols = std::to_string(matrix.cols());
  const std::string count = std::to_string(matrix.nonZeros());
  out += "2\n" + rows + '\n' + cols + "\n1\nCSparse\ntriplet: " + rows + "-by-" + cols +
         ", nzmax: " + count + " nnz: " + count + '\n';
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it) {
      written.one_more();
      out += "    " + std::to_string(it.row()) + ' ' + std::to_string(c) + " : " +
             text(it.value()) + '\n';
    }
}

}  // namespace

std::string write_siconos_text(const AnyProblem& any, const Progress& progress) {
  std::string out;
  const auto add_head = [&](int dimension, int contacts) {
    out += std::to_string(dimension) + '\n' + std::to_string(contacts) + '\n';
  };
  const auto add_rolling = [&](const std::vector<double>& mu, int dimension, int contacts) {
    if (dimension == 5 && mu.size() != static_cast<std::size_t>(contacts))
      throw InvalidInput("Siconos's text of dimension 5 needs mu_rolling, but there is none");
    for (const double x : mu) (out += text(x)) += '\n';
  };
  if (const auto* problem = std::get_if<ContactProblem>(&any)) {
    if (problem->bilateral)
      throw InvalidInput("Siconos's text has no bilateral rows, expected .hdf5 or .json");
    const Eigen::VectorXd mu = coefficients_of_discs(problem->laws, "Siconos's text");
    add_head(problem->dimension, problem->contacts());
    Written written{progress, static_cast<double>(problem->W.column.size())};
    add_blocks(out, problem->W, written);
    add_lines(out, problem->q);
    add_lines(out, mu);
    add_rolling(problem->mu_rolling, problem->dimension, problem->contacts());
    return out;
  }
  const auto& global = std::get<GlobalProblem>(any);
  if (global.joints)
    throw InvalidInput("Siconos's text has no bilateral rows, expected .hdf5 or .json");
  const Eigen::VectorXd mu = coefficients_of_discs(global.laws, "Siconos's text");
  add_head(global.dimension, global.contacts());
  Written written{progress, static_cast<double>(global.M.nonZeros() + global.H.nonZeros())};
  add_triplets(out, global.M, written);
  add_triplets(out, global.H.transpose(), written);
  add_lines(out, global.f);
  add_lines(out, global.w);
  add_lines(out, mu);
  add_rolling(global.mu_rolling, global.dimension, global.contacts());
  return out;
}

}  // namespace stiction
