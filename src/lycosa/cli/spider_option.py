"""Options that name spiders: their shell completion, and the list of all names."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from lycosa.spiders.registry import SPIDERS, listing


def complete_spiders(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the spiders whose names begin with the last name of a list.

    >>> [item.value for item in complete_spiders(None, None, "house,rl-f")]
    ['house,rl-future']
    """
    before, comma, name = incomplete.rpartition(",")
    return [
        CompletionItem(f"{before}{comma}{known}", help=entry.description)
        for known, entry in SPIDERS.items()
        if known.startswith(name)
    ]


def print_spiders(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    """Print all spiders with their descriptions, and exit."""
    if value and not context.resilient_parsing:
        click.echo(listing())
        context.exit()
