"""Parse pages with the version of Lycosa that is on the path, and say how long it took.

`bench.profile_page` runs this file with the sources of the present version or of an older
one, so it uses nothing but what both have. The argument is a file of pages in JSON; each
line of stdin is a task, `whole`, `parts`, `others` or `digest`, each line of stdout its result.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import lxml.html
import numpy as np
from selectolax.lexbor import LexborHTMLParser

from bench.parts import Parts, sampled
from lycosa.content import BAGS
from lycosa.core import Page
from lycosa.web.decoding import decode
from lycosa.web.html import tidy
from lycosa.web.reader import Reader

# By file; the tree is built by a call from the walk, and measured apart.
PARTS: Parts = {
    "decode": ("web/decoding",),
    "limits": ("web/html_limits", "web/open_elements"),
    "words": ("web/words", "web/numberer", "web/run_numbers"),
    "URLs": ("web/urls",),
    "content and bags": ("lycosa/content", "lycosa/core"),
    "reader": ("web/reader",),
    "walk": ("lycosa/web/",),
}
ARRAYS = (
    "tokens head_start head_stop head_above paths url_tokens url_start url_stop owner start stop "
    "heading"
).split()

Bodies = list[tuple[str, bytes]]


def _bags(page: Page) -> None:
    for bag in BAGS:
        page.bag(bag)


def _whole(bodies: Bodies) -> int:
    """Read all pages with all bags; return the number of links."""
    reader = Reader()
    links = 0
    for url, body in bodies:
        page = reader.page(url, body)
        links += len(page.targets)
        _bags(page)
    return links


def whole(bodies: Bodies) -> dict[str, float]:
    """Return the CPU time of all pages with all bags, by a reader that has seen none."""
    began = time.process_time()
    links = _whole(bodies)
    return {"seconds": time.process_time() - began, "links": links}


def parts(bodies: Bodies) -> dict[str, float]:
    """Return the CPU time of each part."""
    tidied = [tidy(decode(body)) for _, body in bodies]
    tree = _seconds(LexborHTMLParser, tidied)
    limits = _seconds(tidy, [decode(body) for _, body in bodies])
    total = whole(bodies)["seconds"]
    shares = sampled(lambda: _whole(bodies), PARTS)[1]
    found = {part: share * total for part, share in shares.items()}
    # Scans by `str` methods before the limits are called from the walk.
    before = max(limits - found["limits"], 0.0)
    found["limits"] += before
    found["walk"] -= tree + before
    return {"tree": tree, **found}


def others(bodies: Bodies) -> dict[str, float]:
    """Return the CPU time of lxml and selectolax alone: a tree, its hrefs and its text."""

    def with_lxml(body: bytes) -> None:
        if body.strip():
            try:
                tree = lxml.html.document_fromstring(body)
            except lxml.etree.ParserError:
                return
            [a.get("href") for a in tree.iter("a")]
            tree.text_content()

    def with_selectolax(body: bytes) -> None:
        tree = LexborHTMLParser(body)
        [a.attrs.get("href") for a in tree.css("a[href]")]
        tree.text()

    each = [body for _, body in bodies]
    return {
        "lxml, tree": _seconds(lxml.html.document_fromstring, filter(bytes.strip, each)),
        "lxml, hrefs and text": _seconds(with_lxml, each),
        "selectolax, tree": _seconds(LexborHTMLParser, each),
        "selectolax, hrefs and text": _seconds(with_selectolax, each),
    }


def digest(bodies: Bodies) -> dict[str, str]:
    """Return a hash of all that is found on the pages."""
    reader = Reader()
    found = hashlib.sha256()
    for url, body in bodies:
        page = reader.page(url, body)
        found.update(page.targets.tobytes())
        found.update(f"{page.content.title_size} {page.content.title}".encode("utf-8", "replace"))
        for name in ARRAYS:
            found.update(np.asarray(getattr(page.content, name), np.int32).tobytes())
    for table in reader.tables:
        found.update("\n".join(table.strings).encode("utf-8", "surrogatepass"))
    return {"digest": found.hexdigest()}


def _seconds(function: Callable[[Any], object], values: Iterable[Any]) -> float:
    some = list(values)
    began = time.process_time()
    for value in some:
        function(value)
    return time.process_time() - began


TASKS: dict[str, Callable[[Bodies], Any]] = {
    "whole": whole,
    "parts": parts,
    "others": others,
    "digest": digest,
}

if __name__ == "__main__":
    read = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    pages = [(url, body.encode("latin-1")) for url, body in read]
    for line in sys.stdin:
        print(json.dumps(TASKS[line.strip()](pages)), flush=True)
