"""The crawl as a state machine, and the runners that feed it."""

from lycosa.crawl.crawl import Crawl
from lycosa.crawl.frontier import Entry, Frontier
from lycosa.crawl.simulate import simulate

__all__ = ["Crawl", "Entry", "Frontier", "simulate"]
