"""Renews the output of ```console blocks in place; the tests compare it (tests/cli/docs_test.cpp).

    python docs/site/console.py build/bin docs/tutorials/first-slider.md …
"""

import os
import subprocess
import sys
from pathlib import Path

root = Path(__file__).parent.parent.parent
programs = str(Path(sys.argv[1]).resolve())
for page in map(Path, sys.argv[2:]):
    out, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line == "```console":
            inside = True
        elif line == "```":
            inside = False
        if not inside or line == "```console":
            out.append(line)
        elif line.startswith("$ "):
            shown = subprocess.run(line[2:], shell=True, cwd=root, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, executable="/bin/sh",
                                   env={**os.environ, "PATH": programs + ":" + os.environ["PATH"]}).stdout
            out += [line, *shown.splitlines()]
    page.write_text("\n".join(out) + "\n", encoding="utf-8")
