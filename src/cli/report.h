// SPDX-License-Identifier: Apache-2.0
//
// The report: one self-contained page to which every room adds its sections.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace stiction::cli {

struct Section {
  std::string id;     // anchor
  std::string title;  // heading and entry of the contents
  std::string html;
};

// Figures that the documentation also shows, by file name without ending, as single SVG files.
using Figures = std::map<std::string, std::string>;

std::vector<Section> law_sections(Figures& figures);
std::vector<Section> cone_sections(Figures& figures);
std::vector<Section> gcone_sections(Figures& figures);
std::vector<Section> slider_sections(Figures& figures);
std::vector<Section> slide_sections(Figures& figures);
std::vector<Section> model_sections(Figures& figures);  // none without the model reader
std::vector<Section> example_sections(Figures& figures);
void theory_figures(Figures& figures);  // of the documentation alone
// From the tables of the benchmarks in `folder`; none where there are none.
std::vector<Section> bench_sections(const std::filesystem::path& folder, Figures& figures);

}  // namespace stiction::cli
