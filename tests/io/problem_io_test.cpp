// SPDX-License-Identifier: Apache-2.0
//
// Problem files: what is written is read back, to the last bit; what is wrong is refused in one
// line.
#include "stiction/problem_io.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/file.h"
#include "io/fclib.h"
#include "io/problem_json.h"
#include "support/command.h"
#include "support/scenes.h"

namespace stiction::testing {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

Eigen::MatrixXd dense(const Sparse& m) { return m; }

void expect_same(const AnyProblem& a, const AnyProblem& b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto* p = std::get_if<ContactProblem>(&a)) {
    const auto& q = std::get<ContactProblem>(b);
    EXPECT_EQ(p->dimension, q.dimension);
    EXPECT_EQ(dense(to_sparse(p->W)), dense(to_sparse(q.W)));
    EXPECT_EQ(p->q, q.q);
    EXPECT_TRUE(p->laws == q.laws);
    EXPECT_EQ(p->mu_rolling, q.mu_rolling);
    ASSERT_EQ(p->bilateral.has_value(), q.bilateral.has_value());
    if (p->bilateral) {
      EXPECT_EQ(dense(p->bilateral->V), dense(q.bilateral->V));
      EXPECT_EQ(dense(p->bilateral->R), dense(q.bilateral->R));
      EXPECT_EQ(p->bilateral->s, q.bilateral->s);
    }
  } else {
    const auto& p2 = std::get<GlobalProblem>(a);
    const auto& q = std::get<GlobalProblem>(b);
    EXPECT_EQ(p2.dimension, q.dimension);
    EXPECT_EQ(dense(p2.M), dense(q.M));
    EXPECT_EQ(dense(p2.H), dense(q.H));
    EXPECT_EQ(p2.f, q.f);
    EXPECT_EQ(p2.w, q.w);
    EXPECT_TRUE(p2.laws == q.laws);
    EXPECT_EQ(p2.mu_rolling, q.mu_rolling);
    ASSERT_EQ(p2.joints.has_value(), q.joints.has_value());
    if (p2.joints) {
      EXPECT_EQ(dense(p2.joints->first), dense(q.joints->first));
      EXPECT_EQ(p2.joints->second, q.joints->second);
    }
  }
}

ContactProblem local_problem(int dimension, bool bilateral) {
  Random random(static_cast<unsigned>(dimension));
  ContactProblem p;
  p.dimension = dimension;
  const int contacts = 4, size = dimension * contacts;
  Eigen::MatrixXd W = Eigen::MatrixXd::Random(size, size);
  W.block(0, dimension, dimension, dimension).setZero();  // a block that is not there
  p.W = block_matrix(W, dimension);
  p.q = Eigen::VectorXd::Random(size) * 1e-17;
  p.laws = discs(random, contacts);
  if (dimension == 5) p.mu_rolling = {0.1, 0.2, 0.3, 0.4};
  if (bilateral)
    p.bilateral = Bilateral{Eigen::MatrixXd::Random(size, 2).sparseView(),
                            Eigen::MatrixXd::Random(2, 2).sparseView(), Eigen::VectorXd::Random(2)};
  return p;
}

GlobalProblem global_problem(int dimension, bool joints) {
  Random random(7);
  GlobalProblem p;
  p.dimension = dimension;
  p.M = Eigen::MatrixXd::Random(6, 6).sparseView();
  p.H = Eigen::MatrixXd::Random(2 * dimension, 6).sparseView();
  p.f = Eigen::VectorXd::Random(6);
  p.w = Eigen::VectorXd::Random(2 * dimension);
  p.laws = discs(random, 2);
  if (dimension == 5) p.mu_rolling = {0.1, 0.2};
  if (joints)
    p.joints = {Sparse(Eigen::MatrixXd::Random(1, 6).sparseView()), Eigen::VectorXd::Random(1)};
  return p;
}

TEST(ProblemFile, ReadsWhatItWrites) {
  const auto path = [](const char* ending) {
    return scratch() / (std::string("problem") + ending);
  };
  for (const char* ending : {".json", ".dat", ".hdf5"}) {
    const bool is_text = std::string(ending) == ".dat";
    for (const int dimension : {2, 3, 4, 5})
      for (const bool bilateral : {false, true}) {
        if (bilateral && is_text) continue;
        for (const AnyProblem& problem : {AnyProblem(local_problem(dimension, bilateral)),
                                          AnyProblem(global_problem(dimension, bilateral))}) {
          write_problem(path(ending), problem);
          expect_same(problem, read_problem(path(ending)));
        }
      }
  }
}

TEST(ProblemFile, JsonKeepsEveryLawByName) {
  Random random(3);
  ContactProblem p;
  p.laws = mixed_laws(random, 30);
  p.W = block_matrix(Eigen::MatrixXd(Eigen::MatrixXd::Identity(90, 90)), 3);
  p.q = Eigen::VectorXd::Random(90);
  p.places.resize(30);
  p.places[3].position = Vec3(1, 2, 3);
  p.places[4].bodies = {2, -1};
  p.places[5].frame = Eigen::Matrix3d::Identity();
  const AnyProblem back = read_problem_json(write_problem_json(p));
  expect_same(p, back);
  EXPECT_EQ(*std::get<ContactProblem>(back).places[3].position, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<ContactProblem>(back).places[4].bodies->first, 2);
  EXPECT_THROW(write_fclib({p, {}, {}, {}}), InvalidInput);
  EXPECT_THROW(write_siconos_text(p), InvalidInput);
}

TEST(ProblemFile, JsonForms) {
  const AnyProblem dense_W = read_problem_json(
      R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[1,2],"W":[[1,2],[3,4]]})");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(dense_W).W).coeff(1, 0), 3);
  const AnyProblem blocks = read_problem_json(
      R"({"dimension":2,"law":[{"curve":"free"}],"q":[1,2],"W":{"blocks":[{"row":0,"col":0,"values":[1,2,3,4]}]}})");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(blocks).W).coeff(1, 0), 3);
  const AnyProblem global = read_problem_json(
      R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"M":[[1]],"H":[[1],[2]],"f":[3],"w":[0,0]})");
  EXPECT_EQ(std::get<GlobalProblem>(global).H.coeff(1, 0), 2);
  const AnyProblem none = read_problem_json(R"({"dimension":3,"law":[],"q":[],"W":[]})");
  EXPECT_EQ(std::get<ContactProblem>(none).contacts(), 0);
}

// Siconos's text as the files have it: dense column by column, block CSR, CSparse printouts.
TEST(SiconosText, Storages) {
  const AnyProblem column_major = read_siconos_text("2 1 0 2 2 2 2  1 2 3 4  5 6  0.5 1");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(column_major).W).coeff(1, 0), 2);
  const AnyProblem csr = read_siconos_text(
      "2 2 1 4 4  2 2 2  2 4  2 4  3 2  0 1 2  0 1  0 1 2 3 4  1 5 6 7 8  1 2 3 4  0.5 0.6");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(csr).W).coeff(3, 2), 6);
  EXPECT_EQ(std::get<ContactProblem>(csr).laws[1].mu, 0.6);
  const AnyProblem csc = read_siconos_text(
      "2\n1\n2\n2\n2\n2\nCSparse Version 3\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 7\n    col 0 : "
      "locations 0 to 0\n"
      "      1 : 4\n    col 1 : locations 1 to 2\n      0 : 5\n      1 : 6\n 1 2 0.5");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(csc).W).coeff(0, 1), 5);
  const AnyProblem triplet = read_siconos_text(
      "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 9 nnz: 2\n 0 1 : 5\n 1 1 : 6\n 1 2 0.5");
  EXPECT_EQ(to_sparse(std::get<ContactProblem>(triplet).W).coeff(0, 1), 5);
}

// M 2×2 of one 2-D contact: what follows can be q and μ, or H.  It must not be guessed.
TEST(SiconosText, AmbiguousFileAsksForItsKind) {
  const std::string text = "2 1 0 2 2 2 2  1 0 0 1  0 2 2 2 2  1 0 0 1  3 4  5 6  0.5";
  EXPECT_THROW(read_siconos_text(text), InvalidInput);
  EXPECT_TRUE(std::holds_alternative<GlobalProblem>(read_siconos_text(text, ProblemKind::global)));
  EXPECT_TRUE(std::holds_alternative<ContactProblem>(read_siconos_text(text, ProblemKind::local)));
}

// Every prefix of a good file, and every file with a byte changed, is read or refused, never more.
template <class Read>
int count_refused(const std::string& good, const Read& read) {
  int refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    try {
      read(bytes);
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      ++refused;
    }
  };
  for (std::size_t n = 0; n < good.size(); ++n) attempt(good.substr(0, n));
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    for (int k = random.integer(1, 3); k > 0; --k)
      bad[static_cast<std::size_t>(random.integer(0, static_cast<int>(bad.size()) - 1))] =
          static_cast<char>(random.integer(0, 255));
    attempt(bad);
  }
  return refused;
}

TEST(Hostile, DamagedFilesAreRefused) {
  EXPECT_GT(count_refused(write_siconos_text(local_problem(3, false)),
                          [](const std::string& s) { read_siconos_text(s); }),
            300);
  EXPECT_GT(count_refused(write_siconos_text(global_problem(3, false)),
                          [](const std::string& s) { read_siconos_text(s); }),
            300);
  EXPECT_GT(count_refused(write_problem_json(local_problem(3, true)),
                          [](const std::string& s) { read_problem_json(s); }),
            300);
}

TEST(Hostile, AbsurdSizesAreRefusedBeforeMemoryIsTaken) {
  for (const char* text :
       {"3 1000000000 0 3000000000 3000000000", "3 1000000000 1 3 3 1 1 1",
        "3 1 0 2000000000 2000000000 1", "3 1 1 3 3 2000000000 1 1",
        "2 1 2 2 2 1\nCSparse\nnnz: 999999999999\n", "3 -1 0 3 3 3 3", "99 1", "3 1 7 3 3",
        "3 1 0 3 3 3 3 nan", "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 1 2 3 -0.5", "", "x"})
    EXPECT_THROW(read_siconos_text(text), InvalidInput) << text;
  for (
      const char* text :
      {"", "[]", "3", "{", R"({"dimension":3})", R"({"dimension":7,"law":[],"q":[],"W":[]})",
       R"({"dimension":2,"law":{"curve":"free"},"q":[1,2],"W":[[1,0],[0,1]],"mu_rolling":[1]})",
       R"({"dimension":5,"law":{"curve":"free"},"q":[],"W":[],"mu_rolling":[-1]})",
       R"({"dimension":3,"law":{"curve":"disc","mu":-1},"q":[1,2,3],"W":[[1,0,0],[0,1,0],[0,0,1]]})",
       R"({"dimension":3,"law":{"curve":"disc","mu":1},"q":[1,2],"W":[[1,0,0],[0,1,0],[0,0,1]]})",
       R"({"dimension":2,"law":{"curve":"disc","mu":1},"q":[1,2],"W":[[1,0],[0]]})",
       R"({"dimension":2,"law":{"curve":"disc","mu":1},"q":[1,null],"W":[[1,0],[0,1]]})",
       R"({"dimension":2,"law":{"curve":"disc","mu":1},"q":[1,1e999],"W":[[1,0],[0,1]]})",
       R"({"dimension":2,"law":{"curve":"disc","mu":1},"q":[1,2],"W":{"blocks":[{"row":1,"col":0,"values":[1,2,3,4]}]}})",
       R"({"dimension":2,"law":{"curve":"free"},"q":[1,2],"W":{"blocks":[{"row":0,"col":0,"values":[1,2,3,4]},{"row":0,"col":0,"values":[1,2,3,4]}]}})"})
    EXPECT_THROW(read_problem_json(text), InvalidInput) << text;
  // Deep, and wide: parsers and printers that call themselves, or look through all keys, give up.
  EXPECT_THROW(read_problem_json(std::string(1000000, '[') + std::string(1000000, ']')),
               InvalidInput);
  std::string keys = "{";
  for (int i = 0; i < 200000; ++i) keys += "\"" + std::to_string(i) + "\":0,";
  EXPECT_THROW(read_problem_json(keys + "\"x\":0}"), InvalidInput);
  // One law for all contacts that would take a thousand times the file's size, and laws that take
  // long to draw.
  std::string vertices, q, laws;
  for (int i = 0; i < 30000; ++i) {
    vertices += "[" + std::to_string(std::cos(i)) + "," + std::to_string(std::sin(i)) + "],";
    q += "1,1,";
  }
  EXPECT_THROW(read_problem_json(R"({"dimension":2,"law":{"curve":"polygon","vertices":[)" +
                                 vertices + "[0,0]]},\"q\":[" + q + R"(1,1],"W":{"blocks":[]}})"),
               InvalidInput);
  for (int i = 1; i <= 1000; ++i)
    laws += R"({"curve":"ngon","sides":100000,"mu":)" + std::to_string(i) + "},";
  laws.pop_back();
  EXPECT_THROW(read_problem_json(R"({"dimension":2,"law":[)" + laws + R"(],"q":[)" +
                                 q.substr(0, 3999) + R"(],"W":[[0]]})"),
               InvalidInput);
  EXPECT_THROW(read_fclib("not HDF5"), InvalidInput);
  EXPECT_THROW(read_fclib(""), InvalidInput);
  EXPECT_THROW(read_problem(scratch() / "missing.dat"), InvalidInput);
  EXPECT_THROW(read_problem(scratch()), InvalidInput);
  EXPECT_THROW(read_problem(scratch() / "problem.xyz"), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
