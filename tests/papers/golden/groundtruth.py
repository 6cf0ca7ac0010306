"""What is expected of each document in `sources/`: the fields that a person reads in it.

`python -m tests.papers.golden.groundtruth` writes what the reader finds today into
`groundtruth/`. Look at the difference before you keep it: an expected value is what is
printed, not what is found.
"""

import json
from pathlib import Path
from typing import Any

from lycosa.papers.paper import Paper, PaperReader

FOLDER = Path(__file__).parent
SOURCES, TRUTH = FOLDER / "sources", FOLDER / "groundtruth"
UPDATE = "python -m tests.papers.golden.groundtruth"


def summary(paper: Paper) -> dict[str, Any]:
    """Return the fields that are compared."""
    return {
        "outcome": paper.outcome,
        "title": paper.header.title,
        "authors": [f"{name.given} {name.family}" for name in paper.header.authors],
        "year": paper.year,
        "venue": paper.venue,
        "identifiers": list(paper.identifiers),
        "abstract": paper.header.abstract,
        "references": [one.fields.title for one in paper.references],
        "years": [one.fields.year for one in paper.references],
    }


def path_of(source: Path) -> Path:
    return TRUTH / f"{source.name}.json"


def write(source: Path, found: dict[str, Any]) -> None:
    text = json.dumps(found, indent=2, ensure_ascii=False)
    path_of(source).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    with PaperReader() as reader:
        for source in sorted(SOURCES.iterdir()):
            paper = reader.file(source)
            if paper.outcome == "text":
                write(source, summary(paper))
                print(path_of(source))
            else:
                print(f"{source.name} is left as it is: {paper.outcome}")
