"""The facts of a department: numbers of pages, people, memberships and topics."""

from __future__ import annotations

from lycosa.sites.generated.layout import Layout, check_size, pages_of
from lycosa.sites.generated.names import Namer
from lycosa.sites.generated.paper_owners import PaperOwners
from lycosa.sites.generated.people_names import LOGINS
from lycosa.sites.generated.random_stream import RandomStream, Split, key, mix
from lycosa.sites.generated.words import PROJECT_NAMES, TOPICS

FIXED = (
    "front", "about", "people", "research", "teaching", "reports", "newsroom", "contact",
    "forms", "resources", "software", "seminars", "mirrors",
)  # fmt: skip

LISTED = ("faculty", "student", "staff", "course", "group", "report", "news")
"""The sections that have a list of their pages."""

FIRST_YEAR = 1988
YEARS = 22


def sizes(pages: int, code: int) -> dict[str, int]:
    """Return the number of pages of each section of a department.

    Departments of one size differ by up to a fifth in each section, and small
    ones have more people and courses in proportion to their pages.
    """
    rest = pages - len(FIXED)
    stream = RandomStream(code)

    def share(mille: int, least: int, extra: int = 0) -> int:
        part = 80 + stream.below(41) if pages >= 400 else 100
        return max(least, rest * mille * part // 100_000 + min(extra, rest // 90))

    faculty, student, staff = share(8, 2, 5), share(24, 2, 4), share(4, 1)
    course, group, project = share(14, 2, 4), share(2, 1, 2), share(8, 2, 5)
    manual = share(16, 4)
    result = {
        "fixed": len(FIXED),
        "faculty": faculty, "student": student, "staff": staff,
        "cv": 4 * faculty, "continued": max(1, faculty // 4), "desk": 2 * student,
        "frame": (faculty + student) // 8 * 2,
        "course": course, "handout": 3 * course, "document": share(185 if pages >= 400 else 110, 4),
        "group": group, "lab": 2 * group, "project": project, "result": project,
        "paper": share(134, 6), "report": share(12, 2), "news": share(42, 3),
        "month": max(2, min(rest // 100, 1200)), "form": 4 if pages < 1000 else 12,
        "manual": manual, "mirror": manual, "dead": share(30, 2),
    }  # fmt: skip
    for name in LISTED:
        result[f"{name}-list"] = pages_of(result[name])
    result["misc"] = pages - sum(result.values())
    return result


class DepartmentFacts:
    """The facts of one department, from which URLs and links are computed.

    `seed` determines all of them; `pages` is the size of the site.
    """

    def __init__(self, seed: int, pages: int) -> None:
        check_size(pages)
        self.seed = seed
        self.layout = Layout(sizes(pages, key(seed, "sizes")))
        size = self.layout.sizes
        self._faculty_size = size["faculty"]
        self.people = size["faculty"] + size["student"]
        """The number of people with personal pages and papers: professors and students."""

        def split(items: str, owners: int) -> Split:
            return Split(size[items], owners, key(seed, "split", items))

        self.papers = PaperOwners(
            size["paper"], size["faculty"], size["student"], key(seed, "papers")
        )
        self.documents = split("document", size["course"])
        self.private = split("misc", self.people)
        self.reports = Split(size["paper"], size["report"], key(seed, "reports"))
        self.advisors = split("student", size["faculty"])
        self.lecturers = split("course", size["faculty"])
        self.members = split("faculty", size["group"])
        self.projects = split("project", size["group"])
        self.logins = Namer(LOGINS, self.people + size["staff"], key(seed, "surnames"))
        """The login names of all people: their surnames in small letters."""
        self.project_names = Namer(PROJECT_NAMES, size["project"], key(seed, "projects"))
        self.menu_pages = (0, *RandomStream(key(seed, "menu")).sample(range(1, 8), 7))
        """The front page and the main pages, in the order of the menus."""
        self._frame_key = key(seed, "frames")
        self._paper_key = key(seed, "paper years")
        self._topics = key(seed, "topics")
        self._spread = mix(self._topics, 1) % len(TOPICS)

    # People

    def home(self, person: int) -> int:
        """Return the number of the home page of a professor, student or member of staff."""
        return self.layout.starts["faculty"] + person

    def framed(self, person: int) -> bool:
        """Return whether a home page is a frameset: one of every eight is."""
        block = person >> 3
        if 2 * block >= self.layout.sizes["frame"]:
            return False
        return person & 7 == mix(self._frame_key, block) & 7

    def frames(self, person: int) -> range:
        """Return the menu and the main page of a framed home page."""
        start = self.layout.starts["frame"] + 2 * (person >> 3)
        return range(start, start + 2)

    def person_of(self, section: str, index: int) -> int:
        """Return the person that the `index`-th page of a section belongs to."""
        match section:
            case "faculty":
                return index
            case "student":
                return self._faculty_size + index
            case "staff":
                return self._faculty_size + self.layout.sizes["student"] + index
            case "cv":
                return index >> 2
            case "continued":
                return index
            case "desk":
                return self._faculty_size + (index >> 1)
            case "frame":
                block = index >> 1
                return block * 8 + (mix(self._frame_key, block) & 7)
        return self.private.owner(index)

    def group_of(self, person: int) -> int:
        """Return the research group of a professor or student."""
        faculty = self.layout.sizes["faculty"]
        return self.members.owner(
            person if person < faculty else self.advisors.owner(person - faculty)
        )

    # Topics and years

    def year(self, paper: int) -> int:
        """Return the year of a paper; later years are more frequent."""
        code = mix(self._paper_key, paper)
        return FIRST_YEAR + max(code % YEARS, (code >> 32) % YEARS)

    def group_topic(self, group: int) -> int:
        """Return the topic of a research group; the first groups all differ."""
        return (group * 7 + self._spread) % len(TOPICS)

    def person_topic(self, person: int) -> int:
        """Return the topic that a professor or student works on."""
        return self.group_topic(self.group_of(person))

    def course_topic(self, course: int) -> int:
        """Return the topic of a course: mostly its lecturer's."""
        code = mix(self._topics, course + (1 << 40))
        if code % 4 == 0:
            return (code >> 8) % len(TOPICS)
        return self.person_topic(self.lecturers.owner(course))

    def paper_topic(self, paper: int) -> int:
        """Return the topic of a paper: mostly its first author's."""
        code = mix(self._topics, paper + (2 << 40))
        if code % 8 == 0:
            return (code >> 8) % len(TOPICS)
        return self.person_topic(self.papers.owner(paper))
