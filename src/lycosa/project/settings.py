r"""The sections of lycosa.toml: parsing them, and writing them with comments.

>>> given = read_sections({"politeness": {"delay": "2m"}})
>>> given
{'pace': {'delay': 120.0}}
>>> print(settings_text({"safety.private": True}).partition("[safety]")[2].partition("\n\n")[0])
<BLANKLINE>
# loopback = false                       # this machine: 127.0.0.1, ::1
private = true                           # private networks: 10.0.0.0/8, 192.168.0.0/16, …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lycosa.errors import UnknownName, UsageError
from lycosa.project.kinds import toml
from lycosa.project.sections import KEYS, SECTIONS, TOP, Key

_COMMENT_COLUMN = 40
_MAX_VALUE_CHARACTERS = 60


def read_sections(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the values of a document by the object and field that each sets."""
    found: dict[str, dict[str, Any]] = {}
    for section in SECTIONS:
        table = document.get(section, {})
        if not isinstance(table, Mapping):
            raise UsageError(f"{section} is a section: write [{section}], and its keys below.")
        known = [key.name for key in KEYS.values() if key.section == section]
        for name, value in table.items():
            if name not in known:
                raise unknown_key_error(name, known, section)
            key = KEYS[f"{section}.{name}"]
            home, _, field = key.home.partition(".")
            found.setdefault(home, {})[field] = _read(key, value)
    return found


def _read(key: Key, value: object) -> Any:
    try:
        return key.kind.read(value)
    except ValueError:
        given = "" if key.secret else f", not {_shown(value)}"
        raise UsageError(f"{key.path} must be {key.kind.expected}{given}.") from None


def _shown(value: object) -> str:
    try:
        text = toml(value)
    except UsageError:
        text = str(value)  # a date
    return text if len(text) <= _MAX_VALUE_CHARACTERS else f"{text[:_MAX_VALUE_CHARACTERS]}…"


def unknown_key_error(name: str, known: Iterable[str], section: str = "") -> UsageError:
    """Return the error about a key that does not exist or is in the wrong section."""
    places = [key.section for key in KEYS.values() if key.name == name]
    where = f" in [{section}]" if section else " above the sections"
    if places:
        return UsageError(f"There is no key {name!r}{where}; it belongs in [{places[0]}].")
    if section and name in TOP:
        return UsageError(f"There is no key {name!r}{where}; it belongs above all sections.")
    text = str(UnknownName("key", name, known))
    return UsageError(text.replace(repr(name), repr(name) + where, 1))


def settings_text(given: Mapping[str, Any]) -> str:
    """Return all sections as text: given values, and defaults in comments."""
    lines: list[str] = []
    for section, about in SECTIONS.items():
        lines += ["", f"# {about}", f"[{section}]"]
        lines += [_line(key, given) for key in KEYS.values() if key.section == section]
    return "\n".join(lines[1:])


def _line(key: Key, given: Mapping[str, Any]) -> str:
    about = key.about
    if key.path in given:
        line = f"{key.name} = {key.kind.write(given[key.path])}"
    else:
        line = f"# {key.name} = {key.kind.write(shown_value(key))}"
        about += "" if has_default(key) else " (not set)"
    return (
        f"{line:<{_COMMENT_COLUMN}} # {about}"
        if len(line) <= _COMMENT_COLUMN
        else f"# {about}:\n{line}"
    )


def has_default(key: Key) -> bool:
    """Return whether a key has a default."""
    return key.default not in (None, ())


def shown_value(key: Key) -> Any:
    """Return the default of a key, or an example if it has none."""
    return key.default if has_default(key) else key.example
