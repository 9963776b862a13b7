// SPDX-License-Identifier: Apache-2.0
//
// fuzz_seeds FOLDER: small problems of every kind in every format, for the fuzzers to start from.
#include <filesystem>

#include "base/file.h"
#include "io/fclib.h"
#include "io/problem_json.h"

namespace {

using namespace stiction;
namespace fs = std::filesystem;

ProblemFile local_problem(int dimension, bool bilateral) {
  ContactProblem p;
  p.dimension = dimension;
  p.laws.resize(2);
  p.laws[0].mu = 0.5;
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(2 * dimension, 2 * dimension);
  W(0, dimension) = W(dimension, 0) = 0.25;
  p.W = block_matrix(W, dimension);
  p.q = Eigen::VectorXd::Constant(2 * dimension, -1);
  if (dimension == 5) p.mu_rolling = {0.1, 0.2};
  if (bilateral)
    p.bilateral =
        Bilateral{Eigen::MatrixXd::Ones(2 * dimension, 1).sparseView(),
                  Eigen::MatrixXd::Identity(1, 1).sparseView(), Eigen::VectorXd::Constant(1, 2)};
  ProblemFile file{p, {}, {}, {}};
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(2 * dimension);
  if (dimension == 3) {
    file.solution = StoredSolution{ones, ones, {}, {}};
    file.guesses = {*file.solution, *file.solution};
    file.info = {"title", "description", "", {{"dof", 6}}};
  }
  return file;
}

ProblemFile global_problem(int dimension, bool joints) {
  GlobalProblem p;
  p.dimension = dimension;
  p.laws.resize(1);
  p.laws[0].mu = 1;
  p.M = (2 * Eigen::MatrixXd::Identity(3, 3)).sparseView();
  p.H = Eigen::MatrixXd::Identity(dimension, 3).sparseView();
  p.f = Eigen::VectorXd::Constant(3, -1);
  p.w = Eigen::VectorXd::Zero(dimension);
  if (dimension == 5) p.mu_rolling = {0.1};
  if (joints)
    p.joints = {Eigen::SparseMatrix<double>(Eigen::MatrixXd::Ones(1, 3).sparseView()),
                Eigen::VectorXd::Zero(1)};
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(dimension);
  return {p, StoredSolution{ones, ones, Eigen::VectorXd::Ones(3), {}}, {}, {}};
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  write_file(path, bytes);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const fs::path folder = arguments[1];
  int number = 0;
  for (const int dimension : {2, 3, 4, 5})
    for (const bool rows : {false, true})
      for (const ProblemFile& file :
           {local_problem(dimension, rows), global_problem(dimension, rows)}) {
        const std::string name = "seed-" + std::to_string(++number);
        write(folder / "fclib_hdf5" / name, write_fclib(file));
        write(folder / "fclib_arrays" / name, io::pack(arrays_of(file)));
        write(folder / "problem_json" / name, write_problem_json(file.problem));
        if (!rows) write(folder / "siconos_text" / name, write_siconos_text(file.problem));
      }
  const std::string block = "CSparse\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 7\n";
  write(folder / "siconos_text" / "dense", "2 1 0 2 2 2 2  1 2 3 4  5 6  0.5 1");
  write(folder / "siconos_text" / "csc",
        "2\n1\n2\n2\n2\n2\n" + block +
            " col 0 : locations 0 to 0\n 1 : 4\n col 1 : locations 1 to 2\n 0 : 5\n 1 : 6\n 1 2 1");
  write(folder / "siconos_text" / "csr",
        "2\n1\n2\n2\n2\n3\n" + block +
            " row 0 : locations 0 to 0\n 1 : 4\n row 1 : locations 1 to 2\n 0 : 5\n 1 : 6\n 1 2 1");
  write(folder / "problem_json" / "dense",
        R"({"dimension":2,"law":[{"curve":"ellipse","mu":[1,2],"angle_deg":3}],"q":[1,2],)"
        R"("W":[[1,2],[3,4]],"position":[[1,2]],"bodies":[[0,-1]]})");
  write(folder / "problem_json" / "polygon",
        R"({"dimension":2,"law":{"curve":"polygon","vertices":[[1,0],[-1,1],[-1,-1]]},"M":[[1]],)"
        R"("H":[[1],[2]],"f":[3],"w":[0,0],"G":[[1]],"b":[0]})");
  const char* laws[] = {"disc:0.5",
                        "ellipse:0.5,0.3,20",
                        "wheel:0.8,0",
                        "rusty:0.8,.2,0",
                        "ratchet:0.8,-90",
                        "free",
                        "ratchet-free:1,30",
                        "pyramid:1",
                        "box:1e-3",
                        "scaled-box:1",
                        "ngon:0.5,8",
                        "ngon-out:0.5,3",
                        "polygon:1,0;-1,1;-1,-1;0,0"};
  for (const char* law : laws) write(folder / "law" / ("seed-" + std::to_string(++number)), law);
  const std::pair<const char*, const char*> supports[] = {
      {"point", R"("at":[1,2],"normal_force":1,"heading_deg":30)"},
      {"segment", R"("from":[1,2],"to":[0,0],"normal_force":1)"},
      {"polygon",
       R"("vertices":[[0,0],[4,0],[0,4]],"holes":[[[1,1],[2,1],[1,2]]],"normal_force":1)"},
      {"disc", R"("centre":[1,2],"radius":0.5,"pressure":"hertz","normal_force":1)"},
      {"ring", R"("centre":[1,2],"radius":0.5,"heading":"tangential","normal_force":1)"},
      {"annulus", R"("centre":[0,0],"radius":1,"inner_radius":0.5,"normal_force":1)"},
      {"grid", R"("origin":[0,0],"cell":0.1,"pressure":[[1,2],[0,4]])"}};
  const char* curves[] = {R"({"curve":"disc","mu":0.5})",
                          R"({"curve":"ratchet","mu":0.5,"roll_deg":20})",
                          R"({"curve":"ngon","mu":0.5,"sides":5})"};
  for (const auto& [type, fields] : supports)
    for (const char* curve : curves)
      write(folder / "slider" / (type + ("-" + std::to_string(++number))),
            R"({"reference":[1,0],"mass":2,"inertia":1,"supports":[{"type":")" + std::string(type) +
                R"(",)" + fields + R"(,"law":)" + curve + "}]}");
  const char* sections[] = {
      R"({"section":"none"})",
      R"({"section":"curve","law":{"curve":"rusty_wheel","mu":0.8,"bearing":0.2,"roll_deg":9}})",
      R"({"section":"interval","size":2})",
      R"({"section":"ellipsoid","mu":[0.5,0.5,0.01,0,1e-3]})",
      R"({"section":"product","of":[{"section":"ellipsoid","mu":[1,1]},{"section":"interval","size":2}]})",
      R"({"section":"polytope","points":[[1,0,0],[-1,1,0],[-1,-1,0],[0,0,1],[0,0,-1],[0,0,0]]})",
      R"({"section":"patch","slider":{"reference":[1,0],"supports":[{"type":"point","at":[1,2],)"
      R"("normal_force":1,"law":{"curve":"disc","mu":0.5}},{"type":"disc","centre":[0,0],)"
      R"("radius":1,"normal_force":2,"law":{"curve":"ngon","mu":0.5,"sides":4}}]}})"};
  for (const char* section : sections)
    write(folder / "section" / ("seed-" + std::to_string(++number)), section);
  return 0;
}
