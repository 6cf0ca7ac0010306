"""Host notes: the delays and back-offs of hosts among the notes of a store."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Set
from copy import deepcopy
from math import inf

from lycosa.crawler.politeness.pace import HostPace, without_failures
from lycosa.crawler.politeness.scheduler import Scheduler
from lycosa.crawler.storage.store import Store

MAX_FREQUENT_HOSTS = 100  # the states of more hosts are stored less often
HOSTS_INTERVAL_SECONDS = 10.0


class HostNotes:
    """Stores the state of all hosts of a `scheduler`, and restores it in the next run.

    `clock` returns seconds since the epoch: in the next run, which may be on another
    machine, by the same clock.
    """

    def __init__(self, scheduler: Scheduler, clock: Callable[[], float] = time.time) -> None:
        self._scheduler = scheduler
        self._clock = clock
        self._stored = -inf

    def put(self, store: Store, *, exact: bool) -> None:
        """Put the states, if they are due; `exact` if no more requests will be made."""
        now = time.monotonic()
        seldom = len(self._scheduler) > MAX_FREQUENT_HOSTS
        if exact or not seldom or now - self._stored > HOSTS_INTERVAL_SECONDS:
            self._stored = now
            store.put("hosts", self._scheduler.snapshot())
            store.put("hosts-saved", {"at": self._clock(), "exact": exact})

    def restore(self, store: Store, requests: Counter[str], failed: Set[str]) -> bool:
        """Restore delays and back-offs; return whether the last run was killed.

        `requests` counts the requests of all steps by host. The hosts of `failed` start
        pages have no back-off.
        """
        saved = store.get("hosts-saved")
        if saved is None:
            return False
        state = store.get("hosts")
        away = max(self._clock() - saved["at"], 0.0)
        was_killed = not saved["exact"]
        if was_killed:
            # Every host may have got a request just now; pages are counted from the step log.
            unknown = {"tempo": HostPace(self._scheduler.pace).snapshot(0.0), "address": ""}
            for host in state.keys() | requests.keys():
                entry = state[host] = deepcopy(state.get(host, unknown))
                entry["tempo"]["since"] = -away
                entry["pages"] = requests[host]
        for host in failed & state.keys():
            state[host]["tempo"] = without_failures(state[host]["tempo"])
        self._scheduler.restore(state, away)
        return was_killed
