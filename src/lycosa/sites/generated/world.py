"""A world of generated sites that link to each other."""

from __future__ import annotations

from functools import cached_property
from urllib.parse import urlsplit

from lycosa.errors import UsageError
from lycosa.sites.generated.department import Department
from lycosa.sites.generated.department_wording import DepartmentWording
from lycosa.sites.generated.layout import Plan, check_size
from lycosa.sites.generated.names import place_name
from lycosa.sites.generated.organisation import Organisation
from lycosa.sites.generated.organisation_wording import OrganisationWording
from lycosa.sites.generated.papers import PaperLibrary
from lycosa.sites.generated.prose import Prose
from lycosa.sites.generated.random_stream import key
from lycosa.sites.generated.renderer import Renderer
from lycosa.sites.generated.site import GeneratedSite
from lycosa.sites.generated.wording import Wording

MAX_SITES = 500
"""The largest number of sites of a family in one world."""

FAMILIES = ("departments", "organisations")


class World:
    """A number of departments and organisations, computed from one seed.

    Papers cite papers of all departments of their world, so the number of
    departments and of pages is fixed when a world is made.

    Parameters
    ----------
    seed
        Determines everything: worlds with equal parameters are equal.
    departments, organisations
        The number of sites of each family.
    pages
        The number of pages of each site.
    base
        A URL of which each site is a folder; None gives each a fictional host.

    >>> world = World(seed=0, departments=2, organisations=1, pages=200)
    >>> site = world.department(0)
    >>> len(site), site.goals
    (200, ('papers', 'faculty', 'courses', 'projects'))
    >>> world.find(site.tables.urls[7]) == (site, 7)
    True
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        departments: int = 0,
        organisations: int = 0,
        pages: int = 500,
        base: str | None = None,
    ) -> None:
        check_size(pages)
        for name, count in (("departments", departments), ("organisations", organisations)):
            if not 0 <= count <= MAX_SITES:
                raise UsageError(f"A world has 0 to {MAX_SITES} {name}, not {count}.")
        self.seed = seed
        self.pages = pages
        self._base = base.rstrip("/") if base else None
        self._counts = (departments, organisations)
        self._sites: dict[tuple[str, int], GeneratedSite] = {}

    @property
    def sites(self) -> list[GeneratedSite]:
        """Return all sites, departments first."""
        departments, organisations = self._counts
        return [self.department(n) for n in range(departments)] + [
            self.organisation(n) for n in range(organisations)
        ]

    @cached_property
    def library(self) -> PaperLibrary:
        """Return the papers of this world: their fields and citations."""
        names = [self._place("departments", n) for n in range(self._counts[0])]
        plans = [
            Department(key(self.seed, "departments", n), self.pages) for n in range(len(names))
        ]
        return PaperLibrary(self.seed, plans, names)

    def department(self, index: int) -> GeneratedSite:
        """Return a department by its index."""
        return self._site("departments", index)

    def organisation(self, index: int) -> GeneratedSite:
        """Return an organisation by its index."""
        return self._site("organisations", index)

    def find(self, url: str) -> tuple[GeneratedSite, int] | None:
        """Return the site and the number of a canonical URL of this world, or None."""
        site = self.site_of(url)
        number = site.tables.urls.find(url) if site else None
        return (site, number) if site is not None and number is not None else None

    def site_of(self, url: str) -> GeneratedSite | None:
        """Return the site that a URL belongs to, or None."""
        site = self._owners.get(self._owner(url))
        return site if site is not None and url.startswith(site.base + "/") else None

    @cached_property
    def _owners(self) -> dict[str, GeneratedSite]:
        return {self._owner(site.base + "/"): site for site in self.sites}

    def _owner(self, url: str) -> str:
        parts = urlsplit(url)
        return parts.path.split("/")[1] if self._base and "/" in parts.path else parts.netloc

    def _place(self, family: str, index: int) -> str:
        return place_name(self.seed, family, index)

    def _site(self, family: str, index: int) -> GeneratedSite:
        count = self._counts[FAMILIES.index(family)]
        if not 0 <= index < count:
            raise UsageError(f"This world has {count} {family}; there is no number {index}.")
        site = self._sites.get((family, index))
        if site is None:
            site = self._sites[family, index] = self._make(family, index)
        return site

    def _make(self, family: str, index: int) -> GeneratedSite:
        place = self._place(family, index)
        seed = key(self.seed, family, index)
        plan: Plan
        wording: Wording
        if family == "departments":
            name, host = f"cs-{place.lower()}", f"www.cs.{place.lower()}.example"
            plan = department = self.library.plan(index)
            wording = DepartmentWording(
                department,
                self.library,
                index,
                Prose(seed, self.library.university(index, article=True)),
                self._paper_url,
                self._counts[0],
            )
            title = f"Computer Science, {self.library.university(index)}"
        else:
            name, host = place.lower(), f"www.{place.lower()}.example"
            plan = organisation = Organisation(seed, self.pages)
            wording = OrganisationWording(organisation, place, Prose(seed, place))
            title = f"{place} Inc."
        base = f"{self._base}/{name}" if self._base else f"http://{host}"
        return GeneratedSite(name, plan, Renderer(plan, wording, base, title), base)

    def _paper_url(self, index: int, code: int) -> str:
        """Return the URL of some paper of a department, chosen by `code`."""
        site = self.department(index)
        papers = site.plan.wanted("papers")
        return site.tables.urls[papers[code % len(papers)]]
