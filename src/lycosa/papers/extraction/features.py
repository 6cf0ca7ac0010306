"""Binary features of words for the conditional random fields.

The features follow Peng & McCallum 2004, who first labelled headers and
references with conditional random fields: the word and its shape, lexicons of
names and places, and the layout of lines. What they make of the words around a word
is in `header_features` and `reference_features`.

A feature is a string that is present or absent. The strings are part of the trained
models: a change of any of them needs a new `VERSION` and new models.

>>> {"w=smith", "form=Aa", "end=,"} <= set(word_features("Smith,").features)
True
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.lexicons import lexicons_with

VERSION = 2
"""The version of the feature set of headers; a model of another version is refused."""

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
_BUCKET_BOUNDS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30, 50, 80)


class WordFeatures(NamedTuple):
    """What is known of a word without its context."""

    bare: str
    """Lower case, digits as 0, without outer punctuation."""
    form: str
    """The name of the first pattern of `_FORMS` that matches."""
    closing: str
    """The last punctuation marks, at most three."""
    lexicons: tuple[str, ...]
    """The names of the lexicons that have the word."""
    features: tuple[str, ...]
    """Its features as the word that is labelled."""
    neighbour_features: tuple[str, ...]
    """Its features as a neighbour of the word that is labelled."""


@lru_cache(maxsize=50_000)
def word_features(text: str) -> WordFeatures:
    """Return the features of a word without its context."""
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
    """Return the bucket of a number; buckets grow with the number."""
    return bisect_right(_BUCKET_BOUNDS, number)


def group_features(words: Sequence[WordFeatures]) -> list[str]:
    """Return the lexicons and forms found in a group of words, and its share of lower case."""
    found = {k for word in words for k in word.lexicons if k != "small"}
    forms = {
        f for word in words for f in (word.form,) if f not in ("aa", "Aa", "AA", "other", "AaA")
    }
    lower = sum(word.form == "aa" for word in words)
    share = 3 * lower // max(len(words), 1)
    return [*sorted(found), *sorted(forms), f"lower={share}"]


def neighbour_features(words: Sequence[WordFeatures], i: int) -> list[str]:
    """Return the features of the two words before and the two words after the i-th."""
    row: list[str] = []
    for d in (-2, -1, 1, 2):
        j = i + d
        if 0 <= j < len(words):
            features = words[j].neighbour_features
            row.extend(f"{d}:{f}" for f in (features if abs(d) == 1 else features[:3]))
        else:
            row.append(f"{d}:edge")
    word = words[i]
    if i > 0:
        before = words[i - 1]
        row.append(f"pair-={before.form}{before.closing}|{word.form}{word.closing}")
        row.append(f"two-={before.bare}|{word.bare}")
    if i + 1 < len(words):
        after = words[i + 1]
        row.append(f"pair+={word.form}{word.closing}|{after.form}")
        row.append(f"two+={word.bare}|{after.bare}")
    return row
