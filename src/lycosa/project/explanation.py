"""Explanations why a URL was fetched or not, from the step log and a replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from lycosa.core import DeferringPolicy, Policy, ScoreContribution
from lycosa.crawler.live.job import Job
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.errors import UsageError
from lycosa.project.block_reasons import BlockReason, BlockReasons, fault_words
from lycosa.project.inbound_links import InboundLink, InboundLinks, anchor_text
from lycosa.project.replay import QueuePosition, Replay
from lycosa.project.similar_urls import similar_urls
from lycosa.spiders.breadth_first import BreadthFirst
from lycosa.spiders.explanation import explain_score
from lycosa.web.urls import canonical, host_of

MAX_PATH_STEPS = 50
"""Pages of a path that are returned; the middle of a longer one is left out."""

_SCORE_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a URL; `score` is None for a seed, `source` 0."""

    n: int
    time: str
    url: str
    final: str
    status: int
    type: str
    fault: str | None
    fault_words: str
    reward: float
    score: float | None
    source: int


@dataclass(frozen=True, slots=True)
class PathStep:
    """A page of the path to a URL, and the anchor text of the link that was followed."""

    n: int | None
    url: str
    score: float | None
    anchor: str | None
    status: int | None = None
    fault: str | None = None
    reward: float | None = None


@dataclass(frozen=True, slots=True)
class ExplainedLink:
    """A link to the URL: the step of its page, and its score."""

    n: int
    page: str
    anchor: str
    score: float | None


@dataclass(frozen=True, slots=True)
class UrlExplanation:
    """The explanation of a URL; `docs/how-to/ask-why.md` describes the fields."""

    url: str
    asked: str
    steps: int
    at_work: bool
    reason: str | None
    spider: str
    visits: tuple[Visit, ...]
    standing: QueuePosition | None
    obstacles: tuple[BlockReason, ...]
    way: tuple[PathStep, ...]
    left_out: int
    seed: bool
    first: tuple[int, str] | None
    links: tuple[ExplainedLink, ...]
    all_links: int
    explained: ExplainedLink | None
    opinions: tuple[ScoreContribution, ...]
    bags: Mapping[str, Sequence[str]]
    lost: int
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the explanation for JSON."""
        standing = self.standing
        return asdict(self) | {
            "standing": standing and standing._asdict() | {"score": _finite(standing.score)},
            "obstacles": [obstacle._asdict() for obstacle in self.obstacles],
            "first": self.first and dict(zip(("n", "page"), self.first, strict=True)),
            "opinions": [one.to_json() for one in self.opinions],
        }


def why(
    reader: CrawlReader,
    url: str,
    job: Job,
    policy: Policy,
    *,
    goal: str | None = None,
    watch: Callable[[int, int], object] = lambda done, total: None,
) -> UrlExplanation:
    """Replay a crawl as far as needed, and explain a URL.

    `watch` is called after each step with the number of steps done and in total.
    The name of the `goal`, if given, is compared with that of the crawl.
    """
    spellings = _spellings(url, job)
    address, visits = next(
        ((one, found) for one in spellings if (found := reader.visits(one))), (spellings[0], [])
    )
    scope, visit = job.followed, visits[0] if visits else None
    outside = visit is None and not any(scope.allows(one) for one in spellings)
    # A URL out of scope has no score; only its links are collected.
    with Replay(reader, job, BreadthFirst() if outside else policy) as replay:
        if outside:
            replay.reading.number(address)
        inbounds = [InboundLinks(one, visit) for one in ([address] if visit else spellings)]
        total = visit.n - 1 if visit else reader.steps
        for step in replay.steps(visit.n if visit else None):
            for inbound in inbounds:
                inbound.add(step)
            watch(step.n, total)
        inbound = max(inbounds, key=lambda inbound: (inbound.count > 0, inbound.url in job.seeds))
        if visit is None and not inbound.count and inbound.url not in job.seeds:
            raise UsageError(
                _unknown(inbound.url, replay, BlockReasons(reader, job).of(inbound.url))
            )
        return _explain(reader, url, job, policy, visits, inbound, replay, outside, goal)


def _explain(
    reader: CrawlReader,
    asked: str,
    job: Job,
    policy: Policy,
    visits: list[LoggedStep],
    inbound: InboundLinks,
    replay: Replay,
    outside: bool,
    goal: str | None,
) -> UrlExplanation:
    link, visit = inbound.followed, visits[0] if visits else None
    obstacles = BlockReasons(reader, job)
    run = reader.note("run")
    about: Mapping[str, Any] = run if isinstance(run, Mapping) else {}
    reasons = [] if visit else obstacles.of(inbound.url) + _deferral(policy, replay, inbound.url)
    contributions = () if link is None or outside else explain_score(policy, link.page, link.place)
    seed = (visit.url if visit else inbound.url) in job.seeds
    standing = None
    if not outside and (inbound.count or seed):
        in_flight = reader.in_flight(visit) if visit else ()
        barred = (lambda url: False) if visit else obstacles.blocks
        standing = replay.standing(visit.url if visit else inbound.url, in_flight, barred)
    way, left_out = _way(reader, replay, inbound, visit, standing)
    reason = about.get("reason")
    visited = tuple(_visit(entry) for entry in visits)
    return UrlExplanation(
        url=inbound.url,
        asked=asked,
        steps=reader.steps,
        at_work=reader.at_work,
        reason=reason if isinstance(reason, str) else None,
        spider=policy.name,
        visits=visited,
        standing=standing,
        obstacles=tuple(reasons),
        way=way,
        left_out=left_out,
        seed=seed,
        first=inbound.first,
        links=tuple(_link(seen, outside) for seen in inbound.best),
        all_links=inbound.count,
        explained=None if link is None else _link(link, outside),
        opinions=contributions,
        bags={} if link is None else link.page.link(link.place).bags,
        lost=replay.lost,
        notes=tuple(_notes(about, policy, goal, visited, standing, replay.lost)),
    )


def _spellings(url: str, job: Job) -> list[str]:
    """Return the canonical URLs that a text may mean, most likely first."""
    text = url.strip()
    schemes = dict.fromkeys([*(seed.partition(":")[0] for seed in job.seeds), "https", "http"])
    texts = [text] if "://" in text else [f"{scheme}://{text}" for scheme in schemes]
    spellings = [one for one in map(canonical, texts) if one and host_of(one)]
    if not spellings:
        raise UsageError(f"{url!r} is not a web address; write it like https://www.example.org/a.")
    return spellings


def _visit(entry: LoggedStep) -> Visit:
    n, url, final, status, kind, fault, reward, source, score, time, *_ = entry
    words = "" if fault is None else fault_words(fault)
    return Visit(n, time, url, final, status, kind, fault, words, reward, _finite(score), source)


def _link(seen: InboundLink, outside: bool) -> ExplainedLink:
    score = None if outside else _finite(seen.score)
    return ExplainedLink(seen.n, seen.page.url, seen.anchor, score)


def _finite(score: float) -> float | None:
    return score if isfinite(score) else None


def _way(
    reader: CrawlReader,
    replay: Replay,
    inbound: InboundLinks,
    visit: LoggedStep | None,
    standing: QueuePosition | None,
) -> tuple[tuple[PathStep, ...], int]:
    """Return the path from a seed to the URL, and how many pages of it are left out."""
    link = inbound.followed
    last = visit.n if visit else (link.n if link else 0)
    chain: list[LoggedStep] = []
    while last > 0 and (entry := reader.step(last)) is not None:
        chain.append(entry)
        last = entry.source if entry.source < entry.n else 0
    chain.reverse()
    left_out = max(0, len(chain) - MAX_PATH_STEPS)
    if left_out:
        chain[1 : left_out + 1] = []
    stops = []
    for k, entry in enumerate(chain):
        # After the gap the page with the link is not in the chain.
        text = _anchor_of(replay, chain[k - 1], entry.url) if k and entry.source else None
        score = _finite(entry.score)
        stops.append(
            PathStep(entry.n, entry.url, score, text, entry.status, entry.fault, entry.reward)
        )
    if visit is None:
        score = None if standing is None else _finite(standing.score)
        stops.append(PathStep(None, inbound.url, score, link.anchor if link else None))
    return tuple(stops), left_out


def _anchor_of(replay: Replay, source: LoggedStep, url: str) -> str | None:
    page = replay.page(source)
    number = replay.reading.urls.find(url)
    places = [] if number is None else (page.targets == number).nonzero()[0].tolist()
    return anchor_text(page, places[0]) if places else None


def _deferral(policy: Policy, replay: Replay, url: str) -> list[BlockReason]:
    """Return the reason why the spider defers the link, if it does."""
    number = replay.reading.urls.find(url)
    if number is None or not isinstance(policy, DeferringPolicy):
        return []
    reason = policy.deferral_reason(number)
    if not reason:
        return []
    return [BlockReason("trap", f"The spider defers it until no other link waits: {reason}.")]


def _notes(
    run: Mapping[str, Any],
    policy: Policy,
    goal: str | None,
    visits: Sequence[Visit],
    standing: QueuePosition | None,
    lost: int,
) -> Iterable[str]:
    for kind, name in (("spider", policy.name), ("goal", goal)):
        before = run.get(kind)
        if isinstance(before, str) and name is not None and name != before:
            yield (
                f"The {kind} of the crawl was {before!r}, now it is {name!r}: the scores of "
                "the path are those of the crawl, all others are new."
            )
    if lost:
        yield (
            f"{lost:,} records of the archive are damaged; the links of these pages are unknown."
        )
    then, now = visits[0].score if visits else None, standing.score if standing else None
    if policy.name != run.get("spider") or then is None or now is None:
        return
    if abs(then - now) > _SCORE_TOLERANCE * max(1.0, abs(then)):
        yield (
            f"The replay gives the score {now:.4g}, the crawl gave {then:.4g}: the replayed "
            "spider has also seen the pages that arrived while the request was in flight."
        )


def _unknown(url: str, replay: Replay, obstacles: Sequence[BlockReason]) -> str:
    words = f"No page that was fetched links to {url}"
    if replay.lost:
        words += f" (but {replay.lost:,} records of the archive are damaged)"
    if obstacles:
        rest = obstacles[0].words
        words += f"; also, {rest[0].lower()}{rest[1:-1]}"
    near = similar_urls(url, replay.reading.urls)
    return f"{words}; did you mean {' or '.join(near)}?" if near else f"{words}."
