"""Topics: classify documents into a tree of topics by keywords alone (McCallum et al. 1999)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.topics.classifier import Classifier
    from lycosa.topics.corpus import Corpus
    from lycosa.topics.coverage import Coverage, KeywordUse, shared_keywords
    from lycosa.topics.discovery import Discovery, discover
    from lycosa.topics.hierarchy import Hierarchy, Topic
    from lycosa.topics.model import ModelSettings, PlacementReason, TopicModel, TopicWord
    from lycosa.topics.model_file import load_model, save_model
    from lycosa.topics.placement import PlacedTopic, Placement
    from lycosa.topics.suggestions import Suggestions, suggest
    from lycosa.topics.template import read_template, template_text

_HOMES = {
    "classifier": "Classifier",
    "corpus": "Corpus",
    "coverage": "Coverage KeywordUse shared_keywords",
    "discovery": "Discovery discover",
    "hierarchy": "Hierarchy Topic",
    "model": "ModelSettings PlacementReason TopicModel TopicWord",
    "model_file": "load_model save_model",
    "placement": "PlacedTopic Placement",
    "suggestions": "Suggestions suggest",
    "template": "read_template template_text",
}

__all__ = [
    "Classifier",
    "Corpus",
    "Coverage",
    "Discovery",
    "Hierarchy",
    "KeywordUse",
    "ModelSettings",
    "PlacedTopic",
    "Placement",
    "PlacementReason",
    "Suggestions",
    "Topic",
    "TopicModel",
    "TopicWord",
    "discover",
    "load_model",
    "read_template",
    "save_model",
    "shared_keywords",
    "suggest",
    "template_text",
]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
