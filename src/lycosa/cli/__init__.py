"""The command line: one file per verb, read only when that verb is used."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple, NoReturn

import click

from lycosa.errors import LycosaError, UnknownName

_log = logging.getLogger("lycosa.cli")


class Verb(NamedTuple):
    """Where a command lives and what it does, said without loading it."""

    module: str
    summary: str


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "bench": Verb("lycosa.cli.bench", "Compare spiders on recorded sites."),
        "build": Verb("lycosa.cli.build", "Make a search engine of what a crawl has found."),
        "compile": Verb("lycosa.cli.compile", "Make recorded sites ready for experiments."),
        "crawl": Verb("lycosa.cli.crawl", "Find pages on the web, politely, and keep them."),
        "demo": Verb("lycosa.cli.demo", "Go from nothing to a search engine, on a made-up web."),
        "explain": Verb("lycosa.cli.explain", "Say which words a trained spider goes by."),
        "export": Verb("lycosa.cli.export", "Write all works of a portal to one file."),
        "generate": Verb("lycosa.cli.generate", "Make up a web to crawl, serve it or record it."),
        "import": Verb("lycosa.cli.import_", "Turn WARC files or a mirror into a recorded site."),
        "new": Verb("lycosa.cli.new", "Begin a project: write the lycosa.toml of a crawl."),
        "papers": Verb("lycosa.cli.papers", "Print the fields and references of papers in files."),
        "record": Verb("lycosa.cli.record", "Map a whole web site into a recorded site."),
        "report": Verb("lycosa.cli.report", "Write an HTML report of a crawl."),
        "serve": Verb("lycosa.cli.serve", "Open the portal of a crawl in the browser."),
        "topics": Verb("lycosa.cli.topics", "Place documents in a tree of topics you write."),
        "train": Verb("lycosa.cli.train", "Let a spider learn from sites and keep it in a file."),
        "why": Verb("lycosa.cli.why", "Say how a URL was found, and why it was fetched or not."),
    }
)


class Failure(click.ClickException):
    """One of our errors as a command shows it: one sentence, exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence."""
        click.echo(f"lycosa: {self.message}", file=file, err=True)


class Verbs(click.Group):
    """A group that loads a command when it is used, and turns errors into sentences."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, none loaded."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one verb: the command in its module that bears its name."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(VERBS[cmd_name].module)
        command = getattr(module, VERBS[cmd_name].module.rpartition(".")[2])
        assert isinstance(command, click.Command)  # noqa: S101
        _add_log_options(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, or suggest one that is meant."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise UnknownName("command", args[0], VERBS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs with the summaries known here."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; what goes wrong on purpose becomes one sentence."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()  # a closed pipe should be noticed here, not at exit
        except LycosaError as error:
            _log.debug("The command failed.", exc_info=True)
            raise Failure(str(error)) from error
        except KeyboardInterrupt:
            _interrupted()
        return result


def _interrupted() -> NoReturn:
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


def _add_log_options(command: click.Command) -> None:
    """Give a command, and the commands below it, the options of the log."""
    if any(option.name == "log_file" for option in command.params):
        return
    if isinstance(command, click.Group):
        for below in command.commands.values():
            _add_log_options(below)
    else:
        command.params += _log_options()


def _configure_logs(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Configure the log once both options are known, whichever click reads first."""
    found = context.meta.setdefault("lycosa.logs", {})
    if value:
        found[option.name] = value
    if value or "configured" not in found:
        from lycosa.logs import configure

        found["configured"] = True
        configure(found.get("verbose", 0), found.get("log_file"))


@click.group(
    cls=Verbs, params=_log_options(), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package_name="lycosa", message="lycosa %(version)s")
def main() -> None:
    """Find the pages you want on the web with as few downloads as possible.

    Spiders learn which links lead to them. `lycosa COMMAND --help` explains a
    command and shows examples.
    """
