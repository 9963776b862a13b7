// SPDX-License-Identifier: Apache-2.0
//
// A friction law by name: what a person writes in a file or on the command line,
// `ellipse:0.5,0.3,20`, and what is kept so that it can be written back.  `limit_curve` gives the
// curve it stands for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/limit_curve.h"

namespace stiction {

struct Law {
  enum class Curve {
    disc,
    ellipse,
    wheel,
    rusty_wheel,
    ratchet,
    free,
    ratchet_free,
    pyramid,
    box,
    scaled_box,
    ngon,
    ngon_out,
    polygon
  };
  Curve curve = Curve::disc;
  double mu = 0;               // coefficient; of an ellipse the one along its axis        [-]
  double mu2 = 0;              // ellipse: the other one                                   [-]
  double bearing = 0;          // rusty wheel: bearing friction over the normal force      [-]
  double angle_deg = 0;        // ellipse: its axis; wheels and ratchets: roll direction   [deg]
  int sides = 0;               // ngon, ngon_out
  std::vector<Vec2> vertices;  // polygon

  bool operator==(const Law&) const = default;
};

// Both throw InvalidInput where a number is out of range; `parse_law` also where the text is not a
// law.  The texts are those of the command line: `disc:MU`, `ellipse:MU1,MU2,ANGLE`,
// `wheel:MU,ROLL`, `rusty:MU,BEARING,ROLL`, `ratchet:MU,ROLL`, `free`, `ratchet-free:MU,ROLL`,
// `pyramid:MU`, `box:MU`, `scaled-box:MU`, `ngon:MU,N`, `ngon-out:MU,N`, `polygon:X,Y;X,Y;…`;
// angles in degrees.
LimitCurve limit_curve(const Law& law);
// Throws what limit_curve would, in a time that does not grow with the sides of an N-gon.
void validate(const Law& law);
Law parse_law(std::string_view text);

// The coefficient errors are measured against: MU; of an ellipse the larger one, of a polygon the
// largest norm of a vertex, of `free` zero.
double reference_coefficient(const Law& law);

// "disc:0.5", the inverse of parse_law.
std::string to_text(const Law& law);

// A finite decimal number that fills the whole text.  Throws InvalidInput, naming `what`.
double parse_number(std::string_view text, std::string_view what);
// "1,-2.5" → exactly `count` finite numbers.
std::vector<double> parse_numbers(std::string_view text, std::size_t count, std::string_view what);

}  // namespace stiction
