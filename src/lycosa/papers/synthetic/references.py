"""Generator of references in many styles, with a label for each word."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from lycosa.papers.extraction.tagged import Token
from lycosa.papers.synthetic.entities import GeneratedWork, Person
from lycosa.papers.synthetic.noise import add_noise
from lycosa.papers.synthetic.styles import STYLES, NameStyle, Style
from lycosa.papers.synthetic.text_generator import TextGenerator, capitalise
from lycosa.papers.synthetic.vocabulary import MEETING_OPENERS, PRESSES

_KINDS = tuple(
    "article article article article article article paper paper paper paper paper paper paper "
    "paper chapter book book report report thesis other".split()
)
_GROUP = re.compile(r"\[([^\]]*)\]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
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
_AMPERSAND_SHARE = 0.2  # of titles and venues with an "and"
_EDITIONS = ("second", "2nd", "third", "3rd", "revised", "first", "Second", "fourth")


def generate_references(count: int, seed: int) -> list[list[Token]]:
    """Generate `count` references, each in a random style.

    >>> generate_references(2, 7) == generate_references(2, 7)
    True
    """
    rng = random.Random(f"references {seed}")
    found: list[list[Token]] = []
    while len(found) < count:
        tokens = generate_reference(TextGenerator(rng))
        if len(tokens) >= 3:
            found.append(tokens)
    return found


def generate_reference(gen: TextGenerator, style: Style | None = None) -> list[Token]:
    """Generate one reference, in this style or in a random one."""
    work = generate_work(gen)
    if style is None:
        style = gen.rng.choice(list(STYLES.values()))
        if gen.maybe(0.3):
            style = _vary(gen, style)
    pieces = _pieces(gen, work, style)
    return add_noise(gen, [Token(w, label) for label, text in pieces for w in text.split()])


def generate_work(gen: TextGenerator) -> GeneratedWork:
    """Generate a work with most of the fields of its kind."""
    rng = gen.rng
    kind = rng.choice(_KINDS)
    work = GeneratedWork(kind, gen.people(), gen.title(), gen.year())
    first = int(rng.expovariate(1 / 300)) + 1
    last = first + 1 + int(rng.expovariate(1 / 15))
    dash = rng.choice(("-",) * 8 + ("--", "\u2013"))
    pages = f"{first}{dash}{last}"
    optional: dict[str, tuple[float, Callable[[], str]]] = {
        "m": (0.4, gen.month),
        "l": (0.12, lambda: rng.choice("abc")),
        "p": (0.75, lambda: pages),
        "note": (0.08, lambda: _note(gen)),
        "url": (0.35, lambda: _url(gen)),
        "loc": (0.45, gen.location),
        "edition": (0.1, lambda: rng.choice(_EDITIONS)),
        "code": (0.8, gen.code),
        "v": (0.95, lambda: str(rng.choice((rng.randint(1, 40), rng.randint(1, 400))))),
        "n": (
            0.6,
            lambda: rng.choice(
                (str(rng.randint(1, 12)), f"{rng.randint(1, 3)}-{rng.randint(4, 6)}")
            ),
        ),
        "pub": (0.95 if kind in ("book", "chapter") else 0.2, lambda: gen.one(PRESSES)),
        "series": (0.12, lambda: rng.choice(_SERIES)),
    }
    work.fields = {name: make() for name, (p, make) in optional.items() if gen.maybe(p)}
    if "series" in work.fields or (kind == "chapter" and gen.maybe(0.15)):
        work.fields["sv"] = str(rng.randint(1, 1600))
    work.fields |= {
        "j": gen.journal(),
        "inst": gen.institution(),
        "thesis": rng.choice(_THESES),
        "draft": rng.choice(_DRAFTS),
        "tech": rng.choice(_REPORTS),
    }
    edited = {"chapter": 0.85, "paper": 0.15}.get(kind, 0.0)
    work.editors = gen.people(4) if gen.maybe(edited) else []
    if kind == "book" and gen.maybe(0.12):
        work.authors, work.editors = [], gen.people(4)
    if kind == "other" and gen.maybe(0.1):
        work.authors = []
    return work


def _note(gen: TextGenerator) -> str:
    return gen.rng.choice(_NOTES).format(
        r=f"{gen.rng.choice(_REPORTS)} {gen.code()}",
        b=f"Proc. {gen.meeting()}",
        j=gen.journal(),
        h=_host(gen),
    )


def _host(gen: TextGenerator) -> str:
    return f"cs.{gen.invented().lower()}.{gen.rng.choice(('edu', 'com', 'ac.uk', 'de'))}"


def _url(gen: TextGenerator) -> str:
    rng = gen.rng
    head = rng.choice(
        ("http://www.", "http://", "URL: http://www.", "ftp://ftp.", "URL http://www.")
    )
    tail = rng.choice(("", "/", f"/~{gen.invented().lower()}/", f"/papers/{rng.randint(1, 99)}.ps"))
    return f"{head}{_host(gen)}{tail}"


def _vary(gen: TextGenerator, style: Style) -> Style:
    """Return a style with the names of another style, or with other punctuation."""
    names = gen.rng.choice(list(STYLES.values())).names
    if gen.maybe(0.1):
        names = names._replace(pair=" & ", final=" & ")
    patterns = style.patterns
    if gen.maybe(0.3):
        patterns = {k: p.replace("title={t}.", 'title="{t}".') for k, p in patterns.items()}
    if gen.maybe(0.3):
        patterns = {k: p.replace("pages {p}", "pp. {p}") for k, p in patterns.items()}
    if gen.maybe(0.2):
        patterns = {k: p.replace("={v}", "=Vol. {v}") for k, p in patterns.items()}
    if gen.maybe(0.2):
        patterns = {k: p.replace("={t},", "={t}.") for k, p in patterns.items()}
    if gen.maybe(0.2):
        patterns = {k: p.replace("={t}.", "={t},") for k, p in patterns.items()}
    return Style(names, patterns, gen.maybe(0.4))


def pattern_values(gen: TextGenerator, work: GeneratedWork, style: Style) -> dict[str, str]:
    """Return the values of the placeholders of a pattern."""
    rng = gen.rng
    title = capitalise(work.title) if style.capitals or gen.maybe(0.25) else work.title
    title = title[0].upper() + title[1:]
    meeting = gen.meeting()
    book = capitalise(gen.title()) if work.kind == "chapter" or gen.maybe(0.04) else meeting
    opener = rng.choice(MEETING_OPENERS)
    if work.editors:
        opener = opener.removeprefix("In: ").removeprefix("In ").removeprefix("in ")
        opener = "" if opener in ("In", "in") else opener
    one = len(work.editors) == 1
    editors = _editor_names(gen, style.names)
    eds = rng.choice(("editor", "ed.") if one else ("editors", "eds.", "eds"))
    values = {
        **work.fields,
        "a": format_people(work.authors, style.names) + (" et al." if gen.maybe(0.03) else ""),
        "t": title,
        "y": str(work.year),
        "b": book,
        "B": book if work.kind == "chapter" else f"{opener} {meeting}".strip(),
        "e": format_people(work.editors, editors) if work.editors else "",
        "eds": eds,
        "Eds": {"editor": "Editor", "editors": "Editors"}.get(eds, eds.capitalize()),
    }
    if not work.authors:
        values["a"] = ""
    if gen.maybe(_AMPERSAND_SHARE):
        for name in ("t", "j", "b", "B", "inst"):
            values[name] = re.sub(r"\b,? and\b", " &", values[name], flags=re.IGNORECASE)
    return values


def _editor_names(gen: TextGenerator, names: NameStyle) -> NameStyle:
    return names if gen.maybe(0.4) else names._replace(order="first", comma=",", dots=True)


def _pieces(gen: TextGenerator, work: GeneratedWork, style: Style) -> list[tuple[str, str]]:
    values = pattern_values(gen, work, style)
    pieces: list[tuple[str, str]] = []
    for piece in style.patterns[work.kind].split(" | "):
        label, _, pattern = piece.partition("=")
        pattern = _GROUP.sub(lambda m: m[1] if _has(m[1], values) else "", pattern)
        core = {
            name
            for name in _PLACEHOLDER.findall(pattern)
            if name not in ("m", "l", "eds", "Eds", "code")
        }
        if not all(values.get(name) for name in core):
            continue
        text = _PLACEHOLDER.sub(lambda m: values.get(m[1], ""), pattern)
        text = " ".join(text.split()).replace(" ,", ",").replace(" .", ".")
        text = re.sub(r"\.\.+(?=\W|$)", ".", text).replace("?.", "?").replace("?,", "?")
        text = re.sub(r'([?!])[.,]"', r'\1"', text)
        if re.search(r"\w", text):
            pieces.append((label, text))
    if pieces and pieces[-1][1].endswith((",", ":")) and gen.maybe(0.9):
        pieces[-1] = (pieces[-1][0], pieces[-1][1][:-1] + ".")
    return _balance_brackets(pieces)


def _balance_brackets(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Open a bracket at the next field if the field that opens it is missing."""
    depth = 0
    balanced = []
    for label, text in pieces:
        depth += text.count("(") - text.count(")")
        fixed = f"({text}" if depth < 0 else text
        depth = max(depth, 0)
        balanced.append((label, fixed))
    return balanced


def _has(pattern: str, values: dict[str, str]) -> bool:
    return all(values.get(name) for name in _PLACEHOLDER.findall(pattern))


def format_people(persons: list[Person], names: NameStyle) -> str:
    """Format people in the manner of a style.

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
