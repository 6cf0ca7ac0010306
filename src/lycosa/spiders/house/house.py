"""The house spider: what it was taught, what the goal's words say, and what it learns here.

The worth of a link is the rate of the page behind it (`rates`): targets for
each request. Its log-odds are a sum of three opinions:

* what a regression over other sites says, times how far that is trusted;
* what the keywords of the goal say, times how far they are trusted;
* what a regression over the pages fetched so far adds.

The last is fitted, and how far to trust the others is fitted with it, each time
the crawl has grown by a share. Pages are labelled anew then, because links that
were only hoped for have been followed since. All links that wait are judged
anew by it. Of several links to a page the one that promises most counts. A
link deep in the site counts a little less: hubs lie near the entrance.
"""

from __future__ import annotations

from array import array
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lycosa.content import NO_INTS, Ints
from lycosa.core import Budget, Page, Scores, Step
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.link_words import Rows
from lycosa.learn.logistic import Floats, fit, sigmoid
from lycosa.spiders.explanation import Effect, Opinion
from lycosa.spiders.house.features import COLUMNS, Features, Seen
from lycosa.spiders.house.memory import Memory
from lycosa.spiders.house.training import LINKS, taught
from lycosa.spiders.keywords import Keywords

UNTAUGHT = HashedModel(np.zeros(COLUMNS), 0.0, 0.0, 2.0, -2.0)
"""What a spider goes by that was taught nothing: the keywords."""

FIRST = 10
"""Pages before it learns for the first time."""
GROWTH = 1.12
"""It learns again when there are so many times more."""
STIFFNESS = 5.0
"""How hard a weight is held at nothing."""
_FAITHFUL = 5.0  # how hard trust and faith are held where they began
_LOOSE = 0.01  # the same for the base
_STEPS, _TURNS = 2, 8  # of each regression, which goes on where the last one ended
_DEEP = 0.7  # what each doubling or so of the depth takes from the log-odds
_MOST = 30_000  # pages that are learned from, the latest
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
        model: HashedModel = UNTAUGHT,
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
        self._memory = Memory()
        self._weights = np.zeros(COLUMNS + 3)  # of columns; of taught, keywords, and the base
        self._weights[COLUMNS:] = model.trust, model.faith, model.base
        self._centre = self._weights.copy()
        self._examples = array("i")
        self._found = 0
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        return self._memory.nbytes + self._weights.nbytes

    @property
    def _is_taught(self) -> bool:
        return self._model is not UNTAUGHT and "taught" not in self._without

    def observe(self, step: Step) -> Scores | None:
        """Remember the links of the page, and at times learn."""
        page, memory = step.page, self._memory
        self._found += step.reward > 0
        known = memory.fetched(page.number, min(step.reward, 1.0))
        if known:
            self._examples.append(page.number)
        self._meet(page)
        if step.n < self._next or not self._found or "learning" in self._without:
            return None
        self._next = max(step.n + 1, ceil(GROWTH * step.n))
        if not len(self._examples):
            return None
        self._learn()
        waiting = memory.waiting()
        if not len(waiting):
            return None
        memory.judge(waiting, self._odds(memory.rows(waiting), memory.hints(waiting)))
        return Scores(waiting, self._scores(waiting))

    def score(self, page: Page) -> NDArray[np.float64]:
        """What was made of each link when it was met."""
        return self._scores(page.targets)

    def explain(self, page: Page, index: int) -> tuple[Opinion, ...]:
        """What each of the three says, and the words that say it."""
        link = np.array([index])
        if not len(page.content.paths):
            return ()
        number = page.targets[link]
        depth = self._memory.depth(page.number)
        seen = self._features.see(page, link, depth)
        rows, hints = self._rows(seen), self._hints(page, link, seen)
        told, keys = hints[0].tolist()
        trust, faith, base = self._weights[COLUMNS:].tolist()
        names = self._features.named(page, index, depth)

        def effects(columns: NDArray[np.integer[Any]], added: Floats) -> tuple[Effect, ...]:
            mine = zip(columns.tolist(), added.tolist(), strict=True)
            found = [Effect(*names[column], 1, effect) for column, effect in mine if effect]
            return tuple(sorted(found, key=lambda word: -abs(word.effect)))

        learned = self._weights[rows.words]
        found = [
            Opinion("keywords", keys, weight=faith, about="what the words of the goal say"),
            Opinion(
                "learned here",
                float(learned.sum()) + base,
                effects(rows.words, learned),
                base=base,
                about=f"log-odds, from {len(self._examples)} pages",
            ),
        ]
        if self._is_taught:
            _, columns, values = seen.scaled()
            own = effects(columns, self._model.weights[columns] * values)
            found.insert(0, Opinion("taught", told, own, trust, self._model.bias, "log-odds"))
        deep = -float(self._depth_penalty(number)[0])
        found.append(Opinion("depth", deep, about="links deep in the site count less"))
        more = float((self._memory.odds(number) - self._odds(rows, hints))[0])
        if abs(more) > _SAME:
            about = "what another link to the same page, or an earlier look, says more"
            found.append(Opinion("elsewhere", more, about=about))
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
            seen = self._features.see(page, links, memory.depth(page.number))
            rows, hints = self._rows(seen), self._hints(page, links, seen)
        else:  # links, and not a word about them
            rows = Rows(np.zeros(len(links) + 1, np.int64), NO_INTS)
            hints = np.zeros((len(links), 2))
        memory.meet(page, links, rows, hints, self._odds(rows, hints))

    def _rows(self, seen: Seen) -> Rows:
        return seen.rows(brothers="brothers" not in self._without)

    def _hints(self, page: Page, links: NDArray[np.intp], seen: Seen) -> Floats:
        """What the model and the keywords say."""
        hints = np.zeros((len(links), 2))
        if self._is_taught:
            hints[:, 0] = taught(self._model.weights, self._model.bias, seen)
        if self._keywords is not None and "keywords" not in self._without:
            hints[:, 1] = self._keywords.score_some(page, links)
        return hints

    def _odds(self, rows: Rows, hints: Floats) -> Floats:
        trust, base = self._weights[COLUMNS:-1], float(self._weights[-1])
        words = np.bincount(rows.owners, self._weights.take(rows.words), len(rows))
        return np.asarray(words + hints @ trust + base)

    def _scores(self, numbers: Ints) -> Floats:
        """The probabilities that belong to the odds; of what was fetched nobody asks."""
        return sigmoid(self._memory.odds(numbers) - self._depth_penalty(numbers))

    def _depth_penalty(self, numbers: Ints) -> Floats:
        deep = 0.0 if "depth" in self._without else _DEEP
        return np.asarray(deep * np.log1p(self._memory.depths(numbers)))

    def _learn(self) -> None:
        """Fit everything to what the pages turned out to be worth."""
        memory = self._memory
        examples = np.array(self._examples[-_MOST:], np.int32)
        worths = memory.worths("rates" in self._without)
        hints = np.column_stack((memory.hints(examples), np.ones(len(examples))))
        stiffness = np.full(COLUMNS + 3, STIFFNESS)
        stiffness[COLUMNS:] = _FAITHFUL, _FAITHFUL, _LOOSE
        self._weights = fit(
            memory.rows(examples),
            hints,
            worths[examples],
            stiffness,
            self._weights,
            self._centre,
            steps=_STEPS,
            turns=_TURNS,
        )
        np.maximum(self._weights[COLUMNS:-1], 0.0, out=self._weights[COLUMNS:-1])
