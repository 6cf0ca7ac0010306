"""The spider `wary(SPIDER)`: any policy with trap detection around it."""

from __future__ import annotations

from dataclasses import replace

from lycosa.spiders.arguments import Arguments
from lycosa.spiders.factory import FindSpider, Spider
from lycosa.spiders.names import SpiderName
from lycosa.spiders.traps.wary import Wary


def wary(name: SpiderName, find: FindSpider) -> Spider:
    """Return the named spider, breadth-first by default, with trap detection around it."""
    arguments = Arguments(name)
    inner = find(arguments.next("breadth-first"))
    arguments.end()
    title = str(name)
    return replace(
        inner, name=title, make=lambda setup, models: Wary(inner.make(setup, models), title)
    )
