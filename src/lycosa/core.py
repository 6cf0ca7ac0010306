"""The core types and contracts of Lycosa. Read this file first.

A `Policy` scores the links of each page; the crawl follows the link with the
best score; a `Goal` gives the fetched page its reward. Everything else in the
package makes these objects or consumes them. How words are stored in memory is
in `lycosa.content`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from numpy.typing import NDArray

from lycosa.content import BAGS, NEAR, NO_INTS, NOTHING, Bag, Content, Ints, Tables
from lycosa.snapshots import StateReader, StateWriter


@dataclass(frozen=True, slots=True)
class Link:
    """A link for display, with strings instead of numbers.

    `source` and `target` are the canonical URLs of the page with the link and of the
    page it leads to, `path` is the tag path of its anchor, and `bags` has the words of
    each of its bags.
    """

    source: str
    target: str
    path: str
    bags: Mapping[str, tuple[str, ...]]


class Page:
    """The response for one URL, as policies and goals see it.

    `content` is parsed on first use, so that a policy that reads no words costs
    no parsing. A failed fetch is a page with an `error` and no content.

    Parameters
    ----------
    number
        The number of the page's URL in `tables.urls`.
    tables
        The tables of words, URLs and tag paths that all numbers refer to.
    targets
        The URL number of each link, in the order of first occurrence.
    content
        The words of the page and the positions of its links, or a function that returns them.
    status, type
        The HTTP status and the MIME type.
    error
        The name of the fault, None if there was a response.
    """

    __slots__ = ("_content", "error", "number", "status", "tables", "targets", "type")

    def __init__(
        self,
        number: int,
        tables: Tables,
        targets: Ints = NO_INTS,
        content: Content | Callable[[], Content] = NOTHING,
        *,
        status: int = 200,
        type: str = "text/html",
        error: str | None = None,
    ) -> None:
        self.number = number
        self.tables = tables
        self.targets = targets
        self.status = status
        self.type = type
        self.error = error
        self._content = content

    def __repr__(self) -> str:
        return f"<Page {self.status} {self.url}>"

    @property
    def url(self) -> str:
        """The canonical URL of the page."""
        return self.tables.urls[self.number]

    @property
    def content(self) -> Content:
        """The words of the page and the positions of its links among them."""
        if not isinstance(self._content, Content):
            self._content = self._content()
        return self._content

    @property
    def title(self) -> str:
        """The title as it stands; on a recorded site, which has its words only, those."""
        return self.content.title or self.title_words

    @property
    def title_words(self) -> str:
        """The words of the title, in lower case."""
        return self._words(self.content.tokens[: self.content.title_size])

    @property
    def text(self) -> str:
        """All words of the page, title first, in lower case."""
        return self._words(self.content.tokens)

    def _words(self, tokens: Ints) -> str:
        words = self.tables.words
        return " ".join([words[n] for n in tokens.tolist()])

    def bag(self, name: str, near: int = NEAR) -> Bag:
        """Return one bag of words of every link; `near` is the width of the bag of that name."""
        return self.content.bag(name, near)

    def link(self, index: int, near: int = NEAR) -> Link:
        """Return link number `index` of the page with its bags as words."""
        words, urls, paths = self.tables
        bags = {}
        for name in BAGS:
            offsets, tokens = self.bag(name, near).rows()
            chosen = tokens[offsets[index] : offsets[index + 1]]
            bags[name] = tuple(words[n] for n in chosen.tolist())
        target, path = int(self.targets[index]), int(self.content.paths[index])
        return Link(self.url, urls[target], paths[path], bags)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One request of a crawl: its number `n`, the page and its reward.

    `source` is the number of the page whose link was followed (-1: a seed) and
    `score` the policy's score of that link.
    """

    n: int
    page: Page
    reward: float
    source: int = -1
    score: float = float("inf")


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a crawl; None is no limit."""

    pages: int | None = None
    """Maximum number of URLs requested, failed requests included."""
    targets: int | None = None
    """The number of targets found at which the crawl stops."""
    seconds: float | None = None
    """Maximum duration of the run, by the wall clock; replay does not count."""
    score: float | None = None
    """The least score of a link that is followed."""


class Scores(NamedTuple):
    """New scores of waiting links; the two arrays have equal length."""

    numbers: NDArray[Any]
    """The numbers of the links' URLs."""
    values: NDArray[Any]
    """The score of each of these URLs, which replaces its old one."""


@runtime_checkable
class Goal(Protocol):
    """A function that gives each page its reward, 0 for a page that is not a target.

    A goal may have more: see `ObservingGoal`, `GoalWithWords` and `GoalOfText`.
    """

    @property
    def name(self) -> str:
        """The name in reports and messages."""

    def __call__(self, page: Page, /) -> float:
        """Return the reward of a page: a finite number, never negative."""


@runtime_checkable
class ObservingGoal(Goal, Protocol):
    """A goal whose rewards depend on the pages seen before: an optional extension of `Goal`.

    A goal that is called with a page has seen it. Where a combination does not
    need the goal's reward, it calls `see` instead.
    """

    def see(self, page: Page, /) -> None:
        """Take in a page whose reward is not needed."""


@runtime_checkable
class GoalWithWords(Goal, Protocol):
    """A goal that names the words of its targets: an optional extension of `Goal`.

    Spiders that work by keywords look for these words in links.
    """

    @property
    def words(self) -> Sequence[str]:
        """The words that point to a target, in lower case, the most telling first."""


@runtime_checkable
class GoalOfText(Goal, Protocol):
    """A goal that says whether its targets have text: an optional extension of `Goal`.

    A crawl does not download images, archives and programs for a goal that needs text.
    """

    @property
    def needs_text(self) -> bool:
        """Whether only pages and documents with text can be targets."""


class GoalWarning(NamedTuple):
    """A warning of a goal: its kind, for programs, and a sentence or two, for people."""

    kind: str
    words: str


@runtime_checkable
class WarningGoal(Goal, Protocol):
    """A goal that knows when it is doubtful: an optional extension of `Goal`.

    A crawl shows its warnings among the notices of its view and its report.
    """

    def warnings(self) -> Sequence[GoalWarning]:
        """Return what the user should know of the goal by now."""


@runtime_checkable
class Policy(Protocol):
    """The order of a crawl: a score for every link, the highest followed next.

    Scores are compared across the whole crawl, higher first, equal ones in the
    order of discovery. A waiting link keeps the best score it was ever given,
    unless `observe` returns new `Scores`, which replace the old.

    A policy may have more: see `ExplainingPolicy`, `DeferringPolicy`,
    `WrappingPolicy` and `SnapshottingPolicy`. `lycosa.spiders.check_policy` checks
    all of these contracts.
    """

    @property
    def name(self) -> str:
        """The name shown to people and kept in results."""

    def start(self, budget: Budget, /) -> None:
        """Begin a new crawl and forget the last one. Called once, before all else."""

    def observe(self, step: Step, /) -> Scores | None:
        """Learn from a fetched page; return new scores of waiting links, if any.

        Called for every page, before `score`.
        """

    def score(self, page: Page, /) -> NDArray[Any]:
        """Return one finite number for each of the page's `targets`, of which there is one."""


class WordEffect(NamedTuple):
    """The effect that the occurrences of one word in one bag of a link have on its score."""

    word: str
    bag: str
    """The name of the bag, such as `anchor` or `near`."""
    times: int
    """The number of occurrences."""
    effect: float
    """What they add to the score; negative if they lower it."""


class ScoreContribution(NamedTuple):
    """The contribution of one component of a policy to the score of a link.

    `part` names the component. `value` is the component's estimate and `weight` the
    factor the policy multiplies it by; `base` is its estimate for a link without
    words. `effects` add up to `value - base` where words decide, and `about` is a
    remark.
    """

    part: str
    value: float
    effects: tuple[WordEffect, ...] = ()
    weight: float = 1.0
    base: float = 0.0
    about: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values, the effects as `words`."""
        facts = self._asdict()
        del facts["effects"]
        return facts | {"words": [effect._asdict() for effect in self.effects]}


@runtime_checkable
class ExplainingPolicy(Policy, Protocol):
    """A policy that explains its scores, for `lycosa why` and `lycosa explain`."""

    def explain(self, page: Page, index: int, /) -> Sequence[ScoreContribution]:
        """Return what makes up the present score of link number `index` of a scored page."""


@runtime_checkable
class DeferringPolicy(Policy, Protocol):
    """A policy that defers suspected traps until no other link waits."""

    def deferral_reason(self, number: int, /) -> str | None:
        """Return why the link to URL `number` is deferred, or None if it is not."""


@runtime_checkable
class WrappingPolicy(Policy, Protocol):
    """A policy around another one, which is asked where the outer one has no explanation."""

    @property
    def policy(self) -> Policy:
        """The policy inside."""


@runtime_checkable
class SnapshottingPolicy(Policy, Protocol):
    """A policy whose state can be saved, so that a crawl is resumed without a replay.

    A policy that was restored scores and learns as the saved one would. What can be
    computed again, such as caches, is not saved. A policy around another one saves it,
    too; see `can_save`.
    """

    def save(self, state: StateWriter, /) -> None:
        """Save the state, with the parameters that it depends on; takes a few milliseconds.

        Called between two pages.
        """

    def restore(self, state: StateReader, /) -> None:
        """Take over a saved state; called after `start`.

        Raises a `ValueError` if it was saved with other parameters.
        """


def can_save(policy: Policy) -> bool:
    """Return whether the state of a policy and of all policies inside it can be saved."""
    while isinstance(policy, SnapshottingPolicy):
        if not isinstance(policy, WrappingPolicy):
            return True
        policy = policy.policy
    return False


@runtime_checkable
class Site(Protocol):
    """A recorded or generated web site: every URL has a number and a page."""

    @property
    def name(self) -> str:
        """The name in reports and messages."""

    @property
    def family(self) -> str:
        """The kind of site: spiders learn on other sites of the family."""

    @property
    def tables(self) -> Tables:
        """The words, URLs and tag paths that numbers in its pages refer to."""

    @property
    def seeds(self) -> Ints:
        """The URL numbers a crawl starts from."""

    @property
    def goals(self) -> Sequence[str]:
        """The goals whose targets are known here."""

    def __len__(self) -> int:
        """Return the number of URLs, which are numbered from 0."""

    def page(self, number: int, /) -> Page:
        """Return the page of a URL; its targets are numbers of this site."""

    def wanted(self, goal: str, /) -> Ints:
        """Return the numbers of the URLs that one of the `goals` rewards."""
