"""Author blocks of first pages: names, affiliations, addresses, e-mail and phone."""

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


def full_name(gen: TextGenerator, person: Person) -> str:
    """Return a name, mostly with its first given name in full."""
    given = (
        person.initials()
        if gen.maybe(0.15)
        else " ".join([person.given[0], *(f"{g[0]}." for g in person.given[1:])])
    )
    return f"{given} {person.family}"


def affiliation(gen: TextGenerator) -> list[str]:
    """Return an affiliation as lines."""
    if gen.maybe(0.2):
        return [gen.one(COMPANIES)]
    lines = [gen.one(DEPARTMENTS)] if gen.maybe(0.85) else []
    if gen.maybe(0.1):
        lines.insert(0, gen.one(DEPARTMENTS))
    lines.append(gen.one(UNIVERSITIES))
    if gen.maybe(0.12):
        lines.reverse()
    return lines


def address(gen: TextGenerator) -> list[str]:
    """Return a postal address as lines."""
    rng = gen.rng
    lines = []
    city = gen.city()
    if gen.maybe(0.4):
        street = f"{rng.randint(1, 4000)} {gen.invented()} {rng.choice(_STREETS)}"
        street = street if gen.maybe(0.6) else f"P.O. Box {rng.randint(1, 9999)}"
        lines.append(rng.choice((street, street, f"{gen.invented()}str. {rng.randint(1, 200)}")))
    if gen.maybe(0.6):
        full, short = rng.choice(US_STATES).split("|")
        code = f"{rng.randint(1000, 99999):05d}"
        code += f"-{rng.randint(1000, 9999)}" if gen.maybe(0.3) else ""
        end = rng.choice(("", "", "", " USA", ", USA", ", U.S.A."))
        state = short if gen.maybe(0.8) else full
        lines.append(f"{city}, {state} {code if gen.maybe(0.9) else ''}{end}")
    else:
        land = rng.choice((*COUNTRIES, "The Netherlands", "United Kingdom", "Hong Kong"))
        code = rng.choice(
            (f"{rng.randint(1000, 99999)}", f"D-{rng.randint(10000, 99999)}", "OX1 3QD", "")
        )
        lines.append(
            rng.choice((f"{code} {city}, {land}", f"{city} {code}, {land}", f"{city}, {land}"))
        )
    if len(lines) > 1 and gen.maybe(0.3):
        lines = [", ".join(lines)]
    return lines


def _host(gen: TextGenerator) -> str:
    middle = gen.invented().lower()
    return f"cs.{middle}.{gen.rng.choice(('edu', 'edu', 'edu', 'com', 'ac.uk', 'de', 'fr'))}"


def _email(gen: TextGenerator, persons: list[Person]) -> str:
    rng = gen.rng
    names = [re.sub(r"\W.*", "", p.family.lower()) for p in persons]
    host = _host(gen)
    head = rng.choice(("", "", "", "E-mail: ", "email: ", "Email: ", "e-mail: "))
    if len(names) > 1 and gen.maybe(0.5):
        pattern = rng.choice(("f{}g@{}", "{{{}}}@{}", "({})@{}"))
        return head + pattern.format(rng.choice((",", ", ")).join(names), host)
    return head + rng.choice((", ", " ")).join(f"{name}@{host}" for name in names)


def _phone(gen: TextGenerator) -> str:
    rng = gen.rng

    def digits(n: int) -> str:
        return "".join(rng.choice("0123456789") for _ in range(n))

    number = rng.choice(
        (
            f"({digits(3)}) {digits(3)}-{digits(4)}",
            f"{digits(3)}-{digits(3)}-{digits(4)}",
            f"+{digits(2)} {digits(2)} {digits(6)}",
            f"+{digits(2)}-{digits(3)}-{digits(6)}",
        )
    )
    head = rng.choice(
        "Phone: |Tel: |Tel. |phone: |Telephone: |FAX: |Fax: |TEL: |Voice: |||Phone ".split("|")
    )
    return f"{head}{number}" + (f", Fax: {number}" if gen.maybe(0.2) else "")


def add_contact_block(page: PageBuilder, persons: list[Person], *, emails: bool = True) -> None:
    """Add affiliation, address and e-mail of people, in one of many arrangements."""
    gen = page.gen
    places, addresses = affiliation(gen), address(gen)
    fields: list[tuple[str, str]] = [("affiliation", line) for line in places]
    if gen.maybe(0.8):
        fields += [("address", line) for line in addresses]
    style = gen.rng.random()
    if style < 0.2 and len(fields) > 1:
        # All on one line.
        joined = [(label, f"{text},") for label, text in fields[:-1]] + fields[-1:]
        page.add_line(*joined[0], *joined[1:])
    elif style < 0.35 and len(fields) > 2:
        (label, text), last = fields[-2], fields[-1]
        for field in fields[:-2]:
            page.add_line(*field)
        page.add_line(label, f"{text},", last)
    else:
        for field in fields:
            page.add_line(*field)
    if emails and gen.maybe(0.55):
        page.add_line("email", _email(gen, persons))
    if gen.maybe(0.05):
        page.add_line("phone", f"{_phone(gen)},", ("email", _email(gen, persons)))
    elif gen.maybe(0.1):
        page.add_line("phone", _phone(gen))
    if gen.maybe(0.06):
        page.add_line("web", f"http://www.{_host(gen)}/~{persons[0].given[0].lower()}/")


def add_author_block(page: PageBuilder) -> None:
    """Add the authors with their affiliations."""
    gen = page.gen
    persons = gen.people(6)
    names = [full_name(gen, p) for p in persons]
    if gen.maybe(0.12):
        names = [name.upper() for name in names]
    marked = gen.maybe(0.25)
    if marked:
        glue = gen.rng.choice((" ", ""))
        names = [name + glue + gen.rng.choice(_MARKS) for name in names]
    if gen.maybe(0.05):
        page.add_line("author", gen.rng.choice(("by", "By")))
    style = gen.rng.random()
    if style < 0.08:
        # Each author beside the affiliation.
        for name, person in zip(names, persons, strict=True):
            comma = gen.rng.choice(("", ","))
            if gen.maybe(0.25):
                page.add_line("author", name, ("email", _email(gen, [person])))
                continue
            place = ", ".join(affiliation(gen))
            more = [("address", address(gen)[-1])] if gen.maybe(0.5) else []
            page.add_line("author", name + comma, ("affiliation", place + "," * len(more)), *more)
        return
    if style < 0.38 and len(persons) > 1:
        # Each author above an affiliation and address.
        for name, person in zip(names, persons, strict=True):
            page.add_line("author", name)
            add_contact_block(page, [person])
        return
    if style < 0.6:
        final = gen.rng.choice((" and ", ", and ", " & ", ", "))
        line = final.join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
        page.add_paragraph("author", line, gen.rng.choice((60, 80)))
    elif style < 0.8:
        page.add_paragraph("author", gen.rng.choice((" ", "  ")).join(names), 70)
    else:
        for n, name in enumerate(names):
            if n and gen.maybe(0.08):
                page.add_line("author", "and")
            page.add_line("author", name)
    add_contact_block(page, persons)
    if len(persons) > 1 and gen.maybe(0.2):
        if gen.maybe(0.2):
            page.add_line("affiliation", "and")
        add_contact_block(page, persons)


def add_affiliation_footnotes(page: PageBuilder, width: int) -> None:
    """Add footnotes with the affiliations of authors, and sometimes the sponsor."""
    gen = page.gen
    for mark in _MARKS[: gen.rng.randint(1, 3)]:
        where = gen.rng.choice(("", "", "", "Address: ", "Author's address: "))
        parts = [
            ("affiliation", f"{mark} {where}{', '.join(affiliation(gen))},"),
            ("address", f"{', '.join(address(gen))}."),
        ]
        if gen.maybe(0.4):
            parts.append(("email", f"{_email(gen, [gen.person()])}."))
        if gen.maybe(0.4):
            parts.append(("note", notices.acknowledgement(gen)))
        page.add_mixed_paragraph(parts, width)
