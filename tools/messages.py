"""Texts of the portal's pages: collects them for the catalogues of translations.

`python -m tools.messages` writes the texts that a catalogue lacks to its end, for a
translator to fill in, and removes those that pages no longer have.

Texts are those of templates (`{% trans %}`, `_()`, `ngettext()`), those of
`Message(...)` in the code of the portal, and the names in the table of fields.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment

import lycosa.portal
from lycosa.portal.fields import FACETS, FIELDS, SORTS, facet_spec
from lycosa.portal.languages import ENGLISH, LANGUAGES
from lycosa.portal.languages.po_file import PoEntry, read_po
from lycosa.portal.web.assets import Assets
from lycosa.portal.web.links import Links
from lycosa.portal.web.rendering import templates
from lycosa.portal.web.settings import Settings

PORTAL = Path(lycosa.portal.__file__).parent
TEMPLATES = PORTAL / "web" / "templates"
CATALOGUES = PORTAL / "languages"
TRANSLATED = tuple(code for code in LANGUAGES if code != ENGLISH.code)
MESSAGE = "Message"


def environment() -> Environment:
    """Return the environment of templates, to read them with."""
    return templates(Links(Settings()), Assets(), ENGLISH)


def messages() -> dict[str, str]:
    """Return all texts with their plurals, which are empty for most."""
    found: dict[str, str] = {}
    for text, plural in (*_of_templates(), *_of_code(), *_of_fields()):
        if text and found.setdefault(text, plural) != plural:
            # Both are one entry of a catalogue.
            found[text] = found[text] or plural
    return found


def catalogue(code: str) -> list[PoEntry]:
    """Return the entries of the catalogue of a language."""
    return read_po((CATALOGUES / f"{code}.po").read_text(encoding="utf-8"))


def format_po(entries: list[PoEntry]) -> str:
    """Return entries as a PO file."""
    return "\n".join(_format_entry(entry) for entry in entries)


def _of_templates() -> Iterator[tuple[str, str]]:
    reader = environment()
    for file in sorted(TEMPLATES.glob("*.html")):
        for _, _, found in reader.extract_translations(file.read_text(encoding="utf-8")):
            parts = (found,) if isinstance(found, str) else found
            text, plural = [part for part in (*parts, "", "") if part is not None][:2]
            yield text, plural


def _of_code() -> Iterator[tuple[str, str]]:
    for file in sorted(PORTAL.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if MESSAGE not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == MESSAGE
            ):
                texts = [ast.literal_eval(argument) for argument in node.args]
                yield texts[0], texts[1] if len(texts) > 1 else ""


def _of_fields() -> Iterator[tuple[str, str]]:
    for field in FIELDS.values():
        yield field.spec.label, ""
        yield from ((name, "") for name in field.spec.names.values())
        if field.spec.input is not None:
            yield field.spec.input.hint, ""
    yield from ((facet_spec(name).title, "") for name in FACETS)
    yield from ((label, "") for label in SORTS.values())


def _format_entry(entry: PoEntry) -> str:
    lines = [f"msgid {_quote(entry.text)}"]
    if entry.plural:
        lines.append(f"msgid_plural {_quote(entry.plural)}")
        lines += [f"msgstr[{k}] {_quote(text)}" for k, text in enumerate(entry.translations)]
    elif entry.text:
        lines.append(f"msgstr {_quote(entry.translations[0])}")
    else:
        header = entry.translations[0].splitlines(keepends=True)
        lines += ['msgstr ""', *(_quote(line) for line in header)]
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main() -> None:
    """Bring the catalogues up to date."""
    wanted = messages()
    for code in TRANSLATED:
        known = {entry.text: entry for entry in catalogue(code)}
        kept = [
            entry for text, entry in known.items() if not text or wanted.get(text) == entry.plural
        ]
        missing = [
            PoEntry(text, plural, ("", "") if plural else ("",))
            for text, plural in wanted.items()
            if text not in known or known[text].plural != plural
        ]
        (CATALOGUES / f"{code}.po").write_text(format_po(kept + missing), encoding="utf-8")
        print(f"{code}: {len(missing)} texts to translate, {len(known) - len(kept)} removed")


if __name__ == "__main__":
    main()
