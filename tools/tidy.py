#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/tidy.py [FILE…]: clang-tidy with the checks of .clang-tidy on every source of the core, or on those named.

What was clean once is not looked at again: the key is a hash of the source, of every header of this
project that it reaches, of .clang-tidy and of the version of clang-tidy.  A check that a file gives no
occasion for is left out, for it costs time nevertheless.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-16"
FLAGS = ["-std=c++20", "-Iinclude", "-Isrc", "-isystem", "/usr/include/eigen3"]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "stiction-tidy"
# Load → motion is to be rebuilt; the kernels are one text compiled for each kind of processor.  Without
# them all that is looked at costs less than three minutes on two cores.
LEFT_OUT = [":!src/slider/motion/*", ":!src/contact/bodies/kernels*"]
MONTH = 30 * 24 * 3600  # seconds after which what was not asked for is forgotten

# What gives occasion to a check that is dear: together half of the time of a file.
OCCASIONS = {
    r"lock_guard|unique_lock|scoped_lock": ["bugprone-unused-raii"],
    r"std::move\b|std::forward\b": ["bugprone-use-after-move", "performance-move-const-arg"],
    r"^\s*using [\w:]+::\w+;": ["misc-unused-using-decls"],
}


def reached(path: pathlib.Path, seen: dict) -> dict:
    """The text of a file and of every header of this project that it includes, by path."""
    if path not in seen:
        seen[path] = path.read_text(encoding="utf-8")
        for name in re.findall(r'^#include "([^"]+)"', seen[path], re.M):
            for folder in (path.parent, ROOT / "src", ROOT / "include"):
                if (folder / name).is_file():
                    reached((folder / name).resolve(), seen)
                    break
    return seen


def look(name: str, version: str) -> str:
    """What clang-tidy has against a file; nothing where it was clean before or is clean now."""
    path = (ROOT / name).resolve()
    texts = reached(path, {})
    parts = [version, (ROOT / ".clang-tidy").read_text(encoding="utf-8"), pathlib.Path(__file__).read_text(encoding="utf-8")]
    parts += [f"{file.relative_to(ROOT)}\n{texts[file]}" for file in sorted(texts)]
    clean = CACHE / hashlib.sha256("\0".join(parts).encode()).hexdigest()
    if clean.exists():
        clean.touch()
        return ""
    own = texts[path] + texts.get(path.with_suffix(".h"), "")
    without = [check for occasion, checks in OCCASIONS.items() if not re.search(occasion, own, re.M) for check in checks]
    checks = ["--checks=" + ",".join("-" + check for check in without)] if without else []
    done = subprocess.run([TIDY, "--quiet", *checks, name, "--", *FLAGS], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        return done.stdout or done.stderr
    clean.touch()
    return ""


def main() -> int:
    listed = [f"src/{room}/*.cpp" for room in ("base", "law", "cone", "contact", "slider")] + LEFT_OUT
    files = sys.argv[1:] or subprocess.run(["git", "ls-files", *listed], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True).stdout
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.iterdir():
        if time.time() - old.stat().st_mtime > MONTH:
            old.unlink(missing_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [said for said in pool.map(lambda name: look(name, version), files) if said]
    print("\n".join(wrong), end="")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"tidy: {len(files)} files, {used.ru_utime + used.ru_stime:.0f} s of processor time", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
