"""Spiders that learn the yield while they crawl (Davidov & Markovitch 2002).

One policy, `Yield`, adds up what its parts expect of a link: `Brothers`, the
partial yield of the graph around it; `Lookalikes`, the yield of links with
like words; `Hand`, a heuristic made by hand.
"""

from lycosa.spiders.yields.estimate import Part
from lycosa.spiders.yields.keyword_estimate import Hand
from lycosa.spiders.yields.policy import LEVEL, Yield
from lycosa.spiders.yields.siblings import Brothers
from lycosa.spiders.yields.similar_links import Learner, Lookalikes

__all__ = ["LEVEL", "Brothers", "Hand", "Learner", "Lookalikes", "Part", "Yield"]
