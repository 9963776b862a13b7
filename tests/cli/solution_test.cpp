// SPDX-License-Identifier: Apache-2.0
//
// Solutions in FCLib files, from outside: written by `solve`, taken by `check` and `--guess`, kept
// by `convert`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "stiction/problem_io.h"
#include "support/command.h"

namespace stiction::testing {
namespace {

using Json = nlohmann::json;

void write(const char* name, const std::string& text) { std::ofstream(scratch() / name) << text; }

Json answer(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Outcome outcome = stiction(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return Json::parse(outcome.out);
}

constexpr const char* sliding_block =
    R"({"dimension":3,"law":{"curve":"disc","mu":0.5},"q":[-1,2,0],"W":[[1,0,0],[0,1,0],[0,0,1]]})";

TEST(FclibSolution, IsWrittenCheckedAndStartedFrom) {
  write("block.json", sliding_block);
  EXPECT_EQ(answer({"solve", "block.json", "--out", "block.hdf5"})["status"], "solved");
  EXPECT_TRUE(answer({"check", "block.json", "block.hdf5"})["ok"]);
  EXPECT_TRUE(answer({"check", "block.hdf5", "block.hdf5"})["ok"]);
  EXPECT_EQ(answer({"solve", "block.json", "--guess", "block.hdf5"})["iterations"], 0);
  // The start stays cold unless a guess is asked for.
  EXPECT_GT(answer({"solve", "block.hdf5"})["iterations"], 0);
  // Another law of the same kind is the solution's own.
  EXPECT_EQ(answer({"solve", "block.json", "--law", "disc:0.2", "--out", "b.hdf5"})["status"],
            "solved");
  EXPECT_TRUE(answer({"check", "block.json", "b.hdf5"})["ok"]);
  EXPECT_EQ(stiction({"check", "b.hdf5", "block.hdf5", "--json"}).status, 0);
}

// M v = Hᵀ r + Gᵀ λ + f, u = H v + w, G v + b = 0.
TEST(FclibSolution, ObeysTheGlobalEquations) {
  write("joined.json",
        R"({"dimension":3,"law":{"curve":"disc","mu":0.5},"M":[[2,0,0,0],[0,2,0,0],[0,0,2,0],
    [0,0,0,3]],"H":[[1,0,0,0],[0,1,0,0],[0,0,1,0]],"f":[-2,4,1,1],"w":[0,0.1,0],
    "G":[[0,1,0,-1],[0,0,1,0.5]],"b":[0.25,-0.5]})");
  EXPECT_EQ(answer({"solve", "joined.json", "--out", "joined.hdf5"})["status"], "solved");
  const ProblemFile file = read_problem_file(scratch() / "joined.hdf5");
  const auto& p = std::get<GlobalProblem>(file.problem);
  ASSERT_TRUE(file.solution);
  const StoredSolution& s = *file.solution;
  ASSERT_EQ(s.bilateral_forces.size(), 2);
  EXPECT_GT(s.bilateral_forces.norm(), 0.1);
  EXPECT_LT((p.M * s.generalized_velocities - p.H.transpose() * s.reactions -
             p.joints->first.transpose() * s.bilateral_forces - p.f)
                .norm(),
            1e-14);
  EXPECT_LT((p.H * s.generalized_velocities + p.w - s.velocities).norm(), 1e-14);
  EXPECT_LT((p.joints->first * s.generalized_velocities + p.joints->second).norm(), 1e-14);
}

// Vᵀ r + R λ + s = 0, u = W r + V λ + q.
TEST(FclibSolution, ObeysTheLocalEquations) {
  write("bilateral.json",
        R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,2],"W":[[2,0],[0,3]],
    "V":[[0.5],[1]],"R":[[-2]],"s":[0.75]})");
  EXPECT_EQ(answer({"solve", "bilateral.json", "--out", "bilateral.hdf5"})["status"], "solved");
  const ProblemFile file = read_problem_file(scratch() / "bilateral.hdf5");
  const auto& p = std::get<ContactProblem>(file.problem);
  ASSERT_TRUE(file.solution && p.bilateral);
  const StoredSolution& s = *file.solution;
  ASSERT_EQ(s.bilateral_forces.size(), 1);
  EXPECT_GT(s.bilateral_forces.norm(), 0.1);
  EXPECT_LT((p.bilateral->V.transpose() * s.reactions + p.bilateral->R * s.bilateral_forces +
             p.bilateral->s)
                .norm(),
            1e-14);
  EXPECT_LT(
      (to_sparse(p.W) * s.reactions + p.bilateral->V * s.bilateral_forces + p.q - s.velocities)
          .norm(),
      1e-14);
}

// A best point that is no solution is kept as what it is, a guess.
TEST(FclibSolution, WhatIsNotSolvedIsAGuess) {
  write("walls.json", R"({"dimension":2,"law":{"curve":"disc","mu":0.5},"q":[-1,0,-1,0],
    "W":[[1,0,-1,0],[0,1,0,1],[-1,0,1,0],[0,1,0,1]]})");
  EXPECT_EQ(stiction({"solve", "walls.json", "--out", "walls.hdf5"}).status, 1);
  const ProblemFile file = read_problem_file(scratch() / "walls.hdf5");
  EXPECT_FALSE(file.solution);
  EXPECT_EQ(file.guesses.size(), 1U);
  EXPECT_EQ(stiction({"check", "walls.json", "walls.hdf5"}).status, 2);
}

TEST(FclibSolution, ConvertKeepsItOrSaysThatItDoesNot) {
  write("block.json", sliding_block);
  answer({"solve", "block.json", "--out", "solved.hdf5"});
  ProblemFile file = read_problem_file(scratch() / "solved.hdf5");
  file.guesses = {*file.solution};
  file.info.description = "a block";
  write_problem_file(scratch() / "full.hdf5", file);

  EXPECT_FALSE(answer({"convert", "full.hdf5", "copy.hdf5"}).contains("left_out"));
  const ProblemFile copy = read_problem_file(scratch() / "copy.hdf5");
  EXPECT_EQ(copy.solution->reactions, file.solution->reactions);
  EXPECT_EQ(copy.guesses.size(), 1U);
  EXPECT_EQ(copy.info.description, "a block");
  // `solve` keeps what it does not replace.
  answer({"solve", "full.hdf5", "--out", "again.hdf5"});
  EXPECT_EQ(read_problem_file(scratch() / "again.hdf5").info.description, "a block");
  EXPECT_EQ(read_problem_file(scratch() / "again.hdf5").guesses.size(), 1U);

  for (const char* to : {"copy.json", "copy.dat"}) {
    EXPECT_EQ(answer({"convert", "full.hdf5", to})["left_out"],
              Json::parse(R"(["its solution","1 guess","its info"])"));
    const Outcome shown = stiction({"convert", "full.hdf5", to});
    EXPECT_EQ(shown.status, 0);
    EXPECT_NE(shown.err.find("its solution, 1 guess, its info"), std::string::npos) << shown.err;
  }
}

TEST(FclibSolution, IsRefusedWhereFclibCannotSayWhatWasSolved) {
  write("block.json", sliding_block);
  answer({"convert", "block.json", "plain.hdf5"});
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"solve", "block.json", "--law", "box:1", "--out", "no.hdf5"},
        {"solve", "block.json", "--model", "convex", "--out", "no.hdf5"},
        {"solve", "block.json", "--guess", "plain.hdf5"},
        {"check", "block.json", "plain.hdf5"}}) {
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(call.back()), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(scratch() / "no.hdf5"));
  }
}

// Torsional and rolling friction are carried between all formats; rolling is solved, torsion
// refused by name.
TEST(Carried, DimensionsFourAndFive) {
  for (const int d : {4, 5}) {
    Json json;
    json["dimension"] = d;
    json["law"] = {{"curve", "disc"}, {"mu", 0.5}};
    json["q"] = std::vector<double>(static_cast<std::size_t>(d), -1.0);
    json["W"] = Json::array();
    for (int i = 0; i < d; ++i) {
      std::vector<double> row(static_cast<std::size_t>(d), 0.0);
      row[static_cast<std::size_t>(i)] = i + 1.0;
      json["W"].push_back(row);
    }
    if (d == 5) json["mu_rolling"] = {0.1};
    write("start.json", json.dump());
    answer({"convert", "start.json", "a.dat"});
    answer({"convert", "a.dat", "b.hdf5"});
    answer({"convert", "b.hdf5", "c.h5"});
    answer({"convert", "c.h5", "end.json"});
    answer({"convert", "start.json", "straight.json"});
    EXPECT_EQ(slurp(scratch() / "end.json"), slurp(scratch() / "straight.json"));
    for (const char* file : {"start.json", "a.dat", "b.hdf5"})
      for (const char* command : {"solve", "enumerate"}) {
        const Outcome outcome = stiction({command, file});
        const bool solved = d == 5 && std::string(command) == "solve";
        EXPECT_EQ(outcome.status, solved ? 0 : 2) << outcome.err;
        if (!solved) {
          EXPECT_NE(outcome.err.find("dimension"), std::string::npos) << outcome.err;
        }
      }
  }
}

}  // namespace
}  // namespace stiction::testing
