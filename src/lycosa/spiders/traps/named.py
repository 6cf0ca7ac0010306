"""The name of a wary spider: `wary(SPIDER)`."""

from __future__ import annotations

from dataclasses import replace

from lycosa.spiders.arguments import Arguments
from lycosa.spiders.learned import Find
from lycosa.spiders.names import Name
from lycosa.spiders.spider import Spider
from lycosa.spiders.traps.wary import Wary


def wary(name: Name, find: Find) -> Spider:
    """The spider in the parentheses, breadth-first if there is none, made wary."""
    arguments = Arguments(name)
    inner = find(arguments.next("breadth-first"))
    arguments.end()
    title = str(name)
    return replace(
        inner, name=title, make=lambda setup, models: Wary(inner.make(setup, models), title)
    )
