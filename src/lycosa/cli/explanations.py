"""The explanations of `lycosa explain`, as facts for JSON and as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from lycosa.cli.console import table
from lycosa.cli.hashed_model_tables import blend_text, model_facts, model_tables
from lycosa.cli.score_tables import contribution_tables, score_text
from lycosa.core import Budget, Page, Site, Step
from lycosa.errors import UsageError
from lycosa.learn.hashed_model import HashedModel
from lycosa.learn.linear_model import LinearModel
from lycosa.reporting.text import plural, printable
from lycosa.sites import Graph
from lycosa.spiders import Setup
from lycosa.spiders.explanation import explain_link, explain_score, predictive_words
from lycosa.spiders.factory import Model
from lycosa.spiders.model_file import TrainedSpider
from lycosa.spiders.training import Recipe

if TYPE_CHECKING:
    from rich.table import Table

Views: TypeAlias = "list[tuple[str, Table | None]]"
"""Titles with the tables below them."""

MAX_LISTED = 10
"""Links to a page that are shown."""


def words_of(trained: TrainedSpider, count: int) -> tuple[dict[str, Any], Views]:
    """Return the `count` words with the largest weights of each model."""
    models = []
    for criterion, model in _by_criterion(trained):
        if isinstance(model, HashedModel):
            models.append(model_facts(model, count))
            continue
        bins = [
            {"worth": worth, "words": [w._asdict() for w in predictive_words(model, k, count)]}
            for k, worth in enumerate(model.means.tolist())
        ]
        models.append({"criterion": criterion, "bins": bins})
    facts = {"models": models}
    return facts, _predictive_tables(facts)


def _by_criterion(trained: TrainedSpider) -> Iterator[tuple[str, Model]]:
    """Yield the models with the criterion that each was trained on."""
    for recipe, model in zip(trained.spider.recipes, trained.models, strict=True):
        yield recipe.criterion.name if isinstance(recipe, Recipe) else "", model


def links_to(
    trained: TrainedSpider, site: Site, number: int, count: int
) -> tuple[dict[str, Any], Views]:
    """Return the links to a page with their scores, and `count` words of the best."""
    linear = all(isinstance(model, LinearModel) for model in trained.models)
    return (_explain_linear if linear else _explain_stateful)(trained, site, number, count)


def _explain_linear(
    trained: TrainedSpider, site: Site, number: int, count: int
) -> tuple[dict[str, Any], Views]:
    """Explain a spider whose models are linear: a link's score does not depend on the crawl."""
    url = site.tables.urls[number]
    policy = trained.spider.make(Setup(site, trained.goal, trained.seed), trained.models)
    policy.start(Budget())
    found: list[tuple[float, Page, int]] = []
    for page in _sources(site, number):
        index = page.targets.tolist().index(number)
        policy.observe(Step(1, page, 0.0))
        found.append((float(policy.score(page)[index]), page, index))
    found.sort(key=lambda link: -link[0])
    _, page, index = found[0]
    models = []
    for criterion, model in _by_criterion(trained):
        if not isinstance(model, LinearModel):
            continue
        why = explain_link(model.reader(site.tables), page, index)
        bins = [
            {"worth": worth, "probability": probability}
            for worth, probability in zip(model.means.tolist(), why.probabilities, strict=True)
        ]
        models.append(
            {
                "criterion": criterion,
                "value": why.value,
                "base": why.base,
                "bins": bins,
                "words": [effect._asdict() for effect in why.effects],
            }
        )
    links = [{"source": page.url, "value": value} for value, page, _ in found]
    facts = {"url": url, "links": links, "models": models}
    return facts, _link_tables(facts, count)


def _explain_stateful(
    trained: TrainedSpider, site: Site, number: int, count: int
) -> tuple[dict[str, Any], Views]:
    """Explain a spider that learns during the crawl: score the links in a short crawl.

    The crawl follows the shortest paths from the seeds to the pages with the
    links, finds no target and never fetches the page itself. A score includes
    all earlier observations, so a link that adds no information gets the score
    of an earlier one.
    """
    url = site.tables.urls[number]
    sources = {page.number for page in _sources(site, number)} - {number}
    if not sources:
        raise UsageError(f"Only {url} itself links to it on {site.name}; choose another URL.")
    policy = trained.spider.make(Setup(None, trained.goal, trained.seed), trained.models)
    policy.start(Budget())
    found = []
    for n, place in enumerate(_shortest_paths(site, sources, number), 1):
        page = site.page(place)
        policy.observe(Step(n, page, 0.0))
        scores = policy.score(page)
        if place in sources:
            index = page.targets.tolist().index(number)
            found.append((float(scores[index]), page.url, explain_score(policy, page, index)))
    found.sort(key=lambda link: -link[0])  # a stable sort: of equal scores the earliest is first
    links = [
        {"source": source, "value": value, "opinions": [one.to_json() for one in contributions]}
        for value, source, contributions in found
    ]
    best = {value: source for value, source, _ in reversed(found)}
    _, source, contributions = found[0]
    views: Views = [
        (f"Links to {url}", _score_table(best, len(found))),
        (f"Score of the link on {source}", None),
        *contribution_tables(contributions, count),
    ]
    return {"url": url, "links": links}, views


def _score_table(best: dict[float, str], count: int) -> Table:
    """Return a table of the best links, one per score."""
    scores = table(score="right", page="left")
    listed = sorted(best.items(), reverse=True)[:MAX_LISTED]
    for value, source in listed:
        scores.add_row(score_text(value), printable(source))
    if count > len(listed):
        scores.add_row("", f"({plural(count - len(listed), 'other')}, worth no more)")
    return scores


def _sources(site: Site, number: int) -> list[Page]:
    """Return the pages that link to a page."""
    graph = Graph.of(site)
    places = np.flatnonzero(np.asarray(graph.targets) == number)
    pages = np.unique(np.searchsorted(graph.offsets, places, side="right") - 1)
    if not len(pages):
        url = site.tables.urls[number]
        raise UsageError(f"No page of {site.name} links to {url}, so there is no link to score.")
    return [site.page(page) for page in pages.tolist()]


def _shortest_paths(site: Site, ends: set[int], avoided: int) -> list[int]:
    """Return the pages on shortest paths from the seeds to some pages, nearest first."""
    graph = Graph.of(site)
    away = graph.distances(site.seeds)
    owners = np.repeat(np.arange(len(graph)), np.diff(graph.offsets))
    onward = np.flatnonzero((away[owners] >= 0) & (away[graph.targets] == away[owners] + 1))
    before = np.full(len(graph), -1)
    before[graph.targets[onward]] = owners[onward]
    seen: set[int] = set()
    for end in ends:
        page = end
        while page >= 0 and page not in seen:
            seen.add(page)
            page = before.item(page)
    return sorted(seen - {avoided}, key=lambda page: (away.item(page), page))


def _predictive_tables(facts: dict[str, Any]) -> Views:
    tables: Views = []
    for model in facts["models"]:
        if "trust" in model:
            tables += [(blend_text(model), None), *model_tables(model)]
            continue
        for one in model["bins"]:
            words = table(score="right", part="left", word="left")
            for word in one["words"]:
                words.add_row(f"{word['score']:.3f}", word["channel"], printable(word["word"]))
            tables.append((f"{model['criterion']}: links worth {one['worth']:.3g}", words))
    return tables


def _link_tables(facts: dict[str, Any], count: int) -> Views:
    links = facts["links"]
    pages = table(value="right", page="left")
    for link in links[:MAX_LISTED]:
        pages.add_row(f"{link['value']:.4f}", printable(link["source"]))
    if len(links) > MAX_LISTED:
        pages.add_row("", f"({len(links) - MAX_LISTED:,} others, worth no more)")
    tables: Views = [(f"Links to {facts['url']}", pages)]
    for model in facts["models"]:
        bins = table(worth="right", probability="right")
        for one in model["bins"]:
            bins.add_row(f"{one['worth']:.3g}", f"{one['probability']:.4f}")
        words = table(effect="right", times="right", part="left", word="left")
        for word in model["words"][:count]:
            effect = f"{word['effect']:+.4f}"
            words.add_row(effect, str(word["times"]), word["bag"], printable(word["word"]))
        if rest := model["words"][count:]:
            total = sum(word["effect"] for word in rest)
            words.add_row(f"{total:+.4f}", "", "", f"({len(rest):,} others together)")
        title = f"{model['criterion']}: the first link is worth {model['value']:.4f}"
        tables.append((title, bins))
        tables.append((f"{model['base']:.4f} without words; the effect of each word", words))
    return tables
