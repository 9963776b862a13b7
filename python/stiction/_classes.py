# SPDX-License-Identifier: Apache-2.0
"""What the classes of the compiled modules share: a repr of one line, copies and pickles."""

from __future__ import annotations

import copyreg
import dataclasses
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np

from . import _stiction as st

_longest = 200


def _short(value: Any) -> str:
    """Numbers, words and a few of them as they are; of what is longer, how much there is."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray) and value.ndim == 1 and len(value) <= 4:
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        if len(value) <= 4 and all(isinstance(one, (int, float, str)) for one in value):
            return f"[{', '.join(map(_short, value))}]"
        return f"[{len(value)} {type(value[0]).__name__}]"
    if hasattr(value, "shape"):
        return f"[{'×'.join(map(str, value.shape))}]"
    if isinstance(value, dict):
        return f"[{', '.join(value)}]"
    return repr(value)


def describe(self: Any) -> str:
    """The class with its properties, on one line."""
    kind = type(self)
    if dataclasses.is_dataclass(kind):
        names = [field.name for field in dataclasses.fields(kind)]
    else:
        names = [name for name, member in vars(kind).items() if isinstance(member, property)]
    text = ", ".join(f"{name}={_short(getattr(self, name))}" for name in names)
    if len(text) > _longest:
        end = text.rfind(",", 0, _longest)
        text = text[:_longest] + "…" if end < 0 else text[:end] + ", …"
    return f"{kind.__name__}({text})"


def _itself(self: Any, memo: Any = None) -> Any:
    """A copy of what cannot change."""
    return self


def _from_json(name: str, text: str) -> Any:
    return getattr(st, name).from_json(text)


def _by_text(self: Any) -> tuple[Any, ...]:
    return _from_json, (type(self).__name__, self.to_json())


def _by_law(self: Any) -> tuple[Any, ...]:
    return type(self), (self.law,)


def _refuse(self: Any) -> tuple[Any, ...]:
    raise TypeError(f"cannot pickle a {type(self).__name__}")


def _by_name(function: Any) -> str:
    return str(function.__qualname__)


def _bound(method: Any) -> tuple[Any, ...]:
    return getattr, (method.__self__, method.__name__)


# The compiled functions and methods, which pools of processes are given.
copyreg.pickle(type(st.disc), _by_name)
copyreg.pickle(type(st.Law.support), _by_name)
copyreg.pickle(type(st.free().support), _bound)

_reductions = {
    "ContactProblem": _by_text,
    "GlobalProblem": _by_text,
    "FrictionCone": _by_law,
}


def complete(module: ModuleType) -> None:
    """Gives the classes of a compiled module what they do not have yet."""
    classes: Iterable[Any] = [item for item in vars(module).values() if isinstance(item, type)]
    for kind in classes:
        if kind.__repr__ is object.__repr__:
            kind.__repr__ = describe
        if not {"__getstate__", "__reduce__"} & vars(kind).keys():
            # Without it there would be a pickle of nothing.
            kind.__reduce__ = _reductions.get(kind.__name__, _refuse)
        if kind is not st.ContactSolver:  # which has a workspace
            kind.__copy__ = kind.__deepcopy__ = _itself
