"""What a labeller sees of a word: its spelling, its place, and the group_features it keeps.

The features follow Peng & McCallum 2004, who first labelled headers and
references with conditional random fields: the word and its shape, lists of
names and places, and the layout of lines. Two things are added. A reference is
cut into segments at its commas and full stops, and each word knows what kinds of words
its segment and the neighbouring ones have; in a header lines take the place of segments.

A feature is a string, present or not; the learner weighs each against each label.

>>> {"w=smith", "form=Aa", "end=,"} <= set(reference_features(["Smith,", "J."])[0])
True
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.lexicons import lexicons_with

VERSION = 2
"""Raised whenever a feature changes, for models and features must agree."""

_FORMS = (
    ("email", re.compile(r"[^@\s]*[\w}]@[\w.-]+\.?,?|.*@.*\.\w{2,3}\W*$")),
    ("web", re.compile(r"\W*(https?:|ftp:|www\.|url:?$).*|.*~\w+/.*|.*\.(html?|ps|pdf)\W*$", re.I)),
    ("year", re.compile(r"\W*(1[89]|20)\d\d[a-z]?\W*$")),
    ("short-year", re.compile(r"\W*['`\u2019]\d\d\W*$")),
    ("range", re.compile(r"\W*[A-Z]?\d+\s*[-\u2013]+\s*[A-Z]?\d+\W*$")),
    ("volume", re.compile(r"\W*\d+\s*\(\d+([-/&]\d+)?\)(:[\d-]+)?\W*$")),
    ("zip", re.compile(r"\W*(\d{5}(-\d{4})?|[A-Z]-?\d{4,5}|[A-Z]{1,2}\d\d?[A-Z]?)\W*$")),
    ("phone", re.compile(r"\W*\+?\(?\d{2,4}[-.)/]+\d[\d\-.()/]{4,}\W*$")),
    ("code", re.compile(r"\W*[A-Z][A-Za-z.]*[-/:.]?[A-Z\d/.:-]*\d[\dA-Z/-]*\W*$")),
    ("number", re.compile(r"\W*\d+\W*$")),
    ("ordinal", re.compile(r"\W*\d+-?(st|nd|rd|th)\W*$", re.I)),
    ("initials", re.compile(r"\W*([A-Z]\.-?)+\W*$")),
    ("letter", re.compile(r"\W*[A-Z]\W*$")),
    ("digits", re.compile(r".*\d")),
    ("AA", re.compile(r"\W*[A-Z][A-Z'.&/-]+s?\W*$")),
    ("Aa", re.compile(r"\W*[A-Z][^A-Z]*$")),
    ("AaA", re.compile(r"\W*[A-Z]")),
    ("aa", re.compile(r"\W*[a-z]")),
)
_ENDS = re.compile(r"[^\w\s]+$")
_BEGINS = re.compile(r"^[^\w\s]+")
_DIGIT = re.compile(r"\d")
_PLACES = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 50, 80)
_PARTS = 8
_SPELT = ("initials", "letter")


class WordFeatures(NamedTuple):
    """What can be seen of a word by itself."""

    low: str
    form: str
    end: str
    kinds: tuple[str, ...]
    own: tuple[str, ...]
    near: tuple[str, ...]


@lru_cache(maxsize=50_000)
def word_features(text: str) -> WordFeatures:
    """What a word looks like by itself."""
    low = _DIGIT.sub("0", text.lower())
    bare = low.strip("()[]{}\"'`,;:.?!")
    form = next((name for name, pattern in _FORMS if pattern.match(text)), "other")
    end = _ENDS.search(text)
    begin = _BEGINS.match(text)
    closing, opening = end[0][-3:] if end else "", begin[0][:2] if begin else ""
    lists = lexicons_with(text)
    own = (
        f"w={bare}",
        f"lw={low}",
        f"form={form}",
        f"end={closing}",
        f"begin={opening}",
        f"form+end={form}{closing}",
        f"p2={bare[:2]}",
        f"p3={bare[:3]}",
        f"p4={bare[:4]}",
        f"s2={bare[-2:]}",
        f"s3={bare[-3:]}",
        f"s4={bare[-4:]}",
        f"size={min(len(bare), 12)}",
        *(f"is={k}" for k in lists),
    )
    near = (
        f"w={bare}",
        f"form+end={form}{closing}",
        f"form={form}",
        f"end={closing}",
        *(f"is={k}" for k in lists),
    )
    return WordFeatures(bare, form, closing, lists, own, near)


def bucket(number: int) -> int:
    """A number, coarser the larger it is."""
    return sum(number >= place for place in _PLACES)


def reference_features(words: Sequence[str]) -> list[list[str]]:
    """The features of each word of one reference."""
    seen = [word_features(text) for text in words]
    segments = _segments(seen)
    whole = _whole(seen, words)
    kept = [group_features(seen[a:b]) for a, b in segments]
    rows: list[list[str]] = []
    quoted = False
    depth = 0
    for n, (a, b) in enumerate(segments):
        lists = [f"seg:{c}" for c in kept[n]]
        lists += [f"seg-1:{c}" for c in kept[n - 1]] if n else ["seg-1:none"]
        lists += [f"seg+1:{c}" for c in kept[n + 1]] if n + 1 < len(segments) else ["seg+1:none"]
        lists += [f"seg={bucket(n)}", f"left={bucket(len(segments) - n)}", f"long={bucket(b - a)}"]
        lists.append(f"head={seen[a].low}")
        if n:
            lists.append(f"after={seen[segments[n - 1][0]].low}")
        for i in range(a, b):
            text, word = words[i], seen[i]
            quoted = quoted or text.startswith(('"', "``", "\u201c", "''"))
            depth += text.count("(")
            row = [*word.own, *lists, *whole]
            row.append(f"at={min(i * _PARTS // len(words), _PARTS)}")
            row.append(f"in={bucket(i - a)}")
            row.append(f"quoted={quoted}")
            row.append(f"open={depth > 0}")
            row.extend(neighbour_features(seen, i))
            rows.append(row)
            depth = max(depth - text.count(")"), 0)
            body = text.rstrip(".,;:")
            if quoted and (text.endswith(('"', "''", "\u201d")) or body.endswith(('"', "''"))):
                quoted = False
    return rows


def _segments(seen: Sequence[WordFeatures]) -> list[tuple[int, int]]:
    """Where the reference pauses: after a comma, a full stop that ends no initial, and the like."""
    found = []
    start = 0
    for i, word in enumerate(seen):
        stop = any(c in word.end for c in ',;:?!"\u201d') or "''" in word.end
        if "." in word.end and word.form not in _SPELT:
            # A short word is an abbreviation, unless it is the family of "A. Lee." or "Ann Lee."
            before = seen[i - 1] if i else word
            stop = stop or len(word.low) > 3 or before.form in _SPELT or "given" in before.kinds
        if stop or i + 1 == len(seen):
            found.append((start, i + 1))
            start = i + 1
    return found


def group_features(seen: Sequence[WordFeatures]) -> list[str]:
    """The kinds and forms of word that a stretch has, and what it mostly is."""
    found = {k for word in seen for k in word.kinds if k != "small"}
    forms = {
        f for word in seen for f in (word.form,) if f not in ("aa", "Aa", "AA", "other", "AaA")
    }
    lower = sum(word.form == "aa" for word in seen)
    share = 3 * lower // max(len(seen), 1)
    return [*sorted(found), *sorted(forms), f"lower={share}"]


def _whole(seen: Sequence[WordFeatures], words: Sequence[str]) -> list[str]:
    """The manner of the whole reference, which its fields must follow."""
    text = " ".join(words)
    marks = {
        "quotes": '"' in text or "``" in text or "\u201c" in text,
        "family-first": bool(re.match(r"\S+( \S+)?, (and )?([A-Z]\.|[A-Z][a-z]+\b[.,]? )", text)),
        "initial-first": bool(re.match(r"([A-Z]\.[ -]?)+", text)),
        "year-second": bool(re.search(r"^.{3,80}?\(?(19|20)\d\d[a-z]?\)?[.,:]? ", text)),
        "in": " In " in text or " in: " in text or " In: " in text,
        "proc": any("meeting" in word.kinds for word in seen),
        "thesis": any("degree" in word.kinds for word in seen),
    }
    return [f"all:{name}={value}" for name, value in marks.items()]


def neighbour_features(seen: Sequence[WordFeatures], i: int) -> list[str]:
    """What stands up to two words before and after the i-th."""
    row: list[str] = []
    for d in (-2, -1, 1, 2):
        j = i + d
        if 0 <= j < len(seen):
            row.extend(f"{d}:{f}" for f in (seen[j].near if abs(d) == 1 else seen[j].near[:3]))
        else:
            row.append(f"{d}:edge")
    if i > 0:
        row.append(f"pair-={seen[i - 1].form}{seen[i - 1].end}|{seen[i].form}{seen[i].end}")
        row.append(f"two-={seen[i - 1].low}|{seen[i].low}")
    if i + 1 < len(seen):
        row.append(f"pair+={seen[i].form}{seen[i].end}|{seen[i + 1].form}")
        row.append(f"two+={seen[i].low}|{seen[i + 1].low}")
    return row
