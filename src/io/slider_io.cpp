// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider_io.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/file.h"
#include "io/slider_json.h"
#include "law/law_forms.h"

namespace stiction {

namespace {

using io::Field;
using io::Json;
using Shape = Support::Shape;
using Pressure = Support::Pressure;

template <class Value>
struct Named {
  Value value;
  const char* name;
};

constexpr std::array<Named<Shape>, 7> shapes{{{Shape::point, "point"},
                                              {Shape::segment, "segment"},
                                              {Shape::polygon, "polygon"},
                                              {Shape::disc, "disc"},
                                              {Shape::ring, "ring"},
                                              {Shape::annulus, "annulus"},
                                              {Shape::grid, "grid"}}};
constexpr std::array<Named<Pressure>, 3> pressures{{{Pressure::uniform, "uniform"},
                                                    {Pressure::hertz, "hertz"},
                                                    {Pressure::boussinesq, "boussinesq"}}};

constexpr std::array<Named<Support::Cells>, 2> cells{
    {{Support::Cells::squares, "squares"}, {Support::Cells::points, "points"}}};

template <class Value, std::size_t count>
Value value_of(const Field& field, const std::array<Named<Value>, count>& table) {
  const std::string text = field.text();
  std::string list;
  for (const auto& [value, name] : table) {
    if (text == name) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  throw field.error("one of " + list);
}

template <class Value, std::size_t count>
const char* name_of(Value value, const std::array<Named<Value>, count>& table) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& row) { return row.value == value; })
      ->name;
}

// Lengths, forces and pressures, small enough that powers and moments of them stay finite.
constexpr double smallest = 1e-60, largest = 1e60;

double bounded(const Field& field) {
  const double value = field.number();
  if (std::abs(value) > largest) throw field.error("a number of at most 1e60 in size");
  return value;
}
Vec2 place(const Field& field) {
  if (field.size() != 2) throw field.error("two numbers");
  return {bounded(field.at(std::size_t{0})), bounded(field.at(std::size_t{1}))};
}
double positive(const Field& field, const char* what) {
  const double value = bounded(field);
  if (!(value > 0)) throw field.error(std::string("a positive ") + what);
  if (value < smallest) throw field.error(std::string("a ") + what + " of at least 1e-60");
  return value;
}
double force(const Field& field) {
  const double value = bounded(field);
  if (value < 0) throw field.error("a force of zero or more");
  return value;
}

std::vector<Vec2> read_loop(const Field& field) {
  std::vector<Vec2> loop;
  loop.reserve(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) loop.push_back(place(field.at(i)));
  return loop;
}

Eigen::MatrixXd read_pressures(const Field& field) {
  const std::size_t rows = field.size();
  if (rows == 0) throw field.error("at least one row");
  const std::size_t columns = field.at(std::size_t{0}).size();
  if (columns == 0) throw field.error("rows of at least one number");
  // All widths before any memory: a long first row above many short ones asks for far too much.
  for (std::size_t i = 0; i < rows; ++i)
    if (const Field row = field.at(i); row.size() != columns)
      throw InvalidInput(row.path() + " has " + std::to_string(row.size()) + " numbers, expected " +
                         std::to_string(columns));
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  std::vector<double> numbers(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    const Field row = field.at(i);
    row.numbers(numbers.data());
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = numbers[j];
      if (value < 0) throw row.at(j).error("a pressure of zero or more");
      if (value > largest) bounded(row.at(j));
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = value;
    }
  }
  return matrix;
}

Support read_shape(const Field& field, Shape shape, const LimitCurve& curve) {
  const auto normal_force = [&] { return force(field.at("normal_force")); };
  switch (shape) {
    case Shape::point:
      return point(place(field.at("at")), normal_force(), curve);
    case Shape::segment:
      return segment(place(field.at("from")), place(field.at("to")), normal_force(), curve);
    case Shape::polygon: {
      std::vector<std::vector<Vec2>> holes;
      if (field.has("holes")) {
        const Field list = field.at("holes");
        for (std::size_t i = 0; i < list.size(); ++i) holes.push_back(read_loop(list.at(i)));
      }
      return polygon_support(read_loop(field.at("vertices")), holes, normal_force(), curve);
    }
    case Shape::disc: {
      const auto pressure =
          field.has("pressure") ? value_of(field.at("pressure"), pressures) : Pressure::uniform;
      return disc_support(place(field.at("centre")), positive(field.at("radius"), "length"),
                          normal_force(), curve, pressure);
    }
    case Shape::ring:
      return ring(place(field.at("centre")), positive(field.at("radius"), "length"), normal_force(),
                  curve, field.has("heading"));
    case Shape::annulus:
      return annulus(place(field.at("centre")), positive(field.at("radius"), "length"),
                     positive(field.at("inner_radius"), "length"), normal_force(), curve);
    case Shape::grid: {
      const auto as =
          field.has("cells") ? value_of(field.at("cells"), cells) : Support::Cells::squares;
      return grid(place(field.at("origin")), positive(field.at("cell"), "length"),
                  read_pressures(field.at("pressure")), curve, as);
    }
  }
  return {};
}

// `sides` counts those of all N-gons, which the file names but does not list.
void read_support(const Field& field, SliderFile& file, long& sides) {
  const Shape shape = value_of(field.at("type"), shapes);
  const Field law_field = field.at("law");
  const Law law = io::law_from_json(law_field);
  sides += law.sides;
  if (sides > 1000000) throw law_field.error("at most a million sides of polygons in all supports");
  if (field.has("heading")) {
    const Field heading = field.at("heading");
    if (heading.text() != "tangential") throw heading.error("\"tangential\"");
    if (shape != Shape::ring) throw heading.error("it on a ring only");
  }
  const double heading_deg = field.number_or("heading_deg", 0);
  try {
    const LimitCurve curve = limit_curve(turned(law, heading_deg));
    file.supports.push_back(read_shape(field, shape, curve));
    if (file.supports.back().normal_force > largest)
      throw InvalidInput("pressure carries " + text(file.supports.back().normal_force) +
                         " N in all, expected at most 1e60");
  } catch (const InvalidInput& error) {
    // What the library refuses it names by the field's own name; what this file refuses, by path.
    const std::string what = error.what();
    if (what.starts_with(field.path())) throw;
    const std::string name = what.substr(0, what.find_first_of(" [.:"));
    const char* expected = what.find("expected") != std::string::npos ? ""
                           : shape == Shape::grid
                               ? ", expected some pressure"
                               : ", expected an area, with its holes inside and apart";
    throw InvalidInput(field.path() + (field.has(name.c_str()) ? "." : ": ") + what + expected);
  }
  file.laws.push_back(law);
  file.headings_deg.push_back(heading_deg);
}

SliderFile file_of(const Field& top) {
  if (!top.value().is_object()) throw top.error("an object with supports");
  SliderFile file;
  if (top.has("name")) file.body.name = top.at("name").text();
  if (top.has("reference")) file.body.reference = place(top.at("reference"));
  if (top.has("length_scale")) file.body.length_scale = positive(top.at("length_scale"), "length");
  if (top.has("mass")) file.body.mass = positive(top.at("mass"), "mass");
  if (top.has("inertia")) file.body.inertia = positive(top.at("inertia"), "moment of inertia");
  if (top.has("centre_of_mass")) file.body.centre_of_mass = place(top.at("centre_of_mass"));
  const Field supports = top.at("supports");
  if (supports.size() == 0) throw supports.error("at least one support");
  long sides = 0;
  for (std::size_t i = 0; i < supports.size(); ++i) read_support(supports.at(i), file, sides);
  double total = 0;
  for (const Support& support : file.supports) total += support.normal_force;
  if (!(total > 0))
    throw InvalidInput(supports.path() +
                       " carry a normal force of 0 in all, expected more than that");
  try {
    file.slider();  // what it refuses is refused here
  } catch (const InvalidInput& error) {
    throw InvalidInput((top.path().empty() ? "" : top.path() + ": ") + error.what());
  }
  return file;
}

Json to_json(const Vec2& v) { return Json::array({io::number(v.x()), io::number(v.y())}); }

Json to_json(const std::vector<Vec2>& loop) {
  Json json = Json::array();
  for (const Vec2& vertex : loop) json.push_back(to_json(vertex));
  return json;
}

Json to_json(const Support& support, const Law& law, double heading_deg) {
  Json json;
  const Shape shape = support.shape;
  json["type"] = name_of(shape, shapes);
  switch (shape) {
    case Shape::point:
      json["at"] = to_json(support.at);
      break;
    case Shape::segment:
      json["from"] = to_json(support.at);
      json["to"] = to_json(support.to);
      break;
    case Shape::polygon:
      json["vertices"] = to_json(support.vertices);
      json["holes"] = Json::array();
      for (const auto& hole : support.holes) json["holes"].push_back(to_json(hole));
      break;
    case Shape::disc:
    case Shape::ring:
    case Shape::annulus:
      json["centre"] = to_json(support.at);
      json["radius"] = io::number(support.radius);
      if (shape == Shape::annulus) json["inner_radius"] = io::number(support.inner_radius);
      if (shape == Shape::disc) json["pressure"] = name_of(support.pressure, pressures);
      break;
    case Shape::grid:
      json["origin"] = to_json(support.at);
      json["cell"] = io::number(support.cell);
      json["pressure"] = Json::array();
      for (Eigen::Index i = 0; i < support.pressures.rows(); ++i) {
        Json row = Json::array();
        for (Eigen::Index j = 0; j < support.pressures.cols(); ++j)
          row.push_back(io::number(support.pressures(i, j)));
        json["pressure"].push_back(row);
      }
      if (support.cells != Support::Cells::squares) json["cells"] = name_of(support.cells, cells);
      break;
  }
  if (shape != Shape::grid) json["normal_force"] = io::number(support.normal_force);
  json["law"] = io::to_json(law);
  if (heading_deg != 0) json["heading_deg"] = io::number(heading_deg);
  if (support.tangential) json["heading"] = "tangential";
  return json;
}

}  // namespace

SliderFile io::slider_from_json(const Field& field) { return file_of(field); }

SliderFile parse_slider_file(std::string_view text, const std::string& name) {
  try {
    return file_of(Field(io::parse_json(text), ""));
  } catch (const InvalidInput& error) {
    throw InvalidInput(name + ": " + error.what());
  }
}

SliderFile read_slider_file(const std::filesystem::path& path) {
  return parse_slider_file(read_file(path), path.string());
}

io::Json io::to_json(const SliderFile& file) {
  Json json;
  const SliderBody& body = file.body;
  if (!body.name.empty()) json["name"] = body.name;
  json["reference"] = stiction::to_json(body.reference);
  if (body.length_scale) json["length_scale"] = io::number(*body.length_scale);
  if (body.mass) json["mass"] = io::number(*body.mass);
  if (body.inertia) json["inertia"] = io::number(*body.inertia);
  if (body.centre_of_mass) json["centre_of_mass"] = stiction::to_json(*body.centre_of_mass);
  json["supports"] = Json::array();
  for (std::size_t i = 0; i < file.supports.size(); ++i)
    json["supports"].push_back(
        stiction::to_json(file.supports[i], file.laws[i], file.headings_deg[i]));
  return json;
}

std::string slider_json(const SliderFile& file) {
  Json json = {{"format", "stiction/1"}};
  json.update(io::to_json(file));
  return json.dump() + "\n";
}

Law turned(const Law& law, double heading_deg) {
  using Curve = Law::Curve;
  Law result = law;
  if (heading_deg == 0 || law.curve == Curve::disc || law.curve == Curve::free) return result;
  if (form_of(law.curve).turns()) {
    result.angle_deg = std::fmod(law.angle_deg, 360) + std::fmod(heading_deg, 360);
    return result;
  }
  const LimitCurve curve = limit_curve(law);
  result = {};
  if (curve.shape() == LimitCurve::Shape::point) {
    result.curve = Curve::free;
    return result;
  }
  result.curve = Curve::polygon;
  const Vec2 x = Direction::degrees(heading_deg).unit(), y(-x.y(), x.x());
  const std::vector<Vec2> vertices = curve.vertices();
  for (const Vec2& vertex : vertices) result.vertices.push_back(vertex.x() * x + vertex.y() * y);
  // Where a side passes through the origin it must do so still: its ends are kept opposite, each
  // component by itself, which turning alone would not do near an axis.
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::size_t next = i + 1 < vertices.size() ? i + 1 : 0;
    const Vec2 &a = vertices[i], &b = vertices[next];
    const double terms = std::abs(a.x() * b.y()) + std::abs(a.y() * b.x());
    if (a.dot(b) >= 0 || std::abs(cross(a, b)) > rounding * terms) continue;
    result.vertices[next] = -(b.norm() / a.norm()) * result.vertices[i];
    break;
  }
  return result;
}

}  // namespace stiction
