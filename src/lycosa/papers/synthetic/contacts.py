"""Who wrote a paper and where they work, as first pages say it."""

from __future__ import annotations

import re

from lycosa.papers.synthetic import notices
from lycosa.papers.synthetic.entities import Person
from lycosa.papers.synthetic.page import PageBuilder
from lycosa.papers.synthetic.text_generator import TextGenerator
from lycosa.papers.synthetic.vocabulary import (
    COMPANIES,
    COUNTRIES,
    DEPARTMENTS,
    UNIVERSITIES,
    US_STATES,
)

_MARKS = ("1", "2", "*", "y", "z", "\u2020", "\u2021", "x", "1,2", "")
_STREETS = ("Street", "Avenue", "Road", "Ave.", "St.", "Drive", "Way", "Blvd.", "Lane")


def full_name(muse: TextGenerator, person: Person) -> str:
    """A name with its first given name in full."""
    given = (
        person.initials()
        if muse.maybe(0.15)
        else " ".join([person.given[0], *(f"{g[0]}." for g in person.given[1:])])
    )
    return f"{given} {person.family}"


def affiliation(muse: TextGenerator) -> list[str]:
    """Where somebody works, line by line."""
    if muse.maybe(0.2):
        return [muse.one(COMPANIES)]
    lines = [muse.one(DEPARTMENTS)] if muse.maybe(0.85) else []
    if muse.maybe(0.1):
        lines.insert(0, muse.one(DEPARTMENTS))
    lines.append(muse.one(UNIVERSITIES))
    if muse.maybe(0.12):
        lines.reverse()
    return lines


def address(muse: TextGenerator) -> list[str]:
    """Where that is, line by line."""
    c = muse.chance
    lines = []
    city = muse.city()
    if muse.maybe(0.4):
        street = f"{c.randint(1, 4000)} {muse.invented()} {c.choice(_STREETS)}"
        street = street if muse.maybe(0.6) else f"P.O. Box {c.randint(1, 9999)}"
        lines.append(c.choice((street, street, f"{muse.invented()}str. {c.randint(1, 200)}")))
    if muse.maybe(0.6):
        full, short = c.choice(US_STATES).split("|")
        code = f"{c.randint(1000, 99999):05d}"
        code += f"-{c.randint(1000, 9999)}" if muse.maybe(0.3) else ""
        end = c.choice(("", "", "", " USA", ", USA", ", U.S.A."))
        state = short if muse.maybe(0.8) else full
        lines.append(f"{city}, {state} {code if muse.maybe(0.9) else ''}{end}")
    else:
        land = c.choice((*COUNTRIES, "The Netherlands", "United Kingdom", "Hong Kong"))
        code = c.choice(
            (f"{c.randint(1000, 99999)}", f"D-{c.randint(10000, 99999)}", "OX1 3QD", "")
        )
        lines.append(
            c.choice((f"{code} {city}, {land}", f"{city} {code}, {land}", f"{city}, {land}"))
        )
    if len(lines) > 1 and muse.maybe(0.3):
        lines = [", ".join(lines)]
    return lines


def _host(muse: TextGenerator) -> str:
    middle = muse.invented().lower()
    return f"cs.{middle}.{muse.chance.choice(('edu', 'edu', 'edu', 'com', 'ac.uk', 'de', 'fr'))}"


def _email(muse: TextGenerator, persons: list[Person]) -> str:
    c = muse.chance
    names = [re.sub(r"\W.*", "", p.family.lower()) for p in persons]
    host = _host(muse)
    head = c.choice(("", "", "", "E-mail: ", "email: ", "Email: ", "e-mail: "))
    if len(names) > 1 and muse.maybe(0.5):
        form = c.choice(("f{}g@{}", "{{{}}}@{}", "({})@{}"))
        return head + form.format(c.choice((",", ", ")).join(names), host)
    return head + c.choice((", ", " ")).join(f"{name}@{host}" for name in names)


def _phone(muse: TextGenerator) -> str:
    c = muse.chance

    def digits(n: int) -> str:
        return "".join(c.choice("0123456789") for _ in range(n))

    number = c.choice(
        (
            f"({digits(3)}) {digits(3)}-{digits(4)}",
            f"{digits(3)}-{digits(3)}-{digits(4)}",
            f"+{digits(2)} {digits(2)} {digits(6)}",
            f"+{digits(2)}-{digits(3)}-{digits(6)}",
        )
    )
    head = c.choice(
        "Phone: |Tel: |Tel. |phone: |Telephone: |FAX: |Fax: |TEL: |Voice: |||Phone ".split("|")
    )
    return f"{head}{number}" + (f", Fax: {number}" if muse.maybe(0.2) else "")


def add_contact_block(page: PageBuilder, persons: list[Person], *, emails: bool = True) -> None:
    """Where people work, in one of many arrangements."""
    muse = page.muse
    place, where = affiliation(muse), address(muse)
    fields: list[tuple[str, str]] = [("affiliation", line) for line in place]
    if muse.maybe(0.8):
        fields += [("address", line) for line in where]
    style = muse.chance.random()
    if style < 0.2 and len(fields) > 1:
        # All on one line, or what fits on it.
        joined = [(label, f"{text},") for label, text in fields[:-1]] + fields[-1:]
        page.put(*joined[0], *joined[1:])
    elif style < 0.35 and len(fields) > 2:
        (label, text), last = fields[-2], fields[-1]
        for field in fields[:-2]:
            page.put(*field)
        page.put(label, f"{text},", last)
    else:
        for field in fields:
            page.put(*field)
    if emails and muse.maybe(0.55):
        page.put("email", _email(muse, persons))
    if muse.maybe(0.05):
        page.put("phone", f"{_phone(muse)},", ("email", _email(muse, persons)))
    elif muse.maybe(0.1):
        page.put("phone", _phone(muse))
    if muse.maybe(0.06):
        page.put("web", f"http://www.{_host(muse)}/~{persons[0].given[0].lower()}/")


def add_author_block(page: PageBuilder) -> None:
    """The authors with all that is said of them."""
    muse = page.muse
    persons = muse.people(6)
    names = [full_name(muse, p) for p in persons]
    if muse.maybe(0.12):
        names = [name.upper() for name in names]
    marked = muse.maybe(0.25)
    if marked:
        glue = muse.chance.choice((" ", ""))
        names = [name + glue + muse.chance.choice(_MARKS) for name in names]
    if muse.maybe(0.05):
        page.put("author", muse.chance.choice(("by", "By")))
    style = muse.chance.random()
    if style < 0.08:
        # Each author beside where they work.
        for name, person in zip(names, persons, strict=True):
            comma = muse.chance.choice(("", ","))
            if muse.maybe(0.25):
                page.put("author", name, ("email", _email(muse, [person])))
                continue
            place = ", ".join(affiliation(muse))
            more = [("address", address(muse)[-1])] if muse.maybe(0.5) else []
            page.put("author", name + comma, ("affiliation", place + "," * len(more)), *more)
        return
    if style < 0.38 and len(persons) > 1:
        # Each author above an address of their own.
        for name, person in zip(names, persons, strict=True):
            page.put("author", name)
            add_contact_block(page, [person])
        return
    if style < 0.6:
        final = muse.chance.choice((" and ", ", and ", " & ", ", "))
        line = final.join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
        page.fill("author", line, muse.chance.choice((60, 80)))
    elif style < 0.8:
        page.fill("author", muse.chance.choice((" ", "  ")).join(names), 70)
    else:
        for n, name in enumerate(names):
            if n and muse.maybe(0.08):
                page.put("author", "and")
            page.put("author", name)
    add_contact_block(page, persons)
    if len(persons) > 1 and muse.maybe(0.2):
        if muse.maybe(0.2):
            page.put("affiliation", "and")
        add_contact_block(page, persons)


def add_affiliation_footnotes(page: PageBuilder, width: int) -> None:
    """Footnotes that say where each author works, and at times who paid."""
    muse = page.muse
    for mark in _MARKS[: muse.chance.randint(1, 3)]:
        where = muse.chance.choice(("", "", "", "Address: ", "Author's address: "))
        parts = [
            ("affiliation", f"{mark} {where}{', '.join(affiliation(muse))},"),
            ("address", f"{', '.join(address(muse))}."),
        ]
        if muse.maybe(0.4):
            parts.append(("email", f"{_email(muse, [muse.person()])}."))
        if muse.maybe(0.4):
            parts.append(("note", notices.acknowledgement(muse)))
        page.flow(parts, width)
