"""Freshness of a portal: plans of revisits at equal requests, on a web that changes.

The web has hubs and targets. Targets change at rates of their own, which are skewed;
new ones appear and are linked from hubs, some of which bring most of them; targets
die, or move to another URL that a hub links to. A plan has a number of requests a day
and sees only what it requests. It knows all pages at the beginning, and has visited each
once. Measured after a time to learn: the mean age of what is shown (the time since a page
first differed from its copy; a dead page is shown until its death is seen), and the days
until a new target is shown.

`uniform` requests all pages in turn, `proportional` as often as they change, `fixed` at
the best fixed interval for each page, also with half and with twice the worth of new targets;
these know all rates. `plan` is what
`lycosa keep` uses, and knows nothing beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bench import page
from lycosa.crawler.revisit.change_rate import Floats
from lycosa.crawler.revisit.revisit_index import hub_index
from lycosa.crawler.revisit.revisit_plan import NEW_TARGET, RevisitPlan

SEEDS = range(5)
TARGETS, HUBS = 1_500, 500
DAYS, LEARNING_DAYS = 150, 50
REQUESTS_A_DAY = 100
TICK = 0.1
"""Days between two decisions."""
MEDIAN_RATE, SPREAD = 1 / 21, 3.8
"""Changes a day of the median target, and the standard deviation of the logarithm: a log-normal
distribution through the shares that J. Cho and H. Garcia-Molina, The evolution of the Web and
implications for an incremental crawler, VLDB 2000, found on 270 sites (a change within a day 23 %,
a week 38 %, a month 54 %, four months 70 %)."""
NEW_TARGETS_A_DAY = 5.0
DEATHS, MOVES = 1 / 400, 1 / 600
"""A day and target."""
WANTED = (0.6, 0.5)
"""Age and delay, at most, as shares of those of uniform revisits."""
MAX_PAGES = TARGETS + HUBS + int(DAYS * (NEW_TARGETS_A_DAY + TARGETS * MOVES) * 2)


@dataclass
class ChangingWeb:
    """A web whose pages change; hubs come first, then targets."""

    chance: np.random.Generator
    day: float = 0.0
    count: int = HUBS + TARGETS
    changed: Floats = field(default_factory=lambda: np.full(MAX_PAGES, np.nan))
    """When a page first changed since it was last seen; NaN if it has not."""
    alive: NDArray[np.bool_] = field(default_factory=lambda: np.ones(MAX_PAGES, np.bool_))
    unseen: dict[int, list[int]] = field(default_factory=dict)
    """New targets by the hub that links to them."""

    def __post_init__(self) -> None:
        chance = self.chance
        self.rates = MEDIAN_RATE * np.exp(SPREAD * chance.standard_normal(MAX_PAGES))
        self.rates[:HUBS] = 0.0  # a hub changes when it gets a link
        weights = chance.pareto(0.8, HUBS) + 0.01
        self.hub_shares = weights / weights.sum()
        self.links = chance.multinomial(TARGETS, self.hub_shares)  # to targets, at the beginning
        self.born = np.zeros(MAX_PAGES)

    @property
    def hub_rates(self) -> Floats:
        """New targets a day of every hub."""
        return self.hub_shares * NEW_TARGETS_A_DAY

    def advance(self) -> None:
        """Let a tick pass."""
        chance, end = self.chance, self.day + TICK
        live = np.flatnonzero(self.alive[HUBS : self.count]) + HUBS
        hits = live[chance.random(len(live)) < -np.expm1(-self.rates[live] * TICK)]
        self._change(hits)
        for pages, rate in ((live, DEATHS), (live, MOVES)):
            ended = pages[chance.random(len(pages)) < rate * TICK]
            self.alive[ended] = False
            self._change(ended)
            if rate == MOVES:
                self._appear(len(ended))
        self._appear(chance.poisson(NEW_TARGETS_A_DAY * TICK))
        self.day = end

    def _change(self, pages: NDArray[np.int64]) -> None:
        unchanged = pages[np.isnan(self.changed[pages])]
        self.changed[unchanged] = self.day + TICK * self.chance.random(len(unchanged))

    def _appear(self, number: int) -> None:
        for hub in self.chance.choice(HUBS, number, p=self.hub_shares):
            if self.count < MAX_PAGES:
                self.unseen.setdefault(int(hub), []).append(self.count)
                self.born[self.count] = self.day
                self._change(np.array([hub]))
                self.count += 1


class Plan(Protocol):
    """Decides what to request."""

    def fetched(self, page: int, day: float, *, target: bool, links: int = 0) -> None:
        """Learn of a page that was requested for the first time."""

    def revisited(self, page: int, day: float, *, changed: bool) -> None:
        """Learn of a page that was requested again."""

    def gone(self, page: int, day: float) -> None:
        """Learn that a page is not there."""

    def led_to_target(self, page: int) -> None:
        """Learn that a new link of a page has led to a target."""

    def due(self, day: float, count: int) -> NDArray[np.int64]:
        """Return the pages to request."""


class Known:
    """A plan with full knowledge: `worth` of the rates, new targets and days since visits."""

    def __init__(self, web: ChangingWeb, worth: Callable[[Floats, Floats, Floats], Floats]) -> None:
        self._web = web
        self._worth = worth
        self._last = np.full(MAX_PAGES, np.nan)

    def fetched(self, page: int, day: float, *, target: bool, links: int = 0) -> None:
        """Note the visit."""
        self._last[page] = day

    def revisited(self, page: int, day: float, *, changed: bool) -> None:
        """Note the visit."""
        self._last[page] = day

    def gone(self, page: int, day: float) -> None:
        """Never request the page again."""
        self._last[page] = np.nan

    def led_to_target(self, page: int) -> None:
        """Nothing is learned."""

    def due(self, day: float, count: int) -> NDArray[np.int64]:
        """Return the pages of most worth."""
        known = np.flatnonzero(self._last < day)
        targets = np.append(self._web.hub_rates, np.zeros(MAX_PAGES - HUBS))[known]
        worth = self._worth(self._web.rates[known], targets, day - self._last[known])
        return known[np.argsort(-worth, kind="stable")[:count]]


def _age_of(rates: Floats, days: Floats) -> Floats:
    """Return the index of pages whose rates are known; deaths and moves are changes, too."""
    total = rates + DEATHS + MOVES
    x = total * days
    gone = -np.expm1(-x)
    return np.asarray(np.where(rates > 0, (x**2 / 2 + x * (1 - gone) - gone) / total**2, 0.0))


def _fixed(new_target: float) -> Callable[[ChangingWeb], Plan]:
    """Return the plan of fixed intervals for a worth of a day of delay of a new target."""
    return lambda web: Known(
        web,
        lambda rates, targets, days: _age_of(rates, days) + new_target * hub_index(targets, days),
    )


PLANS: dict[str, Callable[[ChangingWeb], Plan]] = {
    "uniform": lambda web: Known(web, lambda _rates, _targets, days: days),
    "proportional": lambda web: Known(web, lambda rates, targets, days: (rates + targets) * days),
    "fixed": _fixed(NEW_TARGET),
    "fixed, more for age": _fixed(NEW_TARGET / 2),
    "fixed, more for delay": _fixed(NEW_TARGET * 2),
    "plan": lambda _web: RevisitPlan(),
}


def run(name: str, seed: int) -> tuple[float, float, float]:
    """Return mean age, mean days until a new target is shown, and the share that is shown."""
    web = ChangingWeb(np.random.default_rng(seed))
    plan = PLANS[name](web)
    for number in range(HUBS + TARGETS):
        links = int(web.links[number]) if number < HUBS else 0
        plan.fetched(number, 0.0, target=number >= HUBS, links=links)
    shown = np.zeros(MAX_PAGES, np.bool_)
    shown[HUBS : HUBS + TARGETS] = True
    ages, delays, waiting, allowance = [], [], 0, 0.0
    for _ in range(round(DAYS / TICK)):
        web.advance()
        allowance += REQUESTS_A_DAY * TICK
        for number in plan.due(web.day, max(int(allowance), 0)).tolist():
            allowance -= 1
            changed = not np.isnan(web.changed[number])
            web.changed[number] = np.nan
            if not web.alive[number]:
                plan.gone(number, web.day)
                shown[number] = False
                continue
            plan.revisited(number, web.day, changed=changed)
            for target in web.unseen.pop(number, ()):
                allowance -= 1  # it is fetched
                plan.fetched(target, web.day, target=True)
                plan.led_to_target(number)
                web.changed[target] = np.nan
                shown[target] = True
                if web.born[target] >= LEARNING_DAYS:
                    delays.append(web.day - web.born[target])
        if web.day > LEARNING_DAYS:
            since = web.changed[shown]
            ages.append(np.where(np.isnan(since), 0.0, web.day - since).mean())
    for targets in web.unseen.values():  # not shown until the end
        late = [each for each in targets if web.born[each] >= LEARNING_DAYS]
        delays += [web.day - web.born[each] for each in late]
        waiting += len(late)
    appeared = np.flatnonzero(web.born[: web.count] >= LEARNING_DAYS)
    return float(np.mean(ages)), float(np.mean(delays)), 1 - waiting / max(len(appeared), 1)


def body() -> Iterator[str]:
    """Yield the parts of the page."""
    yield (
        f"{TARGETS:,} targets and {HUBS} hubs, {REQUESTS_A_DAY} requests a day; targets change "
        f"{MEDIAN_RATE:.3f} times a day in the median, with a spread of {SPREAD:g} in the "
        f"logarithm; {NEW_TARGETS_A_DAY:g} new targets a day, most of them from few hubs. Means "
        f"and standard deviations over {len(SEEDS)} webs, days {LEARNING_DAYS} to {DAYS}. "
        "`proportional` and the `fixed` ones know all rates, `plan` learns them."
    )
    found = {name: np.array([run(name, seed) for seed in SEEDS]) for name in PLANS}
    uniform = found["uniform"][:, :2]
    ratios = {name: (figures[:, :2] / uniform).mean(0) for name, figures in found.items()}
    rows = [
        (
            f"`{name}`",
            *(f"{figures[:, k].mean():.2f} ± {figures[:, k].std():.2f}" for k in (0, 1)),
            *(f"{ratio:.2f}" for ratio in ratios[name]),
            f"{figures[:, 2].mean():.0%}",
        )
        for name, figures in found.items()
    ]
    head = ("plan", "age (days)", "delay of new targets (days)", "age / uniform",
            "delay / uniform", "new targets shown")  # fmt: skip
    yield page.table(head, rows)
    reaching = [f"`{name}`" for name, ratio in ratios.items() if (ratio <= WANTED).all()]
    yield (
        f"Wanted are at most {WANTED[0]:g} and {WANTED[1]:g} times uniform revisits, both at once. "
        + (f"These reach it: {', '.join(reaching)}." if reaching else "No plan here reaches it, ")
        + ("" if reaching else "not even those that know all rates.")
    )


def main() -> None:
    """Measure and write the page."""
    page.write("freshness", "Freshness of a portal", "\n\n".join(body()), "bench-freshness")


if __name__ == "__main__":
    main()
