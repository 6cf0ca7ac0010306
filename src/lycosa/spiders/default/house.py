"""The default policy, `house`: other sites, the goal's words and this crawl combined.

The value of a link is the rate of the page behind it (`rates`): targets per
request. Its log-odds are a sum of four terms:

* the estimate of a regression over other sites, times a weight (`trust`);
* the score of the goal's keywords, times a weight (`faith`);
* two statistics of the folder of its URL, each times a weight;
* the estimate of a regression over the pages fetched so far.

The last regression and the weights of the other terms are fitted together, each
time the crawl has grown by a factor. A trained policy has a second estimate without the
training, and mixes both (`estimates`). The rates of fetched pages are recomputed
then, because links that had an estimate only have been followed since, and all
waiting links are rescored. Of several links to a page the one with the highest
log-odds counts. A link deep in the site counts a little less: hubs lie near the
home page.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import ceil
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lycosa.content import Ints
from lycosa.core import Budget, Page, ScoreContribution, Scores, Step, WordEffect
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.row_sums import load_libraries
from lycosa.snapshots import StateReader, StateWriter
from lycosa.spiders.default.bags import log_odds_of, scaled
from lycosa.spiders.default.estimates import Estimates
from lycosa.spiders.default.features import COLUMNS, Features
from lycosa.spiders.default.folders import Folders
from lycosa.spiders.default.link_table import LinkTable
from lycosa.spiders.default.row_store import blocks
from lycosa.spiders.default.sharing import MAX_SENT, SharedExamples, SharedLink, shared_links
from lycosa.spiders.default.training import MAX_LINKS_TO_A_PAGE
from lycosa.spiders.keywords import Keywords

UNTRAINED = HashedModel(np.zeros(COLUMNS), 0.0, 0.0, 2.0, -2.0)
"""The model of a spider without training: the keywords decide."""

FIRST = 10
"""Pages before the first fit."""
GROWTH = 1.12
"""The factor by which the crawl grows between two fits."""
MIN_BATCH = 12
"""Links of a page from which arrays are faster than lists."""
_DEPTH_PENALTY = 0.7  # times log(1 + depth), subtracted from the log-odds
_MAX_EXAMPLES = 10_000  # pages of a fit, the latest
_MIN_DIFFERENCE = 1e-4  # of log-odds, to be mentioned in an explanation


class House:
    """The default policy.

    Parameters
    ----------
    keywords
        Scores links by the words of the goal; None if it has none.
    model
        Was trained on other sites; by default there is no training.
    name
        The name in reports and results.
    without
        Names of parts to leave out, for ablation.

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
        load_libraries()  # which the first fit needs: now, not between pages

    def start(self, budget: Budget) -> None:
        """Reset."""
        if self._keywords is not None:
            self._keywords.start(budget)
        self._features = Features()
        self._folders = Folders()
        penalty = 0.0 if "depth" in self._without else _DEPTH_PENALTY
        self._table = LinkTable(penalty, is_trained=self._is_trained)
        self._estimates = Estimates(self._model, UNTRAINED if self._is_trained else None)
        self._examples = array("i")
        self._fitted = 0  # examples of the last fit
        self._freed = 0  # examples that are too old for another one
        self._sendable = 0  # examples of the fit before it
        self._sent = 0  # examples that were given to others
        self._shared = SharedExamples()
        self._found = 0
        self._next = FIRST

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        parts = self._table, self._features, self._folders, self._estimates
        return sum(part.nbytes for part in parts)

    def save(self, state: StateWriter) -> None:
        """Save the links, the folders and the weights; hashes of words are computed again."""
        state.value("parameters", self._parameters())
        state.value("counts", [self._found, self._next, self._fitted, self._freed])
        state.value("shared", [self._sendable, self._sent])
        state.log("examples", self._examples)
        self._shared.save(state.part("shared"))
        self._estimates.save(state.part("estimates"))
        self._table.save(state.part("table"))
        self._folders.save(state.part("folders"))

    def restore(self, state: StateReader) -> None:
        """Take over a saved state; raise `ValueError` if other parameters made it."""
        if state.value("parameters") != self._parameters():
            raise ValueError("it was saved with another model, other keywords or other parts")
        self._found, self._next, self._fitted, self._freed = state.value("counts")
        self._sendable, self._sent = state.value("shared")
        state.fill_log("examples", self._examples)
        self._shared.restore(state.part("shared"))
        self._estimates.restore(state.part("estimates"))
        self._table.restore(state.part("table"))
        self._folders.restore(state.part("folders"))

    def _parameters(self) -> list[object]:
        """Return what the state depends on: the model, the keywords and the parts."""
        model = self._model
        numbers = np.append(model.weights, (model.bias, model.trust, model.faith, model.base))
        words = None if self._keywords is None else self._keywords.parameters()
        return [crc32(numbers.tobytes()), words, sorted(self._without)]

    @property
    def _is_trained(self) -> bool:
        return self._model is not UNTRAINED and "taught" not in self._without

    def observe(self, step: Step) -> Scores | None:
        """Score the links of the page; fit and rescore all waiting links when due."""
        page, table = step.page, self._table
        self._found += step.reward > 0
        known = table.mark_fetched(page.number, min(step.reward, 1.0))
        features, in_folder = self._folders.visit(page.number, page.tables.urls, step.reward)
        if known:
            self._examples.append(page.number)
            if "folders" not in self._without:
                table.set_folder(page.number, features)
        self._add_links(page)
        knows_targets = self._found or self._shared.has_targets
        if step.n < self._next or not knows_targets or "learning" in self._without:
            return self._rescore_folder(page.number, in_folder) if len(in_folder) > 1 else None
        self._next = max(step.n + 1, ceil(GROWTH * step.n))
        if not len(self._examples) and not len(self._shared):
            return None
        self._fit()
        return self._rescore_all(page)

    def score(self, page: Page) -> NDArray[np.float64]:
        """Return the latest score of each link."""
        return self._table.scores(page.targets)

    def explain(self, page: Page, index: int) -> tuple[ScoreContribution, ...]:
        """Return each term of the log-odds, with the words that make it up."""
        if not len(page.content.paths):
            return ()
        table, number = self._table, page.targets.item(index)
        depth = table.depth(page.number)
        (bags,) = self._features.columns(page, [index], depth)
        row = sorted(set().union(*bags))
        trained = log_odds_of(self._model, bags) if self._is_trained else 0.0
        keys = self._keyword_scores(page, np.array([index])).item(0)
        # The folder features of the latest score, not of this moment.
        known = table.inputs(np.array([number]))[0, 2:].tolist()
        estimates = self._estimates
        weights = estimates.weights[0]
        trust, faith, *folder, base = weights[COLUMNS:].tolist()
        names = self._features.named(page, index, depth)

        def effects(added: Iterable[tuple[int, float]]) -> tuple[WordEffect, ...]:
            found = [WordEffect(*names[column], 1, effect) for column, effect in added if effect]
            return tuple(sorted(found, key=lambda word: -abs(word.effect)))

        learned = {column: weights.item(column) for column in row}
        found = [
            ScoreContribution(
                "keywords", keys, weight=faith, about="the score of the words of the goal"
            ),
            ScoreContribution(
                "learned here",
                sum(learned.values()) + base,
                effects(learned.items()),
                base=base,
                about=f"log-odds, from {len(self._examples)} pages",
            ),
        ]
        if self._is_trained:
            weight = self._model.weights.item
            values = ((column, value) for bag, value in scaled(bags) for column in bag)
            own = effects((column, weight(column) * value) for column, value in values)
            found.insert(
                0, ScoreContribution("taught", trained, own, trust, self._model.bias, "log-odds")
            )
        if "folders" not in self._without:
            inside = sum(part * weight for part, weight in zip(known, folder, strict=True))
            about = "fetched pages of its folder, and targets among them"
            found.append(ScoreContribution("folder", inside, about=about))
        penalty = -table.penalty(table.depth(number))
        found.append(ScoreContribution("depth", penalty, about="links deep in the site count less"))
        all_inputs = (trained, keys, *known)
        (log_odds,) = estimates.log_odds([row], [all_inputs])
        if estimates.is_mixed:
            mixed = (
                log_odds - float(weights[COLUMNS:-1] @ all_inputs) - sum(learned.values()) - base
            )
            about = f"another estimate, which has a share of {estimates.shares[1]:.0%}"
            found.append(ScoreContribution("without training", mixed, about=about))
        other = table.log_odds(number) - log_odds
        if abs(other) > _MIN_DIFFERENCE:
            about = "the difference to another link to the same page, or to an earlier score"
            found.append(ScoreContribution("elsewhere", other, about=about))
        return tuple(found)

    def _add_links(self, page: Page) -> None:
        """Score the links of a page to URLs that are new or have few scored links."""
        table = self._table
        if not len(page.targets):
            return
        max_links = 1 if "best-link" in self._without else MAX_LINKS_TO_A_PAGE
        links = table.unsettled(page.targets, max_links)
        if not len(links):
            return
        numbers, table_of_urls = page.targets[links].tolist(), page.tables.urls
        urls = [table_of_urls[number] for number in numbers]  # each is read once
        folders = self._folder_features(numbers, urls)
        if len(links) >= MIN_BATCH and len(page.content.paths):
            self._add_many(page, links, urls, folders)
            return
        rows: Sequence[Sequence[int]]
        if len(page.content.paths):
            depth, model = table.depth(page.number), self._model if self._is_trained else None
            rows, trained = self._features.rows(page, links.tolist(), urls, depth, model)
            keys = self._keywords_of_few(page, links.tolist())
            parts = zip(trained, keys, folders, strict=True)
            inputs = [(odds, key, *folder) for odds, key, folder in parts]
        else:  # links without words
            rows = [()] * len(links)
            inputs = [(0.0, 0.0, *folder) for folder in folders]
        table.add_links(page, links, rows, inputs, self._estimates.log_odds(rows, inputs))

    def _add_many(
        self,
        page: Page,
        links: NDArray[np.intp],
        urls: Sequence[str],
        folders: Sequence[tuple[float, float]],
    ) -> None:
        """Score many links of a page as arrays."""
        table = self._table
        batch = self._features.batch(page, links.tolist(), table.depth(page.number), urls)
        rows, inputs = batch.rows(), np.zeros((len(links), 4))
        if self._is_trained:
            inputs[:, 0] = self._model.bias + batch.scaled_sums(self._model.weights)
        inputs[:, 1] = self._keyword_scores(page, links)
        inputs[:, 2:] = np.array(folders)
        odds = self._estimates.log_odds_of_rows(rows, inputs)
        table.add_rows(page, links, rows, inputs, odds)

    def _keyword_scores(self, page: Page, links: NDArray[np.intp]) -> NDArray[np.float64]:
        if self._keywords is None or "keywords" in self._without:
            return np.zeros(len(links))
        return self._keywords.score_some(page, links)

    def _keywords_of_few(self, page: Page, links: Sequence[int]) -> list[float]:
        if self._keywords is None or "keywords" in self._without:
            return [0.0] * len(links)
        return self._keywords.score_few(page, links)

    def _folder_features(
        self, numbers: Sequence[int], urls: Sequence[str]
    ) -> list[tuple[float, float]]:
        if "folders" in self._without:
            return [(0.0, 0.0)] * len(numbers)
        return self._folders.features_of_links(numbers, urls)

    def _rescore_all(self, page: Page) -> Scores | None:
        """Return the new scores of all waiting links, after a page."""
        waiting = self._table.waiting()
        if len(waiting) and "folders" not in self._without:
            features = self._folders.features_of(waiting, page.tables.urls)
            self._table.set_folders(waiting, features)
        return self._rescore(waiting)

    def _rescore_folder(self, number: int, in_folder: Ints) -> Scores | None:
        """Return the new scores of the links that wait in the folder of a fetched page."""
        waiting = self._table.waiting(in_folder)
        if len(waiting) and "folders" not in self._without:
            self._table.set_folders(waiting, self._folders.features_of_folder(number))
        return self._rescore(waiting)

    def _rescore(self, waiting: Ints) -> Scores | None:
        if not len(waiting):
            return None
        table = self._table
        log_odds = self._estimates.log_odds_of_rows
        every = [log_odds(table.stored_rows(part), table.inputs(part)) for part in blocks(waiting)]
        odds = every[0] if len(every) == 1 else np.concatenate(every)
        return Scores(waiting, table.rescore(waiting, odds))

    def _fit(self) -> None:
        """Fit all weights to the rates of the fetched pages."""
        table = self._table
        rates = table.rates(rewards_only="rates" in self._without)
        if self._estimates.is_mixed:  # one estimate has the whole share
            new = np.array(self._examples[self._fitted :], np.int32)
            self._estimates.share(table.stored_rows(new), table.inputs(new), rates[new])
        # The rate of a page is better known when its links were followed, one fit later.
        self._sendable, self._fitted = self._fitted, len(self._examples)
        examples = np.array(self._examples[-_MAX_EXAMPLES:], np.int32)
        fitted = table.rows(examples), table.inputs(examples), rates[examples]
        self._estimates.fit(*(self._shared.joined(*fitted) if len(self._shared) else fitted))
        needed = min(len(self._examples) - _MAX_EXAMPLES, self._sendable - MAX_SENT)
        if needed > self._freed:
            table.free(np.array(self._examples[self._freed : needed], np.int32))
            self._freed = needed

    def take_examples(self) -> list[bytes]:
        """Return the pages that were fetched before the last fit but one, with their rates."""
        first = max(self._sent, self._sendable - MAX_SENT)
        numbers = np.array(self._examples[first : self._sendable], np.int32)
        self._sent = self._sendable
        if not len(numbers):
            return []
        table = self._table
        rates = table.known_rates(numbers).tolist()
        return shared_links(table.rows(numbers), table.inputs(numbers), rates)

    def learn_examples(self, examples: Sequence[bytes]) -> None:
        """Fit to the pages of others, too, from the next fit on."""
        self._shared.add(examples)

    def describe_links(self, numbers: Ints) -> list[bytes]:
        """Return the features of links; of unknown ones nothing."""
        table = self._table
        known = table.is_known(numbers)
        chosen = numbers[known]
        depths = table.depths(chosen).tolist()
        described = iter(shared_links(table.rows(chosen), table.inputs(chosen), depths))
        return [next(described) if each else b"" for each in known.tolist()]

    def adopt_links(self, numbers: Ints, descriptions: Sequence[bytes]) -> None:
        """Store links with the features that others have seen; they are rescored as all are."""
        for number, data in zip(numbers.tolist(), descriptions, strict=True):
            if data:
                row, inputs, depth = SharedLink.from_bytes(data)
                (odds,) = self._estimates.log_odds([row.tolist()], [tuple(inputs.tolist())])
                self._table.adopt(number, int(depth), row, inputs, odds)
