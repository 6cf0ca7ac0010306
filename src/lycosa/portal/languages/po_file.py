r"""Catalogues of translated texts: reads PO files and turns them into MO files.

The standard library reads MO files (`gettext.GNUTranslations`), which are
binary; the tree keeps PO files, which people edit. A PO file is small, so the MO
file is made in memory when a language is first used.

>>> source = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);"\n\n'
>>> source += 'msgid "%(count)s page"\nmsgid_plural "%(count)s pages"\n'
>>> source += 'msgstr[0] "%(count)s Seite"\nmsgstr[1] "%(count)s Seiten"\n'
>>> read_po(source)[1].translations
('%(count)s Seite', '%(count)s Seiten')
>>> translations(read_po(source)).ngettext("%(count)s page", "%(count)s pages", 2)
'%(count)s Seiten'

The format is that of the GNU gettext manual, sections "The Format of PO Files" and
"The Format of GNU MO Files".
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterable
from gettext import GNUTranslations
from io import BytesIO
from typing import NamedTuple

_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d)\])? )?("(?:[^"\\]|\\.)*")')
_MAGIC, _HEADER_BYTES = 0x950412DE, 28


class PoEntry(NamedTuple):
    """A text in English, its plural if it has one, and its translations, one for each form.

    The entry with the empty text is the header of the file.
    """

    text: str
    plural: str
    translations: tuple[str, ...]


def read_po(source: str) -> list[PoEntry]:
    """Return the entries of a PO file; raise `ValueError` for a line that is none of its format."""
    found = []
    for block in re.split(r"\n\s*\n", source):
        parts: dict[str, str] = {}
        keyword = ""
        for line in block.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            match = _LINE.fullmatch(line.strip())
            if match is None or not (match[1] or keyword):
                raise ValueError(f"not a line of a PO file: {line!r}")
            if match[1]:
                keyword = match[1] + (match[2] or "0" if match[1] == "msgstr" else "")
            parts[keyword] = parts.get(keyword, "") + ast.literal_eval(match[3])
        if parts:
            forms = sorted(name for name in parts if name.startswith("msgstr"))
            translated = tuple(parts[name] for name in forms)
            found.append(PoEntry(parts["msgid"], parts.get("msgid_plural", ""), translated))
    return found


def translations(entries: Iterable[PoEntry]) -> GNUTranslations:
    """Return the translations of a catalogue."""
    return GNUTranslations(BytesIO(_mo_file(entries)))


def _mo_file(entries: Iterable[PoEntry]) -> bytes:
    pairs = sorted(
        (
            "\0".join([each.text, each.plural] if each.plural else [each.text]).encode(),
            "\0".join(each.translations).encode(),
        )
        for each in entries
    )
    tables: list[bytes] = []
    body = b""
    start = _HEADER_BYTES + 16 * len(pairs)
    for side in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[side]), start + len(body)))
            body += pair[side] + b"\0"
    second = _HEADER_BYTES + 8 * len(pairs)
    header = struct.pack("<7I", _MAGIC, 0, len(pairs), _HEADER_BYTES, second, 0, start)
    return header + b"".join(tables) + body
