"""Model file of a topic model: a zip of JSON, arrays and words, without pickle.

    about.json            format, version, settings and small arrays
    topics.txt            the tree, as a topics file
    words.txt             the vocabulary, one word on each line
    sums.npy              expected count of each word in each class
    mixture.npy           the weights of shrinkage, class after class
    affinity.npy          topics of neighbours by topic
    evidence.npy          evidence of words for documents in the tree at all
    names.txt titles.txt  the training documents
    shares.npy columns.npy offsets.npy   their topic probabilities, a sparse matrix

`learn.model_zip` defines the container.
"""

from __future__ import annotations

import json
import logging
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lycosa.content import Table
from lycosa.errors import LycosaError
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
from lycosa.topics.calibration import Calibration
from lycosa.topics.classes import TopicClasses
from lycosa.topics.expectation_maximisation import EMRound
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.membership import Membership
from lycosa.topics.model import ModelSettings, TopicModel
from lycosa.topics.neighbours import Affinity
from lycosa.topics.placement import Placement

_log = logging.getLogger("lycosa.topics")

_FORMAT = ModelFormat("lycosa topics", 1, "a topic model", "lycosa topics fit", "fit")
MAX_BYTES = 2 * 10**9
"""Limit on the unpacked size of a file."""

MIN_STORED_SHARE = 1e-4
"""Smaller topic probabilities of training documents are not stored."""


def save_model(path: Path, model: TopicModel) -> None:
    """Write a model file."""
    affinity, documents, member = model.affinity, model.documents, model.membership
    about = {
        "format": _FORMAT.name,
        "version": _FORMAT.version,
        "lycosa": version("lycosa"),
        "settings": model.settings._asdict(),
        "prior": model.prior.tolist(),
        "calibration": [
            model.calibration.temperature,
            model.calibration.slope,
            model.calibration.levels.tolist(),
        ],
        "neighbours": None if affinity is None else affinity.weights.tolist(),
        "shrinkage": model.weights is not None,
        "membership": None if member is None else list(member[1:]),
        "documents": len(documents),
        "history": [list(each) for each in model.history],
    }
    kept = sparse.csr_matrix(np.where(documents.every >= MIN_STORED_SHARE, documents.every, 0))
    members = {
        ABOUT: json.dumps(about, indent=1, ensure_ascii=True).encode(),
        "topics.txt": model.hierarchy.text().encode(),
        "words.txt": pack_words(model.words),
        "sums.npy": pack_array(model.sums, "<f4"),
        "names.txt": pack_words(documents.names),
        "titles.txt": pack_words(documents.titles),
        "shares.npy": pack_array(kept.data, "<f4"),
        "columns.npy": pack_array(kept.indices, "<i4"),
        "offsets.npy": pack_array(kept.indptr, "<i8"),
    }
    if model.weights is not None:
        members["mixture.npy"] = pack_array(np.concatenate(model.weights))
    if affinity is not None:
        members["affinity.npy"] = pack_array(affinity.logs, "<f4")
    if member is not None:
        members["evidence.npy"] = pack_array(member.evidence, "<f4")
    write_model(path, zip_members(members))


def load_model(path: Path) -> TopicModel:
    """Read a model file; raise `UsageError` for a missing, damaged or foreign file."""
    with _FORMAT.open(path, MAX_BYTES) as (archive, about):
        return _model(path, archive, about)


def _model(path: Path, archive: zipfile.ZipFile, about: dict[str, Any]) -> TopicModel:
    try:
        hierarchy = Hierarchy.parse(read_member(archive, "topics.txt").decode(), str(path))
    except LycosaError:
        _log.debug("the tree in %s cannot be parsed", path, exc_info=True)
        raise ValueError("its tree cannot be read") from None
    classes = TopicClasses(hierarchy)
    count = len(classes)
    words = Table(unpack_words(read_member(archive, "words.txt")))
    sums = unpack_array(read_member(archive, "sums.npy"), (count, len(words)), "<f4")
    heat, slope, levels = about["calibration"]
    settings = ModelSettings(**{k: float(v) for k, v in about["settings"].items()})
    if settings.discount <= 0 or heat <= 0 or (sums < 0).any():
        raise ValueError("a number is negative")
    prior = _vector(about["prior"], count)
    if (prior <= 0).any():
        raise ValueError("the probability of a topic is 0")
    return TopicModel(
        hierarchy=hierarchy,
        settings=settings,
        words=words,
        sums=sums,
        prior=prior,
        weights=_mixture(archive, classes) if about["shrinkage"] is True else None,
        affinity=_affinity(archive, about["neighbours"], count),
        membership=_membership(archive, about.get("membership"), len(words)),
        calibration=Calibration(float(heat), float(slope), _vector(levels, len(hierarchy.leaves))),
        documents=_documents(archive, hierarchy, count, int(about["documents"])),
        history=tuple(EMRound(float(a), float(b)) for a, b in about["history"]),
    )


def _vector(values: Any, size: int) -> NDArray[np.float64]:
    found = require_finite(np.array(values, np.float64))
    if found.shape != (size,):
        raise ValueError("numbers are missing")
    return found


def _mixture(archive: zipfile.ZipFile, classes: TopicClasses) -> tuple[NDArray[np.float64], ...]:
    sizes = [len(chain) + 1 for chain in classes.shrinkage.chains]
    every = unpack_array(read_member(archive, "mixture.npy"), (sum(sizes),))
    parts = np.split(every, np.cumsum(sizes)[:-1])
    if any((part < 0).any() or part[-1] <= 0 for part in parts):
        raise ValueError("a weight is negative")
    return tuple(parts)


def _affinity(archive: zipfile.ZipFile, weights: Any, classes: int) -> Affinity | None:
    if weights is None:
        return None
    logs = unpack_array(read_member(archive, "affinity.npy"), (classes, classes), "<f4")
    return Affinity(logs, _vector(weights, 3))


def _membership(archive: zipfile.ZipFile, numbers: Any, words: int) -> Membership | None:
    # Models fitted before there was a membership have none: all documents are placed.
    if numbers is None:
        return None
    evidence = unpack_array(read_member(archive, "evidence.npy"), (words,), "<f4")
    found = Membership(evidence, *_vector(numbers, len(Membership._fields) - 1).tolist())
    if found.scale <= 0 or found.density <= 0:
        raise ValueError("a scale is not positive")
    return found


def _documents(
    archive: zipfile.ZipFile, hierarchy: Hierarchy, classes: int, count: int
) -> Placement:
    names = unpack_words(read_member(archive, "names.txt"))
    titles = unpack_words(read_member(archive, "titles.txt"))
    offsets = unpack_array(read_member(archive, "offsets.npy"), (count + 1,), "<i8")
    if len(names) != count or len(titles) != count:
        raise ValueError("documents are missing")
    if offsets[0] or (np.diff(offsets) < 0).any() or offsets[-1] > count * classes:
        raise ValueError("shares are not in order")
    size = (int(offsets[-1]),)
    columns = unpack_array(read_member(archive, "columns.npy"), size, "<i4")
    data = unpack_array(read_member(archive, "shares.npy"), size, "<f4")
    if size[0] and not 0 <= columns.min() <= columns.max() < classes:
        raise ValueError("a share belongs to no topic")
    every = sparse.csr_matrix((data, columns, offsets), (count, classes)).toarray()
    leaves = len(hierarchy.leaves)
    return Placement(hierarchy, names, titles, every[:, :leaves], every[:, leaves:])
