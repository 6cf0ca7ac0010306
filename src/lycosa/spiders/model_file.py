"""The model file: a trained spider in a zip of JSON, arrays and words, without pickle.

    about.json                        what it is, and all that is small
    model-0/channel-0.words.txt       the vocabulary, a word a line
    model-0/channel-0.weights.npy     a row for each word, a column for each bin

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
from lycosa.learn.linear_model import LinearModel
from lycosa.learn.model_zip import (
    FAULTS,
    damaged,
    finite,
    member,
    packed_array,
    packed_words,
    unpacked_array,
    unpacked_size,
    unpacked_words,
    whole,
    write,
    zipped,
)
from lycosa.learn.neighbourhoods import Channel, Neighbourhood
from lycosa.learn.vocabularies import Vocabulary
from lycosa.spiders.names import SUFFIX
from lycosa.spiders.registry import spider
from lycosa.spiders.spider import Setup, Spider

FORMAT, VERSION = "lycosa spider", 1
MOST_BYTES = 10**9
"""A file that would unpack to more is refused."""

_ABOUT = "about.json"


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What a model file holds: `spider.make(setup, models)` gives the policy."""

    spider: Spider
    goal: str
    models: tuple[LinearModel, ...]
    sites: tuple[str, ...]
    seed: int

    @property
    def name(self) -> str:
        """The name it was trained by, such as `rl(svm, placed, future)`."""
        return self.spider.name

    def finished(self, title: str) -> Spider:
        """The same as a spider that learns nothing more."""

        def make(setup: Setup, _: Sequence[LinearModel]) -> Policy:
            return self.spider.make(setup, self.models)

        return Spider(title, make, trained_on=self.sites)


def check_portable(spider: Spider) -> None:
    """Refuse a spider that is not made of its models alone."""
    if not spider.portable or not spider.recipes:
        raise UsageError(
            f"{spider.name} cannot be kept in a file: only spiders that are made of what they "
            "learned beforehand can, such as 'rl(svm, placed, future)'."
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
    models: Sequence[LinearModel],
    *,
    sites: Sequence[str],
    seed: int = 0,
) -> None:
    """Write a trained spider; `sites` are the names of those it learned from."""
    check_portable(spider)
    if len(models) != len(spider.recipes):
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
        for names, vocabulary, weights in zip(
            _names(k, len(model.weights)), model.vocabularies, model.weights, strict=True
        ):
            members[names[0]] = packed_words(vocabulary.words)
            members[names[1]] = packed_array(weights)
    write(path, zipped(members))


def load(path: Path) -> Trained:
    """Read a trained spider; whatever is wrong with the file is a `UsageError`."""
    data = _checked(path, _read(path))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _trained(path, archive)
    except FAULTS as fault:
        raise UsageError(
            f"{path} is no spider that can be used ({fault}); train it again."
        ) from fault


def _described(model: LinearModel) -> dict[str, Any]:
    channels = [
        {"name": channel.name, "bags": list(channel.bags), "near": channel.near}
        for channel in model.neighbourhood.channels
    ]
    return {
        "neighbourhood": {"name": model.neighbourhood.name, "channels": channels},
        "means": model.means.tolist(),
        "bias": model.bias.tolist(),
        "root": model.root,
        "slope": model.slope,
    }


def _names(model: int, channels: int) -> Iterator[tuple[str, str]]:
    for k in range(channels):
        stem = f"model-{model}/channel-{k}"
        yield f"{stem}.words.txt", f"{stem}.weights.npy"


def _vocabulary(data: bytes) -> Vocabulary:
    words = unpacked_words(data)
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
    if whole(data):
        return data
    if damaged(data, _ABOUT):
        raise UsageError(f"{path} is damaged or cut short; copy it or train it again.")
    raise UsageError(f"{path} is not a spider; give a file that `lycosa train` made.")


def _trained(path: Path, archive: zipfile.ZipFile) -> Trained:
    if unpacked_size(archive) > MOST_BYTES:
        raise ValueError("it would unpack to more than a gigabyte")
    about = json.loads(member(archive, _ABOUT))
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
        made = spider(name)
    except LycosaError as error:
        raise UsageError(
            f"{path} holds a spider that this Lycosa does not know ({name}); train it again."
        ) from error
    if not made.portable or len(made.recipes) != len(models):
        raise ValueError(f"its models are not those of {name}")
    return Trained(made, goal, models, tuple(map(_text, about["sites"])), seed)


def _model(archive: zipfile.ZipFile, number: int, facts: dict[str, Any]) -> LinearModel:
    text = facts["neighbourhood"]
    try:
        channels = tuple(
            Channel(_text(c["name"]), tuple(map(_text, c["bags"])), _width(c["near"]))
            for c in text["channels"]
        )
    except UsageError:
        raise ValueError("it reads bags of words that are not there") from None
    means = finite(np.array(facts["means"], np.float64))
    bias = finite(np.array(facts["bias"], np.float64))
    bins = len(means)
    if means.ndim != 1 or bins < 2 or bias.shape != means.shape or not channels:
        raise ValueError("its bins do not fit together")
    vocabularies, weights = [], []
    for words, array in _names(number, len(channels)):
        vocabularies.append(_vocabulary(member(archive, words)))
        shape = len(vocabularies[-1]), bins
        weights.append(unpacked_array(member(archive, array), shape))
    return LinearModel(
        Neighbourhood(_text(text["name"]), channels),
        tuple(vocabularies),
        tuple(weights),
        bias,
        means,
        root=facts["root"] is True,
        slope=float(finite(np.array([facts["slope"]], np.float64))[0]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a name is not a text")
    return value


def _width(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 10**6:
        raise ValueError("the width of a bag is not a number")
    return value
