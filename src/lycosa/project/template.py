"""New lycosa.toml files, filled in as far as is known.

A part that is not known is a TODO that says what to write there; `todos` finds
them again, so that people are told the line.
"""

from __future__ import annotations

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

FILE = "lycosa.toml"
"""What makes a folder a project."""

TEMPLATES = ("officers", "papers", "topic")
"""What files can be begun with."""

NEW_PROJECT_PAGES = 2000
"""The budget of a new project: enough for a first look."""

_CONTACT = "TODO: your e-mail address, or that of a page about your crawl"
_SEED = "TODO: an address to begin at, such as https://www.example.org/"
_GOAL = "TODO: a query, such as robot* AND (lab OR group)"
_TODO = re.compile(r"""["']TODO[: ]*([^"']*)""")


class Todo(NamedTuple):
    """A line on which something is missing, and what."""

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
    """Write a new lycosa.toml; what people still have to fill in is returned."""
    # What is known is checked now, as if the rest were known too.
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
    """The text of a new file; `given` are values of the sections by full names."""
    if template not in TEMPLATES:
        raise UnknownName("template", template, TEMPLATES)
    file = resources.files("lycosa.project") / "templates" / f"{template}.toml"
    text = file.read_text(encoding="utf-8")
    if goal is not None and "$goal" not in text:
        raise UsageError(
            f"The template {template} has its own goal: edit it in the file, or begin with "
            "the template topic."
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
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from None


def find_todos(text: str, document: Mapping[str, Any]) -> list[Todo]:
    """What is still to be filled in, in a file of this text and content."""
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
