"""Self-contained HTML report, and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from lycosa.reporting.style import STYLE


def document(title: str, lead: str, sections: Iterable[str], facts: Mapping[str, str]) -> str:
    """Return a page with a title, a lead, sections, and facts in the footer.

    All arguments but the title are HTML. The content security policy of the page forbids all
    loading and scripts, and its links send no referrer, whatever the HTML contains.
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
    """Return a section of the page with its heading."""
    heading = f'<h2 id="{name}">{title}</h2>'
    return f'<section aria-labelledby="{name}">{heading}{inside}</section>'


def scrolling_table(label: str, inside: str) -> str:
    """Return a table that scrolls sideways on a narrow screen, also by keyboard."""
    return (
        f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">'
        f"<table>{inside}</table></div>"
    )


def cells(values: Iterable[str]) -> str:
    """Return the cells of a row."""
    return "".join(f"<td>{value}</td>" for value in values)


def heads(names: Iterable[str]) -> str:
    """Return the header cells of numeric columns."""
    return "".join(f'<th scope="col" class="number">{name}</th>' for name in names)
