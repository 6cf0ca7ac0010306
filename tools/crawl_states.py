"""The state diagram of a URL in a crawl, drawn from `lycosa.crawler.crawl.TRANSITIONS`.

`python -m tools.crawl_states` writes it into docs/explanation/live-crawl.md.
"""

from __future__ import annotations

from pathlib import Path

from lycosa.crawler.crawl import TRANSITIONS, UrlState

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "live-crawl.md"
START, END = "<!-- states -->\n", "<!-- end of states -->"


def diagram() -> str:
    """Return the diagram as a Mermaid block, one arrow for each pair of states."""
    calls: dict[tuple[UrlState, UrlState], list[str]] = {}
    for (before, call), after in TRANSITIONS.items():
        calls.setdefault((before, after), []).append(call)
    arrows = [
        f"    {_name(before)} --> {_name(after)}: {', '.join(names)}"
        for (before, after), names in calls.items()
    ]
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {_name(UrlState.NEW)}", *arrows, "```"]
    return "\n".join(lines) + "\n"


def updated(page: str) -> str:
    """Return the text of the page with the present diagram in it."""
    head, _, rest = page.partition(START)
    _, _, tail = rest.partition(END)
    return f"{head}{START}{diagram()}{END}{tail}"


def _name(state: UrlState) -> str:
    return state.name.lower()


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text()))
