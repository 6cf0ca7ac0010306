"""The model file: a trained spider in a zip of JSON, arrays and words, without pickle.

    about.json                        what it is, and all that is small
    model-0/channel-0.words.txt       the vocabulary, a word a line
    model-0/channel-0.weights.npy     a row for each word, a column for each bin

A model over hashed columns has one array instead:

    model-1/columns.npy               a weight for each column

How it is packed, `learn.model_zip` says.
"""

from __future__ import annotations

import io
import json
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
    READ_ERRORS,
    has_valid_checksum,
    looks_like_model,
    pack_array,
    pack_words,
    read_member,
    require_finite,
    unpack_array,
    unpack_words,
    unpacked_size,
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

FORMAT, VERSION = "lycosa spider", 1
MOST_BYTES = 10**9
"""A file that would unpack to more is refused."""

_ABOUT = "about.json"
_LINEAR, _HASHED = "linear", "hashed"
_LARGEST = 1e6  # of the numbers of a hashed model; sums of larger ones could be no number


@dataclass(frozen=True, slots=True, eq=False)
class TrainedSpider:
    """What a model file holds: `spider.make(setup, models)` gives the policy."""

    spider: Spider
    goal: str
    models: tuple[Model, ...]
    sites: tuple[str, ...]
    seed: int

    @property
    def name(self) -> str:
        """The name it was trained by, such as `house`."""
        return self.spider.name

    def finished(self, title: str) -> Spider:
        """The same as a spider that learns nothing more."""

        def make(setup: Setup, _: Sequence[Model]) -> Policy:
            return self.spider.make(setup, self.models)

        return Spider(title, make, trained_on=self.sites)


def check_portable(spider: Spider) -> None:
    """Refuse a spider that is not made of its models alone."""
    if not spider.portable or not spider.recipes:
        raise UsageError(
            f"{spider.name} cannot be kept in a file: only spiders that are made of what they "
            "learned beforehand can, such as 'house'."
        )


def check_path(path: Path) -> None:
    """Refuse a place where no spider can be kept, before one is trained for it."""
    if not path.name.endswith(SUFFIX):
        raise UsageError(f"Call the file {path.name}{SUFFIX}: spiders are known by that ending.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; give the name of a file in it.")
    if not os.access(path.absolute().parent, os.W_OK):
        raise UsageError(f"{path} cannot be written; is its folder there, and yours?")


def save(
    path: Path,
    spider: Spider,
    goal: str,
    models: Sequence[Model],
    *,
    sites: Sequence[str],
    seed: int = 0,
) -> None:
    """Write a trained spider; `sites` are the names of those it learned from."""
    check_portable(spider)
    if not _fit(spider, models):
        raise UsageError(f"{spider.name} is made of {len(spider.recipes)} models, not of these.")
    check_path(path)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "lycosa": version("lycosa"),
        "spider": spider.name,
        "goal": goal,
        "sites": list(sites),
        "seed": seed,
        "models": [_described(model) for model in models],
    }
    members = {_ABOUT: json.dumps(about, indent=1, ensure_ascii=True).encode()}
    for k, model in enumerate(models):
        members |= _members(k, model)
    write_model(path, zip_members(members))


def load(path: Path) -> TrainedSpider:
    """Read a trained spider; whatever is wrong with the file is a `UsageError`."""
    data = _checked(path, _read(path))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _trained(path, archive)
    except READ_ERRORS as fault:
        raise UsageError(
            f"{path} is no spider that can be used ({fault}); train it again."
        ) from fault


def _fit(spider: Spider, models: Sequence[Model]) -> bool:
    """Whether these are models that a spider can be made of."""
    kinds = [LinearModel if isinstance(one, Recipe) else HashedModel for one in spider.recipes]
    return [type(model) for model in models] == kinds


def _described(model: Model) -> dict[str, Any]:
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
    """The arrays and words of a model."""
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
        raise ValueError("a word stands twice in a list")
    return vocabulary


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}; `lycosa train` makes one.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} is too large to be a spider; give a file of `lycosa train`.")
    return data


def _checked(path: Path, data: bytes) -> bytes:
    """The data, if its checksum is right."""
    if has_valid_checksum(data):
        return data
    if looks_like_model(data, _ABOUT):
        raise UsageError(f"{path} is damaged or cut short; copy it or train it again.")
    raise UsageError(f"{path} is not a spider; give a file that `lycosa train` made.")


def _trained(path: Path, archive: zipfile.ZipFile) -> TrainedSpider:
    if unpacked_size(archive) > MOST_BYTES:
        raise ValueError("it would unpack to more than a gigabyte")
    about = json.loads(read_member(archive, _ABOUT))
    if about["format"] != FORMAT or not isinstance(about["version"], int):
        raise ValueError("it says of itself that it is something else")
    if about["version"] > VERSION:
        raise UsageError(
            f"{path} was made by a newer Lycosa (format {about['version']}, this one reads "
            f"{VERSION}); update Lycosa or train it again."
        )
    models = tuple(_model(archive, k, facts) for k, facts in enumerate(about["models"]))
    name, goal, seed = _text(about["spider"]), _text(about["goal"]), about["seed"]
    if SUFFIX in name or not isinstance(seed, int):
        raise ValueError("it refers to other files or has no seed")
    try:
        made = named_spider(name)
    except LycosaError as error:
        raise UsageError(
            f"{path} holds a spider that this Lycosa does not know ({name}); train it again."
        ) from error
    if not made.portable or not _fit(made, models):
        raise ValueError(f"its models are not those of {name}")
    return TrainedSpider(made, goal, models, tuple(map(_text, about["sites"])), seed)


def _model(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> Model:
    # Files of before there were two kinds do not say which.
    if "kind" not in facts or (kind := facts["kind"]) == _LINEAR:
        return _linear(archive, number, facts)
    if kind == _HASHED:
        return _hashed(archive, number, facts)
    raise ValueError("a model is of a kind that is not known")


def _hashed(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> HashedModel:
    weights = unpack_array(read_member(archive, _columns(number)), (COLUMNS,))
    if np.abs(weights).max() > _LARGEST:
        raise ValueError("a weight is too large")
    trust, faith = _size(facts["trust"]), _size(facts["faith"])
    if trust < 0 or faith < 0:
        raise ValueError("it goes by the contrary of what it was told")
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
        raise ValueError("it reads bags of words that are not there") from None
    means = require_finite(np.array(facts["means"], np.float64))
    bias = require_finite(np.array(facts["bias"], np.float64))
    bins = len(means)
    if means.ndim != 1 or bins < 2 or bias.shape != means.shape or not channels:
        raise ValueError("its bins do not fit together")
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
        raise ValueError("a name is not a text")
    return value


def _size(value: object) -> float:
    if not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        raise ValueError("a number is none, or too large")
    return float(value)


def _width(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 10**6:
        raise ValueError("the width of a bag is not a number")
    return value
