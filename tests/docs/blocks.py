"""The code blocks of a Markdown page, and the directives that stand above them.

A directive is an HTML comment on the line above a block, which readers do not see:

- `<!-- not run: REASON -->` the block is an illustration;
- `<!-- figures vary -->` numbers in the output are not compared;
- `<!-- exit: 2 -->` the exit code of the last command of the block;
- `<!-- edit: FILE -->` the settings of a TOML block are made in that file;
- `<!-- write: FILE -->` the block is the content of that file;
- `<!-- save: FILE -->` the Python block is run, and is the content of that file as well;
- `<!-- output -->` the block is what the last command printed.
"""

from __future__ import annotations

import ast
import contextlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*) *$")
_DIRECTIVE = re.compile(r"^ *<!-- *(?P<name>[a-z ]+?) *(?:: *(?P<value>.*?))? *--> *$")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True)
class Block:
    """A code block: where it stands, its language, its text and its directives."""

    line: int
    language: str
    text: str
    directives: dict[str, str]


@dataclass(frozen=True)
class Command:
    """A line typed at a prompt, and the lines that the page shows below it."""

    text: str
    output: tuple[str, ...]


def blocks(path: Path) -> list[Block]:
    """Return the code blocks of a page in their order."""
    found: list[Block] = []
    directives: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        if match := _DIRECTIVE.match(line):
            directives[match["name"]] = match["value"] or ""
        elif match := _FENCE.match(line):
            start, indent = at + 1, len(match["indent"])
            at += 1
            while lines[at].strip() != "```":
                at += 1
            text = "\n".join(one[indent:] for one in lines[start:at])
            found.append(Block(start + 1, match["language"], text, directives))
            directives = {}
        elif line.strip():
            directives = {}
        at += 1
    return found


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block: lines with a `$`, continued by a backslash.

    >>> commands(Block(1, "console", "$ a \\\\\\n  b\\nout\\n$ c", {}))
    [Command(text='a b', output=('out',)), Command(text='c', output=())]
    """
    found: list[tuple[str, list[str]]] = []
    continued = False
    for line in block.text.splitlines():
        if continued:
            text, output = found[-1]
            found[-1] = (f"{text.removesuffix(chr(92)).rstrip()} {line.strip()}", output)
            continued = line.endswith("\\")
        elif line.startswith("$ "):
            found.append((line[2:], []))
            continued = line.endswith("\\")
        else:
            found[-1][1].append(line)
    return [Command(text, tuple(output)) for text, output in found]


def values(block: Block) -> list[tuple[str, Any]]:
    """Return the expressions of a Python block whose value stands behind them as a comment.

    >>> values(Block(1, "python", "a.pages  # (1, 2): both\\na.title  # its title", {}))
    [('a.pages', (1, 2))]
    """
    found = []
    for line in block.text.splitlines():
        expression, mark, comment = line.partition("  # ")
        with contextlib.suppress(ValueError, SyntaxError):
            if mark and isinstance(ast.parse(expression).body[0], ast.Expr):
                found.append((expression, ast.literal_eval(comment.partition(": ")[0])))
    return found


def differs(expected: tuple[str, ...], actual: str, *, figures_vary: bool = False) -> str:
    """Return what is wrong with an output; empty if it is what the page shows.

    `…` alone on a line stands for any lines, within a line for any text.
    White space is folded.

    >>> differs(("found 3 …", "…", "end"), "found 3 pages\\na\\nb\\nend")
    ''
    >>> differs(("1 page",), "2 pages", figures_vary=True)
    "the page shows '1 page', but the output is:\\n2 pages"
    """
    lines = [_folded(line, figures_vary) for line in actual.splitlines() if line.strip()]
    at = 0
    skipping = False
    for shown in expected:
        if not shown.strip():
            continue
        if shown.strip() == "…":
            skipping = True
            continue
        folded = _folded(shown, figures_vary)
        pattern = re.compile(".*".join(map(re.escape, folded.split("…"))))
        places = range(at, len(lines)) if skipping else range(at, min(at + 1, len(lines)))
        place = next((n for n in places if pattern.fullmatch(lines[n])), None)
        if place is None:
            return f"the page shows {shown!r}, but the output is:\n{actual.strip()}"
        at, skipping = place + 1, False
    if at < len(lines) and not skipping:
        return f"the page does not show {lines[at]!r}"
    return ""


def _folded(line: str, figures_vary: bool) -> str:
    line = re.sub(r"[─━]+", "─", " ".join(line.split()))
    return _NUMBER.sub("#", line) if figures_vary else line


def edited(text: str, settings: str) -> str:
    """Return the text of a TOML file with settings made as a person would in an editor.

    >>> print(edited("[budget]\\n# pages = 2000  # in all\\n[other]", "[budget]\\npages = 5"))
    [budget]
    pages = 5
    [other]
    """
    lines = text.splitlines()
    section = ""
    for setting in settings.splitlines():
        if match := re.match(r"\[(.+)\]", setting):
            section = match[1]
        elif match := re.match(r"([\w-]+) *=", setting):
            lines = _with_setting(lines, section, match[1], setting)
    return "\n".join(lines)


def _with_setting(lines: list[str], section: str, key: str, setting: str) -> list[str]:
    here, after = "", None
    for at, line in enumerate(lines):
        if match := re.match(r"\[(.+)\]", line):
            here = match[1]
        if here == section:
            after = at
            if re.match(rf"(# *)?{re.escape(key)} *=", line):
                return [*lines[:at], setting, *lines[at + 1 :]]
    if after is None:
        return [*lines, f"[{section}]", setting] if section else [setting, *lines]
    return [*lines[: after + 1], setting, *lines[after + 1 :]]
