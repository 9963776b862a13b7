// SPDX-License-Identifier: Apache-2.0
//
// Contact problems and their solutions as JSON.
//
//   local   {"dimension", "law", "q", "W": dense rows or {"blocks": [{"row", "col", "values"}]}}
//   global  {"dimension", "law", "M", "H", "f", "w"}: M v = Hᵀ r + f, u = H v + w
//
// with bilateral rows as "V", "R", "s" or "G", "b", rolling friction as "mu_rolling", and for
// drawing "position", "frame", "bodies", one a contact.
#include "io/problem_json.h"

#include <algorithm>

#include "base/part_of.h"
#include "io/constraint_json.h"
#include "io/matrix_json.h"

namespace stiction {

namespace {

using io::Field;
using io::Json;
using Sparse = Eigen::SparseMatrix<double>;
using io::read_matrix;
using io::read_vector;
using io::Writer;

BlockMatrix read_W(const Field& field, int dimension, int contacts, const Progress& progress) {
  if (!field.value().is_object()) {
    const Sparse W = read_matrix(field, dimension * contacts, progress);
    if (W.rows() != W.cols())
      throw InvalidInput("W has " + std::to_string(W.rows()) + " rows, expected " +
                         std::to_string(W.cols()));
    return block_matrix(W, dimension);
  }
  std::vector<int> starts;
  for (int i = 0; i <= contacts; ++i) starts.push_back(dimension * i);
  return block_matrix(io::read_blocks(field.at("blocks"), starts, progress), dimension);
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

AnyProblem read_problem_json(std::string_view text, const Progress& progress) {
  AnyContent content = read_content_json(text, progress);
  if (auto* local = std::get_if<ContactProblem>(&content)) return std::move(*local);
  if (auto* global = std::get_if<GlobalProblem>(&content)) return std::move(*global);
  throw InvalidInput("lists constraints, expected contacts of one dimension");
}

AnyContent read_content_json(std::string_view text, const Progress& progress) {
  const Json json = io::parse_json(text, part_of(progress, 0, 0.6));
  const Field top(json, "");
  if (!json.is_object()) throw top.error("an object with W and q, or M, H, f and w");
  if (top.has("constraints"))
    return std::visit([](auto&& problem) -> AnyContent { return std::move(problem); },
                      io::constraints_from_json(top, part_of(progress, 0.6, 1)));
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
    problem.M = read_matrix(top.at("M"), n, part_of(progress, 0.6, 0.8));
    problem.H = read_matrix(top.at("H"), n, part_of(progress, 0.8, 1));
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
  problem.W = read_W(top.at("W"), dimension, static_cast<int>(contacts), part_of(progress, 0.6, 1));
  if (top.has("V"))
    problem.bilateral = Bilateral{read_matrix(top.at("V"), -1), read_matrix(top.at("R"), -1),
                                  read_vector(top.at("s"))};
  problem.mu_rolling = read_rolling(top);
  problem.places = read_places(top, contacts);
  validate(problem);
  return problem;
}

std::string write_problem_json(const AnyProblem& any, const Progress& progress) {
  Json head;
  std::visit([&](const auto& problem) { write_common(head, problem); }, any);
  std::string out = head.dump();
  out.pop_back();  // what follows is the rest of the object
  if (const auto* problem = std::get_if<ContactProblem>(&any)) {
    const auto& bilateral = problem->bilateral;
    Writer writer(out, progress,
                  problem->W.column.size() +
                      static_cast<std::size_t>(
                          bilateral ? bilateral->V.nonZeros() + bilateral->R.nonZeros() : 0));
    writer.vector("q", problem->q);
    writer.blocks("W", problem->W);
    if (bilateral) {
      writer.matrix("V", bilateral->V);
      writer.matrix("R", bilateral->R);
      writer.vector("s", bilateral->s);
    }
  } else {
    const auto& global = std::get<GlobalProblem>(any);
    const auto& joints = global.joints;
    Writer writer(out, progress,
                  static_cast<std::size_t>(global.M.nonZeros() + global.H.nonZeros() +
                                           (joints ? joints->first.nonZeros() : 0)));
    writer.matrix("M", global.M);
    writer.matrix("H", global.H);
    writer.vector("f", global.f);
    writer.vector("w", global.w);
    if (joints) {
      writer.matrix("G", joints->first);
      writer.vector("b", joints->second);
    }
  }
  return out + "}\n";
}

}  // namespace stiction
