"""Page rules: which directives of authors a crawl respects, and since which step.

A resumed crawl reads the pages of earlier runs again, so it must read each of them by
the rules of its time: otherwise a changed setting would change which links the past run
had found. The steps of a crawl from before there were rules are read without any; those of
a crawl whose notes were lost, by the rules of the run that resumes it.

>>> history = RuleHistory([[3, {"nofollow": True, "canonical": False, "name": "lycosa"}]])
>>> history.at(2).nofollow, history.at(3).nofollow
(False, True)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lycosa.crawler.storage.store import UNKNOWN_RULES
from lycosa.web.directives import response_directives
from lycosa.web.html import ALL_LINKS, FollowedLinks


class PageRules(NamedTuple):
    """The directives that are respected when a page is read."""

    nofollow: bool = False
    """Whether links are left out that the author asks crawlers not to follow."""
    canonical: bool = False
    """Whether the canonical URL of a page counts as a link."""
    name: str = "lycosa"
    """The name of the crawler in meta elements and headers."""

    def followed(
        self, url: str, body: bytes, type: str, headers: Mapping[str, str]
    ) -> FollowedLinks:
        """Return which links of a page are followed.

        `headers` are those of the response that may have directives, by names in lower case.
        """
        if not self.nofollow and not self.canonical:
            return ALL_LINKS
        asked = response_directives(url, body, type, headers, self.name)
        further = (asked.canonical,) if self.canonical and asked.canonical else ()
        return FollowedLinks(self.nofollow, self.nofollow and asked.nofollow, further)


NO_RULES = PageRules()


class RuleHistory:
    """The rules of a crawl, each with the step from which it is valid.

    `noted` is the note of an earlier run, None if there is none, `UNKNOWN_RULES` if it was lost;
    then `present` are the rules of all steps.
    """

    def __init__(self, noted: object = None, present: PageRules = NO_RULES) -> None:
        self._entries: list[tuple[int, PageRules]] = []
        self._is_lost = noted == UNKNOWN_RULES
        if self._is_lost:
            self._entries.append((1, present))
        for entry in noted if isinstance(noted, list) else ():
            match entry:
                case [int(first), {"nofollow": nofollow, "canonical": named, "name": str(name)}]:
                    rules = PageRules(bool(nofollow), bool(named), name)
                    self._entries.append((first, rules))

    def at(self, step: int) -> PageRules:
        """Return the rules by which a step was read."""
        valid = [rules for first, rules in self._entries if first <= step]
        return valid[-1] if valid else NO_RULES

    def extended(self, steps: int, rules: PageRules) -> list[list[Any]] | None:
        """Return the note if other rules are valid after so many steps; None if none is needed."""
        is_same = self.at(steps + 1) == rules
        if is_same and not self._is_lost and (self._entries or rules == NO_RULES):
            return None
        kept = [(first, old) for first, old in self._entries if first <= steps]
        if not is_same or not kept:
            kept.append((steps + 1, rules))
        return [[first, old._asdict()] for first, old in kept]
