// SPDX-License-Identifier: Apache-2.0
#include "stiction/impact.h"
#include "stiction/law.h"

namespace stiction {

Restitution parse_restitution(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  Restitution r;
  if (name == "newton")
    r.kind = Restitution::Kind::newton;
  else if (name == "poisson")
    r.kind = Restitution::Kind::poisson;
  else if (name == "energetic")
    r.kind = Restitution::Kind::energetic;
  else
    throw InvalidInput("restitution is '" + std::string(text) +
                       "', expected newton:E, poisson:E or energetic:E");
  if (colon == std::string_view::npos)
    throw InvalidInput("restitution is '" + std::string(text) +
                       "', expected a coefficient after it");
  r.coefficient = parse_number(text.substr(colon + 1), "the coefficient of restitution");
  if (r.coefficient < 0 || r.coefficient > 1)
    throw InvalidInput("the coefficient of restitution is " + stiction::text(r.coefficient) +
                       ", expected a number from 0 to 1");
  return r;
}

}  // namespace stiction
