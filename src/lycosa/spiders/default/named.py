"""The default spider by name: `house`, or without some parts, as in `house(without=depth)`."""

from __future__ import annotations

from collections.abc import Sequence

from lycosa.core import Policy
from lycosa.errors import UsageError
from lycosa.learn.hashed_model import HashedModel
from lycosa.spiders.arguments import Arguments
from lycosa.spiders.default.house import UNTRAINED, House
from lycosa.spiders.default.training import DefaultTraining, keywords_of
from lycosa.spiders.factory import FindSpider, Model, Setup, Spider
from lycosa.spiders.names import SpiderName

PARTS = ("taught", "keywords", "learning", "rates", "best-link", "folders", "depth")


def house(name: SpiderName, find: FindSpider) -> Spider:
    """Return `house(without=PART+PART)`."""
    arguments = Arguments(name)
    text = arguments.option("without", "")
    arguments.end()
    without = frozenset(text.split("+")) - {""}
    if not without <= set(PARTS):
        raise UsageError(f"In {name}, without must be some of {', '.join(PARTS)}, joined by +.")
    title = str(name)

    def make(setup: Setup, models: Sequence[Model]) -> Policy:
        model = next((one for one in models if isinstance(one, HashedModel)), UNTRAINED)
        return House(keywords_of(setup.goal), model, title, without)

    return Spider(title, make, (DefaultTraining(),), portable=True, optional=True)
