"""The figures of a live crawl, computed in one pass over its step log."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from html import unescape
from math import ceil
from typing import Any

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.live.status import HostWait, Notice, SeedFailure
from lycosa.crawler.recall import Estimate
from lycosa.crawler.storage.reader import CrawlReader, LoggedStep
from lycosa.learn.log_odds import ContrastedWord, contrast
from lycosa.project.note_values import as_integer, as_list, as_mapping, as_number, as_text
from lycosa.project.redaction import read_redacted
from lycosa.reporting.text import MAX_CHARACTERS, printable
from lycosa.web.decoding import decode
from lycosa.web.words import url_words

MAX_CURVE_POINTS = 300
"""Points of the curve of targets over pages."""
MAX_INTERVALS = 60
"""Intervals of the histogram of pages over time."""
MAX_HOSTS, MAX_WAITS, MAX_NEWEST, MAX_WORDS, MAX_NAMES = 50, 20, 50, 15, 30
"""Lengths of the lists in a report."""
MIN_Z_SCORE = 3.0
"""Words with a lower z-score are left out: among many words they may be chance."""
MIN_WORD_COUNT = 5
"""Words that occur less often are left out."""

_MAX_VOCABULARY = 300_000
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{0,1000})", re.IGNORECASE)
_MAX_TITLE_BYTES = 65_536  # at the start of a page, where its title is searched


@dataclass(frozen=True, slots=True)
class NamedCount:
    """The number of occurrences of a name, such as a status."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class HostFigures:
    """The figures of one host; `answer_seconds` is None if it is unknown."""

    host: str
    pages: int
    targets: int
    faults: int
    bytes: int
    answer_seconds: float | None


@dataclass(frozen=True, slots=True)
class PagesOverTime:
    """The number of pages in each of equal intervals of `width` seconds."""

    began: str
    width: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """A target; the title is empty if it has none."""

    n: int
    url: str
    title: str
    time: str
    reward: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The content of a report; `docs/how-to/read-the-report.md` describes it."""

    folder: str
    goal: str | None
    spider: str | None
    seeds: tuple[str, ...]
    reason: str | None
    at_work: bool
    began: str | None
    ended: str | None
    steps: int
    targets: int
    faults: int
    bytes: int
    seconds: float | None
    requests: int | None
    known: int | None
    waiting: int | None
    estimate: Estimate | None
    curve: tuple[tuple[int, int], ...]
    pace: PagesOverTime | None
    statuses: tuple[NamedCount, ...]
    types: tuple[NamedCount, ...]
    fault_names: tuple[NamedCount, ...]
    hosts: tuple[HostFigures, ...]
    all_hosts: int
    waits: tuple[HostWait, ...]
    target_words: tuple[ContrastedWord, ...]
    other_words: tuple[ContrastedWord, ...]
    newest: tuple[FoundTarget, ...]
    settings: Mapping[str, str]
    failed_seeds: tuple[SeedFailure, ...]
    notices: tuple[Notice, ...]
    runs: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return asdict(self) | {
            "waits": [wait._asdict() for wait in self.waits],
            "notices": [notice._asdict() for notice in self.notices],
        }


def figures(reader: CrawlReader) -> Figures:
    """Return the figures of a crawl, from its whole step log."""
    times = reader.times()
    tally = _Tally(reader.steps, times)
    for entry in reader.entries():
        tally.add(entry)
    run = as_mapping(reader.note("run"))
    totals = as_mapping(run.get("totals")) or run
    seeds = tuple(seed for seed in as_list(run.get("seeds")) if isinstance(seed, str))
    hosts = as_mapping(reader.note("hosts"))
    words = contrast(tally.target_words, tally.other_words, MIN_WORD_COUNT)
    return Figures(
        folder=str(reader.folder),
        goal=as_text(run.get("goal")),
        spider=as_text(run.get("spider")),
        seeds=seeds,
        reason=as_text(run.get("reason")),
        at_work=reader.at_work,
        began=times[0] if times else None,
        ended=times[1] if times else None,
        steps=reader.steps,
        targets=tally.targets,
        faults=sum(tally.faults.values()),
        bytes=reader.bytes,
        seconds=as_number(totals.get("seconds")),
        requests=as_integer(totals.get("requests")),
        known=as_integer(run.get("known")),
        waiting=as_integer(run.get("waiting")),
        estimate=_estimate(run.get("estimate")),
        curve=tuple(tally.curve),
        pace=tally.pace(),
        statuses=_numbers({str(status): n for status, n in tally.statuses.items()}),
        types=_numbers(tally.types),
        fault_names=_numbers(tally.faults),
        hosts=_hosts(tally.hosts, hosts),
        all_hosts=len(tally.hosts),
        waits=_waits(hosts),
        target_words=tuple(word for word in words[:MAX_WORDS] if word.z > MIN_Z_SCORE),
        other_words=tuple(word for word in words[: -MAX_WORDS - 1 : -1] if word.z < -MIN_Z_SCORE),
        newest=tuple(_found(reader, entry) for entry in reversed(tally.newest)),
        settings=read_redacted(reader.folder / "lycosa.toml"),
        failed_seeds=tuple(_failed_seeds(reader, seeds)),
        notices=tuple(_notices(run.get("notices"))),
        runs=as_integer(totals.get("runs")),
    )


class _Tally:
    """The counts of one pass over the step log.

    Its size depends on the number of hosts and words, not of pages. `steps` is the
    number of steps, `times` has the first and the last time.
    """

    def __init__(self, steps: int, times: tuple[str, str] | None) -> None:
        self.targets = 0
        self.curve: list[tuple[int, int]] = []
        self.statuses: Counter[int] = Counter()
        self.types: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.hosts: dict[str, list[int]] = {}
        self.target_words: Counter[str] = Counter()
        self.other_words: Counter[str] = Counter()
        self.newest: deque[LoggedStep] = deque(maxlen=MAX_NEWEST)
        self._steps = steps
        self._stride = max(1, -(-steps // (MAX_CURVE_POINTS - 1)))
        self._first = times[0] if times else None
        self._began, ended = map(_seconds, times) if times else (0.0, 0.0)
        self._width = max((ended - self._began) / MAX_INTERVALS, 1.0)
        self._counts = [0] * max(1, min(MAX_INTERVALS, ceil((ended - self._began) / self._width)))

    def add(self, entry: LoggedStep) -> None:
        """Count one step."""
        url, fault = entry.url, entry.fault
        hit = entry.reward > 0
        self.targets += hit
        # pages, targets, faults, bytes
        host = self.hosts.setdefault(_authority(url), [0, 0, 0, 0])
        host[0] += 1
        host[1] += hit
        if fault is None:
            self.statuses[entry.status] += 1
            self.types[entry.type.partition(";")[0][:60].strip().lower()] += 1
            host[3] += entry.length or 0
            counter = self.target_words if hit else self.other_words
            counter.update(url_words(url[:MAX_CHARACTERS]))
            if len(counter) > _MAX_VOCABULARY:
                _drop_rare_words(counter)
        elif fault != Fault.KNOWN_PAGE:  # a redirect to a page that was visited is no fault
            self.faults[fault] += 1
            host[2] += 1
        if hit:
            self.newest.append(entry)
        interval = int((_seconds(entry.time) - self._began) / self._width)
        self._counts[min(interval, len(self._counts) - 1)] += 1
        if entry.n % self._stride == 0 or entry.n == self._steps:
            self.curve.append((entry.n, self.targets))

    def pace(self) -> PagesOverTime | None:
        """Return the histogram of pages over time."""
        if self._first is None:
            return None
        return PagesOverTime(self._first, self._width, tuple(self._counts))


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


def _drop_rare_words(counter: Counter[str]) -> None:
    """Delete words that occurred once or twice, which cannot become significant soon."""
    for word in [word for word, count in counter.items() if count <= 2]:
        del counter[word]


def _authority(url: str) -> str:
    """Return the host of a URL, with its port if that is not the default one."""
    return url.split("/", 3)[2].partition("?")[0] if url.count("/") > 1 else ""


def _hosts(tally: Mapping[str, list[int]], notes: Mapping[str, Any]) -> tuple[HostFigures, ...]:
    best = sorted(tally.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))[:MAX_HOSTS]
    found = []
    for host, (pages, targets, faults, size) in best:
        slow = as_number(as_mapping(as_mapping(notes.get(host)).get("tempo")).get("slow"))
        found.append(HostFigures(host, pages, targets, faults, size, slow or None))
    return tuple(found)


def _waits(notes: Mapping[str, Any]) -> tuple[HostWait, ...]:
    """Return the hosts with waiting URLs or in quarantine at the last note."""
    found = []
    for host, note in notes.items():
        tempo = as_mapping(as_mapping(note).get("tempo"))
        urls = as_integer(as_mapping(note).get("waiting")) or 0
        quarantine, back_off = (
            as_number(tempo.get(key)) or 0 for key in ("quarantine", "back-off")
        )
        if quarantine > 0:
            found.append(HostWait(host, "quarantine", quarantine, urls))
        elif urls and back_off > 0:
            found.append(HostWait(host, f"back-off after {tempo.get('why')}", back_off, urls))
        elif urls:
            found.append(HostWait(host, "its turn", None, urls))
    return tuple(sorted(found, key=lambda wait: (-wait.urls, wait.host))[:MAX_WAITS])


def _found(reader: CrawlReader, entry: LoggedStep) -> FoundTarget:
    return FoundTarget(entry.n, entry.url, page_title(reader, entry), entry.time, entry.reward)


def page_title(reader: CrawlReader, entry: LoggedStep) -> str:
    """Return the title of an HTML page as its author wrote it; empty if it has none."""
    answer = reader.answer(entry) if "html" in entry.type.lower() or not entry.type else None
    if answer is None:
        return ""
    match = _TITLE.search(decode(answer.body[:_MAX_TITLE_BYTES], answer.type))
    return printable(unescape(match[1])) if match else ""


def _failed_seeds(reader: CrawlReader, seeds: Iterable[str]) -> Iterator[SeedFailure]:
    """Yield the start pages that gave nothing."""
    for seed in seeds:
        note = as_mapping(reader.note(f"seed:{seed}"))
        if note.get("cause"):
            yield SeedFailure.of_note({**note, "url": seed})


def _notices(value: object) -> Iterator[Notice]:
    for each in map(as_mapping, as_list(value)):
        if words := as_text(each.get("words")):
            yield Notice(str(each.get("kind")), words)


def _numbers(counts: Mapping[str, int]) -> tuple[NamedCount, ...]:
    """Return the most frequent names first, and the rest as `others` at the end."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    found = [NamedCount(name, count) for name, count in ordered[:MAX_NAMES]]
    if rest := ordered[MAX_NAMES:]:
        found.append(NamedCount("others", sum(count for _, count in rest)))
    return tuple(found)


def _estimate(value: object) -> Estimate | None:
    numbers = [found for each in as_list(value) if (found := as_number(each)) is not None]
    if len(numbers) != 4:
        return None
    found, total, low, high = numbers
    if not (0 <= found <= total and 0 <= low <= high <= 1):
        return None
    return Estimate(int(found), total, low, high)
