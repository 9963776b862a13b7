// SPDX-License-Identifier: Apache-2.0
#include "io/json.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "io/quick_json.h"
#include "law/law_forms.h"

namespace stiction::io {

InvalidInput Field::error(const std::string& expected) const {
  std::string shown = value_->dump(-1, ' ', true, Json::error_handler_t::replace);
  if (shown.size() > 60) shown = shown.substr(0, 57) + "...";
  return InvalidInput((path_.empty() ? "the file" : path_) + " is " + shown + ", expected " +
                      expected);
}

Field Field::at(const char* key) const {
  if (!value_->is_object()) throw error("an object");
  const auto it = value_->find(key);
  const std::string path = path_.empty() ? key : path_ + "." + key;
  if (it == value_->end()) throw InvalidInput(path + " is missing");
  return {*it, path};
}

Field Field::at(std::size_t index) const {
  return {(*value_)[index], path_ + "[" + std::to_string(index) + "]"};
}

std::size_t Field::size() const {
  if (!value_->is_array()) throw error("a list");
  return value_->size();
}

double Field::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) throw error("a finite number");
  return value_->get<double>();
}

double Field::number_or(const char* key, double otherwise) const {
  return has(key) ? at(key).number() : otherwise;
}

int Field::integer(int least, int greatest) const {
  const auto expected = [&] {
    return error("a whole number from " + std::to_string(least) + " to " +
                 std::to_string(greatest));
  };
  if (!value_->is_number()) throw expected();
  const double x = value_->get<double>();
  if (!(x >= least && x <= greatest) || x != std::floor(x)) throw expected();
  return static_cast<int>(x);
}

std::string Field::text() const {
  if (!value_->is_string()) throw error("a text");
  return value_->get<std::string>();
}

Vec2 Field::point() const {
  if (size() != 2) throw error("two numbers");
  return {at(std::size_t{0}).number(), at(std::size_t{1}).number()};
}

void Field::numbers(double* out) const {
  const std::size_t count = size();
  for (std::size_t i = 0; i < count; ++i) {
    const Json& each = (*value_)[i];
    // A path costs more than the number: it is made where it is needed.
    out[i] = each.is_number_float() ? *each.get_ptr<const double*>() : at(i).number();
    if (!std::isfinite(out[i])) at(i).number();
  }
}

namespace {

// Depth and the number of keys are bounded before the text is parsed: the parser's objects take
// time that grows as the square of their keys, and what prints a value calls itself for each level.
constexpr std::size_t most_levels = 32, most_keys = 1000;

void require_shape(std::string_view text) {
  std::vector<std::size_t> keys;  // of each level that is open
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    if (c == '[' || c == '{') keys.push_back(0);
    if ((c == ']' || c == '}') && !keys.empty()) keys.pop_back();
    if (c == ':' && !keys.empty()) ++keys.back();
    if (keys.size() > most_levels)
      throw InvalidInput("has more than " + std::to_string(most_levels) + " levels at byte " +
                         std::to_string(i + 1) + ", expected a problem, a solution or a slider");
    if (!keys.empty() && keys.back() > most_keys)
      throw InvalidInput("has an object of more than " + std::to_string(most_keys) +
                         " keys at byte " + std::to_string(i + 1));
  }
}

// Keeps the path of what is being parsed, "supports[1].at[0]", for the report of what is wrong, and
// stops at a key that its object has already: which of the two values was meant, nobody knows.
class Checker : public nlohmann::json_sax<Json> {
 public:
  std::size_t byte = 0;                 // of the error, from 1
  std::optional<std::string> repeated;  // the key
  std::string place() const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.list)
        path += "[" + std::to_string(level.index) + "]";
      else if (!level.key.empty())
        path += (path.empty() ? "" : ".") + level.key;
    }
    for (const char c : path)
      if (static_cast<unsigned char>(c) < 32 || c == 127) return "";
    return path.size() > 80 ? "" : path;
  }

  bool null() override { return next(); }
  bool boolean(bool) override { return next(); }
  bool number_integer(number_integer_t) override { return next(); }
  bool number_unsigned(number_unsigned_t) override { return next(); }
  bool number_float(number_float_t, const string_t&) override { return next(); }
  bool string(string_t&) override { return next(); }
  bool binary(binary_t&) override { return next(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool key(string_t& name) override {
    levels_.back().key = name;
    if (!levels_.back().keys.insert(name).second) repeated = name;
    return !repeated;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t at, const std::string&, const Json::exception&) override {
    byte = at;
    return false;
  }

 private:
  struct Level {
    bool list = false;
    std::size_t index = 0;
    std::string key;
    std::set<std::string> keys;
  };
  bool open(bool list) {
    levels_.push_back({list, 0, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return next();
  }
  bool next() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  std::vector<Level> levels_;
};

}  // namespace

namespace {

// The word or number around a byte, counted from 1; empty where there is none, or a long one.
std::string word_at(std::string_view text, std::size_t byte) {
  const auto belongs = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                               text[i] == '.' || text[i] == '+' || text[i] == '-');
  };
  byte = std::min(byte, text.size());
  std::size_t first = byte, last = byte;
  while (first > 0 && byte - first < 40 && belongs(first - 1)) --first;
  while (last - first < 40 && belongs(last)) ++last;
  return last - first < 40 ? std::string(text.substr(first, last - first)) : "";
}

void require_different_keys(const Checker& checker) {
  if (!checker.repeated) return;
  std::string place = checker.place();
  if (place.empty() || checker.repeated->empty()) {
    place = Json(*checker.repeated).dump(-1, ' ', true, Json::error_handler_t::replace);
    if (place.size() > 60) place = place.substr(0, 57) + "...";
  }
  throw InvalidInput(place + " is given twice, expected each key once");
}

}  // namespace

Json parse_json(std::string_view text, const Progress& progress) {
  Json json;
  try {
    if (auto quick = quick_json(text, {.levels = most_levels, .keys = most_keys}, progress)) {
      json = *std::move(quick);
    } else {
      require_shape(text);
      json = Json::parse(text);
      Checker checker;
      Json::sax_parse(text, &checker);
      require_different_keys(checker);
    }
  } catch (const Json::exception& error) {
    Checker checker;
    Json::sax_parse(text, &checker);
    require_different_keys(checker);
    const std::string place = checker.place(), word = word_at(text, checker.byte);
    std::string message = "is not JSON at byte " + std::to_string(checker.byte);
    if (!place.empty()) message += ", in " + place;
    if (!word.empty()) message += ", which is " + word;
    throw InvalidInput(message + (dynamic_cast<const Json::out_of_range*>(&error) != nullptr
                                      ? ", expected a finite number"
                                  : place.empty() ? ", expected an object"
                                                  : ", expected a value of JSON"));
  }
  if (json.is_object() && json.contains("format") && json["format"] != "stiction/1")
    throw Field(json["format"], "format").error("\"stiction/1\"");
  return json;
}

Json number(double value) { return std::isfinite(value) ? Json(value + 0.0) : Json(nullptr); }

Law law_from_json(const Field& field) {
  const Field curve = field.at("curve");
  const std::string text = curve.text();
  const auto forms = law_forms();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const LawForm& f) { return f.key == text; });
  if (form == forms.end()) {
    std::string list;
    for (const LawForm& f : forms) (list += list.empty() ? "" : ", ") += f.key;
    throw curve.error("one of " + list);
  }
  Law law;
  law.curve = form->curve;
  if (form->has(LawParameter::mu2)) {
    const Vec2 mu = field.at("mu").point();
    law.mu = mu.x();
    law.mu2 = mu.y();
  } else if (form->has(LawParameter::mu)) {
    law.mu = field.at("mu").number();
  }
  if (form->has(LawParameter::vertices)) {
    const Field vertices = field.at("vertices");
    for (std::size_t i = 0; i < vertices.size(); ++i)
      law.vertices.push_back(vertices.at(i).point());
  }
  if (form->has(LawParameter::angle)) law.angle_deg = field.number_or("angle_deg", 0);
  if (form->has(LawParameter::roll)) law.angle_deg = field.number_or("roll_deg", 0);
  if (form->has(LawParameter::bearing)) law.bearing = field.at("bearing").number();
  if (form->has(LawParameter::sides)) law.sides = field.at("sides").integer(3, 100000);
  try {
    validate(law);
  } catch (const InvalidInput& error) {
    throw InvalidInput(field.path() + ": " + error.what());
  }
  return law;
}

Json to_json(const Law& law) {
  const LawForm& form = form_of(law.curve);
  Json json;
  json["curve"] = form.key;
  if (form.has(LawParameter::vertices)) {
    json["vertices"] = Json::array();
    for (const Vec2& v : law.vertices) json["vertices"].push_back({number(v.x()), number(v.y())});
  }
  if (form.has(LawParameter::mu2))
    json["mu"] = {number(law.mu), number(law.mu2)};
  else if (form.has(LawParameter::mu))
    json["mu"] = number(law.mu);
  if (form.has(LawParameter::angle)) json["angle_deg"] = number(law.angle_deg);
  if (form.has(LawParameter::bearing)) json["bearing"] = number(law.bearing);
  if (form.has(LawParameter::roll)) json["roll_deg"] = number(law.angle_deg);
  if (form.has(LawParameter::sides)) json["sides"] = law.sides;
  return json;
}

}  // namespace stiction::io
