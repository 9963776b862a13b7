// SPDX-License-Identifier: Apache-2.0
//
// Contact problems and their solutions as JSON.
//
//   local   {"dimension", "law", "q", "W": dense rows or {"blocks": [{"row", "col", "values"}]}}
//   global  {"dimension", "law", "M", "H", "f", "w"}: M v = Hᵀ r + f, u = H v + w
//
// with bilateral rows as "V", "R", "s" or "G", "b", rolling friction as "mu_rolling", and for
// drawing "position", "frame", "bodies", one a contact.
#include <cmath>
#include <set>

#include "io/json.h"
#include "stiction/problem_io.h"

namespace stiction {

namespace {

using io::Field;
using io::Json;
using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

Eigen::VectorXd read_vector(const Field& field) {
  Eigen::VectorXd vector(static_cast<Eigen::Index>(field.size()));
  for (std::size_t i = 0; i < field.size(); ++i)
    vector[static_cast<Eigen::Index>(i)] = field.at(i).number();
  return vector;
}

// {"rows": r, "cols": c, "entries": [[i, j, x], …]}, what is written for sparse matrices of M and
// H.
Sparse read_entries(const Field& field) {
  const int rows = field.at("rows").integer(0, 1000000000);
  const int cols = field.at("cols").integer(0, 1000000000);
  const Field list = field.at("entries");
  // A column costs memory even where it is empty.
  const auto held = static_cast<double>(list.size());
  if (rows > 1000 + 100 * held || cols > 1000 + 100 * held)
    throw InvalidInput(field.path() + " is " + std::to_string(rows) + "×" + std::to_string(cols) +
                       " with " + std::to_string(list.size()) + " entries, more than it can need");
  Triplets entries;
  std::set<std::pair<int, int>> seen;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Field entry = list.at(k);
    if (entry.size() != 3) throw entry.error("a row, a column and a number");
    const int i = entry.at(std::size_t{0}).integer(0, rows - 1);
    const int j = entry.at(std::size_t{1}).integer(0, cols - 1);
    if (!seen.emplace(i, j).second) throw entry.error("an entry that was not given before");
    entries.emplace_back(i, j, entry.at(std::size_t{2}).number());
  }
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse read_matrix(const Field& field, int columns) {
  if (field.value().is_object()) return read_entries(field);
  Triplets entries;
  const std::size_t rows = field.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const Field row = field.at(i);
    if (columns < 0) columns = static_cast<int>(row.size());
    if (row.size() != static_cast<std::size_t>(columns))
      throw InvalidInput(row.path() + " has " + std::to_string(row.size()) + " numbers, expected " +
                         std::to_string(columns));
    for (std::size_t j = 0; j < row.size(); ++j)
      if (const double x = row.at(j).number(); x != 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), x);
  }
  Sparse matrix(static_cast<int>(rows), std::max(columns, 0));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

BlockMatrix read_W(const Field& field, int dimension, int contacts) {
  if (!field.value().is_object()) {
    const Sparse W = read_matrix(field, dimension * contacts);
    if (W.rows() != W.cols())
      throw InvalidInput("W has " + std::to_string(W.rows()) + " rows, expected " +
                         std::to_string(W.cols()));
    return block_matrix(W, dimension);
  }
  const Field blocks = field.at("blocks");
  Triplets entries;
  std::set<std::pair<int, int>> seen;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Field block = blocks.at(k);
    const int row = block.at("row").integer(0, contacts - 1);
    const int col = block.at("col").integer(0, contacts - 1);
    if (!seen.emplace(row, col).second)
      throw InvalidInput(block.path() + " repeats row " + std::to_string(row) + ", column " +
                         std::to_string(col) + ", expected each block once");
    const Field values = block.at("values");
    if (values.size() != static_cast<std::size_t>(dimension * dimension))
      throw InvalidInput(values.path() + " has " + std::to_string(values.size()) +
                         " numbers, expected " + std::to_string(dimension * dimension));
    for (int i = 0; i < dimension; ++i)
      for (int j = 0; j < dimension; ++j)
        if (const double x = values.at(static_cast<std::size_t>(dimension * i + j)).number();
            x != 0)
          entries.emplace_back(dimension * row + i, dimension * col + j, x);
  }
  Sparse W(dimension * contacts, dimension * contacts);
  W.setFromTriplets(entries.begin(), entries.end());
  return block_matrix(W, dimension);
}

std::vector<Law> read_laws(const Field& field, std::size_t contacts) {
  if (field.value().is_object()) {
    const Law law = io::law_from_json(field);
    // Every contact has its own copy.
    const std::size_t vertices = law.vertices.size();
    if (vertices > 1000 && contacts > 1000000 / vertices)
      throw InvalidInput(field.path() + " has " + std::to_string(vertices) +
                         " vertices for each of " + std::to_string(contacts) +
                         " contacts, expected at most a million in all");
    return std::vector<Law>(contacts, law);
  }
  if (!field.value().is_array()) throw field.error("a law or a list of laws");
  if (field.size() != contacts)
    throw InvalidInput("law has " + std::to_string(field.size()) + " entries, expected " +
                       std::to_string(contacts) + ", one a contact");
  std::vector<Law> laws;
  for (std::size_t i = 0; i < contacts; ++i) laws.push_back(io::law_from_json(field.at(i)));
  return laws;
}

std::vector<ContactPlace> read_places(const Field& top, std::size_t contacts) {
  if (!top.has("position") && !top.has("frame") && !top.has("bodies")) return {};
  std::vector<ContactPlace> places(contacts);
  for (const char* key : {"position", "frame", "bodies"}) {
    if (!top.has(key)) continue;
    const Field list = top.at(key);
    if (list.size() != contacts)
      throw InvalidInput(std::string(key) + " has " + std::to_string(list.size()) +
                         " entries, expected " + std::to_string(contacts));
    for (std::size_t i = 0; i < contacts; ++i) {
      const Field entry = list.at(i);
      if (entry.value().is_null()) continue;
      const std::string name = key;
      if (name == "bodies") {
        if (entry.size() != 2) throw entry.error("two bodies");
        places[i].bodies = {entry.at(std::size_t{0}).integer(-1, 2000000000),
                            entry.at(std::size_t{1}).integer(-1, 2000000000)};
        continue;
      }
      const Eigen::VectorXd flat = name == "position" ? read_vector(entry) : Eigen::VectorXd();
      if (name == "position") {
        if (flat.size() != 2 && flat.size() != 3) throw entry.error("two or three numbers");
        places[i].position = Vec3(flat[0], flat[1], flat.size() == 3 ? flat[2] : 0.0);
      } else {
        const Sparse frame = read_matrix(entry, 3);
        if (frame.rows() != 3) throw entry.error("three rows");
        places[i].frame = Eigen::Matrix3d(frame);
      }
    }
  }
  return places;
}

std::vector<double> read_rolling(const Field& top) {
  if (!top.has("mu_rolling")) return {};
  const Eigen::VectorXd values = read_vector(top.at("mu_rolling"));
  return {values.begin(), values.end()};
}

Json rows_of(const Eigen::VectorXd& vector) {
  Json json = Json::array();
  for (const double x : vector) json.push_back(io::number(x));
  return json;
}

Json json_of(const Sparse& matrix) {
  Json entries = Json::array();
  for (int c = 0; c < matrix.outerSize(); ++c)
    for (Sparse::InnerIterator it(matrix, c); it; ++it)
      entries.push_back(Json::array({it.row(), it.col(), io::number(it.value())}));
  return {{"rows", matrix.rows()}, {"cols", matrix.cols()}, {"entries", entries}};
}

template <class Problem>
void write_common(Json& json, const Problem& problem) {
  json["format"] = "stiction/1";
  json["dimension"] = problem.dimension;
  const bool same = std::all_of(problem.laws.begin(), problem.laws.end(),
                                [&](const Law& law) { return law == problem.laws.front(); });
  if (same && !problem.laws.empty()) {
    json["law"] = io::to_json(problem.laws.front());
  } else {
    json["law"] = Json::array();
    for (const Law& law : problem.laws) json["law"].push_back(io::to_json(law));
  }
  if (!problem.mu_rolling.empty()) json["mu_rolling"] = problem.mu_rolling;
  const auto place_list = [&](const char* key, auto member, auto to_value) {
    bool any = false;
    Json list = Json::array();
    for (const ContactPlace& place : problem.places) {
      list.push_back(place.*member ? to_value(*(place.*member)) : Json(nullptr));
      any = any || (place.*member).has_value();
    }
    if (any) json[key] = list;
  };
  const auto vector3 = [](const Vec3& v) {
    return Json::array({io::number(v[0]), io::number(v[1]), io::number(v[2])});
  };
  place_list("position", &ContactPlace::position, vector3);
  place_list("frame", &ContactPlace::frame, [&](const Eigen::Matrix3d& frame) {
    return Json::array({vector3(frame.row(0).transpose()), vector3(frame.row(1).transpose()),
                        vector3(frame.row(2).transpose())});
  });
  place_list("bodies", &ContactPlace::bodies, [](const std::pair<int, int>& bodies) {
    return Json::array({bodies.first, bodies.second});
  });
}

}  // namespace

AnyProblem read_problem_json(std::string_view text) {
  const Json json = io::parse_json(text);
  const Field top(json, "");
  if (!json.is_object()) throw top.error("an object with W and q, or M, H, f and w");
  const int dimension = top.at("dimension").integer(2, 5);
  const bool global = top.has("M");
  const Eigen::VectorXd components = read_vector(top.at(global ? "w" : "q"));
  if (components.size() % dimension != 0)
    throw InvalidInput(
        std::string(global ? "w" : "q") + " has " + std::to_string(components.size()) +
        " numbers, expected a multiple of the dimension " + std::to_string(dimension));
  const auto contacts = static_cast<std::size_t>(components.size() / dimension);
  const std::vector<Law> laws = read_laws(top.at("law"), contacts);
  if (global) {
    GlobalProblem problem;
    problem.dimension = dimension;
    problem.laws = laws;
    problem.f = read_vector(top.at("f"));
    problem.w = components;
    const int n = static_cast<int>(problem.f.size());
    problem.M = read_matrix(top.at("M"), n);
    problem.H = read_matrix(top.at("H"), n);
    if (top.has("G")) problem.joints = {read_matrix(top.at("G"), n), read_vector(top.at("b"))};
    problem.mu_rolling = read_rolling(top);
    problem.places = read_places(top, contacts);
    validate(problem);
    return problem;
  }
  ContactProblem problem;
  problem.dimension = dimension;
  problem.laws = laws;
  problem.q = components;
  problem.W = read_W(top.at("W"), dimension, static_cast<int>(contacts));
  if (top.has("V"))
    problem.bilateral = Bilateral{read_matrix(top.at("V"), -1), read_matrix(top.at("R"), -1),
                                  read_vector(top.at("s"))};
  problem.mu_rolling = read_rolling(top);
  problem.places = read_places(top, contacts);
  validate(problem);
  return problem;
}

std::string write_problem_json(const AnyProblem& any) {
  Json json;
  if (const auto* problem = std::get_if<ContactProblem>(&any)) {
    write_common(json, *problem);
    json["q"] = rows_of(problem->q);
    Json blocks = Json::array();
    const BlockMatrix& W = problem->W;
    const int d = W.block;
    for (int i = 0; i < W.rows(); ++i)
      for (int k = W.start[static_cast<std::size_t>(i)];
           k < W.start[static_cast<std::size_t>(i) + 1]; ++k) {
        Json values = Json::array();
        for (int row = 0; row < d; ++row)
          for (int c = 0; c < d; ++c) values.push_back(io::number(W.at(k)[d * c + row]));
        blocks.push_back(
            {{"row", i}, {"col", W.column[static_cast<std::size_t>(k)]}, {"values", values}});
      }
    json["W"] = {{"blocks", blocks}};
    if (problem->bilateral) {
      json["V"] = json_of(problem->bilateral->V);
      json["R"] = json_of(problem->bilateral->R);
      json["s"] = rows_of(problem->bilateral->s);
    }
  } else {
    const auto& problem_global = std::get<GlobalProblem>(any);
    write_common(json, problem_global);
    json["M"] = json_of(problem_global.M);
    json["H"] = json_of(problem_global.H);
    json["f"] = rows_of(problem_global.f);
    json["w"] = rows_of(problem_global.w);
    if (problem_global.joints) {
      json["G"] = json_of(problem_global.joints->first);
      json["b"] = rows_of(problem_global.joints->second);
    }
  }
  return json.dump() + "\n";
}

}  // namespace stiction
