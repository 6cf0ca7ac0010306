"""The topic model of a portal: kept from build to build until there are many more works.

The file `topics/N.model` beside portal.db is the model that build N fitted, and the table meta
says which N is in use. Works that came since are classified by it; works from which it was
learned keep the topics that it gave them.
"""

from __future__ import annotations

import json
import logging
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from lycosa.errors import LycosaError
from lycosa.portal.build.database import Database
from lycosa.portal.build.error_advice import translate_errors
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.model import TopicModel
from lycosa.topics.model_file import load_model, save_model
from lycosa.web.digests import digest

FOLDER = "topics"
KEY = "topics_model"
"""The key in the table meta of the model in use."""
MIN_WORKS_KEPT = 5000
"""Works of a portal whose model is kept; that of a smaller one is fitted with every build."""
MAX_GROWTH = 1.1
"""A model is fitted again when there are so many times more works than it was fitted to."""

_log = logging.getLogger("lycosa.portal")


class KeptModel(NamedTuple):
    """A model, and the number of works that it was fitted to."""

    model: TopicModel
    works: int

    @classmethod
    def open(cls, database: Database, tree: Hierarchy, works: int) -> KeptModel | None:
        """Return the model in use if it is good for so many works and for this tree."""
        try:
            about = json.loads(database.meta(KEY) or "{}")
            fitted = about.get("works", 0)
            if about.get("basis") != _basis(tree) or works < MIN_WORKS_KEPT:
                return None
            if not fitted / MAX_GROWTH <= works <= fitted * MAX_GROWTH:
                return None
            return cls(load_model(_path(database.folder, about["name"])), fitted)
        except (ValueError, KeyError, TypeError, AttributeError, LycosaError):
            _log.debug("the topic model of %s cannot be used", database.folder, exc_info=True)
            return None


def keep_model(database: Database, model: TopicModel, name: str, works: int) -> None:
    """Keep a model that was fitted to so many works, under the number of the build.

    To be called in the transaction of that build; `remove_other_models` after it.
    """
    if works < MIN_WORKS_KEPT:
        return
    path = _path(database.folder, name)
    with translate_errors(database.folder):
        path.parent.mkdir(exist_ok=True)
        save_model(path, model)
    about = {"name": name, "works": works, "basis": _basis(model.hierarchy)}
    database.put("meta", [(KEY, json.dumps(about))])


def forget_model(database: Database) -> None:
    """Let no model be in use, in the transaction of a build."""
    database.delete("meta", "key", [KEY])


def remove_other_models(database: Database) -> None:
    """Remove the files of models that are not in use."""
    used = json.loads(database.meta(KEY) or "{}").get("name", "")
    for path in sorted((database.folder / FOLDER).glob("*.model")):
        if path.stem != used:
            path.unlink()


def _path(folder: Path, name: str) -> Path:
    return folder / FOLDER / f"{int(name)}.model"


def _basis(tree: Hierarchy) -> str:
    return digest(version("lycosa"), tree.text())
