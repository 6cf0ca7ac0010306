"""Binary features of the words of a reference, for conditional random fields.

Beside the features of words, segments and style that headers and references share
(`extraction.features`, after Peng & McCallum 2004), a word of a reference has features of what
its whole reference looks like from where it stands: the numbers before and after it with their
punctuation, which tell volume, page and year apart in styles without any title; whether the
words so far can all be names; the distance to the next number, before which a journal ends;
quotation marks and brackets that are open; and whether a web address has begun.

A feature is a string that is present or absent. The strings are part of the trained models: a
change of any of them needs a new `VERSION` and new models.

>>> {"w=smith", "form=Aa", "end=,", "names"} <= set(reference_features(["Smith,", "J."])[0])
True
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lycosa.papers.extraction.features import bucket
from lycosa.papers.extraction.lexicons import lexicons_with

VERSION = 3
"""The version of the feature set; a model of another version is refused."""

_FORMS = (
    ("email", re.compile(r"\S*[\w}]@[\w.-]+")),
    (
        "web",
        re.compile(r"\W*(https?:|ftp:|www\.|urls?:?\W*$)|.*~\w+/|.*\.(html?|ps|pdf)\W*$", re.I),
    ),
    ("doi", re.compile(r"\W*(doi\b|10\.\d{4})", re.I)),
    (
        "arxiv",
        re.compile(
            r"\W*arxiv|\W*[a-z-]{3,8}(\.[A-Z]{2})?/\d{7}|\W*\d{4}\.\d{4,5}(v\d)?\W*$", re.I
        ),
    ),
    ("year", re.compile(r"\W*(1[6-9]|20)\d\d[a-z]?\W*$")),
    ("short-year", re.compile(r"\W*['`\u2019]\d\d\W*$")),
    (
        "range",
        re.compile(
            r"\W*[A-Za-z]?\d+[A-Za-z]?\s*[-\u2010-\u2015\u2212]+\s*[A-Za-z]?\d+[A-Za-z]?\W*$"
        ),
    ),
    ("number1", re.compile(r"\W*\d\W*$")),
    ("number2", re.compile(r"\W*\d\d\W*$")),
    ("number3", re.compile(r"\W*\d{3}\W*$")),
    ("number4", re.compile(r"\W*\d{4}\W*$")),
    ("number5", re.compile(r"\W*\d{5,}\W*$")),
    ("ordinal", re.compile(r"\W*\d+-?(st|nd|rd|th|er|e|\u00ba|\u00aa)\W*$", re.I)),
    ("digits", re.compile(r".*\d")),
    ("hangul", re.compile(r"\W*[\uac00-\ud7af]")),
    ("han", re.compile(r"\W*[\u2e80-\u9fff]")),
    ("cyrillic", re.compile(r"\W*[\u0400-\u04ff]")),
    ("initials", re.compile(r"\W*([^\W\d_a-z\u00df-\u00ff]\.-?){1,4}\W*$")),
    ("letter", re.compile(r"\W*[A-Z]\W*$")),
    ("roman", re.compile(r"\W*[IVXL]{2,6}\W*$")),
    ("JJ", re.compile(r"\W*[A-Z]{2,3}\W*$")),
    ("AA", re.compile(r"\W*[A-Z][A-Z'.&/-]+s?\W*$")),
    ("Abb", re.compile(r"\W*[A-Z][a-z]{1,5}\.\W*$")),
    ("Aa", re.compile(r"\W*[^\W\d_a-z\u00df-\u00ff][a-z\u00df-\u00ff'\u2019-]*\W*$")),
    ("AaA", re.compile(r"\W*[A-Z]")),
    ("aa", re.compile(r"\W*[^\W\d_]")),
    ("mark", re.compile(r"\W+$")),
)  # fmt: skip
_NUMBERS = frozenset(
    "year short-year range number1 number2 number3 number4 number5 digits ordinal".split()
)
_NAMED = frozenset("initials letter JJ AA Abb Aa AaA hangul han cyrillic".split())
_BETWEEN_NAMES = frozenset("and & et und y e al others van von de der den di da la le du".split())
_ADDRESSES = frozenset(("web", "doi", "arxiv", "email"))
_CUES = {
    "page": "pp p pages page pag pg s seite seiten ss str \u9875 \u9801 \ucabd",
    "volume": "vol volume vols v bd band t tome tom jg jahrgang \uad8c \u5377 \u5dfb \uc9d1",
    "number": "no nos number nr n n\u00b0 num n\u00ba issue fasc heft h "
    "\ud638 \u671f \u53f7 \u865f",
    "editor": "ed eds edd editor editors edited hg hrsg herausgeber dir coord comp trans "
    "\u00e9d \u00e9ds curador organizador red",
    "in": "in dans im nel nella em en \u2208",
    "edition": "edition edn aufl auflage \u00e9dition edizione edici\u00f3n ausg ausgabe",
    "access": "accessed available retrieved online consult\u00e9 abgerufen zugriff access visited "
    "disponible",
    "month": "janvier f\u00e9vrier mars avril mai juin juillet ao\u00fbt septembre octobre "
    "novembre d\u00e9cembre januar februar m\u00e4rz juni juli oktober dezember enero febrero "
    "marzo abril mayo junio julio agosto septiembre noviembre diciembre gennaio febbraio aprile "
    "maggio giugno luglio settembre ottobre dicembre",
    "group": "collaboration collaborations collab consortium committee council ministry "
    "commission organization organisation association society agency group team",
}
_CUE_OF = {word: cue for cue, words in _CUES.items() for word in words.split()}
_ENDS = re.compile(r"[^\w\s]+$")
_BEGINS = re.compile(r"^[^\w\s]+")
_DIGIT = re.compile(r"\d")
_CHARACTERS = re.compile(r"[^\W\d_]+|\d+")
_OUTER = "()[]{}\"'`,;:.?!\u201c\u201d\u2018\u2019\u00ab\u00bb\u201e<>\uff0c\u3002"
_QUOTES = ('"', "``", "\u201c", "''", "\u00ab", "\u201e", "\u300c", "\u300a", "\u2018", "'", "`")
_UNQUOTES = ('"', "''", "\u201d", "\u00bb", "\u201c", "\u300d", "\u300b", "\u2019", "'")
_POSITION_PARTS = 8  # a reference is divided into so many positions
_MAX_DISTANCE = 6  # larger distances between words are equal
_DISTANCES = (-3, -2, -1, 1, 2, 3)  # of the words whose features a word has
_NEIGHBOUR_FEATURES = {1: None, 2: 4, 3: 1}  # how many of them, by distance


class ReferenceWord(NamedTuple):
    """What is known of a word of a reference without its context."""

    bare: str
    """Lower case, digits as 0, without outer punctuation."""
    form: str
    """The name of the first pattern of `_FORMS` that matches."""
    opening: str
    """The first punctuation marks, at most two."""
    closing: str
    """The last punctuation marks, at most three."""
    lexicons: tuple[str, ...]
    """The names of the lexicons that have the word."""
    features: tuple[str, ...]
    """Its features as the word that is labelled."""
    near: tuple[tuple[str, ...], ...]
    """Its features as a neighbour of the word that is labelled, for each of `_DISTANCES`."""
    seen: str
    """Its form with its punctuation, as other words see a number."""


@lru_cache(maxsize=50_000)
def reference_word(text: str) -> ReferenceWord:
    """Return the features of a word without its context."""
    low = _DIGIT.sub("0", text.lower())
    bare = low.strip(_OUTER)
    form = next((name for name, pattern in _FORMS if pattern.match(text)), "other")
    end, begin = _ENDS.search(text), _BEGINS.match(text)
    closing, opening = end[0][-3:] if end else "", begin[0][:2] if begin else ""
    cue = _CUE_OF.get(bare)
    lists = lexicons_with(text) + ((f"cue-{cue}",) if cue else ())
    shape = _CHARACTERS.sub(lambda m: "0" if m[0].isdigit() else m[0][:1], text)[:8]
    own = (
        f"w={bare}",
        f"lw={low}",
        f"form={form}",
        f"end={closing}",
        f"begin={opening}",
        f"form+end={opening}{form}{closing}",
        f"shape={_shape(shape)}",
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
        f"form+end={form}{closing}",
        f"w={bare}",
        f"form={form}",
        f"end={closing}",
        f"begin={opening}",
        *(f"is={k}" for k in lists),
    )
    around = tuple(
        tuple(f"{d}:{feature}" for feature in near[: _NEIGHBOUR_FEATURES[abs(d)]])
        for d in _DISTANCES
    )
    return ReferenceWord(
        bare, form, opening, closing, lists, own, around, f"{opening}{form}{closing}"
    )


def _shape(text: str) -> str:
    return "".join("A" if c.isupper() else "a" if c.isalpha() else c for c in text)


def reference_features(words: Sequence[str]) -> list[list[str]]:
    """Return the features of each word of one reference."""
    known = [reference_word(text) for text in words]
    rows = [[*word.features] for word in known]
    _add_neighbours(rows, known)
    _add_segments(rows, known)
    _add_numbers(rows, known)
    _add_progress(rows, known, words)
    style = _style(known, words)
    for row in rows:
        row.extend(style)
    return rows


def _add_neighbours(rows: list[list[str]], words: Sequence[ReferenceWord]) -> None:
    """Add the features of the words before and after, and of pairs and triples of words."""
    last = len(words) - 1
    for i, (row, word) in enumerate(zip(rows, words, strict=True)):
        for column, d in enumerate(_DISTANCES):
            j = i + d
            if 0 <= j <= last:
                row.extend(words[j].near[column])
            elif -2 < d < 2:
                row.append(f"{d}:edge")
        before = words[i - 1] if i else None
        after = words[i + 1] if i < last else None
        if before:
            row.append(f"pair-={before.seen}|{word.seen}")
            row.append(f"two-={before.bare}|{word.bare}")
        if after:
            row.append(f"pair+={word.seen}|{after.seen}")
            row.append(f"two+={word.bare}|{after.bare}")
        if before and after:
            row.append(
                f"three={before.form}{before.closing}|{word.seen}|{after.form}{after.closing}"
            )


def _add_segments(rows: list[list[str]], words: Sequence[ReferenceWord]) -> None:
    """Add what the segment between two marks has, and the segments beside it."""
    segments = _segments(words)
    last = len(segments) - 1
    summaries = [_summary(words[a:b]) for a, b in segments]
    for n, (a, b) in enumerate(segments):
        shared = [f"seg:{c}" for c in summaries[n]]
        shared += [f"seg-1:{c}" for c in summaries[n - 1]] if n else ["seg-1:none"]
        shared += [f"seg+1:{c}" for c in summaries[n + 1]] if n < last else ["seg+1:none"]
        shared += [f"seg={bucket(n)}", f"left={bucket(len(segments) - n)}", f"long={bucket(b - a)}"]
        shared.append(f"head={words[a].bare}")
        shared.append(f"tail={words[b - 1].seen}")
        if n:
            shared.append(f"after={words[segments[n - 1][0]].bare}")
            shared.append(f"mark={words[a - 1].closing}")
        for i in range(a, b):
            rows[i].extend(shared)
            rows[i].append(f"in={bucket(i - a)}")


def _segments(words: Sequence[ReferenceWord]) -> list[tuple[int, int]]:
    """Split a reference after commas, full stops that end no initial, and similar marks."""
    found = []
    start = 0
    for i, word in enumerate(words):
        stop = any(c in word.closing for c in ',;:?!"\u201d\u00bb') or "''" in word.closing
        if "." in word.closing and word.form not in ("initials", "letter"):
            # A short word is an abbreviation, unless it is the family name in "A. Lee.", "Ann Lee."
            before = words[i - 1] if i else word
            named = before.form in ("initials", "letter") or "given" in before.lexicons
            stop = stop or len(word.bare) > 3 or named
        if stop or i + 1 == len(words):
            found.append((start, i + 1))
            start = i + 1
    return found


def _summary(words: Sequence[ReferenceWord]) -> list[str]:
    """Return the lexicons and forms found in a segment, and its share of lower case."""
    found = {k for word in words for k in word.lexicons if k != "small"}
    forms = {word.form for word in words if word.form not in ("aa", "Aa", "other", "AaA")}
    lower = sum(word.form == "aa" for word in words)
    return [*sorted(found), *sorted(forms), f"lower={3 * lower // max(len(words), 1)}"]


def _add_numbers(rows: list[list[str]], words: Sequence[ReferenceWord]) -> None:
    """Add the numbers before and after each word, with their marks and distances."""
    at = [i for i, word in enumerate(words) if word.form in _NUMBERS]
    years = [i for i in at if words[i].form == "year"]
    n = 0  # the numbers before the word
    for i, (row, word) in enumerate(zip(rows, words, strict=True)):
        own = n < len(at) and at[n] == i
        before = words[at[n - 1]].seen if n else "none"
        next_ = n + own
        after = words[at[next_]].seen if next_ < len(at) else "none"
        second = words[at[next_ + 1]].seen if next_ + 1 < len(at) else "none"
        gap = min(at[next_] - i, _MAX_DISTANCE) if next_ < len(at) else 0
        back = min(i - at[n - 1], _MAX_DISTANCE) if n else 0
        row.append(f"n-={before}")
        row.append(f"n+={after}")
        row.append(f"n+gap={after}|{gap}")
        row.append(f"n-gap={before}|{back}")
        row.append(f"n++={after}|{second}")
        row.append(f"n#={min(n, 5)}|{min(len(at) - n, 5)}")
        if own:
            row.append(f"num={before}|{word.seen}|{after}")
            row.append(f"num+={word.seen}|{after}|{second}")
            row.append(f"num-={before}|{back}|{word.form}")
        passed = bisect_left(years, i, 0, min(len(years), 3))
        row.append(f"years={passed}|{min(len(years) - passed, 2)}")
        if own and word.form == "year":
            row.append(f"year={passed}|{min(len(years), 3)}|{word.opening}{word.closing}")
        n = next_


def _add_progress(
    rows: list[list[str]], words: Sequence[ReferenceWord], texts: Sequence[str]
) -> None:
    """Add where a word is, and what is open or has begun there."""
    quoted, names, depth, address = "", True, 0, 0
    count = len(words)
    for i, (row, word, text) in enumerate(zip(rows, words, texts, strict=True)):
        if (not quoted or quoted == "closed") and word.opening:
            quoted = next((q for q in _QUOTES if q in word.opening), quoted)
        depth += text.count("(") + text.count("[")
        names = names and (word.form in _NAMED or word.bare in _BETWEEN_NAMES)
        if word.form in _ADDRESSES:
            address = 1
        elif address:
            address = min(address + 1, _MAX_DISTANCE)
        row.append(f"at={min(i * _POSITION_PARTS // count, _POSITION_PARTS)}")
        row.append(f"from={min(i, _MAX_DISTANCE)}")
        row.append(f"to={min(count - 1 - i, _MAX_DISTANCE)}")
        row.append(f"quoted={quoted}")
        row.append(f"open={depth > 0}")
        row.append(f"address={address}")
        if names:
            row.append("names")
            row.append(f"names+{word.seen}")
        depth = max(depth - text.count(")") - text.count("]"), 0)
        if quoted and word.closing and any(q in word.closing for q in _UNQUOTES):
            quoted = "closed"


def _style(words: Sequence[ReferenceWord], texts: Sequence[str]) -> list[str]:
    """Return features of the citation style, which all fields of a reference follow."""
    text = " ".join(texts)
    lower = sum(word.form == "aa" for word in words)
    marks = {
        "quotes": any(q in text for q in ('"', "``", "\u201c", "\u00ab", "\u2018", "\u201e")),
        "family-first": bool(re.match(r"\S+( \S+)?, (and )?([A-Z]\.|[A-Z][a-z]+\b[.,]? )", text)),
        "initial-first": bool(re.match(r"([A-Z]\.[ -]?)+", text)),
        "bare-initials": bool(re.match(r"[A-Z][\w'-]+ [A-Z]{1,3}[,.: ]", text)),
        "year-second": bool(re.search(r"^.{3,80}?\(?(19|20)\d\d[a-z]?\)?[.,:]? ", text)),
        "in": " In " in text or " in: " in text or " In: " in text,
        "proc": any("meeting" in word.lexicons for word in words),
        "thesis": any("degree" in word.lexicons for word in words),
        "lower": 4 * lower // max(len(words), 1),
        "length": bucket(len(words)),
        "script": next((w.form for w in words if w.form in ("hangul", "han", "cyrillic")), ""),
    }
    return [f"all:{name}={value}" for name, value in marks.items()]
