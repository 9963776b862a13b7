# SPDX-License-Identifier: Apache-2.0
"""Draws figures/first-surface.png: the picture that the reader of first-ten-minutes.md makes.

    .venv/bin/python docs/site/first_surface.py [FILE.png]      # what the target docs_figures runs

The slider and the program are taken from the page itself.
"""

import os
import pathlib
import re
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
docs = pathlib.Path(__file__).resolve().parent.parent


def block(page: str, language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", page, re.S | re.M)
    if len(found) != 1:
        raise SystemExit(f"first-ten-minutes.md has {len(found)} blocks of {language}, expected 1")
    return str(found[0])


def draw(target: pathlib.Path) -> None:
    page = (docs / "first-ten-minutes.md").read_text(encoding="utf-8")
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, matplotlib.rc_context({"savefig.dpi": 80}):
        os.chdir(folder)
        try:
            pathlib.Path("mine.json").write_text(block(page, "json"), encoding="utf-8")
            exec(compile(block(page, "python"), "plot.py", "exec"), {})
            drawn = pathlib.Path("mine.png").read_bytes()
        finally:
            os.chdir(here)
    target.write_bytes(drawn)


if __name__ == "__main__":
    draw(pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else docs / "figures" / "first-surface.png")
