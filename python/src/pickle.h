// SPDX-License-Identifier: Apache-2.0
//
// Pickles of what the library answers: plain structs, whose state is a tuple of their fields.
//
// `fields_of<T>` lists them; a list or an optional is one of packed values, vectors and matrices
// are bytes, so that every number comes back as it was.  A curve is pickled as the law it belongs
// to.
#pragma once

#include <nanobind/stl/array.h>

#include <array>
#include <cstring>
#include <tuple>

#include "bind.h"

namespace stiction::python {

template <class T>
inline constexpr auto fields_of = nullptr;
template <class T>
inline constexpr bool has_fields =
    !std::is_same_v<std::remove_cv_t<decltype(fields_of<T>)>, std::nullptr_t>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T, std::size_t n>
inline constexpr bool is_list<std::array<T, n>> = true;
template <class T>
inline constexpr bool is_matrix = std::is_base_of_v<Eigen::EigenBase<T>, T>;

template <class T>
nb::object packed(const T& value) {
  if constexpr (std::is_same_v<T, LimitCurve>) {
    return nb::cast(PythonLaw(value));
  } else if constexpr (has_fields<T>) {
    return std::apply([&](auto... field) { return nb::make_tuple(packed(value.*field)...); },
                      fields_of<T>);
  } else if constexpr (is_matrix<T>) {
    return nb::make_tuple(
        value.rows(), value.cols(),
        nb::bytes(value.data(), sizeof(double) * static_cast<std::size_t>(value.size())));
  } else if constexpr (is_optional<T>) {
    return value ? nb::object(nb::make_tuple(packed(*value))) : nb::object(nb::none());
  } else if constexpr (is_list<T>) {
    nb::list list;
    for (const typename T::value_type& item : value) list.append(packed(item));
    return list;
  } else if constexpr (std::is_enum_v<T>) {
    return nb::int_(static_cast<int>(value));
  } else {
    return nb::cast(value);
  }
}

// Throws std::bad_cast where it is not what `packed` gave.
template <class T>
T unpacked(nb::handle state) {
  const auto item = [](nb::handle tuple, std::size_t i) {
    return nb::object(nb::cast<nb::tuple>(tuple)[i]);
  };
  const auto require = [](bool holds) {
    if (!holds) throw std::bad_cast();
  };
  if constexpr (std::is_same_v<T, LimitCurve>) {
    return nb::cast<PythonLaw>(state).curve;
  } else if constexpr (has_fields<T>) {
    require(nb::isinstance<nb::tuple>(state) &&
            nb::len(state) == std::tuple_size_v<std::remove_cv_t<decltype(fields_of<T>)>>);
    T made{};
    std::size_t i = 0;
    std::apply(
        [&](auto... field) {
          ((made.*field = unpacked<std::remove_cvref_t<decltype(made.*field)>>(item(state, i++))),
           ...);
        },
        fields_of<T>);
    return made;
  } else if constexpr (is_matrix<T>) {
    require(nb::isinstance<nb::tuple>(state) && nb::len(state) == 3);
    const auto rows = nb::cast<Eigen::Index>(item(state, 0)),
               cols = nb::cast<Eigen::Index>(item(state, 1));
    const auto bytes = nb::cast<nb::bytes>(item(state, 2));
    const auto fits = [](Eigen::Index size, int fixed) {
      return size >= 0 && size < 1 << 30 && (fixed == Eigen::Dynamic || size == fixed);
    };
    require(fits(rows, T::RowsAtCompileTime) && fits(cols, T::ColsAtCompileTime) &&
            bytes.size() == sizeof(double) * static_cast<std::size_t>(rows * cols));
    T made(rows, cols);
    if (made.size() > 0) std::memcpy(made.data(), bytes.c_str(), bytes.size());
    return made;
  } else if constexpr (is_optional<T>) {
    if (state.is_none()) return {};
    return unpacked<typename T::value_type>(item(state, 0));
  } else if constexpr (is_list<T>) {
    T made{};
    std::size_t i = 0;
    for (const nb::handle one : nb::cast<nb::list>(state)) {
      if constexpr (requires { made.reserve(i); })
        made.push_back(unpacked<typename T::value_type>(one));
      else
        require(i < made.size()), made[i] = unpacked<typename T::value_type>(one);
      ++i;
    }
    require(i == made.size());
    return made;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(nb::cast<int>(state));
  } else {
    return nb::cast<T>(state);
  }
}

// Gives a class that is bound already its pickle.
template <class T>
void pickled() {
  auto type = nb::borrow<nb::class_<T>>(nb::type<T>());
  type.def("__getstate__", [](const T& self) { return packed(self); });
  type.def("__setstate__", [](T& self, nb::handle state) {
    try {
      new (&self) T(unpacked<T>(state));
    } catch (const std::bad_cast&) {
      throw nb::type_error("the pickle is of something else, or of another version");
    }
  });
}

}  // namespace stiction::python
