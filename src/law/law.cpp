// SPDX-License-Identifier: Apache-2.0
#include "stiction/law.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <span>

namespace stiction {

namespace {

// One row a law: its name on the command line and the parameters that follow, in order.
enum class Parameter { mu, mu2, bearing, angle, sides };
using enum Parameter;

struct Form {
  Law::Curve curve;
  std::string_view name;
  std::array<Parameter, 3> parameters;
  std::size_t count;
};

constexpr std::array<Form, 13> forms{{
    {Law::Curve::disc, "disc", {mu}, 1},
    {Law::Curve::ellipse, "ellipse", {mu, mu2, angle}, 3},
    {Law::Curve::wheel, "wheel", {mu, angle}, 2},
    {Law::Curve::rusty_wheel, "rusty", {mu, bearing, angle}, 3},
    {Law::Curve::ratchet, "ratchet", {mu, angle}, 2},
    {Law::Curve::free, "free", {}, 0},
    {Law::Curve::ratchet_free, "ratchet-free", {mu, angle}, 2},
    {Law::Curve::pyramid, "pyramid", {mu}, 1},
    {Law::Curve::box, "box", {mu}, 1},
    {Law::Curve::scaled_box, "scaled-box", {mu}, 1},
    {Law::Curve::ngon, "ngon", {mu, sides}, 2},
    {Law::Curve::ngon_out, "ngon-out", {mu, sides}, 2},
    {Law::Curve::polygon, "polygon", {}, 0},
}};

std::string_view parameter_name(Parameter parameter, Law::Curve curve) {
  switch (parameter) {
    case mu:
      return curve == Law::Curve::ellipse ? "MU1" : "MU";
    case mu2:
      return "MU2";
    case bearing:
      return "BEARING";
    case angle:
      return curve == Law::Curve::ellipse ? "ANGLE" : "ROLL";
    case sides:
      return "N";
  }
  return "";
}

std::string usage(const Form& form) {
  if (form.curve == Law::Curve::polygon) return "polygon:X,Y;X,Y;…";
  std::string result(form.name);
  for (std::size_t i = 0; i < form.count; ++i)
    (result += i == 0 ? ':' : ',') += parameter_name(form.parameters[i], form.curve);
  return result;
}

const Form& form_of(Law::Curve curve) {
  return *std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return f.curve == curve; });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// A given text as it is shown in messages: on one line, and not without end.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 80;
  std::string result(text.substr(0, most));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  if (text.size() <= most) return result;
  while (!result.empty() && (static_cast<unsigned char>(text[result.size()]) & 0xC0) == 0x80)
    result.pop_back();  // not in the middle of a character
  return result + "...";
}

InvalidInput bad_law(std::string_view text, const std::string& why) {
  return InvalidInput("law '" + shown(text) + "': " + why);
}

}  // namespace

double parse_number(std::string_view text, std::string_view what) {
  double value = 0;
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* first = text.data() + (plus ? 1 : 0);
  const char* last = text.data() + text.size();
  auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range) {  // too large is refused, too small is zero
    value = std::strtod(std::string(first, last).c_str(), nullptr);
    if (std::abs(value) < 1) error = {};
  }
  // The words inf and nan are not numbers here.
  if (error != std::errc() || end != last || !std::isfinite(value))
    throw InvalidInput(std::string(what) + " is '" + shown(text) + "', expected a finite number");
  return value;
}

std::vector<double> parse_numbers(std::string_view text, std::size_t count, std::string_view what) {
  const auto parts = split(text, ',');
  if (parts.size() != count)
    throw InvalidInput(std::string(what) + " is '" + shown(text) + "', expected " +
                       std::to_string(count) + " numbers separated by commas");
  std::vector<double> values;
  for (const std::string_view part : parts) values.push_back(parse_number(part, what));
  return values;
}

Law parse_law(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return f.name == name; });
  if (form == forms.end()) {
    std::string names;
    for (const Form& f : forms) (names += names.empty() ? "" : ", ") += f.name;
    throw bad_law(text, "no curve is called '" + shown(name) + "', expected one of " + names);
  }
  Law law;
  law.curve = form->curve;
  const bool has_arguments = colon != std::string_view::npos;
  const std::string_view arguments = has_arguments ? text.substr(colon + 1) : std::string_view();
  try {
    if (law.curve == Law::Curve::polygon) {
      for (const std::string_view part : split(arguments, ';')) {
        const auto xy = parse_numbers(part, 2, "vertex " + std::to_string(law.vertices.size()));
        law.vertices.emplace_back(xy[0], xy[1]);
      }
    } else {
      std::vector<std::string_view> parts;
      if (has_arguments) parts = split(arguments, ',');
      if (parts.size() != form->count)
        throw InvalidInput(std::to_string(parts.size()) + " parameters, expected " + usage(*form));
      for (std::size_t i = 0; i < form->count; ++i) {
        const Parameter parameter = form->parameters[i];
        const double value = parse_number(parts[i], parameter_name(parameter, law.curve));
        switch (parameter) {
          case mu:
            law.mu = value;
            break;
          case mu2:
            law.mu2 = value;
            break;
          case bearing:
            law.bearing = value;
            break;
          case angle:
            law.angle_deg = value;
            break;
          case sides:
            if (value != std::floor(value) || !(value >= 3 && value <= 100000))
              throw InvalidInput("N is " + shown(parts[i]) +
                                 ", expected a whole number from 3 to 100000");
            law.sides = static_cast<int>(value);
            break;
        }
      }
    }
    validate(law);
  } catch (const InvalidInput& error) {
    throw bad_law(text, error.what());
  }
  return law;
}

LimitCurve limit_curve(const Law& law) {
  const auto angle_of = [&] { return Direction::degrees(law.angle_deg); };
  switch (law.curve) {
    case Law::Curve::disc:
      return disc(law.mu);
    case Law::Curve::ellipse:
      return ellipse(law.mu, law.mu2, angle_of());
    case Law::Curve::wheel:
      return wheel(law.mu, angle_of());
    case Law::Curve::rusty_wheel:
      return rusty_wheel(law.mu, law.bearing, angle_of());
    case Law::Curve::ratchet:
      return ratchet(law.mu, angle_of());
    case Law::Curve::free:
      return free_curve();
    case Law::Curve::ratchet_free:
      return ratchet_free(law.mu, angle_of());
    case Law::Curve::pyramid:
      return pyramid(law.mu);
    case Law::Curve::box:
      return box(law.mu);
    case Law::Curve::scaled_box:
      return scaled_box(law.mu);
    case Law::Curve::ngon:
      return ngon(law.mu, law.sides);
    case Law::Curve::ngon_out:
      return ngon_out(law.mu, law.sides);
    case Law::Curve::polygon:
      return polygon(law.vertices);
  }
  return {};
}

void validate(const Law& law) {
  Law fewer = law;
  fewer.sides = std::min(law.sides, law.sides > 100000 ? law.sides : 1000);
  limit_curve(fewer);
}

double reference_coefficient(const Law& law) {
  switch (law.curve) {
    case Law::Curve::ellipse:
      return std::max(law.mu, law.mu2);
    case Law::Curve::free:
      return 0;
    case Law::Curve::polygon:
      return limit_curve(law).circumscribed_radius();
    default:
      return law.mu;
  }
}

std::string to_text(const Law& law) {
  const Form& form = form_of(law.curve);
  std::string result(form.name);
  char separator = ':';
  const auto add = [&](double value) {
    (result += separator) += text(value);
    separator = ',';
  };
  if (law.curve == Law::Curve::polygon) {
    for (const Vec2& vertex : law.vertices) {
      add(vertex.x());
      add(vertex.y());
      separator = ';';
    }
  }
  for (std::size_t i = 0; i < form.count; ++i) {
    switch (form.parameters[i]) {
      case mu:
        add(law.mu);
        break;
      case mu2:
        add(law.mu2);
        break;
      case bearing:
        add(law.bearing);
        break;
      case angle:
        add(law.angle_deg);
        break;
      case sides:
        add(law.sides);
        break;
    }
  }
  return result;
}

}  // namespace stiction
