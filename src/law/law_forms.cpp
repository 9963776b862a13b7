// SPDX-License-Identifier: Apache-2.0
#include "law/law_forms.h"

#include <algorithm>

namespace stiction {

namespace {

using enum LawParameter;

Direction direction(const Law& law) { return Direction::degrees(law.angle_deg); }

constexpr std::array forms{
    LawForm{Law::Curve::disc,
            "disc",
            "disc",
            {mu},
            1,  //
            [](const Law& law) { return disc(law.mu); }},
    LawForm{Law::Curve::ellipse,
            "ellipse",
            "ellipse",
            {mu, mu2, angle},
            3,
            [](const Law& law) { return ellipse(law.mu, law.mu2, direction(law)); }},
    LawForm{Law::Curve::wheel,
            "wheel",
            "wheel",
            {mu, roll},
            2,
            [](const Law& law) { return wheel(law.mu, direction(law)); }},
    LawForm{Law::Curve::rusty_wheel,
            "rusty",
            "rusty_wheel",
            {mu, bearing, roll},
            3,
            [](const Law& law) { return rusty_wheel(law.mu, law.bearing, direction(law)); }},
    LawForm{Law::Curve::ratchet,
            "ratchet",
            "ratchet",
            {mu, roll},
            2,
            [](const Law& law) { return ratchet(law.mu, direction(law)); }},
    LawForm{Law::Curve::free,
            "free",
            "free",
            {},
            0,  //
            [](const Law&) { return free_curve(); }},
    LawForm{Law::Curve::ratchet_free,
            "ratchet-free",
            "ratchet_free",
            {mu, roll},
            2,
            [](const Law& law) { return ratchet_free(law.mu, direction(law)); }},
    LawForm{Law::Curve::pyramid,
            "pyramid",
            "pyramid",
            {mu},
            1,
            [](const Law& law) { return pyramid(law.mu); }},
    LawForm{Law::Curve::box,
            "box",
            "box",
            {mu},
            1,  //
            [](const Law& law) { return box(law.mu); }},
    LawForm{Law::Curve::scaled_box,
            "scaled-box",
            "scaled_box",
            {mu},
            1,
            [](const Law& law) { return scaled_box(law.mu); }},
    LawForm{Law::Curve::ngon,
            "ngon",
            "ngon",
            {mu, sides},
            2,
            [](const Law& law) { return ngon(law.mu, law.sides); }},
    LawForm{Law::Curve::ngon_out,
            "ngon-out",
            "ngon_out",
            {mu, sides},
            2,
            [](const Law& law) { return ngon_out(law.mu, law.sides); }},
    LawForm{Law::Curve::polygon,
            "polygon",
            "polygon",
            {vertices},
            1,
            [](const Law& law) { return polygon(law.vertices); }},
};

}  // namespace

bool LawForm::has(LawParameter parameter) const {
  return std::find(parameters.begin(), parameters.begin() + count, parameter) !=
         parameters.begin() + count;
}

std::string_view name_of(LawParameter parameter, const LawForm& form) {
  switch (parameter) {
    case mu:
      return form.has(mu2) ? "MU1" : "MU";
    case mu2:
      return "MU2";
    case bearing:
      return "BEARING";
    case angle:
      return "ANGLE";
    case roll:
      return "ROLL";
    case sides:
      return "N";
    case vertices:
      return "X,Y;X,Y;…";
  }
  return "";
}

std::string LawForm::usage() const {
  std::string result(name);
  for (std::size_t i = 0; i < count; ++i)
    (result += i == 0 ? ':' : ',') += name_of(parameters[i], *this);
  return result;
}

std::span<const LawForm> law_forms() { return forms; }

const LawForm& form_of(Law::Curve curve) {
  return *std::find_if(forms.begin(), forms.end(),
                       [&](const LawForm& form) { return form.curve == curve; });
}

}  // namespace stiction
