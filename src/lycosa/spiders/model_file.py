"""Model files (.lyc): a trained spider as a zip of JSON, arrays and words, without pickle.

    about.json                        format, spider, goal, sites, and small values
    model-0/channel-0.words.txt       the vocabulary, a word a line
    model-0/channel-0.weights.npy     a row for each word, a column for each bin

A model over hashed columns has one array instead:

    model-1/columns.npy               a weight for each column

`learn.model_zip` describes the packing.
"""

from __future__ import annotations

import json
import logging
import os
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from lycosa.core import Policy
from lycosa.errors import LycosaError, UsageError
from lycosa.learn.hashed_model import HashedModel, WeightedWord
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.model_zip import (
    ABOUT,
    ModelFormat,
    pack_array,
    pack_words,
    read_member,
    require_finite,
    unpack_array,
    unpack_words,
    write_model,
    zip_members,
)
from lycosa.learn.neighbourhoods import Channel, Neighbourhood
from lycosa.learn.vocabularies import Vocabulary
from lycosa.spiders.default.features import COLUMNS
from lycosa.spiders.factory import Model, Setup, Spider
from lycosa.spiders.names import SUFFIX
from lycosa.spiders.registry import named_spider
from lycosa.spiders.training import Recipe

MAX_BYTES = 10**9
"""The limit of a file, packed and unpacked."""

_log = logging.getLogger("lycosa.spiders")
_FORMAT = ModelFormat("lycosa spider", 1, "a spider", "lycosa train", "train")
_LINEAR, _HASHED = "linear", "hashed"
_MAX_WEIGHT = 1e6  # of a hashed model; sums of larger ones could overflow


@dataclass(frozen=True, slots=True, eq=False)
class TrainedSpider:
    """The contents of a model file: `spider.make(setup, models)` returns the policy.

    `goal` is the name of the goal and `models` are those of the spider's recipes, in their
    order. `sites` are the names of the sites it was trained on, `seed` that of the training.
    """

    spider: Spider
    goal: str
    models: tuple[Model, ...]
    sites: tuple[str, ...]
    seed: int

    @property
    def name(self) -> str:
        """The name of the spider, such as `house`."""
        return self.spider.name

    def finished(self, title: str) -> Spider:
        """Return it as a spider that needs no training, named `title`."""

        def make(setup: Setup, _: Sequence[Model]) -> Policy:
            return self.spider.make(setup, self.models)

        return Spider(title, make, trained_on=self.sites)


def check_portable(spider: Spider) -> None:
    """Refuse a spider that is not made of its models and the goal alone."""
    if not spider.portable or not spider.recipes:
        raise UsageError(
            f"{spider.name} cannot be saved to a file: only spiders that are made of their trained "
            "models can, such as 'house'."
        )


def check_path(path: Path) -> None:
    """Refuse a path that cannot be written, before the training starts."""
    if not path.name.endswith(SUFFIX):
        raise UsageError(f"Name the file {path.name}{SUFFIX}: files of spiders end with {SUFFIX}.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file in it.")
    if not os.access(path.absolute().parent, os.W_OK):
        raise UsageError(f"{path} cannot be written; check that its folder exists and is writable.")


def save_spider(
    path: Path,
    spider: Spider,
    goal: str,
    models: Sequence[Model],
    *,
    sites: Sequence[str],
    seed: int = 0,
) -> None:
    """Write a trained spider; `sites` are the names of the sites it was trained on."""
    check_portable(spider)
    if not _fit(spider, models):
        raise UsageError(
            f"{spider.name} is made of {len(spider.recipes)} models of its own kinds, not of these."
        )
    check_path(path)
    about = {
        "format": _FORMAT.name,
        "version": _FORMAT.version,
        "lycosa": version("lycosa"),
        "spider": spider.name,
        "goal": goal,
        "sites": list(sites),
        "seed": seed,
        "models": [_describe(model) for model in models],
    }
    members = {ABOUT: json.dumps(about, indent=1, ensure_ascii=True).encode()}
    for k, model in enumerate(models):
        members |= _members(k, model)
    write_model(path, zip_members(members))


def load_spider(path: Path) -> TrainedSpider:
    """Read a trained spider; a `UsageError` says what is wrong with the file."""
    with _FORMAT.open(path, MAX_BYTES) as (archive, about):
        return _trained(path, archive, about)


def _fit(spider: Spider, models: Sequence[Model]) -> bool:
    """Return whether these are the kinds of models that a spider is made of."""
    kinds = [LinearModel if isinstance(one, Recipe) else HashedModel for one in spider.recipes]
    return [type(model) for model in models] == kinds


def _describe(model: Model) -> dict[str, Any]:
    if isinstance(model, HashedModel):
        return {
            "kind": _HASHED,
            "bias": model.bias,
            "trust": model.trust,
            "faith": model.faith,
            "base": model.base,
            "telling": [list(word) for word in model.telling],
        }
    channels = [
        {"name": channel.name, "bags": list(channel.bags), "near": channel.near}
        for channel in model.neighbourhood.channels
    ]
    return {
        "kind": _LINEAR,
        "neighbourhood": {"name": model.neighbourhood.name, "channels": channels},
        "means": model.means.tolist(),
        "bias": model.bias.tolist(),
        "root": model.root,
        "slope": model.slope,
    }


def _members(number: int, model: Model) -> dict[str, bytes]:
    """Return the files of the arrays and words of a model."""
    if isinstance(model, HashedModel):
        return {_columns(number): pack_array(model.weights)}
    members = {}
    for (words, array), vocabulary, weights in zip(
        _names(number, len(model.weights)), model.vocabularies, model.weights, strict=True
    ):
        members[words] = pack_words(vocabulary.words)
        members[array] = pack_array(weights)
    return members


def _columns(model: int) -> str:
    return f"model-{model}/columns.npy"


def _names(model: int, channels: int) -> Iterator[tuple[str, str]]:
    for k in range(channels):
        stem = f"model-{model}/channel-{k}"
        yield f"{stem}.words.txt", f"{stem}.weights.npy"


def _vocabulary(data: bytes) -> Vocabulary:
    words = unpack_words(data)
    vocabulary = Vocabulary(words)
    if len(vocabulary) != len(words):
        raise ValueError("a vocabulary has a word twice")
    return vocabulary


def _trained(path: Path, archive: zipfile.ZipFile, about: dict[str, Any]) -> TrainedSpider:
    models = tuple(_model(archive, k, facts) for k, facts in enumerate(about["models"]))
    name, goal, seed = _text(about["spider"]), _text(about["goal"]), about["seed"]
    if SUFFIX in name or not isinstance(seed, int):
        raise ValueError("it refers to other files or has no seed")
    try:
        found = named_spider(name)
    except LycosaError as error:
        _log.debug("unknown spider %s in %s", name, path, exc_info=True)
        raise UsageError(
            f"{path} contains a spider that this Lycosa does not know ({name}); train it again."
        ) from error
    if not found.portable or not _fit(found, models):
        raise ValueError(f"its models are not those of {name}")
    return TrainedSpider(found, goal, models, tuple(map(_text, about["sites"])), seed)


def _model(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> Model:
    # Files written before there were two kinds have no kind: they are linear.
    if "kind" not in facts or (kind := facts["kind"]) == _LINEAR:
        return _linear(archive, number, facts)
    if kind == _HASHED:
        return _hashed(archive, number, facts)
    raise ValueError("the kind of a model is unknown")


def _hashed(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> HashedModel:
    weights = unpack_array(read_member(archive, _columns(number)), (COLUMNS,))
    if np.abs(weights).max() > _MAX_WEIGHT:
        raise ValueError("a weight is too large")
    trust, faith = _size(facts["trust"]), _size(facts["faith"])
    if trust < 0 or faith < 0:
        raise ValueError("a weight of its inputs is negative")
    telling = (
        WeightedWord(_text(word), _text(bag), _size(size)) for word, bag, size in facts["telling"]
    )
    return HashedModel(
        weights, _size(facts["bias"]), trust, faith, _size(facts["base"]), tuple(telling)
    )


def _linear(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> LinearModel:
    text = facts["neighbourhood"]
    try:
        channels = tuple(
            Channel(_text(c["name"]), tuple(map(_text, c["bags"])), _width(c["near"]))
            for c in text["channels"]
        )
    except UsageError:
        raise ValueError("it uses unknown bags of words") from None
    means = require_finite(np.array(facts["means"], np.float64))
    bias = require_finite(np.array(facts["bias"], np.float64))
    bins = len(means)
    if means.ndim != 1 or bins < 2 or bias.shape != means.shape or not channels:
        raise ValueError("its bins are inconsistent")
    vocabularies, weights = [], []
    for words, array in _names(number, len(channels)):
        vocabularies.append(_vocabulary(read_member(archive, words)))
        shape = len(vocabularies[-1]), bins
        weights.append(unpack_array(read_member(archive, array), shape))
    return LinearModel(
        Neighbourhood(_text(text["name"]), channels),
        tuple(vocabularies),
        tuple(weights),
        bias,
        means,
        root=facts["root"] is True,
        slope=float(require_finite(np.array([facts["slope"]], np.float64))[0]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a name is no text")
    return value


def _size(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) <= _MAX_WEIGHT:
        raise ValueError("a value is no number, or too large")
    return float(value)


def _width(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 10**6:
        raise ValueError("the width of a bag is no number")
    return value
