// SPDX-License-Identifier: Apache-2.0
#include "stiction/law.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "law/law_forms.h"

namespace stiction {

namespace {

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

// `given` is what the text says, for messages.
void set(Law& law, LawParameter parameter, double value, std::string_view given) {
  switch (parameter) {
    case LawParameter::mu:
      law.mu = value;
      break;
    case LawParameter::mu2:
      law.mu2 = value;
      break;
    case LawParameter::bearing:
      law.bearing = value;
      break;
    case LawParameter::angle:
    case LawParameter::roll:
      law.angle_deg = value;
      break;
    case LawParameter::sides:
      if (value != std::floor(value) || !(value >= 3 && value <= 100000))
        throw InvalidInput("N is " + shown(given) + ", expected a whole number from 3 to 100000");
      law.sides = static_cast<int>(value);
      break;
    case LawParameter::vertices:
      break;  // numbers in pairs: read by parse_law
  }
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
  const std::span<const LawForm> forms = law_forms();
  const auto form =
      std::find_if(forms.begin(), forms.end(), [&](const LawForm& f) { return f.name == name; });
  if (form == forms.end()) {
    std::string names;
    for (const LawForm& f : forms) (names += names.empty() ? "" : ", ") += f.name;
    throw bad_law(text, "no curve is called '" + shown(name) + "', expected one of " + names);
  }
  Law law;
  law.curve = form->curve;
  const bool has_arguments = colon != std::string_view::npos;
  const std::string_view arguments = has_arguments ? text.substr(colon + 1) : std::string_view();
  try {
    if (form->has(LawParameter::vertices)) {
      for (const std::string_view part : split(arguments, ';')) {
        const auto xy = parse_numbers(part, 2, "vertex " + std::to_string(law.vertices.size()));
        law.vertices.emplace_back(xy[0], xy[1]);
      }
    } else {
      std::vector<std::string_view> parts;
      if (has_arguments) parts = split(arguments, ',');
      if (parts.size() != form->count)
        throw InvalidInput(std::to_string(parts.size()) + " parameters, expected " + form->usage());
      for (std::size_t i = 0; i < form->count; ++i)
        set(law, form->parameters[i], parse_number(parts[i], name_of(form->parameters[i], *form)),
            parts[i]);
    }
    validate(law);
  } catch (const InvalidInput& error) {
    throw bad_law(text, error.what());
  }
  return law;
}

LimitCurve limit_curve(const Law& law) { return form_of(law.curve).make(law); }

void validate(const Law& law) {
  Law fewer = law;
  fewer.sides = std::min(law.sides, law.sides > 100000 ? law.sides : 1000);
  limit_curve(fewer);
}

double reference_coefficient(const Law& law) {
  const LawForm& form = form_of(law.curve);
  if (form.has(LawParameter::vertices)) return limit_curve(law).circumscribed_radius();
  if (form.has(LawParameter::mu2)) return std::max(law.mu, law.mu2);
  return form.has(LawParameter::mu) ? law.mu : 0;
}

std::string to_text(const Law& law) {
  const LawForm& form = form_of(law.curve);
  std::string result(form.name);
  char separator = ':';
  const auto add = [&](double value) {
    (result += separator) += text(value);
    separator = ',';
  };
  for (std::size_t i = 0; i < form.count; ++i) {
    switch (form.parameters[i]) {
      case LawParameter::mu:
        add(law.mu);
        break;
      case LawParameter::mu2:
        add(law.mu2);
        break;
      case LawParameter::bearing:
        add(law.bearing);
        break;
      case LawParameter::angle:
      case LawParameter::roll:
        add(law.angle_deg);
        break;
      case LawParameter::sides:
        add(law.sides);
        break;
      case LawParameter::vertices:
        for (const Vec2& vertex : law.vertices) {
          add(vertex.x());
          add(vertex.y());
          separator = ';';
        }
        break;
    }
  }
  return result;
}

}  // namespace stiction
