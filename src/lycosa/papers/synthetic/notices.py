"""What stands in the margins of papers: running heads, acknowledgement, permissions, degrees."""

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


def _grant(muse: TextGenerator) -> str:
    c = muse.chance
    letters = "".join(c.choice("ACDFIJMNR") for _ in range(3))
    number = c.randint(100000, 9999999)
    return c.choice(
        (
            f"grant {letters}-{number}",
            f"Grant No. {letters}-{number}",
            f"contract "
            f"N000{c.randint(10, 99)}-{c.randint(85, 99)}-{c.choice('JKC')}-{c.randint(100, 9999)}",
            f"grants {letters}-{number} and {letters}-{c.randint(100000, 9999999)}",
            f"Contract Number {letters}{c.randint(10, 99)}-{number}",
            "a graduate fellowship",
            "a Presidential Young Investigator award",
            f"project {number}",
        )
    )


def running_head(muse: TextGenerator) -> str:
    """A line above the title: where the paper appeared, or will."""
    c = muse.chance
    meeting, journal, year = muse.meeting(), muse.journal(), muse.year()
    place, month, pages = muse.location(), muse.month(), c.randint(1, 900)
    person, other = muse.person(), muse.person()
    editors = f"{person.initials()} {person.family} and {other.initials()} {other.family}"
    return c.choice(
        (
            f"To appear in the Proceedings of the {meeting}, {place}, {month} {year}",
            f"To appear in {meeting}",
            f"To appear in: {journal}, {year}",
            f"Submitted to {journal}",
            f"Submitted to the {meeting}",
            f"Appears in {meeting}, {year}",
            f"In Proceedings of the {meeting}, {place}, {month} {year}",
            f"In Proc. {meeting}, pp. {pages}-{pages + 9}, {year}",
            f"{journal}, Vol. {c.randint(1, 60)}, No. {c.randint(1, 12)}, {month} {year}",
            f"{journal} {c.randint(1, 60)}, {pages}-{pages + 20} ({year})",
            f"{journal.upper()}, VOL. {c.randint(1, 60)}, NO. {c.randint(1, 12)}, "
            f"{month.upper()} {year} {pages}",
            f"{muse.one(PRESSES)}",
            f"Appeared in {journal}, {year}",
            f"Proceedings of the {meeting}, {year}, {place}",
            f"A shorter version of this paper appears in {meeting}",
            f"Presented at the {meeting}, {place}",
            f"Preliminary version of a paper in {journal}",
            f"DRAFT -- {month} {year}",
            f"In {editors}, editors, Proceedings of the {meeting}, {year}, {muse.one(PRESSES)}",
            f"{meeting}, {editors} (eds.), pp. {pages}-{pages + 15}.",
            f"Invited paper for the {meeting}, {place}, {month} {year}",
            f"{meeting}, {month} {c.randint(1, 14)}-{c.randint(15, 28)}, {year}, {place}",
            f"{meeting} Volume {c.randint(1, 40)}, {year}",
            f"submitted to {muse.invented()}-{year % 100:02d}",
            f"Appears in {muse.invented()}-{year % 100:02d}",
            f"Page {pages}",
            f"Under review for {journal}",
            "Extended Abstract",
            "(Extended Abstract)",
            f"Under consideration for publication in {journal} {pages}",
            f"Accepted for publication in {journal}",
        )
    )


def acknowledgement(muse: TextGenerator) -> str:
    """Who paid, in a few words."""
    head = muse.chance.choice(("Supported by", "Research supported by", "Supported in part by"))
    return f"{head} {muse.one(_AGENCIES)} under {_grant(muse)}."


def footnote(muse: TextGenerator) -> str:
    """A paragraph below: acknowledgement, rights, or where to write."""
    c = muse.chance
    agency, other = muse.one(_AGENCIES), muse.one(_AGENCIES)
    work = c.choice(("This work", "This research", "The first author", "This project", "The work"))
    work = c.choice(("", "", "* ", "1 ", "y ", "\u2020 ")) + work
    was = c.choice(("was supported", "is supported", "has been funded", "was partially supported"))
    was += c.choice(("", " in part", " by a grant", " in part"))
    year, person = muse.year(), muse.person()
    name = f"{person.initials()} {person.family}"
    return c.choice(
        (
            f"{work} {was} by {agency} under {_grant(muse)}.",
            f"{work} {was} by {agency} under {_grant(muse)} and by {other} under {_grant(muse)}.",
            f"{work} {was} by {agency}, {_grant(muse)}, and by {other}. What is said here is "
            "the opinion of its authors; it commits neither these sponsors nor the government to "
            "any policy.",
            acknowledgement(muse),
            f"Supported in part by {agency} {_grant(muse)}.",
            f"Research supported in part by {agency} and {other}.",
            f"{name} was supported by {agency}.",
            f"Copyright c {year} {muse.one(UNIVERSITIES)}. All rights reserved.",
            f"c {year} {muse.one(PRESSES)}",
            "You may copy this paper, or a part of it, for yourself or for a class at no charge, "
            "so long as nobody sells the copies and each of them has this notice on its "
            "first page.",
            "Copies may be made for private study without asking for permission. To reprint, to "
            "post on servers or to sell copies, ask the publisher, who may charge a fee.",
            f"A preliminary version of this paper appeared in the Proceedings of the "
            f"{muse.meeting()}"
            f", {muse.month()} {year}.",
            f"An earlier version of this paper was presented at the {muse.meeting()}, {year}.",
            f"A version of this paper has been submitted to {muse.journal()}.",
            f"To appear in {muse.journal()}.",
            f"Author's current address: {muse.institution()}, {muse.location()}.",
            f"Current address: {muse.institution()}, {muse.location()}.",
            f"This work was done while the author was visiting {muse.institution()}.",
            f"On leave from {muse.institution()}.",
            f"Received {muse.month()} {year}; revised {muse.month()} {year + 1}.",
            f"Correspondence should be addressed to {name}.",
            f"The authors thank {name} for comments on an earlier draft of this paper.",
            f"This document is available by anonymous ftp from ftp.{muse.invented().lower()}.edu.",
            f"This report supersedes report {muse.code()}.",
            "All correspondence should be sent to the second author.",
            f"Available as {muse.code()}, {muse.institution()}.",
            "The authors are listed in alphabetical order.",
            f"{muse.invented()} is run jointly by {muse.one(UNIVERSITIES)}, {muse.one(COMPANIES)} "
            f"and {muse.one(COMPANIES)}.",
            f"We carried out part of the research at the {muse.institution()} and part at the "
            f"{muse.institution()}; {agency} paid for it under {_grant(muse)}, as did {other}.",
            f"{name} is now with the {muse.institution()}.",
            f"{name} is with {muse.institution()}, {muse.location()}.",
            f"c Copyright {year} by {name}",
            f"The first author acknowledges support from the {muse.institution()}, "
            f"{muse.location()}"
            f", and from {agency}.",
            f"{work} {was} at the {muse.one(UNIVERSITIES)} by {agency}, and at "
            f"{muse.one(UNIVERSITIES)} by {other} under {_grant(muse)}, and by gifts from "
            f"{muse.one(COMPANIES)}, {muse.one(COMPANIES)} and the {muse.invented()} Foundation.",
            f"A longer account is {name}, {muse.title().capitalize()}, Technical Report "
            f"{muse.code()}, {muse.institution()}, {muse.month()} {year}.",
            f"A copy can be had as {muse.institution()} Technical Report {muse.code()}.",
            "Write to the first author.",
            "On sabbatical this year.",
            "Distribution unlimited.",
            "Cleared for the public.",
        )
    )


def degree(muse: TextGenerator) -> list[tuple[str, str]]:
    """The lines that say for which degree a thesis was submitted, with their labels."""
    c = muse.chance
    university = muse.one(UNIVERSITIES)
    kind = c.choice(("thesis", "dissertation", "Thesis", "Dissertation", "THESIS", "DISSERTATION"))
    title = c.choice(("Doctor of Philosophy", "Master of Science", "Doctor of Philosophy"))
    text = c.choice(
        (
            f"A {kind} submitted in partial fulfillment of|the requirements for the degree "
            f"of|{title}",
            f"A {kind}|Presented to the Faculty of the Graduate School|of {university}|"
            f"in Partial Fulfillment of the Requirements for the Degree of|{title}",
            f"A {kind} submitted to the Graduate Faculty of|{university}|in partial "
            f"satisfaction of "
            f"the|requirements for the degree of|{title}",
            f"Submitted to the {muse.one(DEPARTMENTS)}|in partial fulfillment of the "
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
    if muse.maybe(0.6):
        lines += [("affiliation", muse.one(DEPARTMENTS))] if muse.maybe(0.6) else []
        lines.append(("affiliation", university))
    return lines


def committee(muse: TextGenerator) -> list[str]:
    """Who signed a thesis, if the page says so."""
    if muse.maybe(0.5):
        return []
    c = muse.chance
    head = c.choice(
        "Thesis Committee:|Approved by:|APPROVED BY|The Committee:|Advisor:|Committee in charge:"
        "|Certified by|Supervisory Committee:".split("|")
    )
    lines = [head + c.choice(("", "", "", " .", " :")) * c.randint(10, 50)]
    for _ in range(c.randint(1, 5)):
        person = muse.person()
        before = c.choice(("Professor ", "Dr. ", "Prof. ", ""))
        after = c.choice((", Chair", "", "", " (Advisor)", ", Advisor", ", Chairman"))
        lines.append(f"{before}{' '.join(person.given)} {person.family}{after}")
        if muse.maybe(0.2):
            lines.append(
                c.choice(
                    ("Thesis Supervisor", "Associate Professor", muse.one(DEPARTMENTS), "Chair")
                )
            )
        if muse.maybe(0.25):
            leader = c.choice(("", "", " .", " :", " _")) * c.randint(10, 50)
            lines.append(
                c.choice(("Accepted by", "Certified by", "Approved:", "Date", "_" * 20)) + leader
            )
    return lines


def reproduction(muse: TextGenerator) -> str:
    """What a thesis says of copies, or of degrees its author has."""
    university = muse.one(UNIVERSITIES)
    return muse.chance.choice(
        (
            f"{university} may lend this thesis to readers, and may make copies of all of it or of "
            "any part.",
            f"B.S., {university}, {muse.year()}",
            f"B.A. ({university}) {muse.year()} M.S. ({muse.one(UNIVERSITIES)}) {muse.year()}",
            f"Signature of Author {muse.one(DEPARTMENTS)} {muse.month()} {muse.year()}",
        )
    )
