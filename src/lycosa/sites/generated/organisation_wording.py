"""The wording of a company's pages: titles, headings, anchors and documents."""

from __future__ import annotations

from lycosa.sites.generated.company_sentences import (
    HEADLINES,
    INSTRUCTIONS,
    PAGES,
    SHEET_LINES,
    STATEMENT_LINES,
)
from lycosa.sites.generated.documents import sheet
from lycosa.sites.generated.names import any_place
from lycosa.sites.generated.organisation import Organisation
from lycosa.sites.generated.organisation_facts import FIXED
from lycosa.sites.generated.pastimes import PASTIMES
from lycosa.sites.generated.people_names import any_name
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream, key, mix
from lycosa.sites.generated.wording import LinkText, anchor_only
from lycosa.sites.generated.words import PRODUCTS, SYSTEM_NAMES

_OFFICES = (
    "Chief Executive Officer", "Chairman of the Board", "Chief Financial Officer",
    "Vice President of Operations", "General Counsel", "Director",
)  # fmt: skip

_NAMES = {
    "front": ("Home", "Welcome"), "about": ("About us", "Who we are"),
    "products": ("Products", "What we make"), "news": ("News", "Press room"),
    "investors": ("Investors", "Investor relations"), "careers": ("Careers", "Join our team"),
    "contact": ("Contact", "Get in touch"), "support": ("Support", "Help"),
    "team": ("Meet the team", "Our service team", "Customer care leadership"),
    "advisors": ("Advisory board", "Board of advisors", "Scientific advisors"),
    "locations": ("Locations", "Where we are"), "legal": ("Legal", "Terms of use"),
    "blog": ("Blog", "Stories"),
}  # fmt: skip

_HEADINGS = {
    "entries": ("", "More", "In this section", "See also", "Latest", "Management"),
    "see": ("", "Related", "Learn more", "People"),
    "people": ("The team", "Members", "Board"),
    "outside": ("Partners", "In the media"),
}  # fmt: skip

_JOBS = (
    "Engineer", "Account Manager", "Director of Sales", "Technician", "Management Trainee",
    "Executive Assistant", "Analyst",
)  # fmt: skip

_LISTS = {
    "category-list": ("All products", "Product lines"),
    "release-list": ("Press releases", "News archive"), "job-list": ("Open positions", "Vacancies"),
    "office-list": ("Offices", "All locations"), "filing-list": ("Filings", "Reports"),
    "post-list": ("All posts", "Stories"),
}  # fmt: skip


class OrganisationWording:
    """The wording of one company.

    `plan` is the structure of its site, `name` its name, and `prose` makes the
    running text.
    """

    def __init__(self, plan: Organisation, name: str, prose: Prose) -> None:
        self._plan = plan
        self._name = name
        self._prose = prose
        self._people = key(plan.seed, "people")

    def title(self, number: int, stream: RandomStream) -> str:
        """Return the title of a page."""
        return f"{self._label(number, RandomStream(mix(self._people, number)))} - {self._name}"

    def link_text(self, role: str, source: int, number: int, stream: RandomStream) -> LinkText:
        """Return the anchor of a link and the words around it."""
        section, index = self._plan.layout.where(number)
        if role in ("near", "more"):
            words = ("next", "more", f"page {index + 1}") if number > source else ("previous",)
            return anchor_only(stream.choice(words))
        if section == "bio":
            return LinkText("", self._person(index), f", {_OFFICES[index % len(_OFFICES)]}")
        if role == "gone":
            return anchor_only(stream.choice(("report", "original story", "management letter")))
        label = self._label(number, RandomStream(mix(self._people, number)))
        if stream.below(8) == 0 and role == "entries":
            return LinkText(f"{label} ", stream.choice(("more", "details", "read on", "here")), "")
        return anchor_only(label)

    def heading(self, role: str, stream: RandomStream) -> str:
        """Return the heading of a part of a page; it may be empty."""
        return stream.choice(_HEADINGS.get(role, ("",)))

    def passage(self, role: str, number: int, stream: RandomStream) -> str:
        """Return the running text of a part of a page."""
        section, index = self._plan.layout.where(number)
        values = self._values(number, stream)
        if section == "fixed" and FIXED[index] == "officers":
            stream = RandomStream(number)
            return " ".join(
                self._prose.paragraph(
                    PAGES["officer"],
                    values | {"who": self._person(n), "office": office},
                    stream,
                    12,
                )
                for n, office in enumerate(_OFFICES)
            )
        if section == "bio":
            values |= {"who": self._person(index), "office": _OFFICES[index % len(_OFFICES)]}
            return self._prose.paragraph(PAGES["officer"], values, stream, 80)
        kind = self._plan.kind(number)
        if section == "office":
            values["place"] = any_place(mix(self._people, index))
        if section == "office" or (section == "fixed" and FIXED[index] == "contact"):
            kind = "contact"
        return self._prose.paragraph(PAGES[kind], values, stream, 25 + stream.below(120))

    def _values(self, number: int, stream: RandomStream) -> dict[str, str]:
        return self._prose.business(stream, self._plan.topic(number))

    def external_links(self, number: int, stream: RandomStream) -> list[tuple[str, str]]:
        """Return links to sites outside this world."""
        links = []
        for _ in range(1 + stream.below(3)):
            values = self._values(number, stream)
            host = f"www.{stream.choice(PASTIMES).word}{stream.below(90)}.example"
            page = values["product"].replace(" ", "-")
            links.append((f"http://{host}/{page}.html", values["products"]))
        return links

    def document(self, number: int) -> bytes:
        """Return the PDF of a page that is a document."""
        title = self._label(number, RandomStream(mix(self._people, number)))
        stream = RandomStream(mix(self._plan.seed, number))
        values = self._values(number, stream)
        section, _ = self._plan.layout.where(number)
        options = STATEMENT_LINES if section == "statement" else SHEET_LINES
        return sheet(title, [line.fill(values) for line in stream.sample(options, 5)])

    def _person(self, index: int) -> str:
        return any_name(mix(self._people, index + (1 << 40)))

    def _label(self, number: int, stream: RandomStream) -> str:
        plan = self._plan
        section, index = plan.layout.where(number)
        match section:
            case "fixed":
                name = FIXED[index]
                if name.startswith("inner"):
                    return plan.inner[int(name[-1]) - 1][1]
                return plan.officers[1] if name == "officers" else stream.choice(_NAMES[name])
            case "bio":
                return self._person(index)
            case "category":
                return PRODUCTS[plan.topic(number)].name
            case "product":
                return f"{SYSTEM_NAMES[plan.products.word(index)]} {100 + index % 900}"
            case "feature":
                return f"{SYSTEM_NAMES[plan.products.word(index)]} {100 + index % 900}: features"
            case "sheet":
                return stream.choice(("Datasheet", "Brochure", "Manual", "PDF"))
            case "statement":
                return stream.choice(
                    ("Annual report", "Quarterly report", "Proxy statement", "PDF")
                )
            case "job":
                return stream.choice(_JOBS)
            case "office":
                return f"{any_place(mix(self._people, index))} office"
            case "filing":
                name = stream.choice(("Results", "Filing", "Letter of the board"))
                return f"{name} {2001 + index % 20}"
            case "release" | "post":
                return stream.choice(HEADLINES).fill(self._values(number, stream))
            case "article":
                return stream.choice(INSTRUCTIONS).fill(self._values(number, stream))
        return stream.choice(_LISTS[section])
