"""Writes docs/explanation/generated-abstracts.md: fifty abstracts of the generated web."""

from __future__ import annotations

from pathlib import Path

from lycosa.sites.generated import World
from lycosa.sites.generated.papers import GeneratedPaper

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "generated-abstracts.md"
ABSTRACTS = 50
SEED = 50

_HEAD = """# Fifty generated abstracts

Papers of the [generated web](generated-web.md), for anybody to judge its English. Each was drawn by its number, none was chosen or edited: `python -m tools.abstracts_page` writes this page, and another seed gives others. Nothing in them is true, and nobody named here exists.
"""  # noqa: E501


def papers(seed: int = SEED) -> list[GeneratedPaper]:
    """Return papers at even distances among all papers of a department."""
    world = World(seed, departments=1, pages=3_000)
    numbers = world.department(0).wanted("papers").tolist()
    step = len(numbers) // ABSTRACTS
    return [world.library.paper(0, number) for number in numbers[: step * ABSTRACTS : step]]


def page(seed: int = SEED) -> str:
    """Return the page."""
    entries = [
        f"{number}. **{paper.title}{'' if paper.title.endswith('?') else '.'}** "
        f"{', '.join(paper.authors)}. *{paper.venue}*, {paper.year}.\n\n"
        f"    {paper.abstract}\n"
        for number, paper in enumerate(papers(seed), 1)
    ]
    return "\n".join([_HEAD, *entries])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
