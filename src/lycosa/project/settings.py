r"""The sections of lycosa.toml, from a file and into one.

>>> given = read_sections({"politeness": {"delay": "2m"}})
>>> given
{'pace': {'delay': 120.0}}
>>> print(settings_text({"safety.private": True}).partition("[safety]")[2].partition("\n\n")[0])
<BLANKLINE>
# loopback = false                       # this machine: 127.0.0.1, ::1
private = true                           # networks of organisations: 10.0.0.0/8, 192.168.0.0/16, …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lycosa.errors import UnknownName, UsageError
from lycosa.project.kinds import toml
from lycosa.project.sections import KEYS, SECTIONS, TOP, Key

_COLUMN = 40
_LONGEST = 60


def read_sections(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What a document says, by the objects it goes to and their fields."""
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
        said = "" if key.secret else f", not {_shown(value)}"
        raise UsageError(f"{key.path} must be {key.kind.expected}{said}.") from None


def _shown(value: object) -> str:
    try:
        text = toml(value)
    except UsageError:
        text = str(value)  # a date
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def unknown_key_error(name: str, known: Iterable[str], section: str = "") -> UsageError:
    """The complaint about a key that is not there, or stands in the wrong place."""
    places = [key.section for key in KEYS.values() if key.name == name]
    where = f" in [{section}]" if section else " above the sections"
    if places:
        return UsageError(f"There is no key {name!r}{where}; it belongs into [{places[0]}].")
    if section and name in TOP:
        return UsageError(f"There is no key {name!r}{where}; it belongs above all sections.")
    text = str(UnknownName("key", name, known))
    return UsageError(text.replace(repr(name), repr(name) + where, 1))


def settings_text(given: Mapping[str, Any]) -> str:
    """All sections as text: what is given as it is, all else as comments with the default."""
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
    return f"{line:<{_COLUMN}} # {about}" if len(line) <= _COLUMN else f"# {about}:\n{line}"


def has_default(key: Key) -> bool:
    """Whether there is a value if none is given."""
    return key.default not in (None, ())


def shown_value(key: Key) -> Any:
    """The default of a key, or an example if there is none."""
    return key.default if has_default(key) else key.example
