# SPDX-License-Identifier: Apache-2.0
"""Arguments of the functions that are written in Python: what is wrong is a ValueError that names them."""

from __future__ import annotations

import math
import numbers as kinds
import os
import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _stiction


def said(value: Any) -> str:
    """A value as messages name it: on one line, and what is long by its class."""
    if isinstance(value, (np.ndarray, list, tuple, dict, set)):
        return f"a {type(value).__name__}"
    text = repr(value)
    return text if len(text) <= 80 and text.isprintable() else f"a {type(value).__name__}"


def numbers(name: str, value: Any) -> NDArray[np.float64]:
    """Finite numbers of any shape."""
    try:
        given = np.asanyarray(value)
        hidden = np.ma.is_masked(given) or (
            isinstance(value, (list, tuple)) and any(np.ma.is_masked(one) for one in value)
        )
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {said(value)}, expected an array of numbers") from None
    if hidden:
        raise ValueError(f"{name} has masked entries, expected numbers")
    if value is None or (given.ndim == 0 and given.dtype.kind not in "fiub"):
        raise ValueError(f"{name} is {said(value)}, expected real numbers")
    if given.dtype.kind not in "fiub":
        raise ValueError(f"{name} is an array of dtype {given.dtype}, expected real numbers")
    row = np.asarray(given, dtype=np.float64)
    if not np.isfinite(row).all():
        at = np.argwhere(~np.isfinite(row))[0]
        place = "".join(f"[{k}]" for k in at)
        raise ValueError(f"{name}{place} is {row[tuple(at)]}, expected a finite number")
    return row


def positive(name: str, value: Any) -> float:
    """A number that is finite and more than zero."""
    real = isinstance(value, kinds.Real) or (isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "fiu")
    if np.ma.is_masked(value) or not real or not 0 < value < math.inf:
        raise ValueError(f"{name} is {said(value)}, expected a number > 0")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is {said(value)}, expected a number > 0") from None


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """An integer, numpy's too, of a range."""
    fits = isinstance(value, kinds.Integral) and not isinstance(value, bool)
    if not fits or value < low or (high is not None and value > high):
        expected = f"{low} or more" if high is None else f"{low} to {high}"
        raise ValueError(f"{name} is {said(value)}, expected {expected}")
    return int(value)


def one_of(name: str, value: Any, *words: str) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in words:
        listed = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
        raise ValueError(f"{name} is {said(value)}, expected {listed}")
    return value


def place_of(path: Any) -> pathlib.Path:
    """Where a file is to be: never a number, which would be an open file."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise ValueError(f"path is {said(path)}, expected a str or a path")
    place = pathlib.Path(path)
    if "\0" in str(place):
        raise ValueError(f"path is {str(place)!r}, expected one without zeros")
    return place


def shown(place: pathlib.Path) -> str:
    """A path as messages begin with: as it is, or on one line."""
    text = str(place)
    return text if text.isprintable() else repr(text)


def write(place: pathlib.Path, text: str) -> None:
    """Writes a file whole, whoever else writes it."""
    getattr(_stiction, "_write_file")(place, text)
