"""Withholding: what the owner has excluded does not enter portal.db, or leaves it.

Excluded documents are not stored at all. An excluded reference is left out of the list of
references of the document that has it, and out of its text; the archive keeps that document as
it was fetched, so that it is read again when the exclusion is withdrawn.
"""

from __future__ import annotations

import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lycosa.papers.extraction.fields import Header, Reference
from lycosa.papers.extraction.names import PersonName
from lycosa.papers.matching.identifiers import find_decisive
from lycosa.portal.build.authors import full_name
from lycosa.portal.build.database import Database
from lycosa.portal.build.facts import parse_author_list
from lycosa.portal.build.identity import author_id, reference_names
from lycosa.portal.build.reading import ReadDocument, StoredReference, fields_of
from lycosa.portal.build.traces import author_trace, identifier_traces, title_trace
from lycosa.project.exclusions import ExclusionRules, Exclusions, Trace

KEY = "exclusions"
"""The key in the table meta of the exclusions that the documents were last compared with."""

_CONTENT_TRACES = ("title", "identifier", "author")
_DOCUMENT = "SELECT text FROM documents WHERE id = ?"
_REFERENCES = (
    "SELECT number, text, page, line, fields, contexts FROM references_ "
    "WHERE document = ? ORDER BY number"
)

_log = logging.getLogger("lycosa.portal")


class Withholding:
    """Leaves out what is excluded, while documents are read and from those that were.

    `rules` are the exclusions in force. What is recognised by its content is noted in
    `found`, from the number of the exclusion to the traces of the documents.
    """

    def __init__(self, rules: ExclusionRules) -> None:
        self.rules = rules
        self.found: dict[int, set[Trace]] = defaultdict(set)
        self._by_content = any(rules.traces.get(kind) for kind in _CONTENT_TRACES)
        self._references: dict[str, dict[str, int]] = defaultdict(dict)
        for key, number in rules.traces.get("reference", {}).items():
            document, _, name = key.partition("/")
            self._references[document][name] = number

    def covers_url(self, url: str) -> bool:
        """Return whether the document of a URL is excluded."""
        return bool(self.rules) and self.rules.of_url(url) is not None

    def apply(
        self, database: Database, document: str, body: str, read: ReadDocument
    ) -> ReadDocument | None:
        """Return a document without references that are excluded; None if it is itself.

        `document` is its id, and `body` the digest of its body.
        """
        if not self.rules:
            return read
        number = self.rules.of("body", body)
        if number is None and self._by_content and read.kind == "paper":
            header = Header(fields_of(json.loads(read.fields)))
            number = self._of_content(header.title, header.authors, _identifiers(header))
        if number is not None:
            self.found[number] |= {Trace("document", document[1:]), Trace("body", body)}
            return None
        dropped = self._dropped(document, read.references)
        if not dropped:
            return read
        database.note_withheld(document, set(dropped.values()))
        printed = [each.text for each in read.references if each.number in dropped]
        return replace(
            read,
            text=without(read.text, printed),
            references=tuple(_renumbered(read.references, dropped)),
        )

    def apply_to_stored(self, database: Database) -> int:
        """Bring the stored documents in line with the exclusions; return how many changed.

        Those that were changed for an exclusion that is no longer in force are deleted: the
        build reads them again.
        """
        if database.meta(KEY) == self.rules.digest:
            return 0
        every = database.rows("SELECT id, url, digest FROM documents")
        gone = [
            document
            for document, url, body in every
            if self.covers_url(url) or self.rules.of("body", body) is not None
        ]
        restored = database.withheld_by_others(self._numbers())
        changed = set(gone) | set(restored)
        database.delete_documents(changed)
        for document in sorted(self._references.keys() - changed):
            changed |= self._redact(database, document)
        database.commit()
        if changed:
            _log.info("%d documents are excluded, or no longer, or lose references", len(changed))
        return len(changed)

    def _numbers(self) -> set[int]:
        return {
            *self.rules.hosts.values(),
            *(number for keys in self.rules.traces.values() for number in keys.values()),
        }

    def _redact(self, database: Database, document: str) -> set[str]:
        row = database.one(_DOCUMENT, document)
        if row is None:
            return set()
        listed = [StoredReference._make(each) for each in database.rows(_REFERENCES, document)]
        dropped = self._dropped(document, listed)
        if not dropped:
            return set()
        database.note_withheld(document, set(dropped.values()))
        text = without(row[0], [each.text for each in listed if each.number in dropped])
        database.replace_references(document, text, [*_renumbered(listed, dropped)])
        return {document}

    def _dropped(self, document: str, listed: Sequence[StoredReference]) -> dict[int, int]:
        """Return the numbers of references that are excluded, each with its exclusion."""
        named = self._references.get(document, {})
        if not named and not self._by_content:
            return {}
        found = {}
        names = reference_names(document, (each.text for each in listed))
        for each, name in zip(listed, names, strict=True):
            number = named.get(name)
            if number is None and self._by_content:
                number = self._of_reference(each)
            if number is not None:
                found[each.number] = number
        return found

    def _of_reference(self, listed: StoredReference) -> int | None:
        record = Reference(fields_of(json.loads(listed.fields))).record()
        authors = parse_author_list(record.get("authors", ""))
        identifiers = find_decisive({"printed": listed.text}).fields()
        return self._of_content(record.get("title", ""), authors, identifiers)

    def _of_content(
        self, title: str, authors: Sequence[PersonName], identifiers: dict[str, str]
    ) -> int | None:
        traces = [*identifier_traces(identifiers), *(author_trace(author_id(a)) for a in authors)]
        if authors:
            traces += filter(None, [title_trace(title, [full_name(authors[0])])])
        return next(
            (number for trace in traces if (number := self.rules.of(*trace)) is not None), None
        )


def extend_exclusions(exclusions: Exclusions, withholding: Withholding) -> Withholding:
    """Note the documents that were recognised; return the rules with them."""
    for number, traces in withholding.found.items():
        exclusions.extend(number, traces)
    return Withholding(exclusions.rules()) if withholding.found else withholding


def without(text: str, parts: Sequence[str]) -> str:
    """Return a text without some parts, however their words are spaced in it.

    >>> without("We hunt [1]. [1] B. Roe.  Webs. 1998. [2] A. Lee.", ["[1] B. Roe. Webs. 1998."])
    'We hunt [1].  [2] A. Lee.'
    """
    for part in parts:
        said = part.split()
        if said:
            text = re.sub(r"\s+".join(map(re.escape, said)), "", text)
    return text


def _renumbered(
    listed: Sequence[StoredReference], dropped: dict[int, int]
) -> Iterator[StoredReference]:
    """Yield the references that stay, numbered from 1."""
    kept = (each for each in listed if each.number not in dropped)
    for number, each in enumerate(kept, 1):
        yield each._replace(number=number)


def _identifiers(header: Header) -> dict[str, str]:
    return {name: header.text(name) for name in ("doi", "arxiv") if name in header}
