// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

namespace stiction::python {

namespace {

nb::handle numpy_type() {
  static const nb::handle type =
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release();
  return type;
}

bool is_exact_numpy(nb::handle object) {
  return reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) == numpy_type().ptr();
}

std::string class_name(nb::handle object) {
  return nb::cast<std::string>(
      nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

bool all_finite(const double* x, std::size_t count) {
  double sum = 0;  // x·0 is NaN where x is not finite
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * 0;
  return sum == 0;
}

Eigen::VectorXd flat(const Numbers& n) {
  return without_gil(
      [&]() -> Eigen::VectorXd {
        return Eigen::Map<const Eigen::VectorXd>(n.data(), static_cast<Eigen::Index>(n.size()));
      },
      n.size());
}

template <class Table, class Row>
Table table_of(const std::vector<Row>& rows) {
  return without_gil(
      [&] {
        Table table(rows.size(), Row::RowsAtCompileTime);
        for (std::size_t i = 0; i < rows.size(); ++i)
          table.row(static_cast<Eigen::Index>(i)) = rows[i];
        return table;
      },
      rows.size());
}

template <class T, class Rows>
Array own_rows(Rows&& rows) {
  auto* kept = new T(std::forward<Rows>(rows));
  return {kept->data(),
          {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())},
          nb::capsule(kept, [](void* p) noexcept { delete static_cast<T*>(p); })};
}

// Whether a numpy array, or one in a list of them, hides some of its numbers.  Of exact arrays and
// of Python's numbers nothing is asked but their type.
bool has_masked(nb::handle object, int levels = 4) {
  PyObject* given = object.ptr();
  if (PyFloat_CheckExact(given) || PyLong_CheckExact(given) || is_exact_numpy(object)) return false;
  if (PyList_CheckExact(given) || PyTuple_CheckExact(given)) {
    if (levels == 0) return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(given); ++i)
      if (has_masked(PySequence_Fast_GET_ITEM(given, i), levels - 1)) return true;
    return false;
  }
  if (!is_numpy(object)) return false;
  const nb::module_ masked = nb::module_::import_("numpy.ma");
  return nb::cast<bool>(masked.attr("is_masked")(object));
}

void require_unmasked(nb::handle object, const char* name) {
  if (has_masked(object))
    throw InvalidInput(std::string(name) + " has masked entries, expected numbers");
}

// A list or tuple of Python's own floats and ints, ten times faster than by numpy; anything else,
// and ints of more than 64 bits, is left to numpy.
std::optional<Numbers> listed_numbers(nb::handle argument) {
  PyObject* list = argument.ptr();
  if (!PyList_CheckExact(list) && !PyTuple_CheckExact(list)) return {};
  const auto size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list));
  PyObject** items = PySequence_Fast_ITEMS(list);
  auto data = std::make_unique<double[]>(size);
  for (std::size_t i = 0; i < size; ++i) {
    int overflow = 0;
    if (PyFloat_CheckExact(items[i]))
      data[i] = PyFloat_AS_DOUBLE(items[i]);
    else if (PyLong_CheckExact(items[i]))
      data[i] = static_cast<double>(PyLong_AsLongLongAndOverflow(items[i], &overflow));
    else
      return {};
    if (overflow != 0) return {};
  }
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Numbers(data.release(), {size}, owner);
}

}  // namespace

double degrees(double radians, const char* name) {
  const double found = radians * 180 / std::numbers::pi;
  if (!std::isfinite(found)) refuse(name, text(radians), "a finite angle in radians");
  return found;
}

std::string quoted(const std::string& text) {
  return nb::cast<std::string>(nb::repr(nb::str(text.c_str(), text.size())));
}

void refuse(const char* name, const std::string& is, const std::string& expected) {
  throw InvalidInput(std::string(name) + " is " + is + ", expected " + expected);
}

bool is_numpy(nb::handle object) { return nb::isinstance(object, numpy_type()); }

std::string shape_text(const Numbers& numbers) {
  std::string text = "(";
  for (std::size_t i = 0; i < numbers.ndim(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers.shape(i));
  return text + (numbers.ndim() == 1 ? ",)" : ")");
}

Numbers raw_numbers(const ArrayLike& argument, const char* name) {
  Numbers found;
  if (is_exact_numpy(argument.value)) {
    if (nb::try_cast(argument.value, found, false)) return found;
  } else {
    if (const auto listed = listed_numbers(argument.value)) return *listed;
    require_unmasked(argument.value, name);
    if (is_numpy(argument.value) && nb::try_cast(argument.value, found, false)) return found;
  }
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array;
  if (argument.value.is_none()) refuse(name, "None", "an array of numbers");
  try {
    array = numpy.attr("asarray")(argument.value);
  } catch (nb::python_error&) {
    refuse(name, "a " + class_name(argument.value), "an array of numbers");
  }
  const nb::object dtype = array.attr("dtype");
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind != "f" && kind != "i" && kind != "u" && kind != "b")
    refuse(name, "an array of dtype " + nb::cast<std::string>(nb::str(dtype)), "real numbers");
  // Numbers too large for a double become infinite, which is said of them where it matters.
  const nb::object quiet = numpy.attr("errstate")("over"_a = "ignore", "invalid"_a = "ignore");
  quiet.attr("__enter__")();
  const nb::object shape = array.attr("shape");
  try {
    array = numpy.attr("ascontiguousarray")(array, "dtype"_a = "float64").attr("reshape")(shape);
  } catch (nb::python_error& error) {
    quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
    if (!error.matches(PyExc_MemoryError)) throw;
    refuse(name, "an array of shape " + nb::cast<std::string>(nb::str(shape)),
           "one that fits into memory");
  }
  quiet.attr("__exit__")(nb::none(), nb::none(), nb::none());
  if (!nb::try_cast(array, found, false))
    refuse(name, "a " + class_name(argument.value), "an array of numbers");
  return found;
}

Numbers numbers(const ArrayLike& argument, const char* name) {
  Numbers n = raw_numbers(argument, name);
  if (without_gil([&] { return all_finite(n.data(), n.size()); }, n.size())) return n;
  std::size_t k = 0;
  while (std::isfinite(n.data()[k])) ++k;
  std::string place = name;
  std::size_t stride = n.size(), rest = k;
  for (std::size_t i = 0; i < n.ndim(); ++i) {
    stride /= n.shape(i);
    place += "[" + std::to_string(rest / stride) + "]";
    rest %= stride;
  }
  refuse(place.c_str(), text(n.data()[k]), "a finite number");
}

Eigen::VectorXd vector(const ArrayLike& argument, const char* name) {
  const Numbers n = numbers(argument, name);
  return flat(n);
}

Eigen::VectorXd vector(const ArrayLike& argument, const char* name, Eigen::Index size) {
  const Numbers n = numbers(argument, name);
  if (static_cast<Eigen::Index>(n.size()) != size)
    refuse(name, "an array of shape " + shape_text(n), std::to_string(size) + " numbers");
  return flat(n);
}

Eigen::MatrixXd matrix(const ArrayLike& argument, const char* name) {
  const Numbers n = numbers(argument, name);
  if (n.ndim() != 2) refuse(name, "an array of shape " + shape_text(n), "a matrix");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return without_gil(
      [&]() -> Eigen::MatrixXd {
        return Eigen::Map<const RowMajor>(n.data(), static_cast<Eigen::Index>(n.shape(0)),
                                          static_cast<Eigen::Index>(n.shape(1)));
      },
      n.size());
}

Eigen::Matrix3d matrix3(const ArrayLike& argument, const char* name) {
  const Numbers n = numbers(argument, name);
  if (n.ndim() != 2 || n.shape(0) != 3 || n.shape(1) != 3)
    refuse(name, "an array of shape " + shape_text(n), "shape (3, 3)");
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(n.data());
}

namespace {

// scipy takes indices as they come, and so would Eigen.
void require_sound_indices(nb::handle matrix, const char* name) {
  const auto unsound = [&](const std::string& why) {
    refuse(name, "a sparse matrix whose indices are not sound: " + why, "a sound one");
  };
  if (nb::hasattr(matrix, "check_format")) {
    try {
      matrix.attr("check_format")("full_check"_a = true);
    } catch (nb::python_error& error) {
      unsound(nb::str(error.value()).c_str());
    }
  } else if (nb::hasattr(matrix, "row") && nb::hasattr(matrix, "col")) {
    const auto shape = nb::cast<nb::tuple>(matrix.attr("shape"));
    const std::size_t entries = nb::len(nb::object(matrix.attr("data")));
    for (const auto& [axis, index] : {std::pair("row", 0), std::pair("col", 1)}) {
      const nb::object list = matrix.attr(axis);
      if (nb::len(list) != entries) unsound(std::string(axis) + " is of another length");
      if (entries > 0 && (nb::cast<long>(list.attr("min")()) < 0 ||
                          nb::cast<long>(list.attr("max")()) >=
                              nb::cast<long>(shape[static_cast<std::size_t>(index)])))
        unsound(std::string(axis) + " is outside");
    }
  }
}

}  // namespace

Eigen::SparseMatrix<double> sparse(const MatrixLike& argument, const char* name) {
  if (!nb::hasattr(argument.value, "tocsc")) {
    const Eigen::MatrixXd dense = matrix({argument.value}, name);
    return without_gil([&]() -> Eigen::SparseMatrix<double> { return dense.sparseView(0, 0); });
  }
  require_sound_indices(argument.value, name);
  nb::object csc = argument.value.attr("tocsc")();
  if (nb::cast<bool>(csc.is(argument.value))) csc = csc.attr("copy")();
  csc.attr("sum_duplicates")();
  const auto shape = nb::cast<nb::tuple>(csc.attr("shape"));
  const auto rows = nb::cast<Eigen::Index>(shape[0]), cols = nb::cast<Eigen::Index>(shape[1]);
  const Numbers values = numbers({csc.attr("data")}, name);
  using Indices = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  const auto rows_of = nb::cast<Indices>(csc.attr("indices").attr("astype")("int32"));
  const auto starts = nb::cast<Indices>(csc.attr("indptr").attr("astype")("int32"));
  return without_gil([&]() -> Eigen::SparseMatrix<double> {
    return Eigen::Map<const Eigen::SparseMatrix<double>>(
        rows, cols, static_cast<Eigen::Index>(values.size()), starts.data(), rows_of.data(),
        values.data());
  });
}

std::vector<Vec2> points(const ArrayLike& argument, const char* name) {
  const Numbers n = numbers(argument, name);
  if (n.ndim() != 2 || n.shape(1) != 2)
    refuse(name, "an array of shape " + shape_text(n), "shape (n, 2)");
  return without_gil(
      [&] {
        std::vector<Vec2> list(n.shape(0));
        for (std::size_t i = 0; i < list.size(); ++i)
          list[i] = {n.data()[2 * i], n.data()[2 * i + 1]};
        return list;
      },
      n.size());
}

Array array(Eigen::VectorXd numbers) {
  auto* kept = new Eigen::VectorXd(std::move(numbers));
  return {kept->data(),
          {static_cast<std::size_t>(kept->size())},
          nb::capsule(kept, [](void* p) noexcept { delete static_cast<Eigen::VectorXd*>(p); })};
}

Array array(Eigen::MatrixXd numbers) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return own_rows<RowMajor>(
      without_gil([&] { return RowMajor(numbers); }, static_cast<std::size_t>(numbers.size())));
}

Array array(Rows2 rows) { return own_rows<Rows2>(std::move(rows)); }
Array array(Rows3 rows) { return own_rows<Rows3>(std::move(rows)); }

Array array(const std::vector<Vec2>& rows) { return array(table_of<Rows2>(rows)); }

Array array(const std::vector<Vec3>& rows) { return array(table_of<Rows3>(rows)); }

nb::object or_none(const std::optional<Vec2>& v) {
  return v ? nb::cast(small<2>(*v)) : nb::object(nb::none());
}

nb::object finite_or_none(double value) {
  return std::isfinite(value) ? nb::object(nb::float_(value)) : nb::object(nb::none());
}

View view(const Eigen::VectorXd& numbers, int dimension, nb::handle owner) {
  const auto d = static_cast<std::size_t>(dimension);
  return {numbers.data(), {static_cast<std::size_t>(numbers.size()) / d, d}, owner};
}

namespace {

// A disc cut by a bearing, |f·roll| ≤ b, or by a ratchet, f·roll ≤ 0.
std::optional<Law> wheel_of(const LimitCurve& c) {
  std::vector<LimitCurve::Piece> flats;
  for (const LimitCurve::Piece& piece : c.pieces())
    if (!piece.arc) flats.push_back(piece);
  Law made;
  made.mu = c.ellipse().a;
  if (!c.ellipse().is_disc()) return {};
  if (flats.size() == 1 && flats[0].offset == 0)
    made.curve = Law::Curve::ratchet;
  else if (flats.size() == 2 && flats[0].normal == -flats[1].normal &&
           flats[0].offset == flats[1].offset)
    made.curve = Law::Curve::rusty_wheel;
  else
    return {};
  made.bearing = flats[0].offset;
  made.angle_deg = angle_degrees(flats[0].normal);
  if (flats.size() == 2 && made.angle_deg >= 180)  // a wheel rolls both ways
    made.angle_deg = angle_degrees(flats[1].normal);
  return made;
}

}  // namespace

std::optional<Law> named(const PythonLaw& law) {
  if (law.law) return law.law;
  Law made;
  const LimitCurve& c = law.curve;
  if (c.shape() == LimitCurve::Shape::clipped) return wheel_of(c);
  if (c.shape() == LimitCurve::Shape::point) {
    made.curve = Law::Curve::free;
  } else if (c.shape() == LimitCurve::Shape::ellipse) {
    made.mu = c.ellipse().a;
    if (!c.ellipse().is_disc()) {
      made.curve = Law::Curve::ellipse;
      made.mu2 = c.ellipse().b;
      made.angle_deg = angle_degrees(c.ellipse().axis);
    }
  } else {
    made.curve = Law::Curve::polygon;
    made.vertices = c.vertices();
  }
  return made;
}

Law named(const PythonLaw& law, const char* name) {
  if (const auto found = named(law)) return *found;
  refuse(
      name, "a cut curve without a name",
      "one of the named laws, an ellipse or a polygon; polygon(law.outline(0.01)) comes near it");
}

Law law(const LawLike& argument, const char* name) {
  nb::handle h = argument.value;
  if (PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr())) {
    Law disc;
    disc.mu = PyFloat_AsDouble(h.ptr());
    if (disc.mu == -1 && PyErr_Occurred() != nullptr) PyErr_Clear(), disc.mu = infinity;
    if (!(disc.mu >= 0 && std::isfinite(disc.mu)))
      refuse(name, text(disc.mu), "a coefficient ≥ 0, a law or its text");
    about(name, [&] { validate(disc); });
    return disc;
  }
  const PythonLaw* made = nullptr;
  if (nb::try_cast(h, made, false) && made != nullptr) return named(*made, name);
  std::string words;
  if (nb::try_cast(h, words, false)) return about(name, [&] { return parse_law(words); });
  double mu = 0;
  require_unmasked(h, name);
  if (nb::hasattr(h, "__float__") && nb::try_cast(h, mu, true)) return law({nb::float_(mu)}, name);
  refuse(name, h.is_none() ? "None" : "a " + class_name(h), "a coefficient ≥ 0, a law or its text");
}

LimitCurve curve(const LawLike& argument, const char* name) {
  const PythonLaw* made = nullptr;
  if (nb::try_cast(argument.value, made, false) && made != nullptr) return made->curve;
  const Law found = law(argument, name);
  return without_gil([&] { return limit_curve(found); },
                     static_cast<std::size_t>(std::max(found.sides, 0)) + found.vertices.size());
}

std::vector<Law> laws(const LawsLike& argument, const char* name, Eigen::Index contacts) {
  nb::handle h = argument.value;
  const auto count = static_cast<std::size_t>(contacts);
  if (PyFloat_Check(h.ptr()) || PyLong_Check(h.ptr()) || nb::isinstance<PythonLaw>(h) ||
      nb::isinstance<nb::str>(h))
    return std::vector<Law>(count, law({h}, name));
  const auto wrong = [&](std::size_t found) {
    throw InvalidInput(std::string(name) + " has " + std::to_string(found) +
                       " entries, expected one for all contacts or " + std::to_string(count));
  };
  if (nb::isinstance<nb::list>(h) || nb::isinstance<nb::tuple>(h)) {
    std::vector<Law> list;
    for (const nb::handle item : nb::iter(h))
      list.push_back(
          law({item}, (std::string(name) + "[" + std::to_string(list.size()) + "]").c_str()));
    if (list.size() != count) wrong(list.size());
    return list;
  }
  const Numbers n = raw_numbers({h}, name);
  if (n.ndim() > 1) refuse(name, "an array of shape " + shape_text(n), "one coefficient a contact");
  if (n.ndim() == 1 && n.size() != count) wrong(n.size());
  std::vector<Law> list(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double mu = n.data()[n.ndim() == 0 ? 0 : i];
    if (!(mu >= 0 && std::isfinite(mu)))
      refuse((std::string(name) + "[" + std::to_string(i) + "]").c_str(), text(mu),
             "a coefficient ≥ 0");
    list[i].mu = mu;
    validate(list[i]);
  }
  return list;
}

}  // namespace stiction::python
