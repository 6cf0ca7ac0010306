"""How commands write to a terminal: the options `--quiet` and `--plain`, and lines that fit.

The options become environment variables while the command runs, so that the commands
that it starts (`lycosa demo`, `lycosa keep`) write in the same way.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

QUIET_VARIABLE = "LYCOSA_QUIET"
PLAIN_VARIABLE = "LYCOSA_PLAIN"
_VARIABLES = {"quiet": QUIET_VARIABLE, "plain": PLAIN_VARIABLE}


def terminal_options() -> list[click.Option]:
    """Return the options that every command has."""
    return [
        click.Option(
            ["-q", "--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_set_variable,
            help="Show no progress: only results, warnings and errors.",
        ),
        click.Option(
            ["--plain"],
            is_flag=True,
            expose_value=False,
            callback=_set_variable,
            help="Write whole lines only: no bars, boxes or colours, for a screen reader or a log.",
        ),
    ]


def _set_variable(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Set the variable of an option until the command ends."""
    name = _VARIABLES[option.name or ""]
    if not value or context.resilient_parsing or os.environ.get(name) == "1":
        return
    before = os.environ.get(name)
    os.environ[name] = "1"
    context.call_on_close(
        lambda: (
            os.environ.__delitem__(name) if before is None else os.environ.update({name: before})
        )
    )


def is_quiet() -> bool:
    """Return whether progress is not to be shown."""
    return _is_on(QUIET_VARIABLE)


def wants_lines() -> bool:
    """Return whether plain lines were asked for, which are also written to a file."""
    return _is_on(PLAIN_VARIABLE)


def is_plain() -> bool:
    """Return whether nothing is to be redrawn, boxed or styled."""
    return wants_lines() or os.environ.get("TERM", "") in ("dumb", "unknown")


def is_coloured() -> bool:
    """Return whether text may have colours and other styles (https://no-color.org)."""
    return not is_plain() and not os.environ.get("NO_COLOR")


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0")


def say(*lines: str, err: bool = False) -> None:
    """Print lines to stdout, or to stderr; a terminal gets them broken between words."""
    from lycosa.cli.fitting import print_lines

    if lines:
        print_lines(lines, sys.stderr if err else sys.stdout)
