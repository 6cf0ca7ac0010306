"""First pages in many layouts, each word with its label and each line with its looks."""

from __future__ import annotations

import random
from collections.abc import Callable

from lycosa.papers.extraction.labeller import HeaderLine
from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic import notices
from lycosa.papers.synthetic.contacts import (
    add_affiliation_footnotes,
    add_author_block,
    add_contact_block,
    address,
    affiliation,
    full_name,
)
from lycosa.papers.synthetic.noise import add_noise
from lycosa.papers.synthetic.page import GeneratedHeader, PageBuilder
from lycosa.papers.synthetic.references import format_people
from lycosa.papers.synthetic.styles import NameStyle
from lycosa.papers.synthetic.text_generator import TextGenerator, capitals
from lycosa.papers.synthetic.vocabulary import UNIVERSITIES

_ABSTRACTS = (
    ("Abstract",) * 9 + ("ABSTRACT",) * 4 + ("Summary", "Abstract:", "Abstract.", "SUMMARY")
)
_RUN_IN = (
    "Abstract.",
    "Abstract|",
    "Abstract -",
    "Abstract:",
    "ABSTRACT.",
    "Abstract\u2014",
    "Summary.",
)
_KEYWORDS = tuple(
    "Keywords:/Key words:/Key Words:/KEYWORDS:/Index Terms:/Keywords|/Key words and phrases:"
    "/General Terms:/KEY WORDS:/Keywords/Keywords.".split("/")
)
_INTROS = (
    *["1 Introduction"] * 9,
    *["1. Introduction"] * 4,
    *"Introduction/INTRODUCTION/I. Introduction/1 INTRODUCTION/1. INTRODUCTION".split("/"),
    *"1 Motivation/I. INTRODUCTION".split("/"),
)


def generate_headers(count: int, seed: int) -> list[GeneratedHeader]:
    """So many made-up headers, each in a layout of its own.

    >>> generate_headers(1, 7) == generate_headers(1, 7)
    True
    """
    chance = random.Random(f"headers {seed}")
    return [_sheet(TextGenerator(chance)) for _ in range(count)]


def _sheet(muse: TextGenerator) -> GeneratedHeader:
    page = PageBuilder(muse)
    kind = muse.chance.random()
    layout: Callable[[PageBuilder], None]
    layout = _thesis if kind < 0.12 else _cover if kind < 0.27 else _article
    layout(page)
    tokens = add_noise(muse, page.tokens)
    return GeneratedHeader(tokens, _looks(muse, page, tokens))


def _looks(muse: TextGenerator, page: PageBuilder, tokens: list[Token]) -> list[HeaderLine]:
    """What a good reader of PDF would say of the lines; half of the time there was none."""
    c = muse.chance
    texts: dict[int, list[str]] = {}
    for token in tokens:
        texts.setdefault(token.line, []).append(token.text)
    if muse.maybe(0.5):
        return [HeaderLine(" ".join(texts.get(n, []))) for n in range(len(page.looks))]
    big, bold, centred = c.uniform(1.2, 1.9), muse.maybe(0.6), muse.maybe(0.8)
    lines = []
    for n, (label, fresh) in enumerate(page.looks):
        size = {"title": big, "author": c.choice((1.0, 1.1, 1.2)), "note": 0.85}.get(label, 1.0)
        middle = centred and label not in ("abstract", "keyword", "note", "intro")
        strong = (label in ("title", "intro") and bold) or (label == "author" and muse.maybe(0.1))
        gap = c.uniform(1.4, 3.0) if fresh else 1.0
        lines.append(HeaderLine(" ".join(texts.get(n, [])), round(size, 2), strong, middle, gap))
    return lines


def _title(page: PageBuilder) -> str:
    muse = page.muse
    text = muse.title()
    if muse.maybe(0.12):
        text += f": {muse.title()}"
    style = muse.chance.random()
    if style < 0.6:
        text = capitals(text)
    text = text.upper() if style > 0.85 else text[0].upper() + text[1:]
    if muse.maybe(0.1):
        text += muse.chance.choice(("*", " *", " 1", "\u2020", " y"))
    page.fill("title", text, muse.chance.choice((28, 36, 45, 55, 70)))
    if muse.maybe(0.04):
        page.put("title", capitals(muse.title()))
    if muse.maybe(0.04):
        page.put("note", muse.chance.choice(("(Extended Abstract)", "Extended Abstract", "DRAFT")))
    return text


def _classes(muse: TextGenerator) -> str:
    c = muse.chance
    head = c.choice(
        ("AMS subject classification:", "AMS(MOS) subject classifications.", "AMS 1991")
    )
    codes = ", ".join(
        f"{c.randint(10, 99)}{c.choice('ABCFKNPRU')}{c.randint(10, 99)}"
        for _ in range(c.randint(1, 4))
    )
    return f"{head} {codes}"


def _date(muse: TextGenerator) -> str:
    c = muse.chance
    month, year, day = muse.month(), muse.year(), c.randint(1, 28)
    return c.choice(
        (
            f"{month} {year}",
            f"{month} {year}",
            f"{month} {day}, {year}",
            f"{day} {month} {year}",
            f"{month}, {year}",
            f"{year}",
            f"{c.randint(1, 12)}/{day}/{year % 100:02d}",
            f"Draft of {month} {day}, {year}",
            f"Revised {month} {year}",
        )
    )


def _pubnum(muse: TextGenerator) -> str:
    c = muse.chance
    head = c.choice(
        "Technical Report|Technical Report No.|TR|Report No.|Research Report|||Tech. Report"
        "|A.I. Memo No.|Working Paper|Technical Report:|TECHNICAL REPORT".split("|")
    )
    return f"{head} {muse.code()}".strip()


def _abstract(page: PageBuilder, width: int) -> None:
    muse = page.muse
    text = " ".join(muse.sentence() for _ in range(muse.chance.randint(3, 11)))
    style = muse.chance.random()
    if style < 0.7:
        page.put("abstract", muse.chance.choice(_ABSTRACTS))
    elif style < 0.93:
        text = f"{muse.chance.choice(_RUN_IN)} {text}"
    page.fill("abstract", text, width)
    while muse.maybe(0.3):
        page.fill("abstract", " ".join(muse.sentence() for _ in range(3)), width)


def _keywords(page: PageBuilder, width: int) -> None:
    muse = page.muse
    phrases = ", ".join(muse.phrase() for _ in range(muse.chance.randint(2, 8)))
    phrases = capitals(phrases) if muse.maybe(0.3) else phrases
    page.fill("keyword", f"{muse.chance.choice(_KEYWORDS)} {phrases}.", width)
    if muse.maybe(0.1):
        page.put("note", _classes(muse))
    if muse.maybe(0.15):
        letters = "".join(muse.chance.choice("BCDFGHI") for _ in range(1))
        page.fill(
            "keyword",
            f"Categories and Subject Descriptors: {letters}.{muse.chance.randint(1, 4)}."
            f"{muse.chance.randint(0, 9)} [{muse.field()}]: {muse.field()}; {muse.phrase()}",
            width,
        )


def _end(page: PageBuilder) -> None:
    muse = page.muse
    if muse.maybe(0.6):
        page.put("intro", muse.chance.choice(_INTROS))
    else:
        page.put("page", "+PAGE+")


def _notes(page: PageBuilder, width: int, probability: float) -> None:
    while page.muse.maybe(probability):
        page.fill("note", notices.footnote(page.muse), width)
        probability /= 2


def _article(page: PageBuilder) -> None:
    muse = page.muse
    width = muse.chance.choice((45, 55, 75, 90, 100))
    if muse.maybe(0.16):
        page.fill("note", notices.running_head(muse), muse.chance.choice((40, 60, 90)))
    if muse.maybe(0.08):
        page.put("pubnum", _pubnum(muse))
    _title(page)
    if muse.maybe(0.05):
        page.put("pubnum", _pubnum(muse))
    add_author_block(page)
    if muse.maybe(0.04):
        add_affiliation_footnotes(page, width)
    if muse.maybe(0.2):
        page.put("date", _date(muse))
    if muse.maybe(0.05):
        page.put("pubnum", _pubnum(muse))
    early = muse.maybe(0.15)
    if early:
        _notes(page, width, 0.6)
    if muse.maybe(0.9):
        _abstract(page, width)
    if muse.maybe(0.22):
        _keywords(page, width)
    if not early:
        _notes(page, width, 0.35)
    if muse.maybe(0.1):
        add_affiliation_footnotes(page, width)
    _end(page)


def _cover(page: PageBuilder) -> None:
    """The cover of a report: pieces in nearly any order."""
    muse = page.muse
    top = muse.maybe(0.5)
    if top:
        for line in affiliation(muse):
            page.put("affiliation", line.upper() if muse.maybe(0.3) else line)
        if muse.maybe(0.3):
            page.put("address", address(muse)[-1])
    number, date = _pubnum(muse), _date(muse)
    if muse.maybe(0.2):
        page.put("pubnum", number, ("date", date))
    elif muse.maybe(0.4):
        page.put("pubnum", number)
    _title(page)
    if muse.maybe(0.1):
        page.put("author", "by")
    persons = muse.people(5)
    page.put("author", format_people(persons, NameStyle("first", full=True)))
    if not any(t.label == "pubnum" for t in page.tokens) and muse.maybe(0.8):
        page.put("pubnum", number)
    if not any(t.label == "date" for t in page.tokens) and muse.maybe(0.85):
        page.put("date", date)
    if not top or muse.maybe(0.2):
        add_contact_block(page, persons)
    width = muse.chance.choice((75, 90, 100))
    if muse.maybe(0.55):
        _abstract(page, width)
    if muse.maybe(0.15):
        _keywords(page, width)
    _notes(page, width, 0.6)
    page.put("page", "+PAGE+")


def _thesis(page: PageBuilder) -> None:
    muse = page.muse
    if muse.maybe(0.1):
        page.put("affiliation", muse.one(UNIVERSITIES).upper())
    _title(page)
    author = full_name(muse, muse.person())
    if muse.maybe(0.6):
        page.put("author", muse.chance.choice(("by", "By", "BY")))
    page.put("author", author)
    for label, line in notices.degree(muse):
        page.put(label, line)
    if muse.maybe(0.3):
        add_contact_block(page, [muse.person()], emails=False)
    if muse.maybe(0.8):
        page.put("date", _date(muse))
    if muse.maybe(0.2):
        page.fill("degree", notices.reproduction(muse), 70)
    for line in notices.committee(muse):
        page.put("degree", line)
    if muse.maybe(0.3):
        page.put("note", f"Copyright c {muse.year()} {author}")
    if muse.maybe(0.25):
        _abstract(page, 80)
    page.put("page", "+PAGE+")
