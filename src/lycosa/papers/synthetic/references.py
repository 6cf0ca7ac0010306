"""References in many styles, each word with its label."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.entities import GeneratedWork, Person
from lycosa.papers.synthetic.noise import add_noise
from lycosa.papers.synthetic.styles import STYLES, NameStyle, Style
from lycosa.papers.synthetic.text_generator import TextGenerator, capitals
from lycosa.papers.synthetic.vocabulary import MEETING_OPENERS, PRESSES

_KINDS = tuple(
    "article article article article article article paper paper paper paper paper paper paper "
    "paper chapter book book report report thesis other".split()
)
_GROUP = re.compile(r"\[([^\]]*)\]")
_BLANK = re.compile(r"\{(\w+)\}")
_NOTES = (
    "To appear",
    "In press",
    "Submitted for publication",
    "In preparation",
    "Forthcoming",
    "Personal communication",
    "(to appear)",
    "(in press)",
    "Also available as {r}",
    "Also appeared as {r}",
    "Also in {b}",
    "To appear in {b}",
    "To appear in {j}",
    "Invited paper",
    "Extended abstract",
    "See also {r}",
    "Published as {r}",
    "(in German)",
    "(In Russian)",
    "Revised version",
    "Available via anonymous ftp from ftp.{h}",
    "Available at http://www.{h}/papers",
    "Reprinted in {b}",
)
_THESES = (
    "PhD thesis",
    "Ph.D. thesis",
    "Master's thesis",
    "Ph.D. dissertation",
    "Doctoral dissertation",
    "M.S. thesis",
    "PhD Dissertation",
    "Ph.D. Thesis",
    "Diploma thesis",
    "MSc thesis",
    "Unpublished doctoral dissertation",
)
_REPORTS = (
    ("Technical Report",) * 6
    + ("Tech. Rep.",) * 3
    + ("Technical report", "Research Report", "Tech. Report", "Memo", "Technical Memo", "Report")
    + ("Working Paper", "Internal Report", "Internet Draft", "RFC", "Tech. rep.", "AI Memo")
)
_DRAFTS = ("Manuscript", "Unpublished manuscript", "Preprint", "Draft", "Internet-Draft", "", "")
_SERIES = (
    ("Lecture Notes in Computer Science",) * 5
    + ("LNCS", "Lecture Notes in Artificial Intelligence", "Lecture Notes in Mathematics")
    + ("LNAI", "Contemporary Mathematics", "ACM SIGPLAN Notices")
)
_AMPERSANDS = 0.2  # of all titles and venues with an "and"
_EDITIONS = ("second", "2nd", "third", "3rd", "revised", "first", "Second", "fourth")


def generate_references(count: int, seed: int) -> list[list[Token]]:
    """So many made-up references, each printed in a style of its own.

    >>> generate_references(2, 7) == generate_references(2, 7)
    True
    """
    chance = random.Random(f"references {seed}")
    found: list[list[Token]] = []
    while len(found) < count:
        tokens = generate_reference(TextGenerator(chance))
        if len(tokens) >= 3:
            found.append(tokens)
    return found


def generate_reference(muse: TextGenerator, style: Style | None = None) -> list[Token]:
    """One made-up reference, in this style or in any."""
    work = generate_work(muse)
    if style is None:
        style = muse.chance.choice(list(STYLES.values()))
        if muse.maybe(0.3):
            style = _varied(muse, style)
    pieces = _pieces(muse, work, style)
    return add_noise(muse, [Token(w, label) for label, text in pieces for w in text.split()])


def generate_work(muse: TextGenerator) -> GeneratedWork:
    """A made-up work, with the fields that such a work has, but for a few."""
    c = muse.chance
    kind = c.choice(_KINDS)
    work = GeneratedWork(kind, muse.people(), muse.title(), muse.year())
    first = int(c.expovariate(1 / 300)) + 1
    last = first + 1 + int(c.expovariate(1 / 15))
    dash = c.choice(("-",) * 8 + ("--", "\u2013"))
    pages = f"{first}{dash}{last}"
    often: dict[str, tuple[float, Callable[[], str]]] = {
        "m": (0.4, muse.month),
        "l": (0.12, lambda: c.choice("abc")),
        "p": (0.75, lambda: pages),
        "note": (0.08, lambda: _note(muse)),
        "url": (0.35, lambda: _url(muse)),
        "loc": (0.45, muse.location),
        "edition": (0.1, lambda: c.choice(_EDITIONS)),
        "code": (0.8, muse.code),
        "v": (0.95, lambda: str(c.choice((c.randint(1, 40), c.randint(1, 400))))),
        "n": (
            0.6,
            lambda: c.choice((str(c.randint(1, 12)), f"{c.randint(1, 3)}-{c.randint(4, 6)}")),
        ),
        "pub": (0.95 if kind in ("book", "chapter") else 0.2, lambda: muse.one(PRESSES)),
        "series": (0.12, lambda: c.choice(_SERIES)),
    }
    work.fields = {name: make() for name, (p, make) in often.items() if muse.maybe(p)}
    if "series" in work.fields or (kind == "chapter" and muse.maybe(0.15)):
        work.fields["sv"] = str(c.randint(1, 1600))
    work.fields |= {
        "j": muse.journal(),
        "inst": muse.institution(),
        "thesis": c.choice(_THESES),
        "draft": c.choice(_DRAFTS),
        "tech": c.choice(_REPORTS),
    }
    edited = {"chapter": 0.85, "paper": 0.15}.get(kind, 0.0)
    work.editors = muse.people(4) if muse.maybe(edited) else []
    if kind == "book" and muse.maybe(0.12):
        work.authors, work.editors = [], muse.people(4)
    if kind == "other" and muse.maybe(0.1):
        work.authors = []
    return work


def _note(muse: TextGenerator) -> str:
    return muse.chance.choice(_NOTES).format(
        r=f"{muse.chance.choice(_REPORTS)} {muse.code()}",
        b=f"Proc. {muse.meeting()}",
        j=muse.journal(),
        h=_host(muse),
    )


def _host(muse: TextGenerator) -> str:
    return f"cs.{muse.invented().lower()}.{muse.chance.choice(('edu', 'com', 'ac.uk', 'de'))}"


def _url(muse: TextGenerator) -> str:
    c = muse.chance
    head = c.choice(("http://www.", "http://", "URL: http://www.", "ftp://ftp.", "URL http://www."))
    tail = c.choice(("", "/", f"/~{muse.invented().lower()}/", f"/papers/{c.randint(1, 99)}.ps"))
    return f"{head}{_host(muse)}{tail}"


def _varied(muse: TextGenerator, style: Style) -> Style:
    """The manner of another style's names, or patterns with other punctuation."""
    names = muse.chance.choice(list(STYLES.values())).names
    if muse.maybe(0.1):
        names = names._replace(pair=" & ", final=" & ")
    patterns = style.patterns
    if muse.maybe(0.3):
        patterns = {k: p.replace("title={t}.", 'title="{t}".') for k, p in patterns.items()}
    if muse.maybe(0.3):
        patterns = {k: p.replace("pages {p}", "pp. {p}") for k, p in patterns.items()}
    if muse.maybe(0.2):
        patterns = {k: p.replace("={v}", "=Vol. {v}") for k, p in patterns.items()}
    if muse.maybe(0.2):
        patterns = {k: p.replace("={t},", "={t}.") for k, p in patterns.items()}
    if muse.maybe(0.2):
        patterns = {k: p.replace("={t}.", "={t},") for k, p in patterns.items()}
    return Style(names, patterns, muse.maybe(0.4))


def pattern_values(muse: TextGenerator, work: GeneratedWork, style: Style) -> dict[str, str]:
    """What fills the pattern_values of a pattern."""
    c = muse.chance
    title = capitals(work.title) if style.capitals or muse.maybe(0.25) else work.title
    title = title[0].upper() + title[1:]
    meeting = muse.meeting()
    book = capitals(muse.title()) if work.kind == "chapter" or muse.maybe(0.04) else meeting
    opener = c.choice(MEETING_OPENERS)
    if work.editors:
        opener = opener.removeprefix("In: ").removeprefix("In ").removeprefix("in ")
        opener = "" if opener in ("In", "in") else opener
    one = len(work.editors) == 1
    editors = _editor_names(muse, style.names)
    eds = c.choice(("editor", "ed.") if one else ("editors", "eds.", "eds"))
    filled = {
        **work.fields,
        "a": format_people(work.authors, style.names) + (" et al." if muse.maybe(0.03) else ""),
        "t": title,
        "y": str(work.year),
        "b": book,
        "B": book if work.kind == "chapter" else f"{opener} {meeting}".strip(),
        "e": format_people(work.editors, editors) if work.editors else "",
        "eds": eds,
        "Eds": {"editor": "Editor", "editors": "Editors"}.get(eds, eds.capitalize()),
    }
    if not work.authors:
        filled["a"] = ""
    if muse.maybe(_AMPERSANDS):
        for name in ("t", "j", "b", "B", "inst"):
            filled[name] = re.sub(r"\b,? and\b", " &", filled[name], flags=re.IGNORECASE)
    return filled


def _editor_names(muse: TextGenerator, names: NameStyle) -> NameStyle:
    return names if muse.maybe(0.4) else names._replace(order="first", comma=",", dots=True)


def _pieces(muse: TextGenerator, work: GeneratedWork, style: Style) -> list[tuple[str, str]]:
    filled = pattern_values(muse, work, style)
    pieces: list[tuple[str, str]] = []
    for piece in style.patterns[work.kind].split(" | "):
        label, _, pattern = piece.partition("=")
        pattern = _GROUP.sub(lambda m: m[1] if _has(m[1], filled) else "", pattern)
        core = {
            name for name in _BLANK.findall(pattern) if name not in ("m", "l", "eds", "Eds", "code")
        }
        if not all(filled.get(name) for name in core):
            continue
        text = _BLANK.sub(lambda m: filled.get(m[1], ""), pattern)
        text = " ".join(text.split()).replace(" ,", ",").replace(" .", ".")
        text = re.sub(r"\.\.+(?=\W|$)", ".", text).replace("?.", "?").replace("?,", "?")
        text = re.sub(r'([?!])[.,]"', r'\1"', text)
        if re.search(r"\w", text):
            pieces.append((label, text))
    if pieces and pieces[-1][1].endswith((",", ":")) and muse.maybe(0.9):
        pieces[-1] = (pieces[-1][0], pieces[-1][1][:-1] + ".")
    return _closed(pieces)


def _closed(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Brackets opened by a field that is missing are opened by the next."""
    depth = 0
    found = []
    for label, text in pieces:
        depth += text.count("(") - text.count(")")
        fixed = f"({text}" if depth < 0 else text
        depth = max(depth, 0)
        found.append((label, fixed))
    return found


def _has(pattern: str, filled: dict[str, str]) -> bool:
    return all(filled.get(name) for name in _BLANK.findall(pattern))


def format_people(persons: list[Person], names: NameStyle) -> str:
    """People as a style prints them.

    >>> people = [Person(("Ada", "K."), "Byron"), Person(("Max",), "Ernst")]
    >>> format_people(people, NameStyle("last"))
    'Byron, A. K. and Ernst, M.'
    """
    parts = [_person(person, names, n) for n, person in enumerate(persons)]
    if len(parts) <= 1:
        return "".join(parts)
    if len(parts) == 2:
        return names.pair.join(parts)
    return names.between.join(parts[:-1]) + names.final + parts[-1]


def _person(person: Person, names: NameStyle, n: int) -> str:
    given = " ".join(person.given) if names.full else person.initials(names.space)
    if names.full and len(person.given) > 1:
        given = " ".join([person.given[0], *(f"{g[0]}." for g in person.given[1:])])
    if not names.dots:
        given = given.replace(".", "").replace(" ", "")
    family = person.family.upper() if names.capitals else person.family
    if names.order == "last" or (names.order == "last-first" and n == 0):
        return f"{family}{names.comma} {given}"
    return f"{given} {family}"
