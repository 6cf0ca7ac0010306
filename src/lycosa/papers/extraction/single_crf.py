"""The labellers of one conditional random field: what their model files must be.

>>> class Shouting(SingleCrf):
...     kind, part, version = "shouting", "words", 1
>>> model = crf.train([[["upper"], ["lower"]]] * 9, [["loud", "quiet"]] * 9, c1=0.1, c2=0.1)
>>> data = crf.pack({"words": model}, {"kind": "shouting", "features": 1})
>>> [found.label for found in Shouting.from_bytes(data).model.tag([["upper"], ["lower"]])]
['loud', 'quiet']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Self

from lycosa.errors import UsageError
from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import MODELS, Crf, StoredLabeller


@dataclass(frozen=True)
class SingleCrf(StoredLabeller):
    """A labeller whose model file has one CRF; a subclass says of which kind."""

    kind: ClassVar[str]
    """The kind of the model file, and the name of the shipped one."""
    part: ClassVar[str]
    """The name of the CRF in the file."""
    version: ClassVar[int]
    """The version of the features; a model of another version is refused."""

    model: Crf
    metadata: Mapping[str, Any]
    """The metadata of the model file."""

    @classmethod
    @cache
    def shipped(cls) -> Self:
        """Return the labeller that comes with the package; a process loads it once."""
        return cls.load(MODELS / f"{cls.kind}.crf")

    @classmethod
    def _checked(cls, models: dict[str, Crf], metadata: dict[str, Any], name: str) -> Self:
        if metadata.get("kind") != cls.kind or set(models) != {cls.part}:
            raise UsageError(f"{name} is not a model for {cls.kind}; train one.")
        crf.check_features(metadata, cls.version, name)
        return cls(models[cls.part], metadata)
