// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"
#include "io/constraint_json.h"
#include "io/fclib.h"
#include "io/problem_json.h"

namespace stiction {

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
                       ", expected 5 for the kind rolling");
  if (kind == ProblemKind::local && global)
    throw InvalidInput("is a global problem, expected a local one");
  if (kind == ProblemKind::global && !global)
    throw InvalidInput("is a local problem, expected a global one");
}

ProblemFile read_part(const std::filesystem::path& path, std::optional<ProblemKind> kind, Part part,
                      const Progress& progress) {
  const Format format = format_of(path);
  const std::string bytes = read_file(path);
  try {
    if (format == Format::siconos) return {read_siconos_text(bytes, kind, progress), {}, {}, {}};
    ProblemFile file;
    if (format == Format::json)
      file.problem = read_problem_json(bytes, progress);
    else
      file = read_fclib(bytes, part, progress);
    if (kind) require_kind(file.problem, *kind);
    return file;
  } catch (const InvalidInput& error) {
    throw InvalidInput(path.string() + ": " + error.what());
  }
}

}  // namespace

AnyProblem read_problem(const std::filesystem::path& path, std::optional<ProblemKind> kind,
                        const Progress& progress) {
  return read_part(path, kind, Part::problem, progress).problem;
}

ProblemFile read_problem_file(const std::filesystem::path& path, std::optional<ProblemKind> kind,
                              const Progress& progress) {
  return read_part(path, kind, Part::all, progress);
}

AnyContent read_content(const std::filesystem::path& path, std::optional<ProblemKind> kind,
                        const Progress& progress) {
  if (format_of(path) != Format::json)
    return std::visit([](auto problem) -> AnyContent { return problem; },
                      read_problem(path, kind, progress));
  const std::string bytes = read_file(path);
  try {
    AnyContent content = read_content_json(bytes, progress);
    if (const auto* local = std::get_if<ContactProblem>(&content); local != nullptr && kind)
      require_kind(*local, *kind);
    if (const auto* global = std::get_if<GlobalProblem>(&content); global != nullptr && kind)
      require_kind(*global, *kind);
    return content;
  } catch (const InvalidInput& error) {
    throw InvalidInput(path.string() + ": " + error.what());
  }
}

void write_constraints(const std::filesystem::path& path, const AnyConstraintProblem& problem,
                       const Progress& progress) {
  if (format_of(path) != Format::json)
    throw InvalidInput(path.string() + ": cannot hold a list of constraints, expected .json");
  std::visit([](const auto& p) { validate(p); }, problem);
  write_file(path, io::constraints_to_json(problem, progress));
}

void write_problem(const std::filesystem::path& path, const AnyProblem& problem,
                   const Progress& progress) {
  write_problem_file(path, {problem, {}, {}, {}}, progress);
}

std::vector<std::string> write_problem_file(const std::filesystem::path& path,
                                            const ProblemFile& file, const Progress& progress) {
  const Format format = format_of(path);
  std::string bytes;
  std::vector<std::string> left_out;
  try {
    switch (format) {
      case Format::fclib:
        if (progress && !progress(0)) throw Stopped("stopped before all was written");
        bytes = write_fclib(file);
        break;
      case Format::siconos:
        bytes = write_siconos_text(file.problem, progress);
        break;
      case Format::json:
        bytes = write_problem_json(file.problem, progress);
        break;
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(path.string() + ": " + error.what());
  }
  if (format != Format::fclib) {
    if (file.solution) left_out.emplace_back("its solution");
    if (!file.guesses.empty())
      left_out.push_back(std::to_string(file.guesses.size()) +
                         (file.guesses.size() == 1 ? " guess" : " guesses"));
    if (file.info.title || file.info.description || file.info.math_info ||
        !file.info.numbers.empty())
      left_out.emplace_back("its info");
  }
  write_file(path, bytes);
  return left_out;
}

bool is_fclib(const std::filesystem::path& path) {
  return path.extension() == ".hdf5" || path.extension() == ".h5";
}

}  // namespace stiction
