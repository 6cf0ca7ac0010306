"""Notices of first pages: running heads, acknowledgements, copyright, degrees."""

from __future__ import annotations

from lycosa.papers.synthetic.text_generator import TextGenerator
from lycosa.papers.synthetic.vocabulary import COMPANIES, DEPARTMENTS, PRESSES, UNIVERSITIES

_AGENCIES = (
    "the National Science Foundation",
    "NSF",
    "DARPA",
    "ARPA",
    "the Office of Naval Research",
    "ONR",
    "the Air Force Office of Scientific Research",
    "AFOSR",
    "the Army Research Office",
    "NASA",
    "the Department of Energy",
    "the European Union",
    "ESPRIT",
    "NSERC",
    "EPSRC",
    "the Deutsche Forschungsgemeinschaft",
    "IBM",
    "Digital Equipment Corporation",
    "the Ministry of Education",
    "the {x} Foundation",
    "a grant from {x} Corporation",
    "the Natural Sciences Research Council",
)


def _grant(gen: TextGenerator) -> str:
    rng = gen.rng
    letters = "".join(rng.choice("ACDFIJMNR") for _ in range(3))
    number = rng.randint(100000, 9999999)
    return rng.choice(
        (
            f"grant {letters}-{number}",
            f"Grant No. {letters}-{number}",
            f"contract N000{rng.randint(10, 99)}-{rng.randint(85, 99)}-"
            f"{rng.choice('JKC')}-{rng.randint(100, 9999)}",
            f"grants {letters}-{number} and {letters}-{rng.randint(100000, 9999999)}",
            f"Contract Number {letters}{rng.randint(10, 99)}-{number}",
            "a graduate fellowship",
            "a Presidential Young Investigator award",
            f"project {number}",
        )
    )


def running_head(gen: TextGenerator) -> str:
    """Return a line above the title: where the paper appeared or will appear."""
    rng = gen.rng
    meeting, journal, year = gen.meeting(), gen.journal(), gen.year()
    place, month, pages = gen.location(), gen.month(), rng.randint(1, 900)
    person, other = gen.person(), gen.person()
    editors = f"{person.initials()} {person.family} and {other.initials()} {other.family}"
    return rng.choice(
        (
            f"To appear in the Proceedings of the {meeting}, {place}, {month} {year}",
            f"To appear in {meeting}",
            f"To appear in: {journal}, {year}",
            f"Submitted to {journal}",
            f"Submitted to the {meeting}",
            f"Appears in {meeting}, {year}",
            f"In Proceedings of the {meeting}, {place}, {month} {year}",
            f"In Proc. {meeting}, pp. {pages}-{pages + 9}, {year}",
            f"{journal}, Vol. {rng.randint(1, 60)}, No. {rng.randint(1, 12)}, {month} {year}",
            f"{journal} {rng.randint(1, 60)}, {pages}-{pages + 20} ({year})",
            f"{journal.upper()}, VOL. {rng.randint(1, 60)}, NO. {rng.randint(1, 12)}, "
            f"{month.upper()} {year} {pages}",
            f"{gen.one(PRESSES)}",
            f"Appeared in {journal}, {year}",
            f"Proceedings of the {meeting}, {year}, {place}",
            f"A shorter version of this paper appears in {meeting}",
            f"Presented at the {meeting}, {place}",
            f"Preliminary version of a paper in {journal}",
            f"DRAFT -- {month} {year}",
            f"In {editors}, editors, Proceedings of the {meeting}, {year}, {gen.one(PRESSES)}",
            f"{meeting}, {editors} (eds.), pp. {pages}-{pages + 15}.",
            f"Invited paper for the {meeting}, {place}, {month} {year}",
            f"{meeting}, {month} {rng.randint(1, 14)}-{rng.randint(15, 28)}, {year}, {place}",
            f"{meeting} Volume {rng.randint(1, 40)}, {year}",
            f"submitted to {gen.invented()}-{year % 100:02d}",
            f"Appears in {gen.invented()}-{year % 100:02d}",
            f"Page {pages}",
            f"Under review for {journal}",
            "Extended Abstract",
            "(Extended Abstract)",
            f"Under consideration for publication in {journal} {pages}",
            f"Accepted for publication in {journal}",
        )
    )


def acknowledgement(gen: TextGenerator) -> str:
    """Return a short acknowledgement of a sponsor."""
    head = gen.rng.choice(("Supported by", "Research supported by", "Supported in part by"))
    return f"{head} {gen.one(_AGENCIES)} under {_grant(gen)}."


def footnote(gen: TextGenerator) -> str:
    """Return a footnote: acknowledgement, copyright or correspondence."""
    rng = gen.rng
    agency, other = gen.one(_AGENCIES), gen.one(_AGENCIES)
    work = rng.choice(
        ("This work", "This research", "The first author", "This project", "The work")
    )
    work = rng.choice(("", "", "* ", "1 ", "y ", "\u2020 ")) + work
    was = rng.choice(
        ("was supported", "is supported", "has been funded", "was partially supported")
    )
    was += rng.choice(("", " in part", " by a grant", " in part"))
    year, person = gen.year(), gen.person()
    name = f"{person.initials()} {person.family}"
    return rng.choice(
        (
            f"{work} {was} by {agency} under {_grant(gen)}.",
            f"{work} {was} by {agency} under {_grant(gen)} and by {other} under {_grant(gen)}.",
            f"{work} {was} by {agency}, {_grant(gen)}, and by {other}. What is said here is "
            "the opinion of its authors; it commits neither these sponsors nor the government to "
            "any policy.",
            acknowledgement(gen),
            f"Supported in part by {agency} {_grant(gen)}.",
            f"Research supported in part by {agency} and {other}.",
            f"{name} was supported by {agency}.",
            f"Copyright c {year} {gen.one(UNIVERSITIES)}. All rights reserved.",
            f"c {year} {gen.one(PRESSES)}",
            "You may copy this paper, or a part of it, for yourself or for a class at no charge, "
            "so long as nobody sells the copies and each of them has this notice on its "
            "first page.",
            "Copies may be made for private study without asking for permission. To reprint, to "
            "post on servers or to sell copies, ask the publisher, who may charge a fee.",
            f"A preliminary version of this paper appeared in the Proceedings of the "
            f"{gen.meeting()}"
            f", {gen.month()} {year}.",
            f"An earlier version of this paper was presented at the {gen.meeting()}, {year}.",
            f"A version of this paper has been submitted to {gen.journal()}.",
            f"To appear in {gen.journal()}.",
            f"Author's current address: {gen.institution()}, {gen.location()}.",
            f"Current address: {gen.institution()}, {gen.location()}.",
            f"This work was done while the author was visiting {gen.institution()}.",
            f"On leave from {gen.institution()}.",
            f"Received {gen.month()} {year}; revised {gen.month()} {year + 1}.",
            f"Correspondence should be addressed to {name}.",
            f"The authors thank {name} for comments on an earlier draft of this paper.",
            f"This document is available by anonymous ftp from ftp.{gen.invented().lower()}.edu.",
            f"This report supersedes report {gen.code()}.",
            "All correspondence should be sent to the second author.",
            f"Available as {gen.code()}, {gen.institution()}.",
            "The authors are listed in alphabetical order.",
            f"{gen.invented()} is run jointly by {gen.one(UNIVERSITIES)}, {gen.one(COMPANIES)} "
            f"and {gen.one(COMPANIES)}.",
            f"We carried out part of the research at the {gen.institution()} and part at the "
            f"{gen.institution()}; {agency} paid for it under {_grant(gen)}, as did {other}.",
            f"{name} is now with the {gen.institution()}.",
            f"{name} is with {gen.institution()}, {gen.location()}.",
            f"c Copyright {year} by {name}",
            f"The first author acknowledges support from the {gen.institution()}, "
            f"{gen.location()}"
            f", and from {agency}.",
            f"{work} {was} at the {gen.one(UNIVERSITIES)} by {agency}, and at "
            f"{gen.one(UNIVERSITIES)} by {other} under {_grant(gen)}, and by gifts from "
            f"{gen.one(COMPANIES)}, {gen.one(COMPANIES)} and the {gen.invented()} Foundation.",
            f"A longer account is {name}, {gen.title().capitalize()}, Technical Report "
            f"{gen.code()}, {gen.institution()}, {gen.month()} {year}.",
            f"A copy can be had as {gen.institution()} Technical Report {gen.code()}.",
            "Write to the first author.",
            "On sabbatical this year.",
            "Distribution unlimited.",
            "Cleared for the public.",
        )
    )


def degree(gen: TextGenerator) -> list[tuple[str, str]]:
    """Return the labelled lines about the degree of a thesis."""
    rng = gen.rng
    university = gen.one(UNIVERSITIES)
    kind = rng.choice(
        ("thesis", "dissertation", "Thesis", "Dissertation", "THESIS", "DISSERTATION")
    )
    title = rng.choice(("Doctor of Philosophy", "Master of Science", "Doctor of Philosophy"))
    text = rng.choice(
        (
            f"A {kind} submitted in partial fulfillment of|the requirements for the degree "
            f"of|{title}",
            f"A {kind}|Presented to the Faculty of the Graduate School|of {university}|"
            f"in Partial Fulfillment of the Requirements for the Degree of|{title}",
            f"A {kind} submitted to the Graduate Faculty of|{university}|in partial "
            f"satisfaction of "
            f"the|requirements for the degree of|{title}",
            f"Submitted to the {gen.one(DEPARTMENTS)}|in partial fulfillment of the "
            f"requirements for "
            f"the degree of|{title}",
            f"{title} {kind}",
            f"Ph.D. {kind}",
            "Thesis Proposal",
            f"Submitted in partial fulfillment of the requirements|for the degree of {title}|in "
            "Computer Science",
            f"A {kind} submitted for the degree of {title}",
        )
    )
    lines = [("degree", line) for line in text.split("|")]
    if gen.maybe(0.6):
        lines += [("affiliation", gen.one(DEPARTMENTS))] if gen.maybe(0.6) else []
        lines.append(("affiliation", university))
    return lines


def committee(gen: TextGenerator) -> list[str]:
    """Return the lines with the committee of a thesis, or none."""
    if gen.maybe(0.5):
        return []
    rng = gen.rng
    head = rng.choice(
        "Thesis Committee:|Approved by:|APPROVED BY|The Committee:|Advisor:|Committee in charge:"
        "|Certified by|Supervisory Committee:".split("|")
    )
    lines = [head + rng.choice(("", "", "", " .", " :")) * rng.randint(10, 50)]
    for _ in range(rng.randint(1, 5)):
        person = gen.person()
        before = rng.choice(("Professor ", "Dr. ", "Prof. ", ""))
        after = rng.choice((", Chair", "", "", " (Advisor)", ", Advisor", ", Chairman"))
        lines.append(f"{before}{' '.join(person.given)} {person.family}{after}")
        if gen.maybe(0.2):
            lines.append(
                rng.choice(
                    (
                        "Thesis Supervisor",
                        "Associate Professor",
                        gen.one(DEPARTMENTS),
                        "Chair",
                    )
                )
            )
        if gen.maybe(0.25):
            leader = rng.choice(("", "", " .", " :", " _")) * rng.randint(10, 50)
            lines.append(
                rng.choice(("Accepted by", "Certified by", "Approved:", "Date", "_" * 20)) + leader
            )
    return lines


def reproduction(gen: TextGenerator) -> str:
    """Return a notice of a thesis about copies, or about the degrees of its author."""
    university = gen.one(UNIVERSITIES)
    return gen.rng.choice(
        (
            f"{university} may lend this thesis to readers, and may make copies of all of it or of "
            "any part.",
            f"B.S., {university}, {gen.year()}",
            f"B.A. ({university}) {gen.year()} M.S. ({gen.one(UNIVERSITIES)}) {gen.year()}",
            f"Signature of Author {gen.one(DEPARTMENTS)} {gen.month()} {gen.year()}",
        )
    )
