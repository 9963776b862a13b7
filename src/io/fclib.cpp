// SPDX-License-Identifier: Apache-2.0
//
// FCLib's HDF5 layout, the only place that knows HDF5.  All datasets are one-dimensional.
//
//   /fclib_local                  spacedim, W, vectors/{q, mu, s}, V and R (bilateral rows)
//   /fclib_global[_rolling]       spacedim, M, H (n × m), G, vectors/{f, w, mu, b, mu_r}
//
// A matrix group has m, n, nzmax, nz, p, i, x; nz = −1 is CSC, −2 CSR, ≥ 0 triplets where i is the
// row and p the column.  Files are read from and written to memory, so that sizes are known
// beforehand and nothing is left half written.
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/formats.h"

namespace stiction {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// An HDF5 handle that closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void be_quiet() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

bool has(hid_t at, const std::string& name) { return H5Lexists(at, name.c_str(), H5P_DEFAULT) > 0; }

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : bytes_(bytes), access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(open(), H5Fclose) {
    if (!file_.ok()) throw InvalidInput("is not an HDF5 file, or is damaged");
  }

  hid_t file() const { return file_.get(); }

  template <class Number>
  std::vector<Number> numbers(hid_t group, const std::string& path, const std::string& name) const {
    const std::string full = path + "/" + name;
    if (!has(group, name)) throw InvalidInput(full + " is missing");
    const Handle set(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.ok()) throw InvalidInput(full + " cannot be opened, expected a dataset");
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    const H5T_class_t kind = type.ok() ? H5Tget_class(type.get()) : H5T_NO_CLASS;
    if (kind != H5T_INTEGER && !(std::is_same_v<Number, double> && kind == H5T_FLOAT))
      throw InvalidInput(full + " has another type, expected numbers");
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const hssize_t count = space.ok() ? H5Sget_simple_extent_npoints(space.get()) : -1;
    // Packed data can be larger than the file, but not without bound.
    if (count < 0 || static_cast<double>(count) > 16.0 * static_cast<double>(bytes_.size()))
      throw InvalidInput(full + " has more entries than the file can hold");
    std::vector<Number> values(static_cast<std::size_t>(count));
    const hid_t memory = std::is_same_v<Number, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    if (count > 0 && H5Dread(set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      throw InvalidInput(full + " cannot be read, the file is damaged");
    return values;
  }
  int integer(hid_t group, const std::string& path, const std::string& name) const {
    const std::vector<int> values = numbers<int>(group, path, name);
    if (values.size() != 1)
      throw InvalidInput(path + "/" + name + " has " + std::to_string(values.size()) +
                         " entries, expected 1");
    return values[0];
  }
  Eigen::VectorXd vector(hid_t group, const std::string& path, const std::string& name) const {
    const std::vector<double> values = numbers<double>(group, path, name);
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()));
  }
  Handle group(hid_t at, const std::string& path, const std::string& name) const {
    if (!has(at, name)) throw InvalidInput(path + "/" + name + " is missing");
    Handle result(H5Gopen2(at, name.c_str(), H5P_DEFAULT), H5Gclose);
    if (!result.ok()) throw InvalidInput(path + "/" + name + " cannot be opened, expected a group");
    return result;
  }
  Sparse matrix(hid_t at, const std::string& path, const std::string& name) const;

 private:
  hid_t open() {
    be_quiet();
    if (bytes_.empty() || !access_.ok()) return -1;
    if (H5Pset_fapl_core(access_.get(), 1 << 16, 0) < 0) return -1;
    // HDF5 copies the image; the const_cast is its interface's.
    if (H5Pset_file_image(access_.get(), const_cast<char*>(bytes_.data()), bytes_.size()) < 0)
      return -1;
    return H5Fopen("image", H5F_ACC_RDONLY, access_.get());
  }

  std::string_view bytes_;
  Handle access_, file_;
};

Sparse Reader::matrix(hid_t at, const std::string& parent, const std::string& name) const {
  const std::string path = parent + "/" + name;
  const Handle here = group(at, parent, name);
  const int m = integer(here.get(), path, "m"), n = integer(here.get(), path, "n");
  const int nz = integer(here.get(), path, "nz");
  const std::vector<int> p = numbers<int>(here.get(), path, "p"),
                         i = numbers<int>(here.get(), path, "i");
  const std::vector<double> x = numbers<double>(here.get(), path, "x");
  const auto limit = static_cast<double>(bytes_.size());
  if (m < 0 || n < 0 || m > limit || n > limit)
    throw InvalidInput(path + " is " + std::to_string(m) + "×" + std::to_string(n) +
                       ", more than the file can hold");
  Triplets entries;
  const auto add = [&](int row, int col, double value) {
    if (row < 0 || row >= m || col < 0 || col >= n)
      throw InvalidInput(path + " has an entry (" + std::to_string(row) + ", " +
                         std::to_string(col) + ") outside " + std::to_string(m) + "×" +
                         std::to_string(n));
    if (!std::isfinite(value))
      throw InvalidInput(path + "/x holds " + text(value) + ", expected finite numbers");
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

std::vector<Law> laws_of(const Eigen::VectorXd& mu) {
  std::vector<Law> laws(static_cast<std::size_t>(mu.size()));
  for (Eigen::Index i = 0; i < mu.size(); ++i) {
    if (!std::isfinite(mu[i]) || mu[i] < 0)
      throw InvalidInput("vectors/mu[" + std::to_string(i) + "] is " + text(mu[i]) +
                         ", expected a number ≥ 0");
    laws[static_cast<std::size_t>(i)].mu = mu[i];
  }
  return laws;
}

ContactProblem read_local(const Reader& reader) {
  const std::string path = "/fclib_local";
  const Handle top = reader.group(reader.file(), "", "fclib_local");
  const Handle vectors = reader.group(top.get(), path, "vectors");
  ContactProblem problem;
  problem.dimension = reader.integer(top.get(), path, "spacedim");
  problem.q = reader.vector(vectors.get(), path + "/vectors", "q");
  problem.laws = laws_of(reader.vector(vectors.get(), path + "/vectors", "mu"));
  if (problem.dimension < 2 || problem.dimension > 5)
    throw InvalidInput(path + "/spacedim is " + std::to_string(problem.dimension) +
                       ", expected 2 to 5");
  problem.W = block_matrix(reader.matrix(top.get(), path, "W"), problem.dimension);
  if (has(top.get(), "V")) {
    problem.bilateral =
        Bilateral{reader.matrix(top.get(), path, "V"), reader.matrix(top.get(), path, "R"),
                  reader.vector(vectors.get(), path + "/vectors", "s")};
  }
  validate(problem);
  return problem;
}

GlobalProblem read_global(const Reader& reader, const std::string& name) {
  const std::string path = "/" + name;
  const Handle top = reader.group(reader.file(), "", name);
  const Handle vectors = reader.group(top.get(), path, "vectors");
  GlobalProblem problem;
  problem.dimension = reader.integer(top.get(), path, "spacedim");
  problem.M = reader.matrix(top.get(), path, "M");
  problem.H = reader.matrix(top.get(), path, "H").transpose();
  problem.f = reader.vector(vectors.get(), path + "/vectors", "f");
  problem.w = reader.vector(vectors.get(), path + "/vectors", "w");
  problem.laws = laws_of(reader.vector(vectors.get(), path + "/vectors", "mu"));
  if (has(vectors.get(), "mu_r")) {
    const Eigen::VectorXd mu = reader.vector(vectors.get(), path + "/vectors", "mu_r");
    problem.mu_rolling.assign(mu.begin(), mu.end());
  }
  if (has(top.get(), "G"))
    problem.joints = {Sparse(reader.matrix(top.get(), path, "G").transpose()),
                      reader.vector(vectors.get(), path + "/vectors", "b")};
  validate(problem);
  return problem;
}

class Writer {
 public:
  Writer() : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(open(), H5Fclose) {
    if (!file_.ok()) throw InvalidInput("HDF5 cannot make a file in memory");
  }
  hid_t file() const { return file_.get(); }

  static Handle group(hid_t at, const char* name) {
    return {H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
  }
  template <class Number>
  static void numbers(hid_t at, const char* name, const Number* values, std::size_t count) {
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    constexpr bool real = std::is_same_v<Number, double>;
    const hid_t file_type = real ? H5T_IEEE_F64LE : H5T_STD_I32LE;
    const Handle set(
        H5Dcreate2(at, name, file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    const hid_t memory_type = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT;
    if (!set.ok() ||
        (count > 0 && H5Dwrite(set.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
      throw InvalidInput(std::string("HDF5 cannot write ") + name);
  }
  static void integer(hid_t at, const char* name, int value) { numbers(at, name, &value, 1); }
  static void vector(hid_t at, const char* name, const Eigen::VectorXd& v) {
    numbers(at, name, v.data(), static_cast<std::size_t>(v.size()));
  }
  // As CSC.
  static void matrix(hid_t at, const char* name, Sparse matrix) {
    matrix.makeCompressed();
    const Handle here = group(at, name);
    const auto entries = static_cast<std::size_t>(matrix.nonZeros());
    integer(here.get(), "m", static_cast<int>(matrix.rows()));
    integer(here.get(), "n", static_cast<int>(matrix.cols()));
    integer(here.get(), "nzmax", static_cast<int>(entries));
    integer(here.get(), "nz", -1);
    numbers(here.get(), "p", matrix.outerIndexPtr(), static_cast<std::size_t>(matrix.cols()) + 1);
    numbers(here.get(), "i", matrix.innerIndexPtr(), entries);
    numbers(here.get(), "x", matrix.valuePtr(), entries);
  }
  std::string bytes() const {
    H5Fflush(file_.get(), H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
    std::string result(static_cast<std::size_t>(std::max<ssize_t>(size, 0)), '\0');
    if (size <= 0 || H5Fget_file_image(file_.get(), result.data(), result.size()) != size)
      throw InvalidInput("HDF5 cannot give its file back");
    return result;
  }

 private:
  hid_t open() {
    be_quiet();
    if (!access_.ok() || H5Pset_fapl_core(access_.get(), 1 << 16, 0) < 0) return -1;
    return H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access_.get());
  }
  Handle access_, file_;
};

}  // namespace

AnyProblem read_fclib(std::string_view bytes) {
  const Reader reader(bytes);
  if (has(reader.file(), "fclib_local")) return read_local(reader);
  for (const char* name : {"fclib_global", "fclib_global_rolling"})
    if (has(reader.file(), name)) return read_global(reader, name);
  throw InvalidInput(
      "is HDF5 but not FCLib's, expected a group fclib_local, fclib_global or "
      "fclib_global_rolling");
}

std::string write_fclib(const AnyProblem& any) {
  const Writer writer;
  if (const auto* problem = std::get_if<ContactProblem>(&any)) {
    if (problem->dimension > 3)
      throw InvalidInput("FCLib has no local form of dimension " +
                         std::to_string(problem->dimension));
    const Eigen::VectorXd mu = coefficients_of_discs(problem->laws, "FCLib");
    const Handle top = Writer::group(writer.file(), "fclib_local");
    Writer::integer(top.get(), "spacedim", problem->dimension);
    Writer::matrix(top.get(), "W", to_sparse(problem->W));
    const Handle vectors = Writer::group(top.get(), "vectors");
    Writer::vector(vectors.get(), "q", problem->q);
    Writer::vector(vectors.get(), "mu", mu);
    if (problem->bilateral) {
      Writer::matrix(top.get(), "V", problem->bilateral->V);
      Writer::matrix(top.get(), "R", problem->bilateral->R);
      Writer::vector(vectors.get(), "s", problem->bilateral->s);
    }
  } else {
    const auto& global = std::get<GlobalProblem>(any);
    const Eigen::VectorXd mu = coefficients_of_discs(global.laws, "FCLib");
    const Handle top = Writer::group(
        writer.file(), global.dimension == 5 ? "fclib_global_rolling" : "fclib_global");
    Writer::integer(top.get(), "spacedim", global.dimension);
    Writer::matrix(top.get(), "M", global.M);
    Writer::matrix(top.get(), "H", global.H.transpose());
    const Handle vectors = Writer::group(top.get(), "vectors");
    Writer::vector(vectors.get(), "f", global.f);
    Writer::vector(vectors.get(), "w", global.w);
    Writer::vector(vectors.get(), "mu", mu);
    if (!global.mu_rolling.empty())
      Writer::numbers(vectors.get(), "mu_r", global.mu_rolling.data(), global.mu_rolling.size());
    if (global.joints) {
      Writer::matrix(top.get(), "G", global.joints->first.transpose());
      Writer::vector(vectors.get(), "b", global.joints->second);
    }
  }
  return writer.bytes();
}

}  // namespace stiction
