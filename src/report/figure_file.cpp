// SPDX-License-Identifier: Apache-2.0
#include "report/figure_file.h"

#include <filesystem>

#include "base/file.h"
#include "report/pdf.h"
#include "stiction/types.h"

namespace stiction::report {

void require_figure_name(const std::string& path, const char* option) {
  const std::filesystem::path ending = std::filesystem::path(path).extension();
  if (ending != ".svg" && ending != ".pdf")
    throw InvalidInput(std::string(option) + " is '" + path +
                       "', expected a name that ends in .svg or .pdf");
}

void write_figure(const std::string& path, const std::string& svg) {
  const bool pdf = std::filesystem::path(path).extension() == ".pdf";
  write_file(path, pdf ? pdf_of(svg) : svg);
}

}  // namespace stiction::report
