# SPDX-License-Identifier: Apache-2.0
"""Says in stubs what nanobind does not know: python stubs.py FILE…

Arrays and laws are bound as any object, so that the function called can refuse None by the argument's
name; nanobind writes of every such argument that it may be None, which is taken from those without a
default.  Paths are of text.
"""

import ast
import pathlib
import re
import sys


def required(function: ast.FunctionDef) -> list[ast.arg]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    given = positional[: len(positional) - len(arguments.defaults)]
    return given + [a for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is None]


def may_be_none(argument: ast.arg) -> bool:
    said = argument.annotation
    return isinstance(said, ast.BinOp) and isinstance(said.right, ast.Constant) and said.right.value is None


def truthful(stub: str) -> str:
    lines = stub.encode().splitlines(keepends=True)  # columns count bytes
    functions = (f for f in ast.walk(ast.parse(stub)) if isinstance(f, ast.FunctionDef))
    found = [a for f in functions for a in required(f) if may_be_none(a)]
    for argument in sorted(found, key=lambda a: (a.lineno, a.col_offset), reverse=True):
        said = argument.annotation
        assert isinstance(said, ast.BinOp) and said.left.end_lineno == said.end_lineno is not None
        line = lines[said.end_lineno - 1]
        lines[said.end_lineno - 1] = line[: said.left.end_col_offset] + line[said.end_col_offset :]
    return re.sub(r"os\.PathLike(?!\[)", "os.PathLike[str]", b"".join(lines).decode())


if __name__ == "__main__":
    for file in map(pathlib.Path, sys.argv[1:]):
        file.write_text(truthful(file.read_text(encoding="utf-8")), encoding="utf-8")
