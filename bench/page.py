"""The page docs/benchmarks.md: each benchmark writes its part."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
SHARED = Path(__file__).parents[2] / "shared"
HEAD = """# Benchmarks

Every figure on this page was printed by `make bench` or one of its parts, and written here by it.
Times depend on the machine; compare them within one part.
"""


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Format rows as a Markdown table, numbers to the right."""
    right = [all(_is_number(row[i]) for row in rows) for i in range(len(head))]
    lines = [head, ["---:" if r else "---" for r in right], *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _is_number(cell: object) -> bool:
    return bool(re.match(r"^[-+]?[\d,.]+", str(cell)))


def machine() -> str:
    """Return a description of the machine and versions."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file() and (found := re.search(r"model name\s*: (.*)", info.read_text())):
        model = found[1]
    python = platform.python_version()
    return f"{os.cpu_count()} cores of {model}, {platform.system()}, Python {python}"


def write(name: str, title: str, body: str, target: str | None = None) -> None:
    """Replace one part of the page, and print it.

    `target` is what to make to get it, `bench-NAME` by default.
    """
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    by = f"`make {target or f'bench-{name}'}`, {when}, {machine()}."
    text = f"## {title}\n\n{by}\n\n{body.strip()}\n"
    print(text, flush=True)
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    part = f"{begin}\n{text}{end}"
    page = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else HEAD
    found = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    page = found.sub(lambda _: part, page) if found.search(page) else f"{page.rstrip()}\n\n{part}\n"
    PAGE.write_text(page, encoding="utf-8")
