// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every problem that a reader accepts: it is valid, and each format that can hold
// it gives it back as it was.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "io/fclib.h"
#include "io/problem_json.h"

namespace stiction::fuzz {

inline void require(bool claim, const char* what) {
  if (claim) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

inline bool same(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  const Eigen::SparseMatrix<double> difference = a - b;
  return difference.nonZeros() == 0 || difference.coeffs().abs().maxCoeff() == 0;
}
inline bool same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && a == b;
}
inline bool same(const ContactProblem& a, const ContactProblem& b) {
  if (a.bilateral.has_value() != b.bilateral.has_value()) return false;
  const bool rows = !a.bilateral ||
                    (same(a.bilateral->V, b.bilateral->V) && same(a.bilateral->R, b.bilateral->R) &&
                     same(a.bilateral->s, b.bilateral->s));
  return rows && same(to_sparse(a.W), to_sparse(b.W)) && same(a.q, b.q);
}
inline bool same(const GlobalProblem& a, const GlobalProblem& b) {
  if (a.joints.has_value() != b.joints.has_value()) return false;
  const bool rows = !a.joints || (same(a.joints->first, b.joints->first) &&
                                  same(a.joints->second, b.joints->second));
  return rows && same(a.M, b.M) && same(a.H, b.H) && same(a.f, b.f) && same(a.w, b.w);
}
inline bool same(const AnyProblem& a, const AnyProblem& b) {
  return a.index() == b.index() && std::visit(
                                       [&](const auto& p) {
                                         const auto& q = std::get<std::decay_t<decltype(p)>>(b);
                                         return p.dimension == q.dimension && p.laws == q.laws &&
                                                p.mu_rolling == q.mu_rolling && same(p, q);
                                       },
                                       a);
}
inline bool same(const StoredSolution& a, const StoredSolution& b) {
  return same(a.reactions, b.reactions) && same(a.velocities, b.velocities) &&
         same(a.generalized_velocities, b.generalized_velocities) &&
         same(a.bilateral_forces, b.bilateral_forces);
}
inline bool same(const ProblemFile& a, const ProblemFile& b) {
  return same(a.problem, b.problem) && a.solution.has_value() == b.solution.has_value() &&
         (!a.solution || same(*a.solution, *b.solution)) &&
         std::equal(a.guesses.begin(), a.guesses.end(), b.guesses.begin(), b.guesses.end(),
                    [](const auto& x, const auto& y) { return same(x, y); }) &&
         a.info.title == b.info.title && a.info.description == b.info.description &&
         a.info.math_info == b.info.math_info && a.info.numbers == b.info.numbers;
}

// What `read` makes of an input, or nothing where it refuses it in one line.
template <class Read>
auto accepted(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InvalidInput& error) {
    const std::string what = error.what();
    require(what.find('\n') == std::string::npos && what.size() < 1000, "one line");
    return std::nullopt;
  }
}

// No refusal is expected here: an InvalidInput that leaves this is a finding.  `through_hdf5`: also
// through HDF5's own library, which takes a process a time.
inline void check(const ProblemFile& file, bool through_hdf5) {
  validate(file);
  const bool global = std::holds_alternative<GlobalProblem>(file.problem);
  const int contacts = std::visit([](const auto& p) { return p.contacts(); }, file.problem);
  if (contacts > 50) return;
  require(same(file.problem, read_problem_json(write_problem_json(file.problem))), "JSON");
  std::string text;
  try {
    text = write_siconos_text(file.problem);
  } catch (const InvalidInput&) {  // other laws than discs, bilateral rows
  }
  if (!text.empty())
    require(same(file.problem,
                 read_siconos_text(text, global ? ProblemKind::global : ProblemKind::local)),
            "Siconos's text");
  io::Arrays arrays;
  try {
    arrays = arrays_of(file);
  } catch (const InvalidInput&) {  // other laws than discs
    return;
  }
  require(same(file, file_of(io::unpack(io::pack(arrays)))), "FCLib's arrays");
  if (through_hdf5) require(same(file, read_fclib(write_fclib(file))), "FCLib's HDF5");
}

}  // namespace stiction::fuzz
