"""Runs a notebook, or the ```python blocks of a page, from top to bottom in one namespace.

    python notebook.py docs/notebooks/painleve.ipynb
    python notebook.py docs/tutorials/first-slider.md

A cell's last expression is shown, as in Jupyter, so that what would fail there fails here.  Notebooks run in their own
folder.  Pages run in an empty one that has `scenes`, and the files that they tell the reader to save ("Save this as
`mine.json`", then the block).  Exit status 77 where a package of another project is missing: skipped.
"""

import ast
import importlib.util
import json
import os
import re
import sys
import tempfile
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
    if path.suffix == ".ipynb":
        os.chdir(path.parent)
        return execute(path, sources)
    root = Path(__file__).resolve().parent.parent.parent
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.symlink(root / "scenes", "scenes")
        saved = r"[Ss]ave this as\s+`([\w.-]+)`[^`]*?\n\n```\w+\n(.*?)^```$"
        for name, text in re.findall(saved, path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            Path(name).write_text(text, encoding="utf-8")
        execute(path, sources)
        os.chdir(root)


def execute(path, sources):
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
