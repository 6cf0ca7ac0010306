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
from pathlib import Path
from typing import Any, ClassVar, Self

from lycosa.papers.extraction import crf
from lycosa.papers.extraction.crf import MODELS, Crf


@dataclass(frozen=True)
class SingleCrf:
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
    def from_bytes(cls, data: bytes, name: str = "The model") -> Self:
        """Read the content of a model file; `name` is used in error messages."""
        return cls._checked(*crf.unpack(data, name), name)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model file."""
        return cls._checked(*crf.load(path), str(path))

    @classmethod
    @cache
    def shipped(cls) -> Self:
        """Return the labeller that comes with the package; a process loads it once."""
        return cls.load(MODELS / f"{cls.kind}.crf")

    @classmethod
    def _checked(cls, models: dict[str, Crf], metadata: dict[str, Any], name: str) -> Self:
        model = crf.only_model(
            models, metadata, kind=cls.kind, part=cls.part, version=cls.version, name=name
        )
        return cls(model, metadata)
