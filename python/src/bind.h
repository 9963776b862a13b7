// SPDX-License-Identifier: Apache-2.0
//
// What the bindings of every room share: numbers in from whatever numpy can read, arrays out, laws.
//
// An array argument is taken as any object and converted by the functions below, which know its
// name and the shape it should have: what is wrong is a ValueError that says so.  A C-contiguous
// array of doubles is looked at where it lies; anything else is copied once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "stiction/contact_problem.h"
#include "stiction/law.h"
#include "stiction/limit_curve.h"

namespace stiction::python {

namespace nb = nanobind;
using namespace nb::literals;

// work(), which touches no Python object, with other threads free to run; of little work, up to
// some hundred numbers, the GIL is kept.
template <class Work>
auto without_gil(const Work& work, std::size_t size = ~std::size_t{0}) {
  std::optional<nb::gil_scoped_release> release;
  if (size > 500) release.emplace();
  return work();
}

struct ArrayLike {
  nb::handle value;
};
struct LawLike {  // a Law, a coefficient of a disc, or the text of the command line
  nb::handle value;
};
struct LawsLike {  // one of those for all contacts, or one a contact
  nb::handle value;
};
struct MatrixLike {  // dense, or anything with tocsc
  nb::handle value;
};

using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
// Arrays that go out keep the owner they were made with, as results and as properties.
template <class T>
struct Out : nb::ndarray<nb::numpy, T> {
  using nb::ndarray<nb::numpy, T>::ndarray;
};
using Array = Out<double>;
// Over memory of an object that others hold too: read-only, or they would see it change.
using View = Out<const double>;

// Finite numbers of any shape.
Numbers numbers(const ArrayLike& argument, const char* name);
// The same, where the caller looks at the numbers: nothing is said of NaN.
Numbers raw_numbers(const ArrayLike& argument, const char* name);
// Other objects with a buffer need not have what nanobind asks of it.
bool is_numpy(nb::handle object);
std::string shape_text(const Numbers& numbers);
std::string quoted(const std::string& text);  // on one line, as Python writes it
[[noreturn]] void refuse(const char* name, const std::string& is, const std::string& expected);

// What `work` refuses, with the name that Python has for it.
template <class Work>
auto about(const char* name, const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    throw InvalidInput(std::string(name) + ": " + error.what());
  }
}

// The same where `work` has another word for the argument, which it is replaced by.
template <class Work>
auto renamed(const std::string& word, const char* name, const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    std::string message = error.what();
    const std::size_t at = message.find(word);
    if (at == std::string::npos) throw;
    throw InvalidInput(message.replace(at, word.size(), name));
  }
}

double degrees(double radians, const char* name);

template <int N>
Eigen::Matrix<double, N, 1> vec(const ArrayLike& argument, const char* name) {
  const Numbers n = numbers(argument, name);
  if (n.ndim() != 1 || n.shape(0) != N)
    refuse(name, "an array of shape " + shape_text(n), "shape (" + std::to_string(N) + ",)");
  return Eigen::Map<const Eigen::Matrix<double, N, 1>>(n.data());
}

// One vector or a batch of them, in place.
template <int N>
struct Batch {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, N, Eigen::RowMajor>;
  Numbers numbers;
  bool single = false;

  Eigen::Index size() const { return single ? 1 : static_cast<Eigen::Index>(numbers.shape(0)); }
  Eigen::Map<const Rows> rows() const { return {numbers.data(), size(), N}; }
  Eigen::Matrix<double, N, 1> row(Eigen::Index i) const {
    return Eigen::Map<const Eigen::Matrix<double, N, 1>>(numbers.data() + N * i);
  }
};
template <int N>
Batch<N> batch(const ArrayLike& argument, const char* name, bool look = true) {
  Batch<N> b{look ? numbers(argument, name) : raw_numbers(argument, name)};
  b.single = b.numbers.ndim() == 1;
  if (b.numbers.ndim() < 1 || b.numbers.ndim() > 2 || b.numbers.shape(b.numbers.ndim() - 1) != N)
    refuse(name, "an array of shape " + shape_text(b.numbers),
           "shape (" + std::to_string(N) + ",) or (n, " + std::to_string(N) + ")");
  return b;
}

Eigen::VectorXd vector(const ArrayLike& argument, const char* name);  // of any shape, flat
Eigen::VectorXd vector(const ArrayLike& argument, const char* name, Eigen::Index size);
Eigen::MatrixXd matrix(const ArrayLike& argument, const char* name);
Eigen::Matrix3d matrix3(const ArrayLike& argument, const char* name);
Eigen::SparseMatrix<double> sparse(const MatrixLike& argument, const char* name);
std::vector<Vec2> points(const ArrayLike& argument, const char* name);  // (n, 2)

// Arrays that own their numbers.
Array array(Eigen::VectorXd numbers);
Array array(Eigen::MatrixXd numbers);  // as it lies: column by column
Array array(Rows2 rows);
Array array(Rows3 rows);
Array array(const std::vector<Vec2>& rows);
Array array(const std::vector<Vec3>& rows);
template <int N>
Array small(const Eigen::Matrix<double, N, 1>& v) {
  auto* data = new double[N];
  Eigen::Map<Eigen::Matrix<double, N, 1>>(data, N) = v;
  return Array(data, {static_cast<std::size_t>(N)},
               nb::capsule(data, [](void* p) noexcept { delete[] static_cast<double*>(p); }));
}
nb::object or_none(const std::optional<Vec2>& v);
nb::object finite_or_none(double value);
// An array over memory that belongs to `owner`, of `dimension` numbers a row.
View view(const Eigen::VectorXd& numbers, int dimension, nb::handle owner);

// A law as Python holds it.  Curves that were turned or cut need not have a name.
struct PythonLaw {
  std::optional<Law> law;
  LimitCurve curve;

  explicit PythonLaw(Law named) : law(std::move(named)), curve(limit_curve(*law)) {}
  explicit PythonLaw(LimitCurve made) : curve(std::move(made)) {}
};
// The law by name: that of a curve which was turned or cut, where it has one.
std::optional<Law> named(const PythonLaw& law);
// The same; throws InvalidInput where there is none.
Law named(const PythonLaw& law, const char* name);

LimitCurve curve(const LawLike& argument, const char* name);
Law law(const LawLike& argument, const char* name);
std::vector<Law> laws(const LawsLike& argument, const char* name, Eigen::Index contacts);

void bind_law(nb::module_& m);
void bind_law_makers(nb::module_& m);
void bind_coulomb(nb::module_& m);
void bind_cone(nb::module_& m);
void bind_contact(nb::module_& m);
void bind_solver(nb::module_& m);
void bind_io(nb::module_& m);
void bind_slider(nb::module_& m);
void bind_generalized_cone(nb::module_& m);
void bind_impact(nb::module_& m);
void bind_pickles();  // once everything else is bound

}  // namespace stiction::python

namespace nanobind::detail {

// Anything at all; the function called says what is wrong with it.
#define STICTION_ANY_OBJECT(TYPE, TEXT)                                                          \
  template <>                                                                                    \
  struct type_caster<stiction::python::TYPE> {                                                   \
    NB_TYPE_CASTER(stiction::python::TYPE, const_name(TEXT))                                     \
    bool from_python(handle source, uint8_t, cleanup_list*) noexcept {                           \
      value.value = source;                                                                      \
      return true;                                                                               \
    }                                                                                            \
    static handle from_cpp(const stiction::python::TYPE& v, rv_policy, cleanup_list*) noexcept { \
      return handle(v.value).inc_ref();                                                          \
    }                                                                                            \
  };                                                                                             \
  template <>                                                                                    \
  struct has_arg_defaults<stiction::python::TYPE> : std::true_type {};  // None is refused by name
STICTION_ANY_OBJECT(ArrayLike, "numpy.typing.ArrayLike")
STICTION_ANY_OBJECT(LawLike, "Law | float | str")
STICTION_ANY_OBJECT(
    LawsLike,
    "Law | float | str | collections.abc.Sequence[Law | float | str] | numpy.typing.ArrayLike")
STICTION_ANY_OBJECT(MatrixLike,
                    "numpy.typing.ArrayLike | scipy.sparse.sparray | scipy.sparse.spmatrix")
#undef STICTION_ANY_OBJECT

template <class T>
constexpr auto element_name() {
  if constexpr (std::is_same_v<std::remove_const_t<T>, double>)
    return const_name("float64");
  else if constexpr (std::is_same_v<T, bool>)
    return const_name("bool_");
  else
    return const_name("int32");
}

template <class T>
struct type_caster<stiction::python::Out<T>> {
  using Base = ndarray<numpy, T>;
  NB_TYPE_CASTER(stiction::python::Out<T>,
                 const_name("numpy.typing.NDArray[numpy.") + element_name<T>() + const_name("]"))
  bool from_python(handle, uint8_t, cleanup_list*) noexcept { return false; }
  static handle from_cpp(const stiction::python::Out<T>& array, rv_policy,
                         cleanup_list* cleanup) noexcept {
    return make_caster<Base>::from_cpp(static_cast<const Base&>(array), rv_policy::reference,
                                       cleanup);
  }
};

}  // namespace nanobind::detail
