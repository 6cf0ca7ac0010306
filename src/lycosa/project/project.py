"""Project: a folder with a lycosa.toml that defines a crawl.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     created = Project.of_urls(
...         folder, ["https://example.org/"], "robot* AND lab", contact="you@example.org"
...     )
...     created.write()
...     project = Project.load(folder)
>>> project.job.seeds, project.goal.name, project.spider
(('https://example.org/',), 'robot* AND lab', 'wary(house)')
>>> project == created
True
"""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from lycosa.core import Budget, Goal, Policy
from lycosa.crawler.browser.config import RenderConfig
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.errors import UnknownName, UsageError
from lycosa.goals.combined import needs_text
from lycosa.goals.table import read_goal
from lycosa.project.crawling import WrittenGoal, goal_text, make_job, make_policy, open_crawl
from lycosa.project.exclusions import read_blocked
from lycosa.project.kinds import ANY, TEXT, TEXTS, Kind
from lycosa.project.lessons import taught
from lycosa.project.sections import DEFAULT_SPIDER, KEYS, SECTIONS, TOP, Notify, Portal, Storage
from lycosa.project.settings import read_sections, unknown_key_error
from lycosa.project.template import FILE, fill_template, find_todos, write_new
from lycosa.web.urls import Scope, canonical

if TYPE_CHECKING:
    from lycosa.crawler.live.engine import LiveCrawl

_log = logging.getLogger("lycosa.project")


@dataclass(frozen=True, slots=True)
class Project:
    """The content of a lycosa.toml. Its `repr` does not show secrets.

    `folder` is that of the file, `job` has the settings of the crawl, `spider` is the
    name of the policy.
    """

    folder: Path
    job: Job
    wanted: WrittenGoal
    """The goal as written in the file."""
    words: str | tuple[str, ...] | None = None
    """Words of links that lead to the goal; None if the file does not list any."""
    spider: str = DEFAULT_SPIDER
    storage: Storage = field(default_factory=Storage)
    portal: Portal = field(default_factory=Portal)
    notify: Notify = field(default_factory=Notify, repr=False)
    goal: Goal = field(init=False, compare=False)
    goal_text: str = field(init=False)
    """The goal as spiders get it."""

    def __post_init__(self) -> None:
        if isinstance(self.wanted, str):  # it may span several lines
            object.__setattr__(self, "wanted", " ".join(self.wanted.split()))
        goal = read_goal(self.wanted, self.folder)
        object.__setattr__(self, "goal", taught(goal, self.folder))
        if needs_text(goal):
            object.__setattr__(self, "job", replace(self.job, text_only=True))
        object.__setattr__(self, "goal_text", goal_text(goal, self.words))

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Read the lycosa.toml of a folder; raise `UsageError` if anything in it is wrong."""
        folder = Path(folder)
        file = folder / FILE
        document = _read(file)
        with _name_file(file):
            return cls._of_document(document, folder)

    @classmethod
    def parse(cls, text: str, folder: Path | str) -> Self:
        """Return the project of a folder whose lycosa.toml has this text."""
        return cls._of_document(tomllib.loads(text), Path(folder))

    @classmethod
    def _of_document(cls, document: Mapping[str, Any], folder: Path) -> Self:
        _check_names(document)
        given = read_sections(document)
        client = given.pop("client", {})
        if "contact" not in client:
            raise UsageError(
                "politeness.contact is missing; write your e-mail address there, so that the "
                "owner of a site can contact you."
            )
        if "goal" not in document:
            raise UsageError('goal is missing; write which pages to find, as in goal = "robot*".')
        if "cookie_file" in client:
            client["cookie_file"] = str(folder / client["cookie_file"])
        seeds = _seeds(document, folder)
        project = cls(
            folder,
            Job(
                seeds,
                ClientConfig(**client),
                _scope(given.pop("scope", {}), seeds),
                Budget(**given.pop("budget", {})),
                pace=Pace(**given.pop("pace", {})),
                limits=Limits(**given.pop("limits", {})),
                rendering=RenderConfig(**given.pop("rendering", {})),
                addresses=AddressPolicy(**given.pop("addresses", {})),
                **given.pop("job", {}),
            ),
            _goal(document["goal"]),
            _words(document),
            _value(document, "spider", TEXT, DEFAULT_SPIDER),
            Storage(**given.pop("storage", {})),
            Portal(**given.pop("portal", {})),
            Notify(**given.pop("notify", {})),
        )
        project.policy()  # refuses a bad spider before any request is made
        return replace(project, job=replace(project.job, blocked=read_blocked(folder)))

    @classmethod
    def of_urls(
        cls,
        folder: Path | str,
        seeds: Sequence[str],
        goal: WrittenGoal,
        *,
        contact: str,
        spider: str = DEFAULT_SPIDER,
        words: str | Sequence[str] | None = None,
        pages: int | None = None,
        targets: int | None = None,
        seconds: float | None = None,
        recall: float | None = None,
        delay: float | None = None,
        scope: Scope | None = None,
    ) -> Self:
        """Return a project with the most common settings, without writing a file."""
        job = make_job(
            seeds,
            contact,
            pages=pages,
            targets=targets,
            seconds=seconds,
            recall=recall,
            delay=delay,
            scope=scope,
        )
        listed = words if words is None or isinstance(words, str) else tuple(words)
        return cls(Path(folder), job, goal, listed, spider)

    def policy(self) -> Policy:
        """Return the policy of the spider."""
        seed = self.job.random_seed
        return make_policy(self.spider, self.goal_text, folder=self.folder, seed=seed)

    def open(self) -> LiveCrawl:
        """Return the crawl, ready to start or to resume."""
        job = self.without_blocked_seeds().job
        return open_crawl(job, self.policy(), self.goal, self.folder, self.storage)

    def without_blocked_seeds(self) -> Self:
        """Return the project without the start pages that are blocked; there must be others."""
        blocked = self.job.blocked
        seeds = tuple(seed for seed in self.job.seeds if not blocked.covers(seed))
        if not seeds:
            raise UsageError(
                f"All start pages of {self.folder} are blocked: give others, or see "
                f"`lycosa exclusions {self.folder}`."
            )
        return replace(self, job=replace(self.job, seeds=seeds))

    def text(self) -> str:
        """Return the text of a lycosa.toml for this project."""
        return fill_template(
            "topic",
            seeds=self.job.seeds,
            goal=self.wanted,
            words=self.words,
            spider=self.spider,
            given=self._given(),
        )

    def write(self) -> None:
        """Write the lycosa.toml; an existing one is not overwritten."""
        text = self.text()
        read_sections(tomllib.loads(text))  # refuses to write what cannot be read again
        write_new(self.folder, text)

    def _given(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, by the full names of keys."""
        job = self.job
        homes = {
            "job": job,
            "budget": job.budget,
            "scope": _scope_section(job.scope or Scope(), job.seeds),
            "client": job.client,
            "pace": job.pace,
            "limits": job.limits,
            "rendering": job.rendering,
            "addresses": job.addresses,
            "storage": self.storage,
            "portal": self.portal,
            "notify": self.notify,
        }
        values = {}
        for path, key in KEYS.items():
            home, _, name = key.home.partition(".")
            value = getattr(homes[home], name)
            if value != key.default:
                values[path] = value
        return values


@contextmanager
def _name_file(file: Path) -> Iterator[None]:
    """Add the name of the file to errors."""
    try:
        yield
    except UsageError as error:
        _log.debug("%s is refused.", file, exc_info=True)
        raise UsageError(f"{file}: {error}") from None


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8-sig")
        document = tomllib.loads(text)
    except FileNotFoundError:
        raise UsageError(
            f"{file.parent} is not a project: it has no {FILE}; "
            f"`lycosa new {file.parent}` writes one."
        ) from None
    except OSError as error:
        _log.debug("%s cannot be read.", file, exc_info=True)
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not in UTF-8: save it as UTF-8 in your editor.") from None
    except (ValueError, RecursionError) as error:
        _log.debug("%s is not valid TOML.", file, exc_info=True)
        raise UsageError(f"{file} is not valid TOML: {error}.") from None
    if missing := find_todos(text, document):
        line, what = missing[0]
        raise UsageError(f"{file}, line {line} has a TODO: write {what} there.")
    return document


def _check_names(document: Mapping[str, Any]) -> None:
    for name, value in document.items():
        if name not in TOP and name not in SECTIONS:
            if isinstance(value, Mapping):
                raise UnknownName("section", name, SECTIONS)
            raise unknown_key_error(name, TOP)


def _value(document: Mapping[str, Any], name: str, kind: Kind, default: Any) -> Any:
    try:
        return kind.read(document[name]) if name in document else default
    except ValueError:
        raise UsageError(f"{name} must be {kind.expected}.") from None


def _goal(value: object) -> WrittenGoal:
    if not isinstance(value, str | Mapping):
        raise UsageError('goal must be a query in quotes, such as "robot* AND lab", or a table.')
    return value


def _words(document: Mapping[str, Any]) -> str | tuple[str, ...] | None:
    kind = TEXT if isinstance(document.get("words"), str) else TEXTS
    found: str | tuple[str, ...] | None = _value(document, "words", kind, None)
    return found


def _seeds(document: Mapping[str, Any], folder: Path) -> tuple[str, ...]:
    seeds: tuple[str, ...] = _value(document, "seeds", TEXTS, ())
    if name := _value(document, "seeds-file", TEXT, ""):
        try:
            lines = (folder / name).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            _log.debug("%s cannot be read.", folder / name, exc_info=True)
            why = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
            raise UsageError(f"seeds-file: {folder / name} cannot be read: {why}.") from None
        # A URL may contain a #, but does not begin with one.
        seeds += tuple(line for line in map(str.strip, lines) if line and line[0] != "#")
    if not seeds:
        raise UsageError('seeds are missing; write one or more start URLs: seeds = ["https://…/"].')
    return seeds


def _scope(given: Mapping[str, Any], seeds: Sequence[str]) -> Scope | None:
    """Return the scope of the section; without domains and prefixes, the hosts of the seeds."""
    domains: tuple[str, ...] = given.get("domains", ())
    if not given:
        return None
    if ANY in domains:
        domains = ()
    elif not domains and not given.get("prefixes"):
        domains = Scope.around(canonical(seed) or "" for seed in seeds).domains
    return Scope(**{**given, "domains": domains})


def _scope_section(scope: Scope, seeds: Sequence[str]) -> Scope:
    """Return the values of the section for a scope: the inverse of `_scope`."""
    domains = scope.domains
    if not scope.prefixes:
        if not domains:
            domains = (ANY,)
        elif domains == Scope.around(seeds).domains:
            domains = ()
    return Scope(domains, scope.prefixes, scope.exclude)
