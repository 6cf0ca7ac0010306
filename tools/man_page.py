"""The manual page of the command line, docs/lycosa.1: `python -m tools.man_page`.

It has the help of every command, as `lycosa COMMAND --help` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from lycosa.cli import main as cli

PAGE = Path(__file__).parents[1] / "docs" / "lycosa.1"
WIDTH = 78


def man_page() -> str:
    """Return the manual page in troff."""
    root = click.Context(
        cli, info_name="lycosa", terminal_width=WIDTH, help_option_names=["-h", "--help"]
    )
    parts = [
        '.TH LYCOSA 1 "" "Lycosa" "User Commands"',
        ".SH NAME",
        f"lycosa \\- {_escape(_summary(cli)).rstrip('.')}",
        ".SH SYNOPSIS",
        ".B lycosa",
        "[OPTIONS] COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        *_literal(cli.get_help(root)),
        ".SH COMMANDS",
    ]
    for context in _commands(root):
        parts += [
            f".SS {_escape(context.command_path)}",
            *_literal(context.command.get_help(context)),
        ]
    parts += [
        ".SH ENVIRONMENT",
        *_literal(
            "NO_COLOR      if set, nothing is coloured\n"
            "LYCOSA_PLAIN  if 1, as with --plain; so does TERM=dumb\n"
            "LYCOSA_QUIET  if 1, as with --quiet\n"
            "LYCOSA_PURE   if set, compiled modules are not used"
        ),
        ".SH EXIT STATUS",
        *_literal(
            "0    done\n1    an error\n2    wrong usage\n3    a crawl that got nothing\n"
            "130  interrupted"
        ),
    ]
    return "\n".join(parts) + "\n"


def _commands(context: click.Context) -> Iterator[click.Context]:
    """Yield the context of every command below this one, groups before their members."""
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        below = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH)
        yield below
        yield from _commands(below)


def _summary(command: click.Command) -> str:
    return (command.help or "").strip().partition("\n")[0]


def _literal(text: str) -> list[str]:
    return [".nf", *map(_escape, text.splitlines()), ".fi"]


def _escape(line: str) -> str:
    r"""Return a line that troff prints as it is.

    >>> _escape(".a-b \\ c")
    '\\&.a\\-b \\e c'
    """
    escaped = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    PAGE.write_text(man_page(), encoding="utf-8")
