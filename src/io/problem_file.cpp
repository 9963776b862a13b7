// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include "io/formats.h"
#include "stiction/file.h"

namespace stiction {

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InvalidInput(path.string() + ": no such file");
  if (!std::filesystem::is_regular_file(status))
    throw InvalidInput(path.string() + ": is not a file, expected one to read");
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) {
    if (std::filesystem::file_size(path, error) == 0) return {};
    throw InvalidInput(path.string() + ": cannot be read");
  }
  return content.str();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path partial = path.string() + ".part";
  std::error_code error;
  {
    std::ofstream file(partial, std::ios::binary);
    file << content;
    file.close();
    if (!file) {
      std::filesystem::remove(partial, error);
      throw InvalidInput(path.string() + ": cannot be written");
    }
  }
  std::filesystem::rename(partial, path, error);
  if (error) {
    const std::string why = error.message();
    std::filesystem::remove(partial, error);
    throw InvalidInput(path.string() + ": " + why + ", expected a file to write");
  }
}

Eigen::VectorXd coefficients_of_discs(const std::vector<Law>& laws, const char* format) {
  Eigen::VectorXd mu(static_cast<Eigen::Index>(laws.size()));
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (laws[i].curve != Law::Curve::disc)
      throw InvalidInput(std::string(format) + " knows discs only, but contact " +
                         std::to_string(i) + " has " + to_text(laws[i]) + "; expected .json");
    mu[static_cast<Eigen::Index>(i)] = laws[i].mu;
  }
  return mu;
}

namespace {

enum class Format { fclib, siconos, json };

Format format_of(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".hdf5" || ending == ".h5") return Format::fclib;
  if (ending == ".dat") return Format::siconos;
  if (ending == ".json") return Format::json;
  throw InvalidInput(path.string() + ": ends in '" + ending + "', expected .hdf5, .dat or .json");
}

void require_kind(const AnyProblem& problem, ProblemKind kind) {
  const bool global = std::holds_alternative<GlobalProblem>(problem);
  const int dimension = std::visit([](const auto& p) { return p.dimension; }, problem);
  if (kind == ProblemKind::rolling && dimension != 5)
    throw InvalidInput("has dimension " + std::to_string(dimension) +
                       ", expected 5 for --kind rolling");
  if (kind == ProblemKind::local && global)
    throw InvalidInput("is a global problem, expected a local one");
  if (kind == ProblemKind::global && !global)
    throw InvalidInput("is a local problem, expected a global one");
}

}  // namespace

AnyProblem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind) {
  const Format format = format_of(path);
  const std::string bytes = read_file(path);
  try {
    if (format == Format::siconos) return read_siconos_text(bytes, kind);
    AnyProblem problem = format == Format::json ? read_problem_json(bytes) : read_fclib(bytes);
    if (kind) require_kind(problem, *kind);
    return problem;
  } catch (const InvalidInput& error) {
    throw InvalidInput(path.string() + ": " + error.what());
  }
}

void write_problem(const std::filesystem::path& path, const AnyProblem& problem) {
  const Format format = format_of(path);
  std::string bytes;
  try {
    switch (format) {
      case Format::fclib:
        bytes = write_fclib(problem);
        break;
      case Format::siconos:
        bytes = write_siconos_text(problem);
        break;
      case Format::json:
        bytes = write_problem_json(problem);
        break;
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(path.string() + ": " + error.what());
  }
  write_file(path, bytes);
}

}  // namespace stiction
