"""The crawl as a state machine, and the runners that feed it."""

from lycosa.crawler.crawl import Crawl
from lycosa.crawler.frontier import Entry, Frontier
from lycosa.crawler.simulate import simulate

__all__ = ["Crawl", "Entry", "Frontier", "simulate"]
