"""The reference pages, generated from the code; `make docs` writes them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

import click

from lycosa.cli import COMMANDS, main
from lycosa.cli.taggers import KINDS
from lycosa.cli.taggers import command as tagger
from lycosa.cli.train import SpiderOrTagger
from tools import packages
from tools.layers import SOURCE
from tools.portal_api_page import portal_api_page
from tools.portal_db_page import portal_db_page
from tools.project_page import project_page
from tools.spiders_page import spiders_page

FOLDER = Path(__file__).parents[1] / "docs" / "reference"


def _helps(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    """The help of a command, then of those below it."""
    context = click.Context(
        command, info_name=name, parent=parent, terminal_width=90, max_content_width=90
    )
    path = context.command_path
    yield f"{'#' * len(path.split())} {path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found is not None  # noqa: S101
            yield from _helps(found, below, context)
    if isinstance(command, SpiderOrTagger):
        for kind in KINDS:
            yield from _helps(tagger(kind), kind, context)


def cli() -> str:
    """Every command's own help."""
    # With the settings of a real call: a command remembers the first help option it was given.
    context = click.Context(
        main,
        info_name="lycosa",
        terminal_width=90,
        max_content_width=90,
        **main.context_settings,
    )
    parts = ["# Command line\n\nWritten by `make docs` from the commands themselves.\n"]
    parts.append(f"```text\n{main.get_help(context)}\n```\n")
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None  # noqa: S101
        parts += _helps(command, name, context)
    return "\n".join(parts)


def public_packages() -> list[str]:
    """Return the packages that export names, `lycosa` first."""
    folders = [
        path.parent.relative_to(SOURCE.parent)
        for path in sorted(SOURCE.rglob("__init__.py"))
        if "lazy_exports(" in path.read_text(encoding="utf-8")
    ]
    return sorted(folder.as_posix().replace("/", ".") for folder in folders)


def api(package: str) -> str:
    """Return the page of a package: every exported name with its signature and docstring."""
    module = import_module(package)
    parts = [
        f"# {package}\n",
        f"{(inspect.getdoc(module) or '').partition('>>>')[0].strip()}\n",
        "Written by `make docs` from the code itself.\n",
    ]
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        parts.append(f"## {name}\n\n```python\n{_signature(name, value)}\n```\n")
        parts.append(f"{inspect.getdoc(value) or ''}\n")
        if inspect.isclass(value):
            for member, each in vars(value).items():
                words = inspect.getdoc(each)
                if not member.startswith("_") and words and _is_member(each):
                    parts.append(f"- `{member}`: {words.splitlines()[0]}")
            parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _api_page(package: str) -> str:
    """Return the file of a package's page."""
    return "api.md" if package == "lycosa" else f"python/{package.removeprefix('lycosa.')}.md"


def _is_member(value: object) -> bool:
    return inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod)


def _signature(name: str, thing: object) -> str:
    if not callable(thing) or getattr(thing, "_is_protocol", False):
        return name
    try:
        signature = f"{name}{inspect.signature(thing)}".replace("'", "")
    except ValueError:
        return name
    if any(getattr(base, "_is_protocol", False) for base in getattr(thing, "__mro__", ())):
        # typing replaces the __init__ of such a class when the first instance is made.
        signature = signature.replace("(*args, **kwargs)", "()")
    signature = re.sub(r"<function (\S+) at \w+>", r"\1", signature)
    return re.sub(r"<(\S+) object at \w+>", r"\1()", signature)


PAGES = {
    "portal-db.md": portal_db_page,
    "portal-api.md": portal_api_page,
    "cli.md": cli,
    "project.md": project_page,
    "spiders.md": spiders_page,
    **{_api_page(package): partial(api, package) for package in public_packages()},
}

if __name__ == "__main__":
    (FOLDER / "python").mkdir(exist_ok=True)
    for file, write in PAGES.items():
        (FOLDER / file).write_text(write(), encoding="utf-8")
    packages.write()
