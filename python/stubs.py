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


def main(files: list[str]) -> None:
    for file in map(pathlib.Path, files):
        text = file.read_bytes()
        lines = text.splitlines(keepends=True)
        found = [a for f in ast.walk(ast.parse(text)) if isinstance(f, ast.FunctionDef) for a in required(f) if may_be_none(a)]
        for argument in sorted(found, key=lambda a: (a.lineno, a.col_offset), reverse=True):
            said = argument.annotation
            assert isinstance(said, ast.BinOp) and said.left.end_lineno == said.end_lineno is not None
            line = lines[said.end_lineno - 1]  # columns count bytes
            lines[said.end_lineno - 1] = line[: said.left.end_col_offset] + line[said.end_col_offset :]
        file.write_bytes(re.sub(rb"os\.PathLike(?!\[)", b"os.PathLike[str]", b"".join(lines)))


if __name__ == "__main__":
    main(sys.argv[1:])
