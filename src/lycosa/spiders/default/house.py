"""The house spider: what it was taught, what the goal's words say, and what it learns here.

The worth of a link is the rate of the page behind it (`rates`): targets for
each request. Its log-odds are a sum of four opinions:

* what a regression over other sites says, times how far that is trusted;
* what the keywords of the goal say, times how far they are trusted;
* what was found in the folder of its URL, times two weights;
* what a regression over the pages fetched so far adds.

The last is fitted, and how far to trust the others is fitted with it, each time
the crawl has grown by a share. Pages are labelled anew then, because links that
were only hoped for have been followed since. All links that wait are judged
anew by it. Of several links to a page the one that promises most counts. A
link deep in the site counts a little less: hubs lie near the entrance.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step, WordEffect
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, fit
from lycosa.spiders.default.features import COLUMNS, Bags, Features, scaled
from lycosa.spiders.default.folders import Folders
from lycosa.spiders.default.link_table import Inputs, LinkTable
from lycosa.spiders.default.training import LINKS, log_odds_of
from lycosa.spiders.keywords import Keywords

UNTRAINED = HashedModel(np.zeros(COLUMNS), 0.0, 0.0, 2.0, -2.0)
"""What a spider goes by that was taught nothing: the keywords."""

FIRST = 10
"""Pages before it learns for the first time."""
GROWTH = 1.12
"""It learns again when there are so many times more."""
STIFFNESS = 5.0
"""How hard a weight is held at nothing."""
_FAITHFUL = 5.0  # how hard trust and faith are held where they began
_FOLDER = -0.4, 0.3  # where the weights of what is known of a folder begin
_LOOSE = 0.01  # the same for the base
_STEPS, _TURNS = 2, 8  # of each regression, which goes on where the last one ended
_DEEP = 0.7  # what each doubling or so of the depth takes from the log-odds
_MOST = 10_000  # pages that are learned from, the latest
_SAME = 1e-4  # log-odds that are told apart


class House:
    """The spider that a person gets who does not choose one.

    >>> from lycosa.goals.profiles import profile
    >>> from lycosa.sites.generated import World
    >>> site = World(seed=1, departments=1, pages=100).department(0)
    >>> home = site.page(int(site.seeds[0]))
    >>> spider = House(Keywords(profile("papers")))
    >>> spider.start(Budget())
    >>> _ = spider.observe(Step(1, home, 0.0))
    >>> bool(spider.score(home).min() > 0)
    True
    """

    def __init__(
        self,
        keywords: Keywords | None,
        model: HashedModel = UNTRAINED,
        name: str = "house",
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.name = name
        self._keywords = keywords
        self._model = model
        self._without = without

    def start(self, budget: Budget) -> None:
        """Nothing is known of the site."""
        if self._keywords is not None:
            self._keywords.start(budget)
        model = self._model
        self._features = Features()
        self._folders = Folders()
        self._memory = LinkTable(0.0 if "depth" in self._without else _DEEP)
        self._weights = np.zeros(COLUMNS + 5)  # of columns, of the four hints, and the base
        self._weights[COLUMNS:] = model.trust, model.faith, *_FOLDER, model.base
        self._centre = self._weights.copy()
        self._examples = array("i")
        self._found = 0
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        parts = self._memory, self._features, self._folders, self._weights
        return sum(part.nbytes for part in parts)

    @property
    def _is_taught(self) -> bool:
        return self._model is not UNTRAINED and "taught" not in self._without

    def observe(self, step: Step) -> Scores | None:
        """Remember the links of the page, and at times learn."""
        page, memory = step.page, self._memory
        self._found += step.reward > 0
        known = memory.fetched(page.number, min(step.reward, 1.0))
        if known:
            self._examples.append(page.number)
            if "folders" not in self._without:
                memory.tell(page.number, self._folders.look(page.number, page.tables.urls))
        beside = self._folders.fetched(page.number, page.tables.urls, step.reward)
        self._meet(page)
        if step.n < self._next or not self._found or "learning" in self._without:
            return self._judge(memory.waiting(beside)) if len(beside) > 1 else None
        self._next = max(step.n + 1, ceil(GROWTH * step.n))
        if not len(self._examples):
            return None
        self._learn()
        return self._judge(memory.waiting())

    def score(self, page: Page) -> NDArray[np.float64]:
        """What was made of each link when it was met."""
        return self._memory.scores(page.targets)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """What each of the four says, and the words that say it."""
        if not len(page.content.paths):
            return ()
        memory, number = self._memory, page.targets.item(index)
        depth = memory.depth(page.number)
        (bags,) = self._features.see(page, [index], depth)
        row, (hint,) = set().union(*bags), self._hints(page, np.array([index]), [bags])
        told, keys, *_ = hint
        known = memory.hints(np.array([number]))[0, 2:].tolist()  # when it was judged last
        trust, faith, *folder, base = self._weights[COLUMNS:].tolist()
        names = self._features.named(page, index, depth)

        def effects(added: Iterable[tuple[int, float]]) -> tuple[WordEffect, ...]:
            found = [WordEffect(*names[column], 1, effect) for column, effect in added if effect]
            return tuple(sorted(found, key=lambda word: -abs(word.effect)))

        learned = {column: self._weights.item(column) for column in row}
        found = [
            ScoreContribution(
                "keywords", keys, weight=faith, about="what the words of the goal say"
            ),
            ScoreContribution(
                "learned here",
                sum(learned.values()) + base,
                effects(learned.items()),
                base=base,
                about=f"log-odds, from {len(self._examples)} pages",
            ),
        ]
        if self._is_taught:
            weight = self._model.weights.item
            values = ((column, value) for bag, value in scaled(bags) for column in bag)
            own = effects((column, weight(column) * value) for column, value in values)
            found.insert(
                0, ScoreContribution("taught", told, own, trust, self._model.bias, "log-odds")
            )
        if "folders" not in self._without:
            inside = sum(part * weight for part, weight in zip(known, folder, strict=True))
            about = "pages of its folder that were fetched, and targets among them"
            found.append(ScoreContribution("folder", inside, about=about))
        deep = -memory.penalty(memory.depth(number))
        found.append(ScoreContribution("depth", deep, about="links deep in the site count less"))
        more = memory.odds(number) - self._judged([row], [(told, keys, *known)])[0]
        if abs(more) > _SAME:
            about = "what another link to the same page, or an earlier look, says more"
            found.append(ScoreContribution("elsewhere", more, about=about))
        return tuple(found)

    def _meet(self, page: Page) -> None:
        """Judge the links of a page that are new, or of which this one may say more."""
        memory = self._memory
        if not len(page.targets):
            return
        few = 1 if "best-link" in self._without else LINKS
        links = memory.unsettled(page.targets, few)
        if not len(links):
            return
        if len(page.content.paths):
            seen = self._features.see(page, links.tolist(), memory.depth(page.number))
            rows, hints = [set().union(*bags) for bags in seen], self._hints(page, links, seen)
        else:  # links, and not a word about them
            rows = [set()] * len(links)
            hints = [(0.0, 0.0, *known) for known in self._inside(page, links)]
        memory.meet(page, links, rows, hints, self._judged(rows, hints))

    def _hints(self, page: Page, links: NDArray[np.intp], seen: Sequence[Bags]) -> list[Inputs]:
        """What the model and the keywords say of links, and what is known of their folders."""
        told = keys = [0.0] * len(links)
        if self._is_taught:
            told = [log_odds_of(self._model, bags) for bags in seen]
        if self._keywords is not None and "keywords" not in self._without:
            keys = self._keywords.score_some(page, links).tolist()
        both = zip(told, keys, self._inside(page, links), strict=True)
        return [(said, key, *known) for said, key, known in both]

    def _inside(self, page: Page, links: NDArray[np.intp]) -> list[tuple[float, float]]:
        if "folders" in self._without:
            return [(0.0, 0.0)] * len(links)
        look, urls = self._folders.look, page.tables.urls
        return [look(target, urls) for target in page.targets[links].tolist()]

    def _judge(self, waiting: Ints) -> Scores | None:
        """Judge links that wait by what is known now."""
        if not len(waiting):
            return None
        memory = self._memory
        if "folders" not in self._without:
            memory.tell(waiting, self._folders.known(waiting))
        memory.judge(waiting, self._odds(memory.rows(waiting), memory.hints(waiting)))
        return Scores(waiting, memory.scores(waiting))

    def _judged(self, rows: Iterable[set[int]], hints: Iterable[Inputs]) -> list[float]:
        """The log-odds of links that were just met."""
        weights = self._weights.data
        trust, faith, fetched, targets, base = weights[COLUMNS:]
        return [
            sum([weights[column] for column in row])
            + (trust * told + faith * keys + fetched * many + targets * good + base)
            for row, (told, keys, many, good) in zip(rows, hints, strict=True)
        ]

    def _odds(self, rows: Rows, hints: Floats) -> Floats:
        """The same of many at once."""
        trust, base = self._weights[COLUMNS:-1], float(self._weights[-1])
        words = np.bincount(rows.owners, self._weights.take(rows.words), len(rows))
        return np.asarray(words + hints @ trust + base)

    def _learn(self) -> None:
        """Fit everything to what the pages turned out to be worth."""
        memory = self._memory
        examples = np.array(self._examples[-_MOST:], np.int32)
        worths = memory.worths("rates" in self._without)
        hints = np.column_stack((memory.hints(examples), np.ones(len(examples))))
        columns, rows = memory.rows(examples).compact()
        mine = np.concatenate((columns, np.arange(COLUMNS, len(self._weights))))
        stiffness = np.full(len(mine), STIFFNESS)
        stiffness[-5:-1] = _FAITHFUL
        stiffness[-1] = _LOOSE
        self._weights[mine] = fit(
            rows,
            hints,
            worths[examples],
            stiffness,
            self._weights[mine],
            self._centre[mine],
            steps=_STEPS,
            turns=_TURNS,
        )
        opinions = self._weights[COLUMNS : COLUMNS + 2]
        np.maximum(opinions, 0.0, out=opinions)
