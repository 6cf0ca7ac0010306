"""Train the models that come with the package: `python -m lycosa.papers.training CORPORA`.

CORPORA is the folder of the corpora; the kinds of model may follow it, by default all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf import MODELS
from lycosa.papers.training.shipped import TRAINERS, train_shipped_model


def main(arguments: list[str]) -> None:
    """Train models and write them to the folder of the package."""
    if not arguments:
        sys.exit("usage: python -m lycosa.papers.training CORPORA [KIND ...]")
    corpora, *kinds = arguments
    for kind in kinds or TRAINERS:
        try:
            model = train_shipped_model(kind, Path(corpora))
        except UsageError as error:
            sys.exit(str(error))
        (MODELS / f"{kind}.crf").write_bytes(model)
        print(f"{kind}.crf: {len(model):,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
