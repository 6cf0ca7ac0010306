"""Goals as they are written in a TOML file: a query, the name of a Python object, or a table.

    goal = "robot* AND lab"

    goal = "mine.goals:is_lab"

    [goal]
    paper = true
    language = "en"
    any = [{ depth = { most = 3 } }, { in-links = { least = 5 } }]

A page must meet every condition of a table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, SupportsFloat, TypeAlias, TypeVar

from lycosa.core import Goal, Page
from lycosa.errors import UnknownName, UsageError
from lycosa.goals.combined import Both, Categories, Either, Other, weighted
from lycosa.goals.examples import Examples
from lycosa.goals.language import Language
from lycosa.goals.listed import Listed
from lycosa.goals.parametric import CountGoal, LinkCount, OfType, WordCount
from lycosa.goals.position import Depth, InLinks, PageRank
from lycosa.goals.query import Query
from lycosa.goals.registry import find_goal, goal_of
from lycosa.goals.research_paper import ResearchPaper
from lycosa.web.urls import canonical

_log = logging.getLogger("lycosa.goals")

_COUNTS: Mapping[str, type[CountGoal]] = {
    "words": WordCount,
    "links": LinkCount,
    "depth": Depth,
    "in-links": InLinks,
}
_TYPE_NAMES: Mapping[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}
_T = TypeVar("_T")


GoalSpec: TypeAlias = "str | Mapping[str, Any] | Callable[[Page], SupportsFloat]"
"""What `read_goal` takes: a query, `package.module:name`, the name of an entry point of
`lycosa.goals`, a table, or a function of a page."""


def read_goal(spec: GoalSpec, folder: Path = Path()) -> Goal:
    """Return the goal of a specification; relative file names start from `folder`.

    Every error is a `UsageError` that names its key.

    >>> read_goal("robot*").name
    'robot*'
    >>> read_goal({"paper": True, "depth": {"most": 3}, "not": {"language": "de"}}).name
    '(research-paper & depth:0-3) & ~language:de'
    >>> def is_home(page):
    ...     return "~" in page.url
    >>> read_goal(is_home).name
    'is_home'
    >>> read_goal({"words": {"least": "many"}})
    Traceback (most recent call last):
    lycosa.errors.UsageError: goal.words.least must be a whole number, not 'many'.
    """
    if callable(spec):
        return goal_of(spec)
    return _goal(spec, "goal", folder)


def _goal(spec: object, path: str, folder: Path) -> Goal:
    if isinstance(spec, str):
        return _build(path, lambda: find_goal(spec.strip()) or Query(spec))
    if not isinstance(spec, Mapping):
        raise UsageError(f"{path} must be a query or a table, not {spec!r}.")
    table = dict(spec)
    weight = table.pop("weight", None)
    _check_keys(table, path, [*_KINDS, "weight"])
    parts = [_KINDS[key](table[key], f"{path}.{key}", folder) for key in table]
    if not parts:
        raise UsageError(f"{path} is empty; write one of {', '.join(_KINDS)}.")
    goal: Goal = reduce(Both, parts)
    if weight is None:
        return goal
    factor = _checked(weight, float, f"{path}.weight")
    return _build(f"{path}.weight", lambda: weighted(goal, factor))


def _query(value: object, path: str, folder: Path) -> Goal:
    return _build(path, lambda: Query(_checked(value, str, path)))


def _paper(value: object, path: str, folder: Path) -> Goal:
    if not _checked(value, bool, path):
        raise UsageError(f"{path} must be true; for all but papers write not = {{paper = true}}.")
    return ResearchPaper()


def _type(value: object, path: str, folder: Path) -> Goal:
    return _build(path, lambda: OfType(_checked(value, str, path)))


def _language(value: object, path: str, folder: Path) -> Goal:
    return _build(path, lambda: Language(_checked(value, str, path)))


def _count(value: object, path: str, folder: Path) -> Goal:
    table = _table(value, path, ["least", "most"])
    ends = {key: _checked(end, int, f"{path}.{key}") for key, end in table.items()}
    return _build(path, lambda: _COUNTS[path.rpartition(".")[2]](**ends))


def _pagerank(value: object, path: str, folder: Path) -> Goal:
    table = _table(value, path, ["least"])
    least = _checked(table["least"], float, f"{path}.least")
    return _build(path, lambda: PageRank(least))


def _urls(value: object, path: str, folder: Path) -> Goal:
    file = folder / _checked(value, str, path)
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        _log.debug("The list of URLs %s cannot be read.", file, exc_info=True)
        raise UsageError(f"{path}: {str(file)!r} cannot be read: {error}.") from error
    urls = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            url = canonical(line.strip())
            if url is None:
                raise UsageError(f"{path}: line {number} of {str(file)!r} is no web address.")
            urls.append(url)
    if not urls:
        raise UsageError(f"{path}: there are no URLs in {str(file)!r}; write one on each line.")
    return Listed(file.stem, urls)


def _examples(value: object, path: str, folder: Path) -> Goal:
    table = _table(value, path, ["positive", "negative", "least", "share"])
    if "positive" not in table:
        raise UsageError(f"{path}.positive is missing; name files or folders with wanted pages.")
    paths = {
        key: [folder / name for name in _strings(table.get(key, []), f"{path}.{key}")]
        for key in ("positive", "negative")
    }
    numbers = {
        key: _checked(table[key], float, f"{path}.{key}")
        for key in ("least", "share")
        if key in table
    }
    return _build(path, lambda: Examples.read(paths["positive"], paths["negative"], **numbers))


def _not(value: object, path: str, folder: Path) -> Goal:
    return Other(_goal(value, path, folder))


def _any(value: object, path: str, folder: Path) -> Goal:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise UsageError(f"{path} must be a list of one or more queries and tables, not {value!r}.")
    goals = [_goal(each, f"{path}[{n}]", folder) for n, each in enumerate(value)]
    return reduce(Either, goals)


def _categories(value: object, path: str, folder: Path) -> Goal:
    if not isinstance(value, Mapping):
        raise _type_error(value, "a table", path)
    goals = {name: _goal(each, f"{path}.{name}", folder) for name, each in value.items()}
    return _build(path, lambda: Categories(goals))


_KINDS: Mapping[str, Callable[[object, str, Path], Goal]] = {
    "query": _query,
    "paper": _paper,
    "type": _type,
    "language": _language,
    **dict.fromkeys(_COUNTS, _count),
    "pagerank": _pagerank,
    "urls": _urls,
    "examples": _examples,
    "not": _not,
    "any": _any,
    "categories": _categories,
}


def _build(path: str, make: Callable[[], _T]) -> _T:
    """Call a constructor and put the key in front of its error."""
    try:
        return make()
    except UsageError as error:
        if str(error).startswith(path):
            raise
        raise UsageError(f"{path}: {error}") from error


def _checked(value: object, kind: type[_T], path: str) -> _T:
    fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
    if fits and (kind is bool or not isinstance(value, bool)):
        return value  # type: ignore[return-value] # a whole number is a number
    raise _type_error(value, _TYPE_NAMES[kind], path)


def _type_error(value: object, kind: str, path: str) -> UsageError:
    return UsageError(f"{path} must be {kind}, not {value!r}.")


def _strings(value: object, path: str) -> list[str]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _type_error(value, "a list of file names", path)
    if path.endswith("positive") and not names:
        raise UsageError(f"{path} is empty; name files or folders with wanted pages.")
    return names


def _table(value: object, path: str, known: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _type_error(value, "a table", path)
    _check_keys(value, path, known)
    if not value:
        raise UsageError(f"{path} is empty; write one of {', '.join(known)}.")
    return value


def _check_keys(table: Mapping[str, Any], path: str, known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            raise UnknownName(f"key in {path}", str(key), known)
