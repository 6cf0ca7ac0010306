"""Spiders that learn the yield while they crawl (Davidov & Markovitch 2002).

One policy, `Yield`, adds up what its parts expect of a link: `Brothers`, the
partial yield of the graph around it; `Lookalikes`, the yield of links with
like words; `Hand`, a heuristic made by hand.
"""

from lycosa.spiders.yields.brothers import Brothers
from lycosa.spiders.yields.hand import Hand
from lycosa.spiders.yields.lookalikes import Learner, Lookalikes
from lycosa.spiders.yields.part import Part
from lycosa.spiders.yields.policy import LEVEL, Yield

__all__ = ["LEVEL", "Brothers", "Hand", "Learner", "Lookalikes", "Part", "Yield"]
