// SPDX-License-Identifier: Apache-2.0
//
// FCLib files: solutions, guesses and the info beside the problem; files that are damaged.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>

#include "base/isolated.h"
#include "io/fclib.h"
#include "io/problem_json.h"
#include "support/command.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

ProblemFile local_file(int dimension) {
  ContactProblem p;
  p.dimension = dimension;
  p.W = block_matrix(MatrixXd(MatrixXd::Random(2 * dimension, 2 * dimension)), dimension);
  p.q = VectorXd::Random(2 * dimension);
  p.laws.resize(2);
  p.laws[1].mu = 0.7;
  if (dimension == 5) p.mu_rolling = {0.1, 0.2};
  p.bilateral = Bilateral{MatrixXd::Random(2 * dimension, 3).sparseView(),
                          MatrixXd::Random(3, 3).sparseView(), VectorXd::Random(3)};
  return {p, {}, {}, {}};
}

ProblemFile global_file(int dimension) {
  GlobalProblem p;
  p.dimension = dimension;
  p.M = MatrixXd::Random(6, 6).sparseView();
  p.H = MatrixXd::Random(2 * dimension, 6).sparseView();
  p.f = VectorXd::Random(6);
  p.w = VectorXd::Random(2 * dimension);
  p.laws.resize(2);
  if (dimension == 5) p.mu_rolling = {0.1, 0.2};
  p.joints = {Sparse(MatrixXd::Random(3, 6).sparseView()), VectorXd::Random(3)};
  return {p, {}, {}, {}};
}

void expect_same(const StoredSolution& a, const StoredSolution& b) {
  EXPECT_EQ(a.reactions, b.reactions);
  EXPECT_EQ(a.velocities, b.velocities);
  EXPECT_EQ(a.generalized_velocities, b.generalized_velocities);
  EXPECT_EQ(a.bilateral_forces, b.bilateral_forces);
}

TEST(Fclib, KeepsSolutionsGuessesAndInfoOfEveryKind) {
  const auto path = scratch() / "all.hdf5";
  for (const int dimension : {2, 3, 4, 5})
    for (ProblemFile file : {local_file(dimension), global_file(dimension)}) {
      const bool global = std::holds_alternative<GlobalProblem>(file.problem);
      const auto random = [&] {
        return StoredSolution{VectorXd::Random(2 * dimension), VectorXd::Random(2 * dimension),
                              VectorXd::Random(global ? 6 : 0), VectorXd::Random(3)};
      };
      file.solution = random();
      for (int k = 0; k < 12; ++k) file.guesses.push_back(random());
      file.info = {"a title", "two\nlines", "", {{"numberOfDegreeOfFreedom", 6}}};
      EXPECT_TRUE(write_problem_file(path, file).empty());
      const ProblemFile back = read_problem_file(path);
      ASSERT_TRUE(back.solution);
      expect_same(*file.solution, *back.solution);
      ASSERT_EQ(back.guesses.size(), 12U);
      for (std::size_t k = 0; k < 12; ++k) expect_same(file.guesses[k], back.guesses[k]);
      EXPECT_EQ(back.info.title, "a title");
      EXPECT_EQ(back.info.description, "two\nlines");
      EXPECT_EQ(back.info.math_info, "");
      EXPECT_EQ(back.info.numbers, file.info.numbers);
      EXPECT_EQ(back.problem.index(), file.problem.index());
    }
}

TEST(Fclib, OtherFormatsSayWhatTheyLeaveOut) {
  ProblemFile file = global_file(3);
  file.solution = StoredSolution{VectorXd::Ones(6), {}, {}, {}};
  file.guesses = {*file.solution, *file.solution};
  file.info.title = "title";
  EXPECT_EQ(write_problem_file(scratch() / "less.json", file),
            (std::vector<std::string>{"its solution", "2 guesses", "its info"}));
  EXPECT_TRUE(write_problem_file(scratch() / "less.json", global_file(3)).empty());
}

// Laid out by hand as FCLib does: H is n × m, triplets have i for rows and p for columns, a guess
// has its own group.
io::Arrays by_hand() {
  using Ints = std::vector<int>;
  using Numbers = std::vector<double>;
  const std::string top = "/fclib_global";
  io::Arrays a;
  const auto matrix = [&](const std::string& name, int m, int n, int nz, Ints p, Ints i,
                          Numbers x) {
    const std::string at = top + name;
    a[at] = std::monostate();
    a[at + "/m"] = Ints{m};
    a[at + "/n"] = Ints{n};
    a[at + "/nz"] = Ints{nz};
    a[at + "/nzmax"] = Ints{99};
    a[at + "/p"] = std::move(p);
    a[at + "/i"] = std::move(i);
    a[at + "/x"] = std::move(x);
  };
  a[top] = std::monostate();
  a[top + "/spacedim"] = Ints{2};
  matrix("/M", 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {1, 2, 4});
  matrix("/H", 3, 2, -2, {0, 1, 2, 2}, {0, 1}, {1, 5});  // rows: (1, 0), (0, 5), (0, 0)
  a[top + "/vectors/f"] = Numbers{1, 2, 3};
  a[top + "/vectors/w"] = Numbers{4, 5};
  a[top + "/vectors/mu"] = Numbers{0.5};
  a["/guesses"] = std::monostate();
  a["/guesses/number_of_guesses"] = Ints{1};
  a["/guesses/1"] = std::monostate();
  a["/guesses/1/r"] = Numbers{6, 7};
  a["/guesses/1/u"] = Numbers{8, 9};
  a["/guesses/1/v"] = Numbers{10, 11, 12};
  return a;
}

TEST(Fclib, ReadsTheLayoutWrittenByHand) {
  const ProblemFile file = read_fclib(io::write_hdf5(by_hand()));
  const auto& p = std::get<GlobalProblem>(file.problem);
  EXPECT_EQ(p.H.rows(), 2);
  EXPECT_EQ(p.H.coeff(1, 1), 5);
  EXPECT_EQ(p.M.coeff(2, 2), 4);
  EXPECT_FALSE(file.solution);
  ASSERT_EQ(file.guesses.size(), 1U);
  EXPECT_EQ(file.guesses[0].reactions, Vec2(6, 7));
  EXPECT_EQ(file.guesses[0].velocities, Vec2(8, 9));
  EXPECT_EQ(file.guesses[0].generalized_velocities, Vec3(10, 11, 12));
}

// FCLib's files hold zeros where nothing was solved.
TEST(Fclib, StartsFromASolutionThatIsOneElseFromTheFirstGuess) {
  ProblemFile file = read_fclib(io::write_hdf5(by_hand()));
  EXPECT_EQ(start_of(file), &file.guesses[0]);
  file.solution = StoredSolution{Vec2(0, 0), Vec2(1, 1), {}, {}};
  EXPECT_EQ(start_of(file), &file.guesses[0]);
  file.solution->reactions = Vec2(1, 0);
  EXPECT_EQ(start_of(file), &*file.solution);
  file.guesses.clear();
  file.solution->reactions.setZero();
  EXPECT_EQ(start_of(file), &*file.solution);
  file.solution.reset();
  EXPECT_EQ(start_of(file), nullptr);
}

std::string refusal(const io::Arrays& arrays) {
  try {
    read_fclib(io::write_hdf5(arrays));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Fclib, NamesThePathOfWhatIsWrong) {
  const auto with = [](const std::string& path, io::Array array) {
    io::Arrays arrays = by_hand();
    arrays[path] = std::move(array);
    return refusal(arrays);
  };
  using Ints = std::vector<int>;
  using Numbers = std::vector<double>;
  EXPECT_EQ(refusal(by_hand()), "accepted");
  EXPECT_EQ(with("/guesses/number_of_guesses", Ints{2}), "/guesses/2 is missing");
  EXPECT_EQ(with("/guesses/number_of_guesses", Ints{2000000000}),
            "/guesses/number_of_guesses is 2000000000, more than the file can hold");
  EXPECT_EQ(with("/guesses/number_of_guesses", Ints{-1}),
            "/guesses/number_of_guesses is -1, more than the file can hold");
  EXPECT_EQ(with("/guesses/1/r", Numbers{1, 2, 3}), "/guesses/1/r has 3 entries, expected 2");
  EXPECT_EQ(with("/guesses/1/r", Numbers{1, NAN}),
            "/guesses/1/r[1] is nan, expected a finite number");
  EXPECT_EQ(with("/guesses/1/r", "text"), "/guesses/1/r has another type, expected numbers");
  EXPECT_EQ(with("/fclib_global/M/m", Ints{2000000000}),
            "/fclib_global/M is 2000000000×3, expected 3×3 as the vectors have it");
  EXPECT_EQ(with("/fclib_global/M/nz", Ints{2000000000}),
            "/fclib_global/M/nz is 2000000000, more than there are entries");
  EXPECT_EQ(with("/fclib_global/vectors/mu", Numbers{-1}),
            "/fclib_global/vectors/mu[0] is -1, expected a number ≥ 0");
  EXPECT_EQ(with("/fclib_global/vectors/mu", Numbers{1, 1}),
            "/fclib_global/vectors/w has 2 entries, expected 2 for each of the 2 of mu");
  EXPECT_EQ(with("/fclib_global/spacedim", Ints{7}),
            "/fclib_global/spacedim is 7, expected 2 to 5");
}

// The problem itself can be read where what stands beside it is wrong.
TEST(Fclib, ProblemIsReadByItself) {
  io::Arrays arrays = by_hand();
  arrays["/guesses/1/r"] = std::vector<double>{1};
  const std::string bytes = io::write_hdf5(arrays);
  EXPECT_THROW(read_fclib(bytes), InvalidInput);
  EXPECT_EQ(std::get<GlobalProblem>(read_fclib(bytes, Part::problem).problem).contacts(), 1);
}

TEST(Fclib, DamagedFilesAreRefusedOrRead) {
  ProblemFile file = local_file(3);
  file.solution = StoredSolution{VectorXd::Ones(6), {}, {}, {}};
  const std::string good = write_fclib(file);
  int refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      read_fclib(bytes);
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  };
  for (std::size_t n = 0; n < good.size(); n += 1 + good.size() / 100) attempt(good.substr(0, n));
  EXPECT_GE(refused, 100);
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    std::string bad = good;
    for (int k = random.integer(1, 8); k > 0; --k)
      bad[static_cast<std::size_t>(random.integer(0, static_cast<int>(bad.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    attempt(bad);
  }
  EXPECT_GT(refused, 110);
}

TEST(Isolated, ReturnsWhatItIsGiven) {
  const io::Limits limits{1, 64 << 20};
  const std::string large(3000000, 'x');
  EXPECT_EQ(io::isolated(limits, "failed", [&] { return large; }), large);
  EXPECT_EQ(io::isolated(limits, "failed", [] { return std::string(); }), "");
}

TEST(Isolated, TurnsEveryEndIntoARefusal) {
  const io::Limits limits{0.2, 64 << 20};
  const auto message = [&](const std::function<std::string()>& work) {
    try {
      io::isolated(limits, "failed", work);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("returned");
  };
  EXPECT_EQ(message([]() -> std::string { throw InvalidInput("why"); }), "why");
  EXPECT_EQ(message([]() -> std::string { throw std::bad_alloc(); }), "failed");
  EXPECT_EQ(message([]() -> std::string { std::abort(); }), "failed");
  EXPECT_EQ(message([]() -> std::string {
              raise(SIGSEGV);
              return "";
            }),
            "failed");
  EXPECT_EQ(message([]() -> std::string { _exit(0); }), "failed");
  EXPECT_EQ(message([] { return std::string(100 << 20, 'x'); }), "failed");
  const auto start = std::chrono::steady_clock::now();
  volatile bool forever = true;
  EXPECT_EQ(message([&]() -> std::string {
              while (forever) {
              }
              return "";
            }),
            "failed");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Isolated, CannotOpenFiles) {
  EXPECT_EQ(
      io::isolated({1, 64 << 20}, "failed",
                   [] { return std::string(std::fopen("/dev/zero", "r") ? "opened" : "no file"); }),
      "no file");
}

}  // namespace
}  // namespace stiction::testing
