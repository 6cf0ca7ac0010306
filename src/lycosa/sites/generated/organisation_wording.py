"""The wording of a company's pages: titles, headings, anchors and documents."""

from __future__ import annotations

from lycosa.sites.generated.documents import form
from lycosa.sites.generated.names import first_name, spell
from lycosa.sites.generated.organisation import Organisation
from lycosa.sites.generated.organisation_facts import FIXED
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import RandomStream, key, mix
from lycosa.sites.generated.wording import LinkText, anchor_only
from lycosa.sites.generated.words import HOBBIES, PRODUCTS

_OFFICES = (
    "Chief Executive Officer", "Chairman of the Board", "Chief Financial Officer",
    "Vice President, Operations", "General Counsel", "Director",
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

    def topic(self, number: int) -> int:
        """Return the index of the line of business of a page."""
        return self._plan.topic(number)

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
        """Return the names of the officers on their page; empty elsewhere."""
        section, index = self._plan.layout.where(number)
        if section == "fixed" and FIXED[index] == "officers":
            people = [f"{self._person(n)}, {office}" for n, office in enumerate(_OFFICES)]
            stream, topic = RandomStream(number), self.topic(number)
            return ". ".join(
                f"{person} {' '.join(self._prose.words(stream, topic, 'officers', 12))}"
                for person in people
            )
        return ""

    def external_links(self, number: int, stream: RandomStream) -> list[tuple[str, str]]:
        """Return links to sites outside this world."""
        links = []
        for _ in range(1 + stream.below(3)):
            words = self._prose.words(stream, self.topic(number), "press", 3)
            host = f"www.{stream.choice(HOBBIES)}{stream.below(90)}.example"
            links.append((f"http://{host}/{words[0]}.html", " ".join(words)))
        return links

    def document(self, number: int) -> bytes:
        """Return the PDF of a page that is a document."""
        title = self._label(number, RandomStream(mix(self._people, number)))
        return form(title, self._prose, self._plan_kind(number), mix(self._plan.seed, number))

    def _plan_kind(self, number: int) -> str:
        section, _ = self._plan.layout.where(number)
        return "investor" if section == "statement" else "product"

    def _person(self, index: int) -> str:
        code = mix(self._people, index + (1 << 40))
        return f"{first_name(code)} {spell((code >> 20) % 144_000, 2).capitalize()}"

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
                return PRODUCTS[self.topic(number)].name
            case "product":
                return f"{plan.products[index].capitalize()} {100 + index % 900}"
            case "feature":
                return f"{plan.products[index].capitalize()} features"
            case "sheet":
                return stream.choice(("Datasheet", "Brochure", "Manual", "PDF"))
            case "statement":
                return stream.choice(
                    ("Annual report", "Quarterly report", "Proxy statement", "PDF")
                )
            case "job":
                return stream.choice(_JOBS)
            case "office":
                return f"{spell(mix(self._people, index) % 144_000, 2).capitalize()} office"
            case "filing":
                name = stream.choice(("Results", "Filing", "Letter of the board"))
                return f"{name} {2001 + index % 20}"
            case "release" | "post":
                words = self._prose.words(stream, self.topic(number), "press", 4)
                return " ".join(words).capitalize()
            case "article":
                words = self._prose.words(stream, self.topic(number), "product", 4)
                return "How to " + " ".join(words)
        return stream.choice(_LISTS[section])
