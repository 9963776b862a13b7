// SPDX-License-Identifier: Apache-2.0
//
// stiction report: one page with every figure.
#include "report/report.h"

#include <filesystem>
#include <memory>

#include "base/one_line.h"
#include "cli/cli.h"

namespace stiction::cli {

namespace {

// One of the page's figures alone, which the name of the file names.
void run_one(const Shared& shared, const std::string& out, const FigureOption& figure) {
  figure.require_name();
  const std::string name = std::filesystem::path(figure.path()).stem().string();
  Json object;
  figure.write(object, [&] { return report::one_figure(name, out); });
  shared.answer(object, [&] { fmt::print("figure written to {}\n", figure.path()); });
}

void run(const Shared& shared, const std::string& out, const std::optional<std::string>& figures) {
  const report::Written written = report::write_report(out, figures);
  shared.answer(Json{{"report", written.report}}, [&] {
    fmt::print("report written to {}\n", one_line(written.report));
    if (figures) fmt::print("{} figures written to {}\n", written.figures, one_line(*figures));
  });
}

}  // namespace

void add_report(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "report", "One page with every figure, self-contained.\nExample: stiction report --out out");
  auto out = std::make_shared<std::string>("out");
  auto figures = std::make_shared<std::optional<std::string>>();
  command->add_option("--out", *out, "Folder for report.html")->capture_default_str();
  command->add_option("--figures", *figures, "Folder for the documentation's figures, as SVG");
  const FigureOption figure;
  figure.add_to(command, "One figure alone, chosen by its name, such as limit-surface.pdf");
  command->callback([out, figures, figure, &shared] {
    if (!figure.wanted()) return run(shared, *out, *figures);
    if (*figures)
      throw InvalidInput("--figure writes one figure alone, expected no --figures with it");
    run_one(shared, *out, figure);
  });
}

}  // namespace stiction::cli
