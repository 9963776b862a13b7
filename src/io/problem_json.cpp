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
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/part_of.h"
#include "io/json.h"

namespace stiction {

namespace {

using io::Field;
using io::Json;
using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

Eigen::VectorXd read_vector(const Field& field) {
  Eigen::VectorXd vector(static_cast<Eigen::Index>(field.size()));
  field.numbers(vector.data());
  return vector;
}

void tell(const Progress& progress, std::size_t done, std::size_t all) {
  if (progress && done % 65536 == 0 &&
      !progress(static_cast<double>(done) / static_cast<double>(all)))
    throw Stopped("stopped before all was read");
}

// Numbers without a path to them; false where one of them is something else.
bool quick_numbers(const Json& list, double* out) {
  for (const Json& each : list) {
    if (!each.is_number()) return false;
    *out = each.get<double>();
    if (!std::isfinite(*out++)) return false;
  }
  return true;
}

// The first entry, if any, whose row and column were given before.
std::optional<std::size_t> repeated(const Triplets& entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t k) { return std::pair(entries[k].col(), entries[k].row()); };
  // Files that are written here are sorted already.
  const auto less = [&](std::size_t a, std::size_t b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), less))
    std::sort(order.begin(), order.end(), less);
  std::optional<std::size_t> first;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (place(order[i - 1]) == place(order[i]))
      first = std::min(first.value_or(order[i]), order[i]);
  return first;
}

// {"rows": r, "cols": c, "entries": [[i, j, x], …]}, what is written for sparse matrices of M and
// H.
Sparse read_entries(const Field& field, const Progress& progress) {
  const int rows = field.at("rows").integer(0, 1000000000);
  const int cols = field.at("cols").integer(0, 1000000000);
  const Field list = field.at("entries");
  // A column costs memory even where it is empty.
  const auto held = static_cast<double>(list.size());
  if (rows > 1000 + 100 * held || cols > 1000 + 100 * held)
    throw InvalidInput(field.path() + " is " + std::to_string(rows) + "×" + std::to_string(cols) +
                       " with " + std::to_string(list.size()) + " entries, more than it can need");
  Triplets entries;
  entries.reserve(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    tell(progress, k, list.size());
    const Json& plain = list.value()[k];
    double found[3];
    if (plain.is_array() && plain.size() == 3 && quick_numbers(plain, found) && found[0] >= 0 &&
        found[0] < rows && found[1] >= 0 && found[1] < cols && found[0] == std::floor(found[0]) &&
        found[1] == std::floor(found[1])) {
      entries.emplace_back(static_cast<int>(found[0]), static_cast<int>(found[1]), found[2]);
      continue;
    }
    const Field entry = list.at(k);  // what is wrong with it
    if (entry.size() != 3) throw entry.error("a row, a column and a number");
    const int i = entry.at(std::size_t{0}).integer(0, rows - 1);
    const int j = entry.at(std::size_t{1}).integer(0, cols - 1);
    entries.emplace_back(i, j, entry.at(std::size_t{2}).number());
  }
  if (const auto k = repeated(entries))
    throw list.at(*k).error("an entry that was not given before");
  Sparse matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Sparse read_matrix(const Field& field, int columns, const Progress& progress = {}) {
  if (field.value().is_object()) return read_entries(field, progress);
  Triplets entries;
  std::vector<double> numbers;
  const std::size_t rows = field.size();
  for (std::size_t i = 0; i < rows; ++i) {
    const Field row = field.at(i);
    if (columns < 0) columns = static_cast<int>(row.size());
    if (row.size() != static_cast<std::size_t>(columns))
      throw InvalidInput(row.path() + " has " + std::to_string(row.size()) + " numbers, expected " +
                         std::to_string(columns));
    if (progress && !progress(static_cast<double>(i) / static_cast<double>(rows)))
      throw Stopped("stopped before all was read");
    numbers.resize(row.size());
    row.numbers(numbers.data());
    for (std::size_t j = 0; j < numbers.size(); ++j)
      if (numbers[j] != 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(j), numbers[j]);
  }
  Sparse matrix(static_cast<int>(rows), std::max(columns, 0));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

BlockMatrix read_W(const Field& field, int dimension, int contacts, const Progress& progress) {
  if (!field.value().is_object()) {
    const Sparse W = read_matrix(field, dimension * contacts, progress);
    if (W.rows() != W.cols())
      throw InvalidInput("W has " + std::to_string(W.rows()) + " rows, expected " +
                         std::to_string(W.cols()));
    return block_matrix(W, dimension);
  }
  const Field blocks = field.at("blocks");
  Triplets entries, places;
  std::vector<double> numbers(static_cast<std::size_t>(dimension * dimension));
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    tell(progress, k, blocks.size());
    const Field block = blocks.at(k);
    const int row = block.at("row").integer(0, contacts - 1);
    const int col = block.at("col").integer(0, contacts - 1);
    places.emplace_back(row, col, 0.0);
    const Field values = block.at("values");
    if (values.size() != static_cast<std::size_t>(dimension * dimension))
      throw InvalidInput(values.path() + " has " + std::to_string(values.size()) +
                         " numbers, expected " + std::to_string(dimension * dimension));
    values.numbers(numbers.data());
    for (int i = 0; i < dimension; ++i)
      for (int j = 0; j < dimension; ++j)
        if (const double x = numbers[static_cast<std::size_t>(dimension * i + j)]; x != 0)
          entries.emplace_back(dimension * row + i, dimension * col + j, x);
  }
  if (const auto k = repeated(places))
    throw InvalidInput(blocks.at(*k).path() + " repeats row " + std::to_string(places[*k].row()) +
                       ", column " + std::to_string(places[*k].col()) +
                       ", expected each block once");
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

// Text of numbers, written as the library writes them, but without a value of JSON for each.
class Writer {
 public:
  Writer(std::string& out, const Progress& progress, std::size_t entries)
      : out_(out), progress_(progress), all_(entries) {}

  void key(const char* name) { ((out_ += ",\"") += name) += "\":"; }
  void number(double value) {
    if (!std::isfinite(value)) {
      out_ += "null";
      return;
    }
    char buffer[40];
    char* end = std::to_chars(buffer, buffer + 32, value + 0.0).ptr;
    if (std::all_of(buffer, end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); })) {
      *end++ = '.';
      *end++ = '0';
    }
    out_.append(buffer, end);
  }
  void integer(long value) {
    char buffer[24];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
  void vector(const char* name, const Eigen::VectorXd& values) {
    key(name);
    out_ += '[';
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      number(values[i]);
    }
    out_ += ']';
  }
  void matrix(const char* name, const Sparse& values) {
    key(name);
    out_ += "{\"rows\":";
    integer(values.rows());
    out_ += ",\"cols\":";
    integer(values.cols());
    out_ += ",\"entries\":[";
    const char* comma = "";
    for (int c = 0; c < values.outerSize(); ++c)
      for (Sparse::InnerIterator it(values, c); it; ++it) {
        (out_ += comma) += '[';
        integer(it.row());
        out_ += ',';
        integer(it.col());
        out_ += ',';
        number(it.value());
        out_ += ']';
        comma = ",";
        tell();
      }
    out_ += "]}";
  }
  void blocks(const char* name, const BlockMatrix& W) {
    key(name);
    out_ += "{\"blocks\":[";
    const int d = W.block;
    const char* comma = "";
    for (int i = 0; i < W.rows(); ++i)
      for (int k = W.start[static_cast<std::size_t>(i)];
           k < W.start[static_cast<std::size_t>(i) + 1]; ++k) {
        (out_ += comma) += "{\"row\":";
        integer(i);
        out_ += ",\"col\":";
        integer(W.column[static_cast<std::size_t>(k)]);
        out_ += ",\"values\":[";
        for (int e = 0; e < d * d; ++e) {
          if (e > 0) out_ += ',';
          number(W.at(k)[d * (e % d) + e / d]);
        }
        out_ += "]}";
        comma = ",";
        tell();
      }
    out_ += "]}";
  }

 private:
  void tell() {
    if (progress_ && done_++ % 16384 == 0 &&
        !progress_(static_cast<double>(done_ - 1) / static_cast<double>(all_)))
      throw Stopped("stopped before all was written");
  }

  std::string& out_;
  const Progress& progress_;
  std::size_t all_, done_ = 0;  // entries and blocks
};

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
  const Json json = io::parse_json(text, part_of(progress, 0, 0.6));
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
