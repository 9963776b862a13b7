"""Doxygen's input filter: the plain // comments of the headers, as documentation.

    python comments.py include/stiction/slider.h

A block of // lines belongs to the declaration below it, a // at the end of a line to what stands before
it, and the block at the head of a file to the file.  What is private stays so.  Paragraphs that are laid
out with spaces (equations and tables of symbols) keep their layout.
"""

import re
import sys
import textwrap

TRAILING = re.compile(r"^(?P<code>\s*[^\s/].*?[;,{}]?)\s*//\s(?P<text>.*)$")


def escaped(text):
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\\", "\\\\"), ("@", "\\@"),
                         ("#", "\\#"), ("%", "\\%"), ('"', "&quot;")):
        text = text.replace(sign, entity)
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def documented(lines, head):
    """The lines of one block of comments, for Doxygen."""
    paragraphs, now = [], []
    for line in [*lines, ""]:
        if line.strip():
            now.append(line)
        elif now:
            paragraphs.append(now)
            now = []
    out = ["/** " + head]
    for paragraph in paragraphs:
        laid_out = any(re.match(r"\s{2,}\S|.*\S {3,}\S", line) for line in paragraph)
        if laid_out:
            lines = [line.replace("*/", "* /") for line in paragraph]
            out += ["\\verbatim", *textwrap.dedent("\n".join(lines)).splitlines(), "\\endverbatim"]
        else:
            out += [escaped(line.strip()).replace("*/", "* /") for line in paragraph]
        out.append("")
    return [*out, "*/"]


def filtered(source, name):
    out, block, at_head = [], [], True
    source = re.sub(r"^ private:\n.*?^(?=};)", "", source, flags=re.MULTILINE | re.DOTALL)
    for line in source.splitlines():
        comment = re.match(r"^(\s*)//(?: (.*)|)$", line)
        if comment:
            if "SPDX-License" not in line:
                block.append((comment.group(2) or "").rstrip())
            continue
        if block and at_head:
            out += documented(block, "\\file " + name)
        elif block and line.strip():
            out += documented(block, "")
        elif block:
            out += ["// " + text for text in block]  # about no declaration
        block, at_head = [], at_head and not block
        trailing = TRAILING.match(line)
        if trailing and not line.lstrip().startswith("#"):
            line = f"{trailing['code']}  ///< {escaped(re.sub(' {2,}', ' ', trailing['text']))}"
        out.append(line)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(filtered(header.read(), sys.argv[1].rsplit("/", 1)[-1]))
