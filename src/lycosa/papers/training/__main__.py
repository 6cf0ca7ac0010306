"""Train the models that come with the package: `python -m lycosa.papers.training CORPORA`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from lycosa.errors import UsageError
from lycosa.papers.extraction.crf import MODELS
from lycosa.papers.training.shipped import TRAINERS, train_shipped_model


def main(arguments: Sequence[str]) -> None:
    """Train models and write them to the folder of the package."""
    parser = argparse.ArgumentParser(
        prog="python -m lycosa.papers.training",
        description="Train the models that come with the package.",
    )
    parser.add_argument("corpora", type=Path, help="the folder of the corpora")
    parser.add_argument("kinds", nargs="*", help=f"some of {', '.join(TRAINERS)}; by default all")
    chosen = parser.parse_args(arguments)
    for kind in chosen.kinds or TRAINERS:
        try:
            model = train_shipped_model(kind, chosen.corpora)
        except UsageError as error:
            sys.exit(str(error))
        (MODELS / f"{kind}.crf").write_bytes(model)
        print(f"{kind}.crf: {len(model):,} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
