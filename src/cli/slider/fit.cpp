// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE fit`: an ellipsoid or a quartic in place of the surface, and its largest error.
#include "stiction/slider_fit.h"

#include <fmt/core.h>

#include "cli/slider/slider.h"

namespace stiction::cli {

namespace {

void run(const SliderCall& call, const std::string& model, int samples) {
  ProgressBar bar;
  const SurfaceFit f = of_file(call, [&] {
    return fit(call.slider,
               model == "quartic" ? SurfaceFit::Kind::quartic : SurfaceFit::Kind::ellipsoid,
               samples, std::ref(bar));
  });
  bar.clear();
  Json object;
  object["model"] = model;
  Json coefficients = Json::array();
  for (const double c : f.coefficients) coefficients.push_back(number(c));
  object["coefficients"] = coefficients;
  object["monomials"] = f.monomials;
  object["max_error"] = number(f.max_error);
  object["max_error_at"] = array(f.max_error_at.vector());
  object["convexity"] = number(f.convexity);
  call.shared.answer(object, [&] {
    heading(fmt::format("{}, fitted by {}", title(call),
                        model == "quartic" ? "a convex quartic" : "an ellipsoid"));
    for (std::size_t k = 0; k < f.monomials.size(); ++k) {
      std::string monomial;
      for (std::size_t i = 0; i < 3; ++i)
        for (int n = 0; n < f.monomials[k][i]; ++n)
          monomial += (monomial.empty() ? "" : " ") + std::string(i == 0   ? "Fx"
                                                                  : i == 1 ? "Fy"
                                                                           : "M");
      row(monomial, shown(f.coefficients[k]));
    }
    row("largest error", fmt::format("{:.4g} %", 100 * f.max_error), "of the radius");
    row("at motion", shown(f.max_error_at.vector()));
  });
}

}  // namespace

void add_slider_fit(SliderCommands& commands) {
  auto model = std::make_shared<std::string>("ellipsoid");
  auto samples = std::make_shared<int>(1000);
  auto* command = commands.add(
      "fit",
      "An ellipsoid or a convex quartic in place of the limit surface, and what it costs.\n"
      "Example: stiction slider scenes/tripod.json fit --model quartic",
      [model, samples](const SliderCall& call) { run(call, *model, *samples); });
  command->add_option("--model", *model, "ellipsoid or quartic")
      ->check(CLI::IsMember({"ellipsoid", "quartic"}));
  command->add_option("--samples", *samples, "Points of the surface to fit")
      ->check(CLI::Range(100, 100000));
}

}  // namespace stiction::cli
