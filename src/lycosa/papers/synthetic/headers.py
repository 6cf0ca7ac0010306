"""Generator of headers: first pages in many layouts, with labels and line layout."""

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
from lycosa.papers.synthetic.text_generator import TextGenerator, capitalise
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
INTRODUCTIONS = (
    *["1 Introduction"] * 9,
    *["1. Introduction"] * 4,
    *"Introduction/INTRODUCTION/I. Introduction/1 INTRODUCTION/1. INTRODUCTION".split("/"),
    *"1 Motivation/I. INTRODUCTION".split("/"),
)
"""The headings of introductions, frequent ones more than once."""


def generate_headers(count: int, seed: int) -> list[GeneratedHeader]:
    """Generate `count` headers, each in a random layout.

    >>> generate_headers(1, 7) == generate_headers(1, 7)
    True
    """
    rng = random.Random(f"headers {seed}")
    return [_generate_header(TextGenerator(rng)) for _ in range(count)]


def _generate_header(gen: TextGenerator) -> GeneratedHeader:
    page = PageBuilder(gen)
    kind = gen.rng.random()
    layout: Callable[[PageBuilder], None]
    layout = _thesis if kind < 0.12 else _cover if kind < 0.27 else _article
    layout(page)
    tokens = add_noise(gen, page.tokens)
    return GeneratedHeader(tokens, _line_layout(gen, page, tokens))


def _line_layout(gen: TextGenerator, page: PageBuilder, tokens: list[Token]) -> list[HeaderLine]:
    """Return the lines with the layout of a PDF; half of the headers have no layout."""
    rng = gen.rng
    texts: dict[int, list[str]] = {}
    for token in tokens:
        texts.setdefault(token.line, []).append(token.text)
    if gen.maybe(0.5):
        return [HeaderLine(" ".join(texts.get(n, []))) for n in range(len(page.line_styles))]
    big, bold, centred = rng.uniform(1.2, 1.9), gen.maybe(0.6), gen.maybe(0.8)
    lines: list[HeaderLine] = []
    italics = {label for label in ("affiliation", "address", "abstract") if gen.maybe(0.2)}
    for n, (label, is_first) in enumerate(page.line_styles):
        size = {"title": big, "author": rng.choice((1.0, 1.1, 1.2)), "note": 0.85}.get(label, 1.0)
        middle = centred and label not in ("abstract", "keyword", "note", "intro")
        strong = (label in ("title", "intro") and bold) or (label == "author" and gen.maybe(0.1))
        gap = rng.uniform(1.4, 3.0) if is_first else 1.0
        above = (lines[-1].size or 0.0) if lines else 0.0
        change = 0 if abs(size - above) < 0.05 else 1 if size > above else -1
        text = " ".join(texts.get(n, []))
        style = round(size, 2), strong, middle, gap, label in italics, change
        lines.append(HeaderLine(text, *style, is_first or change != 0))
    return lines


def _title(page: PageBuilder) -> str:
    gen = page.gen
    text = gen.title()
    if gen.maybe(0.12):
        text += f": {gen.title()}"
    style = gen.rng.random()
    if style < 0.6:
        text = capitalise(text)
    text = text.upper() if style > 0.85 else text[0].upper() + text[1:]
    if gen.maybe(0.1):
        text += gen.rng.choice(("*", " *", " 1", "\u2020", " y"))
    page.add_paragraph("title", text, gen.rng.choice((28, 36, 45, 55, 70)))
    if gen.maybe(0.04):
        page.add_line("title", capitalise(gen.title()))
    if gen.maybe(0.04):
        page.add_line("note", gen.rng.choice(("(Extended Abstract)", "Extended Abstract", "DRAFT")))
    return text


def _classification(gen: TextGenerator) -> str:
    rng = gen.rng
    head = rng.choice(
        ("AMS subject classification:", "AMS(MOS) subject classifications.", "AMS 1991")
    )
    codes = ", ".join(
        f"{rng.randint(10, 99)}{rng.choice('ABCFKNPRU')}{rng.randint(10, 99)}"
        for _ in range(rng.randint(1, 4))
    )
    return f"{head} {codes}"


def _date(gen: TextGenerator) -> str:
    rng = gen.rng
    month, year, day = gen.month(), gen.year(), rng.randint(1, 28)
    return rng.choice(
        (
            f"{month} {year}",
            f"{month} {year}",
            f"{month} {day}, {year}",
            f"{day} {month} {year}",
            f"{month}, {year}",
            f"{year}",
            f"{rng.randint(1, 12)}/{day}/{year % 100:02d}",
            f"Draft of {month} {day}, {year}",
            f"Revised {month} {year}",
        )
    )


def _pubnum(gen: TextGenerator) -> str:
    rng = gen.rng
    head = rng.choice(
        "Technical Report|Technical Report No.|TR|Report No.|Research Report|||Tech. Report"
        "|A.I. Memo No.|Working Paper|Technical Report:|TECHNICAL REPORT".split("|")
    )
    return f"{head} {gen.code()}".strip()


def _abstract(page: PageBuilder, width: int) -> None:
    gen = page.gen
    text = " ".join(gen.sentence() for _ in range(gen.rng.randint(3, 11)))
    style = gen.rng.random()
    if style < 0.7:
        page.add_line("abstract", gen.rng.choice(_ABSTRACTS))
    elif style < 0.93:
        text = f"{gen.rng.choice(_RUN_IN)} {text}"
    page.add_paragraph("abstract", text, width)
    while gen.maybe(0.3):
        page.add_paragraph("abstract", " ".join(gen.sentence() for _ in range(3)), width)


def _keywords(page: PageBuilder, width: int) -> None:
    gen = page.gen
    phrases = ", ".join(gen.phrase() for _ in range(gen.rng.randint(2, 8)))
    phrases = capitalise(phrases) if gen.maybe(0.3) else phrases
    page.add_paragraph("keyword", f"{gen.rng.choice(_KEYWORDS)} {phrases}.", width)
    if gen.maybe(0.1):
        page.add_line("note", _classification(gen))
    if gen.maybe(0.15):
        letters = "".join(gen.rng.choice("BCDFGHI") for _ in range(1))
        page.add_paragraph(
            "keyword",
            f"Categories and Subject Descriptors: {letters}.{gen.rng.randint(1, 4)}."
            f"{gen.rng.randint(0, 9)} [{gen.field()}]: {gen.field()}; {gen.phrase()}",
            width,
        )


def _end(page: PageBuilder) -> None:
    gen = page.gen
    if gen.maybe(0.6):
        page.add_line("intro", gen.rng.choice(INTRODUCTIONS))
    else:
        page.add_line("page", "+PAGE+")


def _notes(page: PageBuilder, width: int, probability: float) -> None:
    while page.gen.maybe(probability):
        page.add_paragraph("note", notices.footnote(page.gen), width)
        probability /= 2


def _article(page: PageBuilder) -> None:
    gen = page.gen
    width = gen.rng.choice((45, 55, 75, 90, 100))
    if gen.maybe(0.16):
        page.add_paragraph("note", notices.running_head(gen), gen.rng.choice((40, 60, 90)))
    if gen.maybe(0.08):
        page.add_line("pubnum", _pubnum(gen))
    _title(page)
    if gen.maybe(0.05):
        page.add_line("pubnum", _pubnum(gen))
    add_author_block(page)
    if gen.maybe(0.04):
        add_affiliation_footnotes(page, width)
    if gen.maybe(0.2):
        page.add_line("date", _date(gen))
    if gen.maybe(0.05):
        page.add_line("pubnum", _pubnum(gen))
    early = gen.maybe(0.15)
    if early:
        _notes(page, width, 0.6)
    if gen.maybe(0.9):
        _abstract(page, width)
    if gen.maybe(0.22):
        _keywords(page, width)
    if not early:
        _notes(page, width, 0.35)
    if gen.maybe(0.1):
        add_affiliation_footnotes(page, width)
    _end(page)


def _cover(page: PageBuilder) -> None:
    """Lay out the cover of a report: parts in nearly any order."""
    gen = page.gen
    top = gen.maybe(0.5)
    if top:
        for line in affiliation(gen):
            page.add_line("affiliation", line.upper() if gen.maybe(0.3) else line)
        if gen.maybe(0.3):
            page.add_line("address", address(gen)[-1])
    number, date = _pubnum(gen), _date(gen)
    if gen.maybe(0.2):
        page.add_line("pubnum", number, ("date", date))
    elif gen.maybe(0.4):
        page.add_line("pubnum", number)
    _title(page)
    if gen.maybe(0.1):
        page.add_line("author", "by")
    persons = gen.people(5)
    page.add_line("author", format_people(persons, NameStyle("first", full=True)))
    if not any(t.label == "pubnum" for t in page.tokens) and gen.maybe(0.8):
        page.add_line("pubnum", number)
    if not any(t.label == "date" for t in page.tokens) and gen.maybe(0.85):
        page.add_line("date", date)
    if not top or gen.maybe(0.2):
        add_contact_block(page, persons)
    width = gen.rng.choice((75, 90, 100))
    if gen.maybe(0.55):
        _abstract(page, width)
    if gen.maybe(0.15):
        _keywords(page, width)
    _notes(page, width, 0.6)
    page.add_line("page", "+PAGE+")


def _thesis(page: PageBuilder) -> None:
    gen = page.gen
    if gen.maybe(0.1):
        page.add_line("affiliation", gen.one(UNIVERSITIES).upper())
    _title(page)
    author = full_name(gen, gen.person())
    if gen.maybe(0.6):
        page.add_line("author", gen.rng.choice(("by", "By", "BY")))
    page.add_line("author", author)
    for label, line in notices.degree(gen):
        page.add_line(label, line)
    if gen.maybe(0.3):
        add_contact_block(page, [gen.person()], emails=False)
    if gen.maybe(0.8):
        page.add_line("date", _date(gen))
    if gen.maybe(0.2):
        page.add_paragraph("degree", notices.reproduction(gen), 70)
    for line in notices.committee(gen):
        page.add_line("degree", line)
    if gen.maybe(0.3):
        page.add_line("note", f"Copyright c {gen.year()} {author}")
    if gen.maybe(0.25):
        _abstract(page, 80)
    page.add_line("page", "+PAGE+")
