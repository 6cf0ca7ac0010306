"""Lessons: pages that the owner says do not belong here, and what the goal learns from them.

A build writes the file lessons.json: the words of those pages, and of some that are shown. The
crawl learns to tell them apart (`lycosa.goals.Examples`), and a page is a target only if it is
not clearly one of the former. With other lessons the goal has another name, so that a crawl
that is resumed judges the pages that it has again.

>>> from tempfile import TemporaryDirectory
>>> from lycosa.web.reader import Reader
>>> menus = ["home imprint login search", "home login basket imprint", "imprint basket home"] * 3
>>> papers = ["theorem proof spiders", "proof lemma theorem", "lemma spiders theorem"] * 3
>>> with TemporaryDirectory() as name:
...     write_lessons(Path(name), papers, menus)
...     unwanted = read_lessons(Path(name))
>>> [unwanted(Reader().page("http://a.edu/", body)) for body in (b"Home, imprint", b"A proof")]
[1.0, 0.0]
"""

from __future__ import annotations

import json
import logging
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from lycosa.core import Goal, GoalWarning
from lycosa.errors import UsageError
from lycosa.files import replace_file
from lycosa.goals.combined import Both, Other
from lycosa.goals.examples import MIN_EXAMPLES, Examples
from lycosa.web.digests import digest

FILE: Final = "lessons.json"
MIN_UNWANTED: Final = MIN_EXAMPLES
"""Pages that do not belong here from which something is learned."""
MAX_WANTED: Final = 60
"""Pages that are shown, to compare with."""
CERTAINTY: Final = 2 / 3
"""The probability from which a page is refused: a page that is lost is worse than one too many.

Of three examples none gets a probability above 0.8 (Platt's smoothing), so it cannot be higher.
"""

Words: TypeAlias = list[str]

_log = logging.getLogger("lycosa.project")


class UnwantedPages(Examples):
    """The pages that do not belong here, with a probability of at least `CERTAINTY`."""

    def __init__(self, unwanted: Iterable[str], wanted: Iterable[str]) -> None:
        texts = [sorted(unwanted), sorted(wanted)]
        bad, good = ([text.split() for text in some] for some in texts)
        super().__init__(
            bad,
            reliable(good, bad),
            least=CERTAINTY,
            name=f"unwanted-{digest(repr(texts))[:8]}",
        )
        self.pages = len(bad)
        """The pages from which it was learned."""

    def warnings(self) -> list[GoalWarning]:
        """Return nothing: few examples are no fault, because only clear cases are refused."""
        return []


def reliable(wanted: Sequence[Words], unwanted: Sequence[Words]) -> list[Words]:
    """Return the pages that are more like the other wanted ones than like the unwanted ones.

    The owner has not looked at all pages: some that are shown do not belong here either, and
    would teach the contrary. They are found by the nearest centroid (Li & Liu, "Learning to
    classify texts using positive and unlabeled data", 2003). If too few are left, all count.

    >>> reliable([["proof"], ["proof", "lemma"], ["lemma"], ["menu", "home"]], [["menu"]] * 3)
    [['proof'], ['proof', 'lemma'], ['lemma']]
    """
    good, bad = (
        Counter(word for words in some for word in {*words}) for some in (wanted, unwanted)
    )
    kept = []
    for words in wanted:
        own = {*words}
        others = good - Counter(own)
        if _cosine(own, others) >= _cosine(own, bad):
            kept.append(words)
    return kept if len(kept) >= MIN_UNWANTED else list(wanted)


def _cosine(words: set[str], centroid: Counter[str]) -> float:
    """Return the cosine of a page and a centroid, but for the length of the page."""
    length = math.sqrt(sum(count * count for count in centroid.values()))
    return sum(centroid[word] for word in words) / length if length else 0.0


def write_lessons(folder: Path, wanted: Iterable[str], unwanted: Iterable[str]) -> None:
    """Write what the goal learns from; if that is too little, there is no file."""
    texts = {"wanted": sorted(filter(None, wanted)), "unwanted": sorted(filter(None, unwanted))}
    if min(map(len, texts.values())) < MIN_UNWANTED:
        (folder / FILE).unlink(missing_ok=True)
        return
    content = json.dumps(texts, ensure_ascii=False)
    if not (folder / FILE).is_file() or (folder / FILE).read_text("utf-8") != content:
        with replace_file(folder / FILE) as part:
            part.write_text(content, "utf-8")


def read_lessons(folder: Path) -> UnwantedPages | None:
    """Return the pages that do not belong here, as the last build knew them; None for none."""
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        texts = json.loads(path.read_text("utf-8"))
        return UnwantedPages(texts["unwanted"], texts["wanted"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, UsageError):
        _log.warning("%s cannot be read: nothing is learned from it", path, exc_info=True)
        return None


def taught(goal: Goal, folder: Path) -> Goal:
    """Return a goal without the pages that do not belong here."""
    unwanted = read_lessons(folder)
    return goal if unwanted is None else Both(goal, Other(unwanted))
