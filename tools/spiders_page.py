"""The reference page of spiders, generated from their registry."""

from __future__ import annotations

from lycosa.spiders.registry import SPIDERS


def spiders_page() -> str:
    """Return docs/reference/spiders.md: every spider with its arguments, training and source."""
    lines = [
        "# Spiders",
        "",
        "All spiders by name, written by `make docs` from `lycosa.spiders.SPIDERS`. A `.lyc` file "
        "that `lycosa train` wrote, and `package.module:Class`, a "
        "[spider of your own](../how-to/plug-in.md#spider), can be used in place of a name.",
        "",
        "| name | description | training | published |",
        "|---|---|---|---|",
    ]
    for name, entry in SPIDERS.items():
        call = f"`{name}({entry.arguments})`" if entry.arguments else f"`{name}`"
        link = f"[{entry.description}](../explanation/{entry.page}.md)"
        lines.append(f"| {call} | {link} | {entry.training.value} | {entry.source} |")
    return "\n".join(lines) + "\n"
