"""Runs a notebook, or the ```python blocks of a page, from top to bottom in one namespace.

    python notebook.py docs/notebooks/painleve.ipynb
    python notebook.py docs/tutorials/first-slider.md

A cell's last expression is shown, as in Jupyter, so that what would fail there fails here.  Notebooks run in their own
folder, pages in the project's.  Exit status 77 where a package of another project is missing: skipped.
"""

import ast
import importlib.util
import json
import os
import re
import sys
from pathlib import Path

OTHERS = ("mujoco", "pinocchio")


def cells(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            if cell["cell_type"] == "code":
                if cell["outputs"]:
                    raise SystemExit(f"{path}: outputs are to be stripped")
                yield "".join(cell["source"])
    else:
        yield from re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def show(value):
    for form in ("_repr_html_", "__repr__"):
        if hasattr(value, form):
            text = getattr(value, form)()
            print(text if len(text) < 2000 else f"<{len(text)} characters>")
            return


def run(path):
    sources = list(cells(path))
    if not sources:
        raise SystemExit(f"{path}: no code")
    for package in OTHERS:
        if any(f"import {package}" in s for s in sources) and importlib.util.find_spec(package) is None:
            print(f"skipped: no {package}")
            raise SystemExit(77)
    root = Path(__file__).resolve().parent.parent.parent
    os.chdir(path.parent if path.suffix == ".ipynb" else root)
    names = {"__name__": "__main__"}
    for number, source in enumerate(sources):
        tree = ast.parse(source, f"{path.name}, cell {number}")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), names)
            if value is not None:
                show(value)


if __name__ == "__main__":
    run(Path(sys.argv[1]).resolve())
