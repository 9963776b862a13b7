# SPDX-License-Identifier: Apache-2.0
"""One line about a call of a compiled function whose arguments do not fit.

The signatures that the function carries are read again, which only a refused call pays for.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Callable
from typing import Any

from ._arguments import said

_largest = 2**31 - 1  # of the whole numbers that the compiled functions take


def _parsed(signature: str, is_method: bool) -> ast.arguments:
    """The arguments but self of a signature as nanobind writes it: `def f(self, a: int, *, b: str = \\0) -> int`."""
    line = re.sub(r"= \\=?\d+", "= ...", signature.splitlines()[-1])
    function = ast.parse(line + ": ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    if is_method:
        (arguments.posonlyargs or arguments.args).pop(0)
    return arguments


def _expected(node: ast.expr) -> str:
    """An annotation as users write it, without the modules."""
    text = re.sub(r"\b(stiction\.\w+|collections\.abc|numpy\.typing|numpy|typing|os)\.", "", ast.unparse(node)).strip("'\"")
    return text.removesuffix(" | None") if "ArrayLike" in text else text  # None is refused as an array in words of its own


def _is_number(value: Any) -> bool:
    if isinstance(value, (str, bytes)):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


_plain: dict[str, Callable[[Any], bool]] = {
    "int": lambda value: hasattr(value, "__index__"),
    "float": _is_number,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "None": lambda value: value is None,
    "os.PathLike": lambda value: hasattr(value, "__fspath__"),
    "collections.abc.Callable": callable,
}


def _fits(node: ast.expr, value: Any) -> bool:
    """Whether a value is what the annotation says, as far as that is known here."""
    if isinstance(node, ast.BinOp):
        return _fits(node.left, value) or _fits(node.right, value)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _fits(ast.parse(node.value, mode="eval").body, value)
    name = ast.unparse(node.value if isinstance(node, ast.Subscript) else node)
    if name in _plain:
        return _plain[name](value)
    if isinstance(node, ast.Subscript) and name in ("collections.abc.Sequence", "list"):
        if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
            return False
        return all(_fits(node.slice, one) for one in value)
    if isinstance(node, ast.Subscript) and name == "tuple":
        return isinstance(value, (list, tuple))
    module, _, word = name.rpartition(".")
    kind = getattr(sys.modules.get(module or "stiction._stiction"), word, None)
    return not isinstance(kind, type) or isinstance(value, kind)


def _misfit(arguments: ast.arguments, given: list[Any], named: dict[str, Any]) -> tuple[int, int, str, bool]:
    """Of one signature: how far the call is from it, in number and names and then in kinds; what is wrong, and whether that is a size."""
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    if len(given) > len(positional) and arguments.vararg is None:
        return 2, 0, f"takes {len(positional)} arguments by position, expected no more, was given {len(given)}", False
    bound = list(zip(positional, given))
    rest = {one.arg: one for one in [*positional[len(given) :], *arguments.kwonlyargs]}
    for word, value in named.items():
        if word in rest:
            bound.append((rest.pop(word), value))
        elif any(one.arg == word for one, _ in bound):
            return 2, 0, f"{word} is given twice, expected once", False
        elif arguments.kwarg is None:
            near = difflib.get_close_matches(word, rest, 1) or sorted(rest)
            return 2, 0, f"{word} is no argument of it, expected {' or '.join(near) or 'none'}", False
    needed = [one for one in positional[len(given) : required] if one.arg in rest]
    needed += [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is None and one.arg in rest]
    fitting = 0
    for one, value in bound:
        if one.annotation and not _fits(one.annotation, value):
            return 1 + bool(needed), -fitting, f"{one.arg} is {said(value)}, expected {_expected(one.annotation)}", False
        fitting += 1
    if needed:
        kind = needed[0].annotation
        return 2, -fitting, f"{needed[0].arg} is missing, expected {_expected(kind) if kind else 'it'}", False
    for one, value in bound:
        whole = one.annotation and re.search(r"\bint\b", ast.unparse(one.annotation)) and hasattr(value, "__index__")
        if whole and not -_largest <= value.__index__() <= _largest:
            return 0, 0, f"{one.arg} is {said(value)}, expected a whole number up to {_largest}", True
    kinds = ", ".join(f"{one.arg} a {type(value).__name__}" for one, value in bound)
    return 1, -fitting, f"{kinds or 'no argument'}, expected what its help says", False


def refusal(function: Any, given: list[Any], named: dict[str, Any]) -> Exception:
    """The error in place of nanobind's page: by the signature that the call comes nearest to."""
    name = function.__qualname__.replace(".__init__", "")
    is_method = type(function).__name__ == "nb_method"
    if is_method:
        owner = getattr(sys.modules[function.__module__], name.partition(".")[0])
        if not given or not isinstance(given[0], owner):
            return TypeError(f"{name}: self is {said(given[0]) if given else 'missing'}, expected {owner.__name__}")
        given = given[1:]  # self may be a constructor's, not made yet
    answers = [_misfit(_parsed(signature, is_method), given, named) for signature, *_ in function.__nb_signature__]
    *nearest, what, is_size = min(answers, key=lambda found: found[:2])
    # Several signatures that the call is as near to may want several kinds of one argument.
    found, _, expected = what.partition(", expected ")
    kinds = [other.removeprefix(found + ", expected ") for *near, other, _ in answers if near == nearest and other.startswith(found + ", ")]
    return (ValueError if is_size else TypeError)(f"{name}: {found}, expected {' or '.join(dict.fromkeys(kinds))}")
