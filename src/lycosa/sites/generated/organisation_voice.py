"""What the pages of a company say."""

from __future__ import annotations

from lycosa.sites.generated.chance import Stream, key, mix
from lycosa.sites.generated.documents import form
from lycosa.sites.generated.names import first_name, spell
from lycosa.sites.generated.organisation import FIXED, Organisation
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.voice import Item, plain
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


class OrganisationVoice:
    """The words of one company."""

    def __init__(self, plan: Organisation, name: str, prose: Prose) -> None:
        self._plan = plan
        self._name = name
        self._prose = prose
        self._people = key(plan.seed, "people")

    def topic(self, number: int) -> int:
        """The index of the line of business of a page."""
        return self._plan.topic(number)

    def title(self, number: int, stream: Stream) -> str:
        """The title of a page."""
        return f"{self._label(number, Stream(mix(self._people, number)))} - {self._name}"

    def item(self, role: str, source: int, number: int, stream: Stream) -> Item:
        """The words around a link in a part of a page."""
        section, index = self._plan.layout.where(number)
        if role in ("near", "more"):
            words = ("next", "more", f"page {index + 1}") if number > source else ("previous",)
            return plain(stream.one(words))
        if section == "bio":
            return Item("", self._person(index), f", {_OFFICES[index % len(_OFFICES)]}")
        if role == "gone":
            return plain(stream.one(("report", "original story", "management letter")))
        label = self._label(number, Stream(mix(self._people, number)))
        if stream.below(8) == 0 and role == "entries":
            return Item(f"{label} ", stream.one(("more", "details", "read on", "here")), "")
        return plain(label)

    def heading(self, role: str, stream: Stream) -> str:
        """The heading of a part of a page; it may be empty."""
        return stream.one(_HEADINGS.get(role, ("",)))

    def passage(self, role: str, number: int, stream: Stream) -> str:
        """On the page of the officers, who they are; elsewhere plain prose."""
        section, index = self._plan.layout.where(number)
        if section == "fixed" and FIXED[index] == "officers":
            people = [f"{self._person(n)}, {office}" for n, office in enumerate(_OFFICES)]
            stream, topic = Stream(number), self.topic(number)
            return ". ".join(
                f"{who} {' '.join(self._prose.words(stream, topic, 'officers', 12))}"
                for who in people
            )
        return ""

    def outside(self, number: int, stream: Stream) -> list[tuple[str, str]]:
        """Sites that are nowhere in this world."""
        links = []
        for _ in range(1 + stream.below(3)):
            words = self._prose.words(stream, self.topic(number), "press", 3)
            host = f"www.{stream.one(HOBBIES)}{stream.below(90)}.example"
            links.append((f"http://{host}/{words[0]}.html", " ".join(words)))
        return links

    def document(self, number: int) -> bytes:
        """The PDF of a page that is a document."""
        title = self._label(number, Stream(mix(self._people, number)))
        return form(title, self._prose, self._plan_kind(number), mix(self._plan.seed, number))

    def _plan_kind(self, number: int) -> str:
        section, _ = self._plan.layout.where(number)
        return "investor" if section == "statement" else "product"

    def _person(self, index: int) -> str:
        code = mix(self._people, index + (1 << 40))
        return f"{first_name(code)} {spell((code >> 20) % 144_000, 2).capitalize()}"

    def _label(self, number: int, stream: Stream) -> str:
        plan = self._plan
        section, index = plan.layout.where(number)
        match section:
            case "fixed":
                name = FIXED[index]
                if name.startswith("inner"):
                    return plan.inner[int(name[-1]) - 1][1]
                return plan.officers[1] if name == "officers" else stream.one(_NAMES[name])
            case "bio":
                return self._person(index)
            case "category":
                return PRODUCTS[self.topic(number)].name
            case "product":
                return f"{plan.products[index].capitalize()} {100 + index % 900}"
            case "feature":
                return f"{plan.products[index].capitalize()} features"
            case "sheet":
                return stream.one(("Datasheet", "Brochure", "Manual", "PDF"))
            case "statement":
                return stream.one(("Annual report", "Quarterly report", "Proxy statement", "PDF"))
            case "job":
                return stream.one(_JOBS)
            case "office":
                return f"{spell(mix(self._people, index) % 144_000, 2).capitalize()} office"
            case "filing":
                name = stream.one(("Results", "Filing", "Letter of the board"))
                return f"{name} {2001 + index % 20}"
            case "release" | "post":
                words = self._prose.words(stream, self.topic(number), "press", 4)
                return " ".join(words).capitalize()
            case "article":
                words = self._prose.words(stream, self.topic(number), "product", 4)
                return "How to " + " ".join(words)
        return stream.one(_LISTS[section])
