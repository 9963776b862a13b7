// SPDX-License-Identifier: Apache-2.0
//
// The report: one self-contained page to which every room adds its chapters.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stiction::report {

struct Chapter {
  std::string id;     // anchor
  std::string title;  // heading and entry of the contents
  std::string html;
};

// Figures that the documentation also shows, by file name without ending, as single SVG files.
using Figures = std::map<std::string, std::string>;

std::vector<Chapter> law_chapters(Figures& figures);
std::vector<Chapter> cone_chapters(Figures& figures);
std::vector<Chapter> gcone_chapters(Figures& figures);
std::vector<Chapter> slider_chapters(Figures& figures);
std::vector<Chapter> slide_chapters(Figures& figures);
std::vector<Chapter> model_chapters(Figures& figures);  // none without the model reader
std::vector<Chapter> example_chapters(Figures& figures);
void theory_figures(Figures& figures);  // of the documentation alone
// From the tables of the benchmarks in `folder`; none where there are none.
std::vector<Chapter> bench_chapters(const std::filesystem::path& folder, Figures& figures);

struct Written {
  std::string report;       // the page's path
  std::size_t figures = 0;  // written for the documentation
};
// Writes report.html into the folder `out`, and the documentation's figures into another.  Throws
// InvalidInput where a folder cannot be written to.
Written write_report(const std::string& out, const std::optional<std::string>& figures_folder);

// The figure of this name, one of the page's or of the documentation's, as an SVG file; tables of
// the benchmarks are looked for in the folder `out`.  Throws InvalidInput with the names there are.
std::string one_figure(const std::string& name, const std::string& out);

}  // namespace stiction::report
