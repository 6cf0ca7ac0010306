"""What a page costs in a cluster: parameters of the simulation, measured on a real one."""

from __future__ import annotations

from dataclasses import dataclass

from lycosa.cluster.leases import LEASE_SECONDS


@dataclass(frozen=True)
class ClusterCosts:
    """Costs and times of the parts of a cluster.

    >>> ClusterCosts(worker_seconds=0.0025).worker_rate
    400.0
    """

    worker_seconds: float = 0.0025
    """CPU of a worker for a page: fetch, parse, score, store."""
    worker_cores: float = 1.0
    """Cores that a worker can use."""
    step_seconds: float = 0.0002
    """CPU of PostgreSQL for a step, with its record, in the usual batches."""
    link_seconds: float = 0.00002
    """CPU of PostgreSQL for a link that goes to another shard: written, read, marked."""
    links_sent: float = 2.0
    """Links of a page that go to another shard: new ones, each sent once."""
    lease_seconds: float = 0.001
    """CPU of PostgreSQL for a turn of a worker: renewal, leases read, arrivals polled."""
    turns: float = 5.0
    """Such turns a second."""
    postgres_cores: float = 16.0
    """Cores that PostgreSQL can use."""
    lease: float = LEASE_SECONDS
    """How long a lease lasts."""
    restart: float = 2.0
    """Seconds until a worker that died is back."""
    takeover: float = 5.0
    """Seconds until a shard works at its new owner: checkpoint, replay, one more delay."""
    mean_life: float = 86_400.0
    """Mean seconds between two deaths of a worker."""
    url_bytes: float = 305.0
    """Memory of a worker for a known URL."""

    @property
    def worker_rate(self) -> float:
        """Pages a second that a worker can do."""
        return self.worker_cores / self.worker_seconds

    def postgres_load(self, pages: float, workers: int) -> float:
        """Return the cores that PostgreSQL needs for so many pages a second and workers."""
        page = self.step_seconds + self.links_sent * self.link_seconds
        return pages * page + self.fixed_load(workers)

    def fixed_load(self, workers: int) -> float:
        """Return the cores that PostgreSQL needs for so many workers, however few pages."""
        return workers * self.turns * self.lease_seconds

    def postgres_rate(self, workers: int) -> float:
        """Return the pages a second that PostgreSQL can take from so many workers."""
        page = self.step_seconds + self.links_sent * self.link_seconds
        return max(self.postgres_cores - self.fixed_load(workers), 0.0) / page
