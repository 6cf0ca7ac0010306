"""Learners: naive Bayes, SVM, logistic regression, HMM, trees, neighbours; nothing of the web."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.learn.bins import Bins
    from lycosa.learn.decision_tree import DecisionTree
    from lycosa.learn.examples import LinkBags, TrainingLinks
    from lycosa.learn.hashed_model import HashedModel
    from lycosa.learn.hmm import Chain
    from lycosa.learn.hmm_tagger import HmmTagger, Observation, Smoothing, Tag
    from lycosa.learn.linear_model import LinearModel, ModelReader
    from lycosa.learn.link_words import LinkWords, Rows
    from lycosa.learn.log_odds import ContrastedWord, contrast, z_scores
    from lycosa.learn.naive_bayes import NaiveBayes
    from lycosa.learn.nearest_neighbours import NearestNeighbours
    from lycosa.learn.neighbourhoods import Channel, Neighbourhood, neighbourhood
    from lycosa.learn.ridge import Ridge
    from lycosa.learn.svm import train_svm
    from lycosa.learn.transductive_svm import TransductiveSVM
    from lycosa.learn.vocabularies import Vocabulary

_HOMES = {
    "bins": "Bins",
    "decision_tree": "DecisionTree",
    "examples": "LinkBags TrainingLinks",
    "hashed_model": "HashedModel",
    "hmm": "Chain",
    "hmm_tagger": "HmmTagger Observation Smoothing Tag",
    "linear_model": "LinearModel ModelReader",
    "link_words": "LinkWords Rows",
    "log_odds": "ContrastedWord contrast z_scores",
    "naive_bayes": "NaiveBayes",
    "nearest_neighbours": "NearestNeighbours",
    "neighbourhoods": "Channel Neighbourhood neighbourhood",
    "ridge": "Ridge",
    "svm": "train_svm",
    "transductive_svm": "TransductiveSVM",
    "vocabularies": "Vocabulary",
}

__all__ = [
    "Bins",
    "Chain",
    "Channel",
    "ContrastedWord",
    "DecisionTree",
    "HashedModel",
    "HmmTagger",
    "LinearModel",
    "LinkBags",
    "LinkWords",
    "ModelReader",
    "NaiveBayes",
    "NearestNeighbours",
    "Neighbourhood",
    "Observation",
    "Ridge",
    "Rows",
    "Smoothing",
    "Tag",
    "TrainingLinks",
    "TransductiveSVM",
    "Vocabulary",
    "contrast",
    "neighbourhood",
    "train_svm",
    "z_scores",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
