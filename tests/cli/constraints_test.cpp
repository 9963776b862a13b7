// SPDX-License-Identifier: Apache-2.0
//
// Lists of constraints from outside: solved, checked, converted, and refused with their index.
#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

void write(const char* name, const std::string& text) { std::ofstream(scratch() / name) << text; }

// A contact that spins, a hinge with friction, a stop and a soft joint, each on a mass of its own.
constexpr const char* mixed = R"({"constraints":[
  {"kind":"contact","section":{"section":"ellipsoid","mu":[0.5,0.5,0.02]}},
  {"kind":"contact","law":{"curve":"disc","mu":0.5},"plane":true},
  {"kind":"fixed","section":{"section":"interval","size":0.1}},
  {"kind":"limit"},
  {"kind":"bilateral","rows":1,"compliance":[1],"bias":[0.5]}],
 "W":{"rows":9,"cols":9,"entries":[[0,0,1],[1,1,1],[2,2,1],[3,3,1],[4,4,1],[5,5,1],[6,6,1],[7,7,1],[8,8,1]]},
 "q":[-1,0,0,3,-1,2,0.5,-1,0.5]})";

TEST(ConstraintList, IsSolvedAndChecked) {
  write("mixed.json", mixed);
  const Json answer = json_answer({"solve", "mixed.json", "--out", "solution.json"});
  EXPECT_EQ(answer["status"], "solved");
  EXPECT_EQ(answer["constraints"], 5);
  EXPECT_EQ(answer["contacts"], 2);
  const double expected[] = {1,    0,    0, -0.02,  // spins on at 3 − 0.02
                             1,    -0.5,            // slides: 2 − 0.5
                             -0.1,                  // slips: 0.5 − 0.1
                             1,                     // stopped
                             -0.5};                 // (1 + 1) r + 0.5 + 0.5 = 0
  std::size_t k = 0;
  for (const Json& row : answer["reactions"])
    for (const Json& x : row) EXPECT_NEAR(x, expected[k++], 1e-9);
  EXPECT_EQ(k, 9U);
  EXPECT_EQ(answer["modes"], Json({"slip", "slip", "slip", "stick", "stick"}));
  const Json& by = answer["certificate"]["dissipation_by"];
  EXPECT_NEAR(by["spin"], 0.02 * 2.98, 1e-9);
  EXPECT_NEAR(by["slip"], 0.5 * 1.5, 1e-9);
  EXPECT_NEAR(by["joints"], 0.1 * 0.4, 1e-9);
  EXPECT_NEAR(by["rolling"], 0, 1e-9);
  EXPECT_TRUE(json_answer({"check", "mixed.json", "solution.json"})["ok"]);
  EXPECT_EQ(json_answer({"solve", "mixed.json", "--guess", "solution.json"})["iterations"], 0);
  EXPECT_EQ(stiction({"solve", "mixed.json"}).status, 0);  // as a person reads it
}

TEST(ConstraintList, IsWrittenAsItWasRead) {
  write("mixed.json", mixed);
  json_answer({"convert", "mixed.json", "once.json"});
  json_answer({"convert", "once.json", "twice.json"});
  EXPECT_EQ(slurp(scratch() / "once.json"), slurp(scratch() / "twice.json"));
  EXPECT_EQ(json_answer({"solve", "mixed.json"})["reactions"],
            json_answer({"solve", "twice.json"})["reactions"]);
}

// M v = Hᵀ r + f: a mass of 2 pushed against a stop at v = −1 needs r = 2.
TEST(ConstraintList, InGlobalForm) {
  write("global.json",
        R"({"constraints":[{"kind":"limit"}],"M":[[2]],"H":[[1]],"f":[-2],"w":[0]})");
  const Json answer = json_answer({"solve", "global.json"});
  EXPECT_NEAR(answer["reactions"][0][0], 2, 1e-12);
  EXPECT_NEAR(answer["generalized_velocities"][0], 0, 1e-12);
}

// Two stops back to back that both ask for motion.
TEST(ConstraintList, HasNoSolutionByProof) {
  write("none.json", R"({"constraints":[{"kind":"limit"},{"kind":"limit"}],
                         "W":[[1,-1],[-1,1]],"q":[-1,-1]})");
  const Outcome outcome = stiction({"solve", "none.json", "--out", "none-solution.json", "--json"});
  EXPECT_EQ(outcome.status, 1);
  const Json answer = Json::parse(outcome.out);
  EXPECT_EQ(answer["status"], "no_solution");
  EXPECT_EQ(answer["separation"]["proves"], "no_solution");
  const Outcome check = stiction({"check", "none.json", "none-solution.json", "--json"});
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(Json::parse(check.out)["separation"]["verified"]);
}

TEST(ConstraintList, IsRefusedWithIndexAndField) {
  const auto refused = [](const std::string& list, const std::string& says,
                          const std::string& q = "[1]") {
    write("wrong.json", R"({"constraints":)" + list + R"(,"W":[[1]],"q":)" + q + "}");
    expect_refused({"solve", "wrong.json"}, says);
  };
  refused(R"([{"kind":"magic"}])", "constraints[0].kind");
  refused(R"([{"kind":"limit","compliance":[-1]}])", "constraints[0].compliance[0] is -1");
  refused(R"([{"kind":"limit","bias":[1,2]}])", "constraints[0].bias has 2 numbers");
  refused(R"([{"kind":"bilateral","rows":0}])", "constraints[0].rows");
  refused(R"([{"kind":"bilateral","rows":2}])", "q has 1 numbers");
  refused(R"([{"kind":"fixed","section":{"section":"interval","size":-1}}])",
          "constraints[0].section.size");
  refused(R"([{"kind":"fixed"}])", "constraints[0]");
  refused(R"([{"kind":"contact","section":{"section":"none"},"law":{"curve":"free"}}])",
          "constraints[0]");
  refused(R"([{"kind":"limit"}])", "q has 2 numbers", "[1,2]");
  write("limit.json", R"({"constraints":[{"kind":"limit"}],"W":[[1]],"q":[1]})");
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"solve", "limit.json", "--law", "disc:1"},
        {"solve", "limit.json", "--method", "lemke"},
        {"solve", "limit.json", "--out", "x.hdf5"},
        {"convert", "limit.json", "x.dat"},
        {"enumerate", "limit.json"}})
    expect_refused(call);
}

}  // namespace
}  // namespace stiction::testing
