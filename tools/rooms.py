#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A room includes only rooms below it.  Prints what does not, and fails."""

import pathlib
import re
import sys

# From below.  A room uses its own files and those of the lines above it; two rooms of a line know nothing of each other.
FLOORS = ["base", "law", "cone", "contact slider", "io", "multibody", "report", "cli"]
# A header of include/stiction belongs to the lowest room with a source that opens with it; these have none.
HEADERS = {"progress": "base", "solver": "contact", "problem_io": "io"}

floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms.split()}
root = pathlib.Path(__file__).resolve().parent.parent
owner = {f"stiction/{name}.h": room for name, room in HEADERS.items()}
for source in (root / "src").rglob("*.cpp"):
    room = source.relative_to(root / "src").parts[0]
    opens = re.search(r'^#include "(stiction/\w+\.h)"', source.read_text().partition('"\n')[0] + '"', re.M)
    if opens and room in floor and floor[room] <= floor.get(owner.get(opens[1]), len(FLOORS)):
        owner[opens[1]] = room


def room_of(path):
    """Of a file below src/, or of a header of include/stiction."""
    return owner.get(path) if path.startswith("stiction/") else path.partition("/")[0]


wrong = []
for folder in ("src", "include"):
    for file in sorted((root / folder).rglob("*.[hc]*")):
        path = file.relative_to(root / folder).as_posix()
        if path == "stiction/stiction.h" or file.suffix not in (".h", ".cpp"):
            continue
        room = room_of(path)
        if room not in floor:
            wrong.append(f"{folder}/{path}: of which room is it? (tools/rooms.py)")
            continue
        for included in re.findall(r'^#include "([\w./]+)"', file.read_text(), re.M):
            other = room_of(included) if "/" in included else room
            if other not in floor:
                wrong.append(f"{folder}/{path} includes {included}, which is of no room")
            elif other != room and floor[other] >= floor[room]:
                wrong.append(f"{folder}/{path} includes {included}: {room} is not above {other}")
print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(bool(wrong))
