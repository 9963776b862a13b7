// SPDX-License-Identifier: Apache-2.0
//
// Sources of `gcone` that need no model: a matrix in a file, and free bodies.
#include <fmt/core.h>

#include <memory>

#include "cli/gcone.h"
#include "stiction/delassus_io.h"
#include "stiction/free_bodies.h"
#include "stiction/law.h"

namespace stiction::cli {

namespace {

// Options of the bodies, shared by all of them.
struct BodyOptions {
  std::optional<std::string> mass;
};

}  // namespace

GconeSource add_gcone_matrix(CLI::App& command) {
  auto file = std::make_shared<std::optional<std::string>>();
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

GconeSource add_gcone_rod(CLI::App& command) {
  auto angle = std::make_shared<std::optional<std::string>>();
  auto options = std::make_shared<BodyOptions>();
  command.add_option("--rod", *angle, "A thin rod on its tip, ANGLE degrees from the ground");
  command.add_option("--mass", options->mass, "The rod's mass [kg], 1 unless given");
  return {"--rod",
          [angle] { return angle->has_value(); },
          [angle, options](const GconeCall&) {
            const double degrees = parse_number(**angle, "--rod");
            const double mass = options->mass ? parse_number(*options->mass, "--mass") : 1;
            GconeContact contact;
            contact.title = fmt::format("rod at {}°, {} kg", text(degrees), text(mass));
            contact.delassus = rod_delassus(degrees, mass);
            return contact;
          },
          {}};
}

}  // namespace stiction::cli
