// SPDX-License-Identifier: Apache-2.0
//
// The command line from outside: what it prints, and how it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/answers.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

Json answer(const std::vector<std::string>& arguments) { return json_answer(arguments); }

TEST(Curve, AnswersASlip) {
  EXPECT_EQ(answer({"curve", "disc:0.5", "--slip", "3,4"}),
            Json::parse(R"({"power":2.5,"face":[[0.3,0.4]],"unique":true})"));
  EXPECT_EQ(answer({"curve", "box:0.5", "--slip", "-1,0"}),
            Json::parse(R"({"power":0.5,"face":[[-0.5,0.5],[-0.5,-0.5]],"unique":false})"));
  EXPECT_EQ(answer({"curve", "disc:0.5", "--slip", "0,0"}),
            Json::parse(R"({"power":0.0,"face":null,"unique":false})"));
  EXPECT_EQ(answer({"curve", "free", "--slip", "0,0"}),
            Json::parse(R"({"power":0.0,"face":null,"unique":true})"));
}

TEST(Curve, AnswersAForce) {
  EXPECT_EQ(answer({"curve", "disc:0.5", "--force", "0,1"}),
            Json::parse(R"({"gauge":2.0,"inside":false,"projection":[0.0,0.5],"normals":null})"));
  const Json wheel = answer({"curve", "wheel:0.8,0", "--force", "0.1,0"});
  EXPECT_TRUE(wheel["gauge"].is_null());
  const std::vector<std::pair<std::vector<std::string>, std::pair<const char*, std::size_t>>> kinds{
      {{"disc:0.5", "0.1,0"}, {"none", 0}},         {{"disc:0.5", "0.5,0"}, {"ray", 1}},
      {{"box:0.5", "-.5,.5"}, {"wedge", 2}},        {{"wheel:0.8,0", "0,0.1"}, {"line", 2}},
      {{"wheel:0.8,0", "0,0.8"}, {"halfplane", 2}}, {{"free", "0,0"}, {"all", 0}}};
  for (const auto& [query, expected] : kinds) {
    const Json normals = answer({"curve", query[0], "--force", query[1]})["normals"];
    EXPECT_EQ(normals["kind"], expected.first);
    EXPECT_EQ(normals["directions"].size(), expected.second);
  }
}

TEST(Cone, TellsTrueErrors) {
  const Json octagon = answer({"cone", "ngon:0.5,8"});
  EXPECT_NEAR(octagon["under"].get<double>(), 1 - std::cos(std::acos(-1) / 8), 1e-15);
  EXPECT_EQ(octagon["under_at_deg"], 0.0);
  EXPECT_TRUE(octagon["over_at_deg"].is_null());
  EXPECT_EQ(octagon["rows"].size(), 8U);
  EXPECT_EQ(octagon["rays"].size(), 8U);
  for (const Json& row : octagon["rows"])
    for (const Json& ray : octagon["rays"]) {
      double product = 0;
      for (std::size_t i = 0; i < 3; ++i) product += row[i].get<double>() * ray[i].get<double>();
      EXPECT_LE(product, 1e-16);
    }
  EXPECT_TRUE(answer({"cone", "disc:0.5"})["rows"].is_null());
  for (const char* nothing : {"free", "disc:0", "ngon:0,5"}) {
    const Json nulls = answer({"cone", nothing});
    EXPECT_EQ(nulls.size(), 9U);
    for (const auto& [key, value] : nulls.items()) EXPECT_TRUE(value.is_null()) << key;
  }
}

// A uniform square of side 2a carries μ a·0.7652 against twist, its points' mean distance from the
// centre; budgets of their own exceed the ellipsoid by √2.
TEST(Cli, ConeOfASection) {
  const std::string folder = STICTION_SOURCE "/scenes/sections/";
  const Json pad = answer({"cone", folder + "pad.json"});
  EXPECT_NEAR(pad["axes"][0].get<double>(), 0.8, 1e-15);
  EXPECT_NEAR(pad["axes"][2].get<double>(), 0.8 * 0.02 * 0.3825978582321063, 1e-16);
  for (std::size_t k = 0; k < 3; ++k) {
    const double axis = pad["axes"][k];
    EXPECT_NEAR(pad["inner"][k].get<double>(), axis * (1 - pad["under"].get<double>()), 1e-15);
    EXPECT_NEAR(pad["outer"][k].get<double>(), axis, 1e-15);
  }
  EXPECT_NEAR(pad["under"].get<double>(), 0.0663, 1e-4);
  EXPECT_EQ(pad["over"], 0.0);
  EXPECT_TRUE(pad["over_at"].is_null());
  EXPECT_FALSE(pad["exact"].get<bool>());
  const Json budgets = answer({"cone", folder + "budgets.json"});
  EXPECT_EQ(budgets["under"], 0.0);
  EXPECT_NEAR(budgets["over"].get<double>(), std::sqrt(2) - 1, 1e-15);
  EXPECT_TRUE(budgets["exact"].get<bool>());
  std::ofstream(scratch() / "nothing.json") << R"({"section":"none"})";
  const Outcome nothing = stiction({"cone", "nothing.json"});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.err,
            "stiction: nothing.json: the section carries nothing, expected one to compare with an "
            "ellipsoid\n");
}

void write(const char* name, const std::string& text) { std::ofstream(scratch() / name) << text; }

constexpr const char* sliding_block =
    R"({"dimension":3,"law":{"curve":"disc","mu":0.5},"q":[-1,2,0],"W":[[1,0,0],[0,1,0],[0,0,1]]})";

// r = (1, −½, 0), u = (0, 1½, 0): the block slides.
TEST(Solve, AnswersAndIsChecked) {
  write("block.json", sliding_block);
  const Json s = answer({"solve", "block.json", "--out", "solution.json"});
  EXPECT_EQ(s["status"], "solved");
  EXPECT_EQ(s["contacts"], 1);
  EXPECT_NEAR(s["reactions"][0][1].get<double>(), -0.5, 1e-12);
  EXPECT_NEAR(s["velocities"][0][1].get<double>(), 1.5, 1e-12);
  EXPECT_TRUE(s["separation"].is_null());
  for (const char* key : {"natural_map", "relative", "scaled", "cone_violation", "penetration",
                          "complementarity", "slip_alignment", "dissipation"})
    EXPECT_TRUE(s["certificate"][key].is_number()) << key;
  EXPECT_TRUE(answer({"check", "block.json", "solution.json"})["ok"]);
  EXPECT_EQ(answer({"solve", "block.json", "--guess", "solution.json"})["iterations"], 0);
  // Another law, named by each contact's own coefficient: the box brakes each axis, here the same.
  EXPECT_NEAR(answer({"solve", "block.json", "--law", "box:*"})["reactions"][0][1].get<double>(),
              -0.5, 1e-12);
  // The convex model lifts the block.
  EXPECT_GT(answer({"solve", "block.json", "--model", "convex"})["velocities"][0][0].get<double>(),
            0.1);
}

TEST(Check, FailsWithStatusOne) {
  write("block.json", sliding_block);
  write("wrong.json", R"({"reactions":[[1,0,0]]})");
  const Outcome outcome = stiction({"check", "block.json", "wrong.json", "--json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(Json::parse(outcome.out)["ok"], false);
}

// The walls of a channel approach each other: nothing can be done, and it is proven.
TEST(Solve, ProvesThatThereIsNoSolution) {
  write("walls.json", R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,0,-1,0],
    "W":[[1,0,-1,0],[0,1,0,1],[-1,0,1,0],[0,1,0,1]]})");
  const Outcome outcome = stiction({"solve", "walls.json", "--json", "--out", "none.json"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(Json::parse(outcome.out)["status"], "no_solution");
  EXPECT_EQ(Json::parse(outcome.out)["separation"]["proves"], "no_solution");
  // What was reached is no solution, and the proof that there is none holds.
  const Outcome check = stiction({"check", "walls.json", "none.json", "--json"});
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(Json::parse(check.out)["ok"], false);
  EXPECT_EQ(Json::parse(check.out)["separation"]["verified"], true);
}

TEST(Solve, GlobalProblemsGiveTheirVelocities) {
  write("global.json",
        R"({"dimension":3,"law":{"curve":"disc","mu":0.5},"M":[[2,0,0],[0,2,0],[0,0,2]],
    "H":[[1,0,0],[0,1,0],[0,0,1]],"f":[-2,4,0],"w":[0,0,0]})");
  const Json s = answer({"solve", "global.json"});
  EXPECT_NEAR(s["reactions"][0][0].get<double>(), 2, 1e-12);
  EXPECT_NEAR(s["generalized_velocities"][1].get<double>(), 1.5, 1e-12);
  EXPECT_TRUE(s["seconds_condense"].is_number());
}

TEST(Enumerate, CountsTheRodsSolutions) {
  const auto rod = [](const char* q) {
    write("rod.json",
          std::string(R"({"dimension":2,"law":{"curve":"free"},"W":[[-1,0],[0,1]],"q":[)") + q +
              ",0]}");
    return stiction({"enumerate", "rod.json", "--json"});
  };
  const Outcome two = rod("1"), none = rod("-1");
  EXPECT_EQ(two.status, 0);
  EXPECT_EQ(Json::parse(two.out)["solutions"].size(), 2U);
  EXPECT_EQ(Json::parse(two.out)["complete"], true);
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(Json::parse(none.out)["solutions"].size(), 0U);
}

TEST(Convert, GoesRoundWithoutLoss) {
  write("block.json", sliding_block);
  for (const char* ending : {".dat", ".hdf5"}) {
    const std::string other = std::string("block") + ending;
    EXPECT_EQ(answer({"convert", "block.json", other})["contacts"], 1);
    answer({"convert", other, "back.json"});
    const Json a = Json::parse(slurp(scratch() / "back.json"));
    EXPECT_EQ(a["q"], Json::parse(sliding_block)["q"]);
    EXPECT_EQ(a["law"], Json::parse(sliding_block)["law"]);
    EXPECT_EQ(a["format"], "stiction/1");
  }
}

TEST(Scene, WritesWhatSolveReads) {
  for (const char* form : {"local", "global"})
    for (const char* file : {"scene.json", "scene.dat", "scene.hdf5"}) {
      const Json s = answer(
          {"scene", "tower", "--contacts", "12", "--seed", "2", "--form", form, "--out", file});
      EXPECT_EQ(s["family"], "tower");
      EXPECT_EQ(s["contacts"], 12);
      EXPECT_EQ(s["bodies"], 3);
      EXPECT_EQ(s["written"], file);
      const Json solved = answer({"solve", file, "--kind", form});
      EXPECT_EQ(solved["status"], "solved");
      // The lowest four contacts carry the weight; the normal is the vertical there.
      double carried = 0;
      for (std::size_t i = 0; i < 4; ++i) carried += solved["reactions"][i][0].get<double>();
      EXPECT_NEAR(carried, s["weight"][2].get<double>(), 1e-6);
    }
  answer({"scene", "tower", "--contacts", "12", "--out", "scene.json"});
  const Json written = Json::parse(slurp(scratch() / "scene.json"));
  EXPECT_EQ(written["position"].size(), 12U);
  EXPECT_EQ(written["frame"].size(), 12U);
  EXPECT_EQ(written["bodies"][11], Json::parse("[2,1]"));
  EXPECT_EQ(written["bodies"][0], Json::parse("[0,-1]"));
  answer({"scene", "tower", "--contacts", "12", "--out", "again.json"});
  EXPECT_EQ(slurp(scratch() / "scene.json"), slurp(scratch() / "again.json"));
}

TEST(Solve, WithoutFormingW) {
  answer({"scene", "tower", "--contacts", "12", "--form", "global", "--out", "stack.json"});
  const Json free = answer({"solve", "stack.json", "--method", "matrix_free", "--out", "s.json"});
  EXPECT_EQ(free["method"], "matrix_free");
  EXPECT_EQ(free["seconds_condense"], 0.0);
  const Json with = answer({"solve", "stack.json"});
  ASSERT_EQ(free["generalized_velocities"].size(), with["generalized_velocities"].size());
  for (std::size_t i = 0; i < free["generalized_velocities"].size(); ++i)
    EXPECT_NEAR(free["generalized_velocities"][i].get<double>(),
                with["generalized_velocities"][i].get<double>(), 1e-6);
  EXPECT_TRUE(answer({"check", "stack.json", "s.json"})["ok"]);
}

TEST(Person, ReadsTablesWithoutColourInAPipe) {
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"curve", "wheel:0.8,30", "--force", "0.1,0.2"},
        {"curve", "disc:0.5", "--slip", "1,0"},
        {"cone", "box:0.5"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_GT(outcome.out.size(), 40U);
    EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  }
}

TEST(Help, CarriesExamples) {
  EXPECT_NE(stiction({"--version"}).out.find("stiction 0."), std::string::npos);
  for (const std::vector<std::string>& call : {std::vector<std::string>{"--help"},
                                               {"curve", "--help"},
                                               {"cone", "--help"},
                                               {"scene", "--help"},
                                               {"report", "--help"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("Example: stiction "), std::string::npos) << outcome.out;
  }
}

TEST(WrongCall, IsRefusedInOneLineWithStatusTwo) {
  write("block.json", sliding_block);
  write("rolling.dat", "5 1 0 5 5 5 5 " + std::string(50, ' ') +
                           "1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1  1 2 3 4 5  0.5 0.1");
  write("cut.dat", "3 1 0 3 3 3 3 1 0 0 0 1");
  write("huge.dat", "3 1000000000 0 3000000000 3000000000 3000000000 3000000000 1");
  write("huge.hdf5", "\x89HDF\r\n\x1a\n and no more");
  write("nan.json", R"({"reactions":[[1,null,0]]})");
  const std::vector<std::vector<std::string>> calls{
      {},
      {"kurve"},
      {"kurve", "disc:0.5"},
      {"curve", "disc:1e200", "--slip", "1,0"},
      {"curve", "disc:0.5", "--slip", "1,0", "--slip", "1,0"},
      {"solve"},
      {"solve", "missing.dat"},
      {"solve", "cut.dat"},
      {"solve", "huge.dat"},
      {"solve", "huge.hdf5"},
      {"solve", "nan.json"},
      {"solve", "block.json", "--tol", "0"},
      {"solve", "block.json", "--law", "disc:-1"},
      {"solve", "block.json", "--method", "magic"},
      {"solve", "block.json", "--model", "magic"},
      {"solve", "block.json", "--method", "matrix_free"},
      {"solve", "block.json", "--method", "bodies"},
      {"scene", "castle", "--contacts", "100", "--out", "x.json"},
      {"scene", "tower", "--contacts", "3", "--out", "x.json"},
      {"scene", "tower", "--contacts", "1e9", "--out", "x.json"},
      {"scene", "tower", "--contacts", "12.5", "--out", "x.json"},
      {"scene", "tower", "--contacts", "12"},
      {"scene", "tower", "--out", "x.json"},
      {"scene", "tower", "--contacts", "12", "--seed", "-1", "--out", "x.json"},
      {"scene", "tower", "--contacts", "12", "--form", "magic", "--out", "x.json"},
      {"scene", "tower", "--contacts", "12", "--out", "x.xyz"},
      {"solve", "block.json", "--kind", "magic"},
      {"solve", "block.json", "--kind", "global"},
      {"solve", "block.json", "--repeat", "0"},
      {"solve", "block.json", "--out", "/no/such/folder/x.json"},
      {"solve", "block.json", "--guess", "nan.json"},
      {"check", "block.json", "nan.json"},
      {"convert", "block.json", "block.xyz"},
      {"enumerate", "rolling.dat"},
      {"solve", "rolling.dat", "--method", "lemke"},
      {"solve", "missing.txt"},
      {"check", "missing.dat", "missing.json"},
      {"convert", "missing.dat", "x.json"},
      {"curve"},
      {"curve", "disc:0.5"},
      {"curve", "disc:0.5", "--slip"},
      {"curve", "disc:0.5", "--slip", "1"},
      {"curve", "disc:0.5", "--slip", "1,2,3"},
      {"curve", "disc:0.5", "--slip", "1,x"},
      {"curve", "disc:0.5", "--slip", "nan,0"},
      {"curve", "disc:0.5", "--slip", "inf,0"},
      {"curve", "disc:0.5", "--slip", "1e999,0"},
      {"curve", "disc:0.5", "--slip", ""},
      {"curve", "disc:0.5", "--slip", "1,0", "--force", "1,0"},
      {"curve", "disc:0.5", "--slop", "1,0"},
      {"curve", "disc:0.5", "box:1", "--slip", "1,0"},
      {"curve", "disk:0.5", "--slip", "1,0"},
      {"curve", "disc:-0.5", "--slip", "1,0"},
      {"curve", "disc:nan", "--slip", "1,0"},
      {"curve", "disc", "--slip", "1,0"},
      {"curve", "disc:*", "--slip", "1,0"},
      {"curve", "", "--slip", "1,0"},
      {"curve", "polygon:1,1;2,1;1,2", "--slip", "1,0"},
      {"curve", "polygon:1,1", "--slip", "1,0"},
      {"curve", "ngon:0.5,2", "--slip", "1,0"},
      {"curve", "ngon:0.5,1e9", "--slip", "1,0"},
      {"curve", "disc:0.5\ndisc", "--slip", "1,0"},
      {"cone"},
      {"cone", "box:-1"},
      {"cone", "box:nan"},
      {"cone", "boxes:1"},
      {"cone", "box"},
      {"cone", "polygon:1,1;2,1;1,2"},
      {"cone", "ngon:0.5,2"},
      {"cone", "box:1", "extra"},
      {"report", "--out", "/dev/null/x"}};
  for (const std::vector<std::string>& call : calls) expect_refused(call);
}

TEST(Report, IsOneSelfContainedPage) {
  const Outcome outcome = stiction({"report", "--out", "page", "--figures", "figures"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string page = slurp(scratch() / "page" / "report.html");
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0U);
  EXPECT_EQ(page.find(" src="), std::string::npos);  // nothing is loaded
  for (std::size_t at = page.find("http://"); at != std::string::npos;
       at = page.find("http://", at + 1))  // but for name spaces
    EXPECT_EQ(page.compare(at, 18, "http://www.w3.org/"), 0) << page.substr(at, 60);
  // No number is missing, in pictures and in what the viewer draws; its own code comes last.
  EXPECT_EQ(page.substr(0, page.rfind("<script>")).find("nan"), std::string::npos);
  for (const char* id : {"limit-curves", "not-normal", "cones"})
    EXPECT_NE(page.find("<section id='" + std::string(id)), std::string::npos);
  EXPECT_GT(slurp(scratch() / "figures" / "limit-curves.svg").size(), 1000U);
  EXPECT_EQ(page.find("<section id='speed"), std::string::npos);  // nothing was measured
}

// Two problems, 8 and 2 times faster: 4 in the geometric mean.  Four times the time for twice the
// size is slope 2.
TEST(Report, ShowsWhatTheBenchmarksLeftInItsFolder) {
  namespace fs = std::filesystem;
  const fs::path folder = scratch() / "measured";
  fs::create_directories(folder);
  const auto write = [](const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
  };
  const std::string head = "problem,contacts,peer,peer_seconds,stiction_seconds,ratio,orders\n";
  write(folder / "contact.csv",
        head + "a<b,20,NSGS,8e-6,1e-6,8,1\nc,30,CPG,0.02,0.01,2,10\nd,40,none,inf,3,inf,1\n");
  write(folder / "contact_profile.csv",
        "solver,problems,factor,fraction\nstiction,3,1,1\nSiconos best,3,2,0.3\nNSGS,3,8,0.3\n");
  write(folder / "scaling.csv",
        "family,contacts,seconds,threads,tolerance\npile,100,0.01,1,1e-4\npile,200,0.04,1,1e-4\n");
  EXPECT_EQ(stiction({"report", "--out", "measured"}).status, 0);
  const std::string page = slurp(folder / "report.html");
  for (const char* part : {"takes 4.0 times as long", "a&lt;b", "8.00 µs", "10.0 ms *",
                           "not solved", "solves 3 of 3", "pile: slope 2.00", "Siconos NSGS"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* figure : {"contact_profile.svg", "scaling.svg"})
    EXPECT_EQ(slurp(folder / figure).rfind("<svg", 0), 0U);

  write(folder / "contact.csv", head + "a,20,NSGS,x,1e-6,8,1\n");
  const Outcome wrong = stiction({"report", "--out", "measured"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("contact.csv:2: peer_seconds is 'x', expected a number"),
            std::string::npos)
      << wrong.err;
}

TEST(Cli, KeepsItsStatusWhereNobodyListens) {
  for (const char* streams : {">out.txt 2>&-", ">out.txt 2>/dev/full"}) {
    EXPECT_EQ(stiction({"curve", "disc:x", "--slip", "1,0"}, streams).status, 2) << streams;
    EXPECT_EQ(stiction({"--bogus"}, streams).status, 2) << streams;
    EXPECT_EQ(stiction({"curve", "disc:0.5", "--slip", "1,0"}, streams).status, 0) << streams;
  }
  for (const char* question : {"--version", "--help"})
    EXPECT_EQ(stiction({question}, ">/dev/full 2>err.txt").status, 2) << question;
}

TEST(Cli, RefusesAFileWithoutAName) {
  for (const std::vector<std::string>& out :
       {std::vector<std::string>{"--out", ""}, std::vector<std::string>{"--out="}}) {
    std::vector<std::string> arguments{"scene", "chain", "--contacts", "4"};
    arguments.insert(arguments.end(), out.begin(), out.end());
    const Outcome outcome = stiction(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "stiction: --out is '', expected the name of a file\n");
  }
}

}  // namespace
}  // namespace stiction::testing
