"""Every link and image of the site leads to a file of it, and to a place in that file; nothing is loaded
from elsewhere.

    python links.py out/docs
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places.update(value for key, value in attributes.items() if key in ("id", "name") and value)
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        for key in ("src", "data"):
            if attributes.get(key):
                self.loads.append(attributes[key])
        if tag == "link" and attributes.get("href") and attributes.get("rel") != "canonical":
            self.loads.append(attributes["href"])


def wrong(site):
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}
    checked = 0
    for path, page in pages.items():
        for url in page.links + page.loads:
            parts = urlsplit(url)
            if parts.scheme in ("http", "https", "mailto", "data"):
                if url in page.loads and parts.scheme != "data":
                    yield f"{path.relative_to(site)} loads {url}"
                continue
            checked += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path.relative_to(site)}: no file {url}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{path.relative_to(site)}: no place {url}"
    if checked < 500:
        yield f"only {checked} links: is this the site?"


if __name__ == "__main__":
    found = sorted(set(wrong(Path(sys.argv[1]).resolve())))
    print("\n".join(found), file=sys.stderr)
    sys.exit(bool(found))
