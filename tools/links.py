#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/links.py [BUILD]: no object file needs, by way of others, one that needs it.  Prints the circles, and fails.

What the compiled libraries ask of each other says which file leans on which, whoever declares it.
"""

import collections
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Load → motion is to be rebuilt; its files call each other.
EXEMPT = ROOT / "src/slider/motion"


def needs(library: pathlib.Path) -> dict:
    """object file → the object files of the same library that define what it asks for."""
    defines, asks = {}, collections.defaultdict(set)
    listed = subprocess.run(["nm", "-A", "-P", library], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        place, symbol, kind = line.split()[:3]
        file = place.partition("[")[2].rstrip("]:")
        if kind == "U":
            asks[file].add(symbol)
        elif kind in "TDBR":  # a weak one is in every file that uses it
            defines[symbol] = file
    return {file: {defines[s] for s in symbols if s in defines} - {file} for file, symbols in asks.items()}


def circles(graph: dict) -> list:
    """The sets of files of which each reaches each other."""
    def reach(file):
        seen, open_ = set(), [file]
        while open_:
            new = graph.get(open_.pop(), set()) - seen
            seen |= new
            open_ += new
        return seen

    reached = {file: reach(file) for file in graph}
    return sorted({tuple(sorted(f for f in reached[file] if file in reached.get(f, ()))) for file in graph if file in reached[file]})


def main() -> int:
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build"
    exempt = {path.name + ".o" for path in EXEMPT.glob("*.cpp")}
    libraries = sorted(build.glob("libstiction*.a")) + sorted(build.glob("src/*/libstiction*.a"))
    wrong = [f"{library.name}: {' ↔ '.join(circle)}" for library in libraries for circle in circles(needs(library)) if not set(circle) <= exempt]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"links: {len(libraries)} libraries, {len(wrong)} circles", file=sys.stderr)
    return bool(wrong) or not libraries


if __name__ == "__main__":
    sys.exit(main())
