"""The changelog, collected from fragments: `python -m tools.changelog VERSION`.

A change that users notice comes with a file `changes/NAME.KIND.md`: a sentence or two in
their language. So two changes never edit the same line. A release collects the files
into a section of CHANGELOG.md, and removes them.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
KINDS = {
    "security": "Security",
    "removed": "Removed",
    "changed": "Changed",
    "added": "New",
    "fixed": "Fixed",
    "faster": "Faster",
}
"""The kinds of changes with their headings, what matters most to users first."""
MAX_CHARACTERS = 600
"""Of a fragment: the documentation has the rest."""
HEAD = "# Changelog\n"


class BadFragment(Exception):
    """A fragment that cannot be collected."""


def fragments(folder: Path) -> dict[str, list[str]]:
    """Return the texts of the fragments in a folder by their kinds."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*")):
        if path.name == "README.md":
            continue
        name, _, kind = path.name.removesuffix(".md").rpartition(".")
        text = " ".join(path.read_text(encoding="utf-8").split())
        if path.suffix != ".md" or not name or kind not in KINDS:
            raise BadFragment(f"{path.name} must be NAME.KIND.md, of a kind {', '.join(KINDS)}.")
        if not text.endswith(".") or len(text) > MAX_CHARACTERS:
            raise BadFragment(
                f"{path.name} must be sentences of at most {MAX_CHARACTERS} characters."
            )
        found[kind].append(text)
    return found


def section(version: str, found: dict[str, list[str]], date: str) -> str:
    """Return the section of a version.

    >>> print(section("1.2.0", {"added": ["A."], "fixed": []}, "2026-01-31"))
    ## 1.2.0 (2026-01-31)
    <BLANKLINE>
    ### New
    <BLANKLINE>
    - A.
    <BLANKLINE>
    """
    parts = [f"## {version} ({date})\n"]
    for kind, texts in found.items():
        if texts:
            lines = "\n".join(f"- {text}" for text in texts)
            parts.append(f"### {KINDS[kind]}\n\n{lines}\n")
    return "\n".join(parts)


def collect(root: Path, version: str, date: str) -> str:
    """Move the fragments of a working copy into its changelog; return the new section."""
    folder, log = root / "changes", root / "CHANGELOG.md"
    found = fragments(folder)
    if not any(found.values()):
        raise BadFragment(f"There is no fragment in {folder}.")
    made, old = section(version, found, date), log.read_text(encoding="utf-8")
    if not old.startswith(HEAD):
        raise BadFragment(f"{log} does not begin with {HEAD.strip()!r}.")
    log.write_text(f"{HEAD}\n{made}{old.removeprefix(HEAD)}", encoding="utf-8")
    for path in folder.glob("*.md"):
        if path.name != "README.md":
            path.unlink()
    return made


if __name__ == "__main__":
    try:
        print(collect(ROOT, sys.argv[1], datetime.now(UTC).date().isoformat()))
    except (BadFragment, IndexError) as problem:
        sys.exit(f"{problem} Usage: python -m tools.changelog VERSION")
