"""The reference page of lycosa.toml, generated from the table of keys."""

from __future__ import annotations

from collections.abc import Iterable

from lycosa.goals.profiles import PROFILES
from lycosa.project.sections import KEYS, SECTIONS, TOP, Key
from lycosa.project.settings import has_default, shown_value

_INTRODUCTION = """\
# Project: lycosa.toml

Written by `make docs` from the code itself. A project is a folder with this file; \
[How to crawl the web](../how-to/crawl-the-web.md) shows how it is used, and `lycosa new` writes \
one with every key in it. The crawl keeps its [archive and journal](formats.md) beside it.

```toml
seeds = ["https://www.cs.example.edu/"]
goal = "robot* AND (lab OR group)"

[budget]
pages = 2000

[politeness]
contact = "you@example.org"
```

Only `seeds` or `seeds-file`, `goal` and `politeness.contact` must be there. A key that does not \
exist, a value that cannot be and a TODO that was left are answered with one sentence that names \
the file and the key or line, before any request is made. Names of files are those of files in \
the folder.

Times are numbers of seconds or texts such as `"30s"`, `"15m"`, `"2h"`, `"1d"`; sizes are numbers \
of bytes or texts such as `"64 KB"`, `"16 MB"`, `"1 GB"`, where a KB is 1,024 bytes.
"""
_SCOPE = """
An address is in scope if every rule lets it in. If there are `prefixes` and no `domains`, the \
prefixes alone count.
"""
_SECRETS = """
`proxy` and `headers` are never shown, neither in messages nor in the archive.
"""


def project_page() -> str:
    """Return the page as Markdown."""
    parts = [_INTRODUCTION, "## Above all sections\n", _table("key", TOP.items())]
    parts.append("\nThe lists of words that a name stands for:\n")
    parts.append(_table("words", ((name, " ".join(p.words)) for name, p in PROFILES.items())))
    for section, about in SECTIONS.items():
        parts.append(f"\n## [{section}]\n\n{about}\n")
        parts.append("| key | default | what | must be |\n|---|---|---|---|")
        parts += [_row(key) for key in KEYS.values() if key.section == section]
        parts.append({"scope": _SCOPE, "requests": _SECRETS}.get(section, ""))
    return "\n".join(parts).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| {title} | |", "|---|---|"]
    return "\n".join(lines + [f"| `{name}` | {about} |" for name, about in rows])


def _row(key: Key) -> str:
    value = f"`{key.kind.write(shown_value(key))}`"
    default = value if has_default(key) else f"not set; e.g. {value}"
    if key.home == "client.contact":
        default = f"**needed**; e.g. {value}"
    return f"| `{key.name}` | {default} | {key.about} | {key.kind.expected} |"
