"""The command line: one module per command, imported only when the command is used.

A new command `lycosa NAME` is a module `lycosa.cli.NAME` with a click command of
that name (with `_` behind a Python keyword), and a line in `COMMANDS`.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NoReturn

import click

from lycosa.cli.terminal import terminal_options
from lycosa.errors import LycosaError, UnknownName

_log = logging.getLogger("lycosa.cli")


COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "audit": "Show who changed what in a project.",
        "backup": "Write a project to one file while it is in use.",
        "bench": "Compare spiders on recorded sites.",
        "block": "Never request a page or a host, and do not show it.",
        "build": "Build a search portal from what a crawl has found.",
        "cluster": "Start, watch and stop a cluster of workers.",
        "compact": "Delete old versions of pages from the archive of a project.",
        "compile": "Compile recorded sites ahead of experiments.",
        "crawl": "Find pages on the web, politely, and store them.",
        "demo": "Run all steps from a generated web to a search portal.",
        "editors": "Let others correct a portal, and end that.",
        "exclusions": "List what is hidden, removed or blocked.",
        "explain": "Show which words a trained spider uses to score links.",
        "export": "Write the works of a portal, or an archive, to one file.",
        "generate": "Generate a web, and serve it or record it.",
        "hide": "Do not show something of a portal, and keep it.",
        "import": "Convert WARC files or a mirror to a recorded site.",
        "keep": "Keep a portal alive: crawl, build and serve for ever.",
        "mcp": "Let an assistant search a portal.",
        "new": "Create a project: write the lycosa.toml of a crawl.",
        "notify": "Tell the owner of new works by mail or webhook.",
        "papers": "Print the fields and references of papers in files.",
        "record": "Crawl a whole web site into a recorded site.",
        "remove": "Delete something from a project for good.",
        "repair": "Repair a damaged crawl from its archive.",
        "report": "Write an HTML report of a crawl.",
        "serve": "Serve the portal of a crawl to browsers.",
        "status": "Say what `lycosa keep` does with a project.",
        "topics": "Classify documents into a topic tree that you write.",
        "train": "Train a spider on recorded sites and save it.",
        "why": "Explain how a URL was found and why it was fetched or not.",
    }
)
"""The commands with their one-line summaries, known without importing any of them."""


class CommandFailure(click.ClickException):
    """An error that ends a command with one sentence on stderr and exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence."""
        click.echo(f"lycosa: {self.message}", file=file, err=True)


class LazyGroup(click.Group):
    """A click group that imports a command when it is used, and reports Lycosa's errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, without importing them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command: the one in its module that has its name."""
        if cmd_name not in COMMANDS:
            return None
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = getattr(importlib.import_module(f"lycosa.cli.{name}"), name)
        assert isinstance(command, click.Command)  # noqa: S101
        _add_common_options(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or raise an error that suggests a similar name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UnknownName("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for `lycosa --help`."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; translate a `LycosaError` into a `CommandFailure`."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # so that a closed pipe is noticed here, not at exit
        except LycosaError as error:
            _log.debug("The command failed.", exc_info=True)
            raise CommandFailure(str(error)) from error
        except KeyboardInterrupt:
            _exit_interrupted()
        return result


def _exit_interrupted() -> NoReturn:
    click.echo("lycosa: interrupted.", err=True)
    sys.exit(130)


def _log_options() -> list[click.Option]:
    return [
        click.Option(
            ["-v", "--verbose"],
            count=True,
            expose_value=False,
            callback=_configure_logs,
            help="Log what happens to stderr; -vv also handled errors, with tracebacks.",
        ),
        click.Option(
            ["--log-file"],
            type=click.Path(dir_okay=False, path_type=Path),
            expose_value=False,
            callback=_configure_logs,
            metavar="FILE",
            help="Append the whole log, tracebacks included, to FILE.",
        ),
    ]


def _common_options() -> list[click.Option]:
    return [*terminal_options(), *_log_options()]


def _add_common_options(command: click.Command) -> None:
    """Add the options of the terminal and of logging to a command and its subcommands."""
    if any(option.name == "log_file" for option in command.params):
        return
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            _add_common_options(subcommand)
    else:
        command.params += _common_options()


def _configure_logs(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Configure logging once both options are known, whichever click processes first."""
    options = context.meta.setdefault("lycosa.logs", {})
    if value:
        options[option.name] = value
    if value or "configured" not in options:
        from lycosa.logs import configure

        options["configured"] = True
        configure(options.get("verbose", 0), options.get("log_file"))


def _print_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from importlib.metadata import version

    from lycosa.compiled import is_compiled

    click.echo(f"lycosa {version('lycosa')}, {'compiled' if is_compiled() else 'uncompiled'}")
    context.exit()


@click.group(
    cls=LazyGroup,
    params=_common_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Find the pages you want on the web with as few downloads as possible.

    A spider learns which links lead to target pages. `lycosa COMMAND --help`
    describes a command and its options, with examples.
    """
