"""Profiles: words in links that point to a goal.

Davidov & Markovitch 2002, "Applying our framework to the WWW domain": the words
of the goal serve as a heuristic, and words such as "index" or "collection"
mark pages that lead to many others, whatever is wanted.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from lycosa.errors import UsageError
from lycosa.goals.query import Query
from lycosa.web.words import words

_log = logging.getLogger("lycosa.goals")


@dataclass(frozen=True, slots=True)
class Profile:
    """The words of a goal, and in `ways` those of pages on the way to it.

    `prefixes` are those of the words that stand for all words which begin so.
    """

    words: tuple[str, ...]
    ways: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.words:
            raise UsageError("A profile needs at least one word.")


HUBS = tuple(
    "index list lists collection collections archive archives bibliography directory "
    "links resources overview contents".split()
)
"""Words of pages with many links. Not looked for in URLs, where `index` is a default name."""


def _profile(words: str, ways: str) -> Profile:
    return Profile(tuple(words.split()), tuple(ways.split()))


_ACADEMIC = "research people faculty students group groups lab labs project projects home homepage"

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "papers": _profile(
            "paper papers publication publications ps pdf dvi postscript article articles abstract "
            "abstracts report reports techreport tr technical proceedings journal thesis preprint "
            "preprints reprint",
            _ACADEMIC,
        ),
        "faculty": _profile(
            "faculty professor professors prof instructor lecturer chair emeritus",
            "people staff personnel department research home homepage",
        ),
        "courses": _profile(
            "course courses class classes syllabus lecture lectures homework assignment "
            "assignments semester fall spring cs",
            "teaching education academic undergraduate graduate curriculum catalog schedule home",
        ),
        "projects": _profile(
            "project projects research group groups lab laboratory system systems",
            "people faculty areas overview home publications",
        ),
        "officers": _profile(
            "officer officers board director directors leadership management team executive "
            "executives staff president trustees governance",
            "about us who we are organization company people contact",
        ),
    }
)
"""Profiles of common goals, by the name of the goal."""


def profile(goal: str) -> Profile:
    """Return the profile of a goal: a known one, the words of a query, or those of its name.

    >>> profile("robot* AND NOT course")
    Profile(words=('robot',), ways=(), prefixes=('robot',))
    >>> profile("faculty").words[0], profile("robots").words
    ('faculty', ('robots',))
    """
    if goal in PROFILES:
        return PROFILES[goal]
    try:
        query = Query(goal)
        return Profile(query.words, prefixes=query.prefixes)
    except UsageError:
        return Profile(tuple(words(goal)))


def read_profiles(path: Path) -> list[Profile]:
    """Read profiles from a text file, one on each line; empty lines and comments (#) are skipped.

    A line has the words to look for, such as a person's name. Text before a
    colon is a label and is not looked for.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        _log.debug("The profiles in %s cannot be read.", path, exc_info=True)
        raise UsageError(f"The profiles in {str(path)!r} cannot be read: {error}.") from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            found_words = tuple(dict.fromkeys(words(line.rpartition(":")[2])))
            if not found_words:
                raise UsageError(f"Line {number} of {str(path)!r} has no words to look for.")
            found.append(Profile(found_words))
    if not found:
        raise UsageError(f"There are no profiles in {str(path)!r}; write one on each line.")
    return found
