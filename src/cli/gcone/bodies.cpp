// SPDX-License-Identifier: Apache-2.0
//
// Sources of `gcone` that need no model: a matrix in a file, and free bodies.
#include <fmt/core.h>

#include <memory>

#include "cli/gcone/gcone.h"
#include "cli/slider/slider.h"
#include "stiction/delassus_io.h"
#include "stiction/free_bodies.h"
#include "stiction/law.h"

namespace stiction::cli {

namespace {

using Text = std::optional<std::string>;

struct BodyOptions {
  Text rod, box, wheel;             // which body
  Text mass, half_length, turning;  // what they share
};

// The contact of a body; --turning gives its normal acceleration.
GconeContact contact_of(const FreeBody& body, const std::string& title,
                        const BodyOptions& options) {
  GconeContact contact;
  contact.title = title;
  contact.delassus = delassus(body);
  contact.wanted = "--turning W1,W2,W3";
  if (options.turning)
    contact.normal_acceleration =
        normal_acceleration(body, parse_three(*options.turning, "--turning"));
  return contact;
}

double mass_of(const BodyOptions& options) {
  return options.mass ? parse_number(*options.mass, "--mass") : 1;
}

GconeContact rod_contact(const BodyOptions& options) {
  const double angle = parse_number(*options.rod, "--rod"), mass = mass_of(options);
  const Eigen::Matrix3d W = rod_delassus(angle, mass);
  const double half_length =
      options.half_length ? parse_number(*options.half_length, "--half-length") : 1;
  GconeContact contact =
      contact_of(rod(Direction::degrees(angle), mass, half_length),
                 fmt::format("rod at {}°, {} kg", text(angle), text(mass)), options);
  contact.delassus = W;  // exact at multiples of 45°
  return contact;
}

GconeContact box_contact(const BodyOptions& options) {
  const auto v = parse_numbers(*options.box, 4, "--box");
  return contact_of(box_on_edge(v[0], v[1], v[2], Direction::degrees(v[3]), mass_of(options)),
                    fmt::format("box of {} × {} × {} m on its edge at {}°", text(v[0]), text(v[1]),
                                text(v[2]), text(v[3])),
                    options);
}

GconeContact wheel_contact(const BodyOptions& options) {
  const auto v = parse_numbers(*options.wheel, 4, "--wheel");
  return contact_of(
      wheel_with_bar(v[0], mass_of(options), v[1], v[2], Direction::degrees(v[3])),
      fmt::format("wheel of {} m with a bar of {} m at {}°", text(v[0]), text(v[1]), text(v[3])),
      options);
}

}  // namespace

GconeSource add_gcone_matrix(CLI::App& command) {
  auto file = std::make_shared<Text>();
  command.add_option("--matrix", *file, "File with the Delassus matrix, order t1, t2, n");
  return {"--matrix",
          [file] { return file->has_value(); },
          [file](const GconeCall&) {
            GconeContact contact;
            contact.title = contact.origin = **file;
            contact.delassus = read_delassus(**file);
            return contact;
          },
          {}};
}

void require_body(const CLI::App& command, const std::string& source) {
  const bool rod = source == "--rod", body = rod || source == "--box" || source == "--wheel";
  for (const char* option : {"--mass", "--turning"})
    if (!body && command.count(option) > 0)
      throw InvalidInput(std::string(option) + " goes with --rod, --box or --wheel, not with " +
                         source);
  if (!rod && command.count("--half-length") > 0)
    throw InvalidInput("--half-length goes with --rod, not with " + source);
}

std::vector<GconeSource> add_gcone_bodies(CLI::App& command) {
  auto options = std::make_shared<BodyOptions>();
  command.add_option("--rod", options->rod, "A thin rod on its tip, ANGLE degrees from the ground");
  command.add_option("--box", options->box,
                     "A box on an edge: LENGTH,DEPTH,HEIGHT,TILT [m, degrees]");
  command.add_option("--wheel", options->wheel,
                     "A wheel with a bar: RADIUS,BAR_LENGTH,BAR_MASS,ANGLE [m, kg, degrees]");
  command.add_option("--mass", options->mass, "Mass of rod, box or wheel [kg], 1 unless given");
  command.add_option("--half-length", options->half_length, "Of the rod [m], 1 unless given");
  command.add_option("--turning", options->turning,
                     "Angular velocity of the body W1,W2,W3 [rad/s], for its normal acceleration");
  const auto source = [&](const char* name, Text BodyOptions::*member,
                          GconeContact (*contact)(const BodyOptions&)) {
    return GconeSource{name,
                       [=] { return (*options.*member).has_value(); },
                       [=](const GconeCall&) { return contact(*options); },
                       {}};
  };
  return {source("--rod", &BodyOptions::rod, rod_contact),
          source("--box", &BodyOptions::box, box_contact),
          source("--wheel", &BodyOptions::wheel, wheel_contact)};
}

}  // namespace stiction::cli
