// SPDX-License-Identifier: Apache-2.0
//
// JSON is read by a reader of its own where it is plain, and by the library where it is not: what
// both read is the same, to the last bit.
#include "io/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/fclib.h"
#include "io/problem_json.h"
#include "io/quick_json.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

using io::Json;

std::optional<Json> quick(std::string_view text) {
  return io::quick_json(text, {.levels = 32, .keys = 1000}, {});
}

TEST(QuickJson, ReadsWhatTheLibraryReads) {
  for (const char* text : {"{}",
                           "[]",
                           " [ 1 , 2 ]\n",
                           "null",
                           "true",
                           "false",
                           "\"a b\"",
                           "0",
                           "-0",
                           "-0.0",
                           "1e5",
                           "1E+05",
                           "123456789012345678",
                           "-123456789012345678",
                           "0.1",
                           "-1.5e-300",
                           "4.9e-324",
                           "1.7976931348623157e308",
                           "[[],{},[{}]]",
                           "{\"a\":1,\"b\":[true,null,\"x\"],\"c\":{\"d\":-3.25}}"}) {
    const auto found = quick(text);
    ASSERT_TRUE(found) << text;
    const Json expected = Json::parse(text);
    EXPECT_EQ(*found, expected) << text;
    EXPECT_EQ(found->dump(), expected.dump()) << text;
    EXPECT_EQ(found->type(), expected.type()) << text;
  }
  Random random(11);
  for (int k = 0; k < 2000; ++k) {
    const double x = random.uniform(-1, 1) * random.decades(-300, 300);
    const std::string text = Json(x).dump();
    EXPECT_EQ(quick(text)->get<double>(), x) << text;
  }
}

// The library decides: most of these are wrong, some only rare.
TEST(QuickJson, LeavesTheRestToTheLibrary) {
  for (const char* text : {"",
                           "[",
                           "[1,]",
                           "[,1]",
                           "{\"a\"}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "01",
                           "-",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "+1",
                           "nan",
                           "inf",
                           "-inf",
                           "Infinity",
                           "1e999",
                           "0x10",
                           "1234567890123456789",
                           "[1] 2",
                           "nul",
                           "tru",
                           "\"a",
                           "\"\\n\"",
                           "\"é\"",
                           "\"a\tb\"",
                           "{\"a\":1,\"a\":2}",
                           "[1 2]",
                           "{\"a\" 1}",
                           "'a'"})
    EXPECT_FALSE(quick(text)) << text;
  EXPECT_FALSE(io::quick_json("[[[1]]]", {.levels = 2, .keys = 9}, {}));
  EXPECT_FALSE(io::quick_json("{\"a\":1,\"b\":2}", {.levels = 2, .keys = 1}, {}));
  EXPECT_EQ(io::parse_json("{\"a\":\"\\u00e9\"}")["a"], "é");
  EXPECT_THROW(io::parse_json("[1,]"), InvalidInput);
}

// Which of two values was meant nobody knows.  The quick reader leaves such a text to the other
// one, and texts that are left to it for something else, here an escape, are no different.
TEST(Json, RefusesAKeyGivenTwice) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      io::parse_json(text);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const std::string expected = " is given twice, expected each key once";
  EXPECT_EQ(refusal(R"({"mu":0.5,"mu":0.7})"), "mu" + expected);
  EXPECT_EQ(refusal(R"({"mu":0.5,"\u006du":0.7})"), "mu" + expected);  // the same key
  EXPECT_EQ(refusal(R"({"name":"\n","law":[{"mu":1},{"mu":1,"a":[],"mu":1}]})"),
            "law[1].mu" + expected);
  EXPECT_EQ(refusal(R"({"a\nb":1,"a\nb":1})"), R"("a\nb")" + expected);  // on one line
  EXPECT_EQ(refusal(R"({"a":{"":1,"":1}})"), "\"\"" + expected);
  EXPECT_EQ(refusal(R"({"a":1,"a":1,)"), "a" + expected);  // before what is wrong further on
  EXPECT_EQ(refusal(R"({"a":{"b":1},"b":{"a":1},"c":[{"a":1},{"a":1}]})"), "");
}

// A thousand contacts, each with a block of its own.
ContactProblem many_blocks() {
  ContactProblem p;
  Random random(2);
  const int n = 3 * 20000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1 + random.uniform(-1, 1));
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  p.W = block_matrix(W, 3);
  p.q = Eigen::VectorXd::LinSpaced(n, -1, 1);
  p.laws.resize(20000);
  for (Law& law : p.laws) law.mu = 0.5;
  return p;
}

GlobalProblem many_entries() {
  GlobalProblem p;
  const ContactProblem local = many_blocks();
  p.M = p.H = to_sparse(local.W);
  p.f = p.w = local.q;
  p.laws = local.laws;
  return p;
}

// Each format tells and is stopped, reading and writing, and gives the same as unwatched.
TEST(Progress, OfFiles) {
  for (const AnyProblem& problem : {AnyProblem(many_blocks()), AnyProblem(many_entries())}) {
    const auto kind = problem.index() == 0 ? ProblemKind::local : ProblemKind::global;
    const auto check = [](const auto& work) {
      std::vector<double> shares;
      work([&](double share) {
        shares.push_back(share);
        return true;
      });
      EXPECT_GT(shares.size(), 1U);
      EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
      EXPECT_LE(shares.back(), 1);
      for (std::size_t k = 1; k <= shares.size(); ++k) {
        std::size_t calls = 0;
        EXPECT_THROW(work([&](double) { return ++calls < k; }), Stopped);
        EXPECT_EQ(calls, k);
      }
    };
    const std::string json = write_problem_json(problem), text = write_siconos_text(problem);
    check([&](const Progress& told) { EXPECT_EQ(write_problem_json(problem, told), json); });
    check([&](const Progress& told) { EXPECT_EQ(write_siconos_text(problem, told), text); });
    check([&](const Progress& told) { read_problem_json(json, told); });
    check([&](const Progress& told) { read_siconos_text(text, kind, told); });
    EXPECT_EQ(write_problem_json(read_problem_json(json)), json);
  }
}

// HDF5 is read by a process of its own, which is ended.
TEST(Progress, OfFCLib) {
  const std::string bytes = write_fclib({many_blocks(), {}, {}, {}});
  int calls = 0;
  read_fclib(bytes, Part::all, [&](double share) {
    ++calls;
    return 0 <= share && share <= 1;
  });
  EXPECT_GT(calls, 0);
  EXPECT_THROW(read_fclib(bytes, Part::all, [](double) { return false; }), Stopped);
}

// As the library would write it: "1.0", no sign of zero, null for what is no number.
TEST(ProblemJson, NumbersAreWrittenAsBefore) {
  ContactProblem p;
  p.W = block_matrix(Eigen::MatrixXd(Eigen::Vector3d(1, 0.1, 1e300).asDiagonal()), 3);
  p.q = Eigen::Vector3d(-0.0, -2, 1e-7);
  p.laws.resize(1);
  const Json found = Json::parse(write_problem_json(p));
  EXPECT_EQ(found["q"].dump(), "[0.0,-2.0,1e-07]");
  EXPECT_EQ(found["W"].dump(),
            "{\"blocks\":[{\"row\":0,\"col\":0,\"values\":[1.0,0.0,0.0,0.0,0.1,0.0,0.0,0.0,"
            "1e+300]}]}");
  EXPECT_EQ(write_problem_json(p), found.dump() + "\n");
}

}  // namespace
}  // namespace stiction::testing
