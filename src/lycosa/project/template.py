"""Templates of lycosa.toml, filled in with the values that are known.

A value that is not known is a TODO that describes it; `find_todos` finds the
lines, for messages.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from lycosa.errors import UnknownName, UsageError
from lycosa.goals.table import read_goal
from lycosa.project.crawling import make_job
from lycosa.project.kinds import toml
from lycosa.project.sections import DEFAULT_SPIDER
from lycosa.project.settings import settings_text

_log = logging.getLogger("lycosa.project")

FILE = "lycosa.toml"
"""The file that makes a folder a project."""

TEMPLATES = ("officers", "papers", "topic")
"""The names of the templates."""

NEW_PROJECT_PAGES = 2000
"""The page budget of a new project, for a first run."""

_CONTACT = "TODO: your e-mail address, or the URL of a page about your crawl"
_SEED = "TODO: a start URL, such as https://www.example.org/"
_GOAL = "TODO: a query, such as robot* AND (lab OR group)"
_TODO = re.compile(r"""["']TODO[: ]*([^"']*)""")


class Todo(NamedTuple):
    """A line with a missing value, and the description of the value."""

    line: int
    what: str


def create_project_file(
    folder: Path,
    template: str,
    *,
    seeds: Sequence[str] = (),
    goal: str | None = None,
    contact: str | None = None,
) -> list[Todo]:
    """Write a new lycosa.toml; return the values that are still missing."""
    # Check the given values, with examples in the place of the missing ones.
    make_job(seeds or ["http://example.org/"], contact or "you@example.org")
    if goal is not None:
        read_goal(goal, folder)
    given = {"budget.pages": NEW_PROJECT_PAGES, "politeness.contact": contact or _CONTACT}
    text = fill_template(template, seeds=seeds, goal=goal, given=given)
    write_new(folder, text)
    return find_todos(text, tomllib.loads(text))


def fill_template(
    template: str,
    *,
    seeds: Sequence[str] = (),
    goal: str | Mapping[str, Any] | None = None,
    words: str | Sequence[str] | None = None,
    spider: str = DEFAULT_SPIDER,
    given: Mapping[str, Any],
) -> str:
    """Return the text of a new file; `given` maps full names of keys to values."""
    if template not in TEMPLATES:
        raise UnknownName("template", template, TEMPLATES)
    file = resources.files("lycosa.project") / "templates" / f"{template}.toml"
    text = file.read_text(encoding="utf-8")
    if goal is not None and "$goal" not in text:
        raise UsageError(
            f"The template {template} has a fixed goal: edit it in the file, or use the "
            "template topic."
        )
    return Template(text).substitute(
        seeds="[\n" + "".join(f"    {toml(seed)},\n" for seed in seeds or [_SEED]) + "]",
        goal=toml(_GOAL if goal is None else goal),
        words='# words = ["robot", "robotics", "lab"]' if words is None else _words(words),
        spider=toml(spider),
        settings=settings_text(given),
    )


def _words(words: str | Sequence[str]) -> str:
    return f"words = {toml(words if isinstance(words, str) else list(words))}"


def write_new(folder: Path, text: str) -> None:
    """Write the lycosa.toml of a folder that has none."""
    file = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        if folder.is_dir():
            raise UsageError(f"{file} already exists: edit it, or choose another folder.") from None
        raise UsageError(f"{folder} is a file; give the name of a folder.") from None
    except OSError as error:
        _log.debug("%s cannot be written.", file, exc_info=True)
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from None


def find_todos(text: str, document: Mapping[str, Any]) -> list[Todo]:
    """Return the TODO lines of a file, given its text and its parsed content."""
    if not any(value.startswith("TODO") for value in _texts(document)):
        return []
    return [
        Todo(number, match[1])
        for number, line in enumerate(text.splitlines(), 1)
        if not line.lstrip().startswith("#") and (match := _TODO.search(line))
    ]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
