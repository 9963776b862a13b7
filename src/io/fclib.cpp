// SPDX-License-Identifier: Apache-2.0
//
// FCLib's layout.  All datasets are one-dimensional.
//
//   /fclib_local                  spacedim, W, vectors/{q, mu, s}, V and R (bilateral rows)
//   /fclib_global[_rolling]       spacedim, M, H (n × m), G, vectors/{f, w, mu, b, mu_r}
//     each with                   info/{title, description, math_info} and attributes of info
//   /solution, /guesses/K         v, u, r, l; K = 1 … /guesses/number_of_guesses
//
// A matrix group has m, n, nzmax, nz, p, i, x; nz = −1 is CSC, −2 CSR, ≥ 0 triplets where i is the
// row and p the column.  FCLib itself stops at dimension 3 in local form; 4 and 5 are written
// alike, with mu_r.
#include "io/fclib.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/discs_only.h"

namespace stiction {

namespace {

using io::Arrays;
using io::Want;
using io::Wanted;
using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr std::array<const char*, 3> tops{"/fclib_local", "/fclib_global", "/fclib_global_rolling"};

class Fields {
 public:
  explicit Fields(const Arrays& arrays) : arrays_(arrays) {}

  bool has(const std::string& path) const { return arrays_.count(path) > 0; }
  template <class List>
  const List& list(const std::string& path) const {
    const auto found = arrays_.find(path);
    if (found == arrays_.end()) throw InvalidInput(path + " is missing");
    const auto* result = std::get_if<List>(&found->second);
    if (result == nullptr) throw InvalidInput(path + " has another type");
    return *result;
  }
  int integer(const std::string& path) const {
    const auto& values = list<std::vector<int>>(path);
    if (values.size() != 1)
      throw InvalidInput(path + " has " + std::to_string(values.size()) + " entries, expected 1");
    return values[0];
  }
  Eigen::VectorXd vector(const std::string& path) const {
    const auto& values = list<std::vector<double>>(path);
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()));
  }
  std::optional<std::string> text(const std::string& path) const {
    if (!has(path)) return std::nullopt;
    return list<std::string>(path);
  }
  // A matrix of the size that the vectors ask for, so that no size is believed.
  Sparse matrix(const std::string& path, Eigen::Index rows, Eigen::Index cols) const;
  const Arrays& all() const { return arrays_; }

 private:
  const Arrays& arrays_;
};

Sparse Fields::matrix(const std::string& path, Eigen::Index rows, Eigen::Index cols) const {
  if (!has(path)) throw InvalidInput(path + " is missing");
  const int m = integer(path + "/m"), n = integer(path + "/n"), nz = integer(path + "/nz");
  if (m != rows || n != cols)
    throw InvalidInput(path + " is " + std::to_string(m) + "×" + std::to_string(n) + ", expected " +
                       std::to_string(rows) + "×" + std::to_string(cols) +
                       " as the vectors have it");
  const auto& p = list<std::vector<int>>(path + "/p");
  const auto& i = list<std::vector<int>>(path + "/i");
  const auto& x = list<std::vector<double>>(path + "/x");
  Triplets entries;
  const auto add = [&](int row, int col, double value) {
    if (row < 0 || row >= m || col < 0 || col >= n)
      throw InvalidInput(path + " has an entry (" + std::to_string(row) + ", " +
                         std::to_string(col) + ") outside " + std::to_string(m) + "×" +
                         std::to_string(n));
    if (!std::isfinite(value))
      throw InvalidInput(path + "/x holds " + stiction::text(value) + ", expected finite numbers");
    if (value != 0) entries.emplace_back(row, col, value);
  };
  if (nz >= 0) {
    const auto count = static_cast<std::size_t>(nz);
    if (p.size() < count || i.size() < count || x.size() < count)
      throw InvalidInput(path + "/nz is " + std::to_string(nz) + ", more than there are entries");
    for (std::size_t k = 0; k < count; ++k) add(i[k], p[k], x[k]);
  } else if (nz == -1 || nz == -2) {
    const int lines = nz == -1 ? n : m;
    if (p.size() < static_cast<std::size_t>(lines) + 1 || p.front() != 0)
      throw InvalidInput(path + "/p has " + std::to_string(p.size()) + " entries, expected " +
                         std::to_string(lines + 1) + " from 0");
    for (int line = 0; line < lines; ++line) {
      const int from = p[static_cast<std::size_t>(line)],
                to = p[static_cast<std::size_t>(line) + 1];
      if (from > to || static_cast<std::size_t>(to) > std::min(i.size(), x.size()))
        throw InvalidInput(path + "/p[" + std::to_string(line + 1) + "] is " + std::to_string(to) +
                           ", expected at least " + std::to_string(from) + " and at most " +
                           std::to_string(std::min(i.size(), x.size())));
      for (int k = from; k < to; ++k) {
        const int other = i[static_cast<std::size_t>(k)];
        add(nz == -1 ? other : line, nz == -1 ? line : other, x[static_cast<std::size_t>(k)]);
      }
    }
  } else {
    throw InvalidInput(path + "/nz is " + std::to_string(nz) + ", expected −2 or more");
  }
  Sparse result(m, n);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

int dimension_of(const Fields& fields, const std::string& top) {
  const int dimension = fields.integer(top + "/spacedim");
  if (dimension < 2 || dimension > 5)
    throw InvalidInput(top + "/spacedim is " + std::to_string(dimension) + ", expected 2 to 5");
  return dimension;
}

// Of contacts whose components, `name`, are given.
std::vector<Law> laws_of(const Fields& fields, const std::string& top, const char* name,
                         Eigen::Index components, int dimension) {
  const std::string path = top + "/vectors/mu";
  const Eigen::VectorXd mu = fields.vector(path);
  if (components != dimension * mu.size())
    throw InvalidInput(top + "/vectors/" + name + " has " + std::to_string(components) +
                       " entries, expected " + std::to_string(dimension) + " for each of the " +
                       std::to_string(mu.size()) + " of mu");
  std::vector<Law> laws(static_cast<std::size_t>(mu.size()));
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    if (!std::isfinite(mu[i]) || mu[i] < 0)
      throw InvalidInput(path + "[" + std::to_string(i) + "] is " + text(mu[i]) +
                         ", expected a number ≥ 0");
    laws[static_cast<std::size_t>(i)].mu = mu[i];
  }
  return laws;
}

std::vector<double> rolling_of(const Fields& fields, const std::string& top) {
  const std::string path = top + "/vectors/mu_r";
  return fields.has(path) ? fields.list<std::vector<double>>(path) : std::vector<double>();
}

ContactProblem local_of(const Fields& fields, const std::string& top) {
  ContactProblem problem;
  problem.dimension = dimension_of(fields, top);
  problem.q = fields.vector(top + "/vectors/q");
  const Eigen::Index size = problem.q.size();
  problem.laws = laws_of(fields, top, "q", size, problem.dimension);
  problem.mu_rolling = rolling_of(fields, top);
  problem.W = block_matrix(fields.matrix(top + "/W", size, size), problem.dimension);
  if (fields.has(top + "/V")) {
    const Eigen::VectorXd s = fields.vector(top + "/vectors/s");
    problem.bilateral = Bilateral{fields.matrix(top + "/V", size, s.size()),
                                  fields.matrix(top + "/R", s.size(), s.size()), s};
  }
  return problem;
}

GlobalProblem global_of(const Fields& fields, const std::string& top) {
  GlobalProblem problem;
  problem.dimension = dimension_of(fields, top);
  problem.f = fields.vector(top + "/vectors/f");
  problem.w = fields.vector(top + "/vectors/w");
  const Eigen::Index n = problem.f.size(), size = problem.w.size();
  problem.laws = laws_of(fields, top, "w", size, problem.dimension);
  problem.mu_rolling = rolling_of(fields, top);
  problem.M = fields.matrix(top + "/M", n, n);
  problem.H = fields.matrix(top + "/H", n, size).transpose();
  if (fields.has(top + "/G")) {
    const Eigen::VectorXd b = fields.vector(top + "/vectors/b");
    problem.joints = {Sparse(fields.matrix(top + "/G", n, b.size()).transpose()), b};
  }
  return problem;
}

StoredSolution solution_of(const Fields& fields, const std::string& path) {
  const auto optional = [&](const char* name) {
    return fields.has(path + name) ? fields.vector(path + name) : Eigen::VectorXd();
  };
  return {optional("/r"), optional("/u"), optional("/v"), optional("/l")};
}

// What to look for in the file, the problem first and then what stands beside it.
std::vector<Wanted> wanted_problem() {
  std::vector<Wanted> wanted;
  for (const std::string top : tops) {
    wanted.push_back({top, Want::group});
    wanted.push_back({top + "/spacedim", Want::integers});
    for (const char* name : {"q", "mu", "s", "f", "w", "b", "mu_r"})
      wanted.push_back({top + "/vectors/" + name, Want::numbers});
    for (const char* name : {"/W", "/V", "/R", "/M", "/H", "/G"}) {
      const std::string path = top + name;
      wanted.push_back({path, Want::group});
      for (const char* part : {"/m", "/n", "/nz", "/p", "/i"})
        wanted.push_back({path + part, Want::integers});
      wanted.push_back({path + "/x", Want::numbers});
    }
  }
  return wanted;
}

void want_solution(std::vector<Wanted>& wanted, const std::string& path) {
  wanted.push_back({path, Want::group});
  for (const char* name : {"/v", "/u", "/r", "/l"}) wanted.push_back({path + name, Want::numbers});
}

std::vector<Wanted> wanted_beside() {
  std::vector<Wanted> wanted{{"/guesses", Want::group},
                             {"/guesses/number_of_guesses", Want::integers}};
  want_solution(wanted, "/solution");
  for (const std::string top : tops) {
    const std::string info = top + "/info";
    wanted.push_back({info, Want::group});
    wanted.push_back({info, Want::attributes});
    for (const char* name : {"/title", "/description", "/math_info"})
      wanted.push_back({info + name, Want::text});
  }
  return wanted;
}

std::vector<Wanted> wanted_guesses(int count) {
  std::vector<Wanted> wanted;
  for (int k = 1; k <= count; ++k) want_solution(wanted, "/guesses/" + std::to_string(k));
  return wanted;
}

// 0 where there are none; the group of a guess takes more than a hundred bytes.
int number_of_guesses(const Fields& fields, std::size_t bytes) {
  if (!fields.has("/guesses")) return 0;
  const std::string path = "/guesses/number_of_guesses";
  const int count = fields.integer(path);
  if (count < 0 || static_cast<std::size_t>(count) > bytes / 100)
    throw InvalidInput(path + " is " + std::to_string(count) + ", more than the file can hold");
  return count;
}

void add_matrix(Arrays& arrays, const std::string& path, Sparse matrix) {  // as CSC
  matrix.makeCompressed();
  arrays[path] = std::monostate();
  const auto entries = static_cast<std::ptrdiff_t>(matrix.nonZeros());
  const auto integer = [&](const char* name, Eigen::Index value) {
    arrays[path + name] = std::vector<int>{static_cast<int>(value)};
  };
  integer("/m", matrix.rows());
  integer("/n", matrix.cols());
  integer("/nzmax", entries);
  integer("/nz", -1);
  const int *p = matrix.outerIndexPtr(), *i = matrix.innerIndexPtr();
  const double* x = matrix.valuePtr();
  arrays[path + "/p"] = std::vector<int>(p, p + matrix.cols() + 1);
  arrays[path + "/i"] = std::vector<int>(i, i + entries);
  arrays[path + "/x"] = std::vector<double>(x, x + entries);
}

std::vector<double> values_of(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

void add_solution(Arrays& arrays, const std::string& path, const StoredSolution& solution) {
  arrays[path] = std::monostate();
  const auto add = [&](const char* name, const Eigen::VectorXd& v) {
    if (v.size() > 0) arrays[path + name] = values_of(v);
  };
  add("/r", solution.reactions);
  add("/u", solution.velocities);
  add("/v", solution.generalized_velocities);
  add("/l", solution.bilateral_forces);
}

std::string add_problem(Arrays& arrays, const ContactProblem& problem) {
  const std::string top = "/fclib_local";
  add_matrix(arrays, top + "/W", to_sparse(problem.W));
  arrays[top + "/vectors/q"] = values_of(problem.q);
  if (problem.bilateral) {
    add_matrix(arrays, top + "/V", problem.bilateral->V);
    add_matrix(arrays, top + "/R", problem.bilateral->R);
    arrays[top + "/vectors/s"] = values_of(problem.bilateral->s);
  }
  return top;
}

std::string add_problem(Arrays& arrays, const GlobalProblem& problem) {
  const std::string top = problem.dimension == 5 ? "/fclib_global_rolling" : "/fclib_global";
  add_matrix(arrays, top + "/M", problem.M);
  add_matrix(arrays, top + "/H", problem.H.transpose());
  arrays[top + "/vectors/f"] = values_of(problem.f);
  arrays[top + "/vectors/w"] = values_of(problem.w);
  if (problem.joints) {
    add_matrix(arrays, top + "/G", problem.joints->first.transpose());
    arrays[top + "/vectors/b"] = values_of(problem.joints->second);
  }
  return top;
}

}  // namespace

ProblemFile file_of(const Arrays& arrays) {
  const Fields fields(arrays);
  const auto top =
      std::find_if(tops.begin(), tops.end(), [&](const char* name) { return fields.has(name); });
  if (top == tops.end())
    throw InvalidInput(
        "is HDF5 but not FCLib's, expected a group fclib_local, fclib_global or "
        "fclib_global_rolling");
  ProblemFile file;
  if (top == tops.begin())
    file.problem = local_of(fields, *top);
  else
    file.problem = global_of(fields, *top);
  if (fields.has("/solution")) file.solution = solution_of(fields, "/solution");
  for (int k = 1, count = number_of_guesses(fields, 100 * arrays.size()); k <= count; ++k) {
    const std::string path = "/guesses/" + std::to_string(k);
    if (!fields.has(path)) throw InvalidInput(path + " is missing");
    file.guesses.push_back(solution_of(fields, path));
  }
  const std::string info = std::string(*top) + "/info";
  file.info = {fields.text(info + "/title"),
               fields.text(info + "/description"),
               fields.text(info + "/math_info"),
               {}};
  for (auto it = arrays.lower_bound(info + "@");
       it != arrays.end() && it->first.rfind(info + "@", 0) == 0; ++it)
    file.info.numbers[it->first.substr(info.size() + 1)] = fields.integer(it->first);
  validate(file);
  return file;
}

Arrays arrays_of(const ProblemFile& file) {
  Arrays arrays;
  std::visit(
      [&](const auto& problem) {
        const std::string top = add_problem(arrays, problem);
        arrays[top] = std::monostate();
        arrays[top + "/spacedim"] = std::vector<int>{problem.dimension};
        arrays[top + "/vectors/mu"] = values_of(coefficients_of_discs(problem.laws, "FCLib"));
        if (!problem.mu_rolling.empty()) arrays[top + "/vectors/mu_r"] = problem.mu_rolling;
        const std::string info = top + "/info";
        const auto add_text = [&](const char* name, const std::optional<std::string>& text) {
          if (!text) return;
          arrays[info] = std::monostate();
          arrays[info + name] = *text;
        };
        add_text("/title", file.info.title);
        add_text("/description", file.info.description);
        add_text("/math_info", file.info.math_info);
        for (const auto& [name, value] : file.info.numbers) {
          arrays[info] = std::monostate();
          arrays[info + "@" + name] = std::vector<int>{value};
        }
      },
      file.problem);
  if (file.solution) add_solution(arrays, "/solution", *file.solution);
  if (!file.guesses.empty()) {
    arrays["/guesses"] = std::monostate();
    arrays["/guesses/number_of_guesses"] = std::vector<int>{static_cast<int>(file.guesses.size())};
    for (std::size_t k = 0; k < file.guesses.size(); ++k)
      add_solution(arrays, "/guesses/" + std::to_string(k + 1), file.guesses[k]);
  }
  return arrays;
}

ProblemFile read_fclib(std::string_view bytes, Part part, const Progress& progress) {
  int steps = 0;
  return file_of(io::read_hdf5(
      bytes,
      [&](const Arrays& found) -> std::vector<Wanted> {
        ++steps;
        if (steps == 1) return wanted_problem();
        if (part == Part::problem) return {};
        if (steps == 2) return wanted_beside();
        if (steps == 3) return wanted_guesses(number_of_guesses(Fields(found), bytes.size()));
        return {};
      },
      progress));
}

std::string write_fclib(const ProblemFile& file) { return io::write_hdf5(arrays_of(file)); }

}  // namespace stiction
