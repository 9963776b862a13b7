#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header compiles alone: it includes what it uses.  Prints what does not, and fails.

A header that some source includes before all else is compiled alone by the build; only the others are compiled here.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

os.chdir(pathlib.Path(__file__).resolve().parent.parent)
listed = subprocess.run(["git", "ls-files", "include", "src", "tests", "python/src"], capture_output=True, text=True, check=True).stdout.split()
# The command line's sources are given a header before the first, precompiled.
sources = [path for path in listed if path.endswith(".cpp") and not path.startswith("src/cli/") and pathlib.Path(path).exists()]
first = {found[1] for path in sources if (found := re.search(r'^#include ["<]([^">]+)', pathlib.Path(path).read_text(), re.M))}
headers = [path for path in listed if re.match(r"(include|src)/.*\.h$", path) and pathlib.Path(path).exists()]
names = [path.partition("/")[2] for path in headers]


def said(name: str) -> str:
    """What the compiler has against it."""
    folders = ["-Iinclude", "-Isrc", "-isystem", "/usr/include/eigen3"]
    call = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", *folders, "-x", "c++", "-"]
    done = subprocess.run(call, input=f'#include "{name}"\n', capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{name} does not compile alone:\n{done.stderr[:1000]}"


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    wrong = [text for text in pool.map(said, [name for name in names if name not in first]) if text]
print("".join(wrong), end="")
print(f"headers: {len(names)}, {sum(name in first for name in names)} by the build", file=sys.stderr)
sys.exit(bool(wrong))
