"""Policies that learn the yield of links during the crawl (Davidov & Markovitch 2002).

One policy, `Yield`, adds up the estimates of its parts: `SiblingEstimate`, the
partial yield of the graph around a link; `SimilarLinksEstimate`, the yield of
links with similar words; `KeywordEstimate`, a fixed heuristic over the goal's words.
"""

from lycosa.spiders.yields.estimate import Estimate
from lycosa.spiders.yields.keyword_estimate import KeywordEstimate
from lycosa.spiders.yields.policy import LEVEL, Yield
from lycosa.spiders.yields.siblings import SiblingEstimate
from lycosa.spiders.yields.similar_links import Learner, SimilarLinksEstimate

__all__ = [
    "LEVEL",
    "Estimate",
    "KeywordEstimate",
    "Learner",
    "SiblingEstimate",
    "SimilarLinksEstimate",
    "Yield",
]
