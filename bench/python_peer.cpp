// SPDX-License-Identifier: Apache-2.0
//
// The C++ side of bench/python_overhead.py: one contact solved, and the loads of a million motions.
// Prints seconds, best of many: solve in memory, solve with the problem made from a matrix, loads
// into an array that is there, loads into a new one.
//
// Arrays are had as numpy has them, from malloc with large pages asked for: whether the kernel
// gives those decides a tenth of the time of a batch, and both sides are to have the same.
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "clock.h"
#include "stiction/slider_io.h"
#include "stiction/solver.h"

namespace {

using namespace stiction;

// The least seconds of a call in `rounds` rounds of `calls`.
template <class Work>
double best(int rounds, int calls, const Work& work) {
  double least = infinity;
  for (int k = 0; k < rounds; ++k) {
    const bench::Clock clock;
    for (int i = 0; i < calls; ++i) work();
    least = std::min(least, clock.seconds() / calls);
  }
  return least;
}

// Rows of three numbers, not set to anything.
class Table {
 public:
  explicit Table(Eigen::Index rows) : rows_(rows) {
    const std::size_t bytes = sizeof(double) * 3 * static_cast<std::size_t>(rows);
    memory_ = std::malloc(bytes);
    if (memory_ == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    const std::uintptr_t page = 4096, start = reinterpret_cast<std::uintptr_t>(memory_);
    const std::uintptr_t skip = (page - start % page) % page;
    madvise(static_cast<char*>(memory_) + skip, bytes - skip, MADV_HUGEPAGE);
#endif
  }
  ~Table() { std::free(memory_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  Eigen::Map<Rows3> rows() const { return {static_cast<double*>(memory_), rows_, 3}; }

 private:
  Eigen::Index rows_;
  void* memory_;
};

ContactProblem one_contact(const Eigen::MatrixXd& W) {
  ContactProblem p;
  p.W = block_matrix(W, 3);
  p.q = Vec3(-1, 2, -1);
  p.laws.resize(1);
  p.laws[0].mu = 0.5;
  return p;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "python_peer SLIDER.json\n");
    return 2;
  }
  Eigen::MatrixXd W(3, 3);
  W << 1.0, 0.2, -0.1, 0.2, 1.5, 0.3, -0.1, 0.3, 1.2;
  const ContactProblem problem = one_contact(W);
  double sum = 0;
  const double solved = best(50, 2000, [&] { sum += solve(problem).reactions[0]; });
  const double made = best(50, 2000, [&] { sum += solve(one_contact(W)).reactions[0]; });

  const Slider slider = read_slider(arguments[1]);
  const Table given(1000000), taken(1000000);
  Eigen::Map<Rows3> motions = given.rows(), answers = taken.rows();
  for (Eigen::Index i = 0; i < motions.rows(); ++i) {
    const double t = 0.001 * static_cast<double>(i);
    motions.row(i) << std::cos(t), std::sin(1.3 * t), std::sin(0.7 * t);
  }
  const double batch = best(15, 1, [&] { loads(slider, motions, answers); });
  sum += answers(0, 0);
  const double fresh = best(15, 1, [&] {
    const Table table(motions.rows());
    loads(slider, motions, table.rows());
    sum += table.rows()(0, 0);
  });
  std::printf("%.9g %.9g %.9g %.9g\n", solved, made, batch, fresh);
  return sum == sum ? 0 : 1;
}
