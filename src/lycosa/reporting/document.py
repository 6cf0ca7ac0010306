"""A report as one HTML file that needs nothing else, and the tables in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from lycosa.reporting.style import STYLE


def document(title: str, lead: str, sections: Iterable[str], facts: Mapping[str, str]) -> str:
    """A page: what it is about, its sections, and small facts at its foot.

    All but the title is HTML already. Whatever may have slipped into it, the
    page loads nothing, runs nothing, and its links tell nobody where they were.
    """
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'\">",
            '<meta name="referrer" content="no-referrer">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
            f"<header><h1>{escape(title)}</h1>",
            f"<p>{lead}</p></header>\n<main>",
            *sections,
            "</main>\n<footer><dl>",
            "".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in facts.items()),
            "</dl></footer>\n</body>\n</html>\n",
        )
    )


def section(name: str, title: str, inside: str) -> str:
    """A part of the page under a heading of its own."""
    heading = f'<h2 id="{name}">{title}</h2>'
    return f'<section aria-labelledby="{name}">{heading}{inside}</section>'


def scrolling_table(label: str, inside: str) -> str:
    """A table that scrolls sideways on a narrow screen, also by keyboard."""
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">'
        f"<table>{inside}</table></div>"
    )


def cells(values: Iterable[str]) -> str:
    """The cells of a row."""
    return "".join(f"<td>{value}</td>" for value in values)


def heads(names: Iterable[str]) -> str:
    """The heads of columns of numbers."""
    return "".join(f'<th scope="col" class="number">{name}</th>' for name in names)
