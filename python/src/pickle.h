// SPDX-License-Identifier: Apache-2.0
//
// Pickles of what the library answers: plain structs, whose state is a tuple of their fields.
//
// `fields_of<T>` lists them; a list or an optional is one of packed values, vectors and matrices
// are bytes, so that every number comes back as it was.  A law is the text of its name, whose
// digits read back to the same numbers; a curve, named or not, is its boundary as it is stored, for
// a name made of it would round its angle.
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

using PieceRows = Eigen::Matrix<double, Eigen::Dynamic, 7, Eigen::RowMajor>;

// A row a piece: from, arc, normal, offset, terms.
inline PieceRows piece_rows(const std::vector<LimitCurve::Piece>& pieces) {
  PieceRows rows(static_cast<Eigen::Index>(pieces.size()), 7);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const LimitCurve::Piece& p = pieces[static_cast<std::size_t>(i)];
    rows.row(i) << p.from.transpose(), p.arc ? 1.0 : 0.0, p.normal.transpose(), p.offset, p.terms;
  }
  return rows;
}
inline std::vector<LimitCurve::Piece> pieces_of(const PieceRows& rows) {
  std::vector<LimitCurve::Piece> pieces;
  pieces.reserve(static_cast<std::size_t>(rows.rows()));
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    pieces.push_back({.from = {rows(i, 0), rows(i, 1)},
                      .arc = rows(i, 2) != 0,
                      .normal = {rows(i, 3), rows(i, 4)},
                      .offset = rows(i, 5),
                      .terms = rows(i, 6)});
  return pieces;
}

template <class T>
nb::object packed(const T& value) {
  if constexpr (std::is_same_v<T, LimitCurve>) {
    const Ellipse& e = value.ellipse();
    return nb::make_tuple(static_cast<int>(value.shape()), e.a, e.b, packed(e.axis),
                          packed(piece_rows(value.pieces())));
  } else if constexpr (std::is_same_v<T, Law>) {
    return nb::cast(to_text(value));
  } else if constexpr (std::is_same_v<T, PythonLaw>) {
    return value.law ? packed(*value.law) : packed(value.curve);
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

// Throws std::bad_cast or InvalidInput where it is not what `packed` gave.
template <class T>
T unpacked(nb::handle state) {
  const auto item = [](nb::handle tuple, std::size_t i) {
    return nb::object(nb::cast<nb::tuple>(tuple)[i]);
  };
  const auto require = [](bool holds) {
    if (!holds) throw std::bad_cast();
  };
  if constexpr (std::is_same_v<T, LimitCurve>) {
    require(nb::isinstance<nb::tuple>(state) && nb::len(state) == 5);
    const Ellipse ellipse{nb::cast<double>(item(state, 1)), nb::cast<double>(item(state, 2)),
                          unpacked<Vec2>(item(state, 3))};
    return LimitCurve::of(static_cast<LimitCurve::Shape>(nb::cast<int>(item(state, 0))), ellipse,
                          pieces_of(unpacked<PieceRows>(item(state, 4))));
  } else if constexpr (std::is_same_v<T, Law>) {
    return parse_law(nb::cast<std::string>(state));
  } else if constexpr (std::is_same_v<T, PythonLaw>) {
    return nb::isinstance<nb::str>(state) ? PythonLaw(unpacked<Law>(state))
                                          : PythonLaw(unpacked<LimitCurve>(state));
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
    const auto foreign = [] {
      return nb::type_error("the pickle is of something else, or of another version");
    };
    try {
      new (&self) T(unpacked<T>(state));
    } catch (const std::bad_cast&) {
      throw foreign();
    } catch (const InvalidInput&) {
      throw foreign();
    }
  });
}

}  // namespace stiction::python
