#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a stranger needs to find their way, checked: functions end within 80 lines, and
docs/architecture.md names every source file.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LINES = 80
# To be rebuilt: load → motion on three small mechanisms.
EXEMPT = ("src/slider/motion/",)
NOT_FUNCTIONS = re.compile(r"^(if|for|while|switch|else|do|try|namespace|extern|enum)\b")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#[^\n]*', re.S | re.M)


def long_functions(text):
    """(line, lines, head) of each function that is too long: a block whose head has parameters,
    outside of any other function."""
    text = NOISE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    blocks, begin, line = [], 0, 1
    inside = 0  # functions around this place
    for at, letter in enumerate(text):
        if letter == "\n":
            line += 1
        elif letter == "{":
            head = text[begin:at].strip()
            plain = re.sub(r"^(public|private|protected):\s*", "", re.sub(r"^template <.*?>\n", "", head, flags=re.S))
            is_function = "(" in plain and not NOT_FUNCTIONS.match(plain) and not plain.endswith(("=", "("))
            blocks.append((line - head.count("\n"), head, is_function))
            inside += is_function
            begin = at + 1
        elif letter == "}":
            first, head, is_function = blocks.pop()
            inside -= is_function
            if is_function and inside == 0 and line - first + 1 > MOST_LINES:
                yield first, line - first + 1, " ".join(head.split())
            begin = at + 1
        elif letter == ";":
            begin = at + 1


def main():
    wrong = []
    sources = sorted(p for p in (ROOT / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    for path in sources:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(EXEMPT):
            wrong += [f"{name}:{n}: {count} lines, expected {MOST_LINES} at most: {text}" for n, count, text in long_functions(path.read_text(encoding="utf-8"))]
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./*]+)`", page))
    for path in sources:
        stem = path.with_suffix("").name
        if not named & {path.name, stem, stem + ".*"}:
            wrong.append(f"docs/architecture.md: does not name {path.relative_to(ROOT).as_posix()}")
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
