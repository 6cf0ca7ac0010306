"""The OAI-PMH 2.0 data provider of a portal: its six verbs, each as an XML document.

Items are the works with a document; those that are only cited have no record. Sets are
topics, identifiers are `oai:HOST:ID`. Deleted records are kept as long as portal.db is,
hence "transient".
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from markupsafe import Markup

from lycosa.portal.api.xml import HEAD, element
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.fields import Work
from lycosa.portal.oai import dublin_core
from lycosa.portal.oai.arguments import TOKEN, OaiError, Selection, parse_arguments
from lycosa.portal.oai.record_history import RecordHeader, RecordHistory

RECORDS_PER_PAGE: Final = 100
IDENTIFIERS_PER_PAGE: Final = 1000
SETS_PER_PAGE: Final = 5000
"""Topics of one tree; more than a person writes."""
NAMESPACE: Final = "http://www.openarchives.org/OAI/2.0/"
_SCHEMA = f"{NAMESPACE}OAI-PMH.xsd"
_SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
_IDENTIFIERS = f"{NAMESPACE}oai-identifier"
_EMAIL = re.compile(r"\S+@(\S+\.)+\S+")
_DOMAIN = re.compile(r"[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z][A-Za-z0-9-]*)+")
_NO_ATTRIBUTES = ("badVerb", "badArgument")

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True)
class MetadataFormat:
    """A format of records: its prefix, namespace and schema, and what writes a work in it."""

    prefix: str
    namespace: str
    schema: str
    write: Callable[[Work, str], Markup]


FORMATS: Final[Mapping[str, MetadataFormat]] = MappingProxyType(
    {
        each.prefix: each
        for each in (
            MetadataFormat("oai_dc", dublin_core.NAMESPACE, dublin_core.SCHEMA, dublin_core.oai_dc),
        )
    }
)
"""The formats of records by their prefixes."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Answers requests of harvesters.

    `base` is the URL of the provider, `host` the part of identifiers that names it.
    `page_url` returns the URL of the page of a work, by its id.
    """

    catalogue: Catalogue
    history: RecordHistory
    base: str
    host: str
    page_url: Callable[[str], str]

    def respond(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return the XML document that answers a request; `pairs` are its arguments."""
        arguments: dict[str, str] = {}
        # Taken first, so that what changes meanwhile is later.
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        try:
            arguments = parse_arguments(pairs)
            content = _VERBS[arguments["verb"]](self, arguments)
        except OaiError as error:
            _log.debug("OAI-PMH answers %s", error.code)
            if error.code in _NO_ATTRIBUTES:
                arguments = {}
            content = element("error", error.detail, code=error.code)
        answer = element(
            "OAI-PMH",
            element("responseDate", now),
            element("request", self.base, **arguments),
            content,
            xmlns=NAMESPACE,
            xmlns__xsi=_SCHEMA_INSTANCE,
            xsi__schemaLocation=f"{NAMESPACE} {_SCHEMA}",
        )
        return f"{HEAD}{answer}\n"

    # Verbs

    def _identify(self, _arguments: Mapping[str, str]) -> Markup:
        meta = self.catalogue.meta
        return element(
            "Identify",
            element("repositoryName", meta.get("title") or self.base),
            element("baseURL", self.base),
            element("protocolVersion", "2.0"),
            element("adminEmail", self._email(meta.get("contact", ""))),
            element("earliestDatestamp", self.history.earliest()),
            element("deletedRecord", "transient"),
            element("granularity", "YYYY-MM-DDThh:mm:ssZ"),
            *([self._identifier_scheme()] if _DOMAIN.fullmatch(self.host) else []),
        )

    def _email(self, contact: str) -> str:
        """Return the address of the owner, or the one that hosts have by convention (RFC 2142)."""
        if _EMAIL.fullmatch(contact):
            return contact
        return f"webmaster@{self.host if '.' in self.host else f'{self.host}.localdomain'}"

    def _identifier_scheme(self) -> Markup:
        example = next(iter(self.catalogue.work_ids(1)), "w1")
        return element(
            "description",
            element(
                "oai-identifier",
                element("scheme", "oai"),
                element("repositoryIdentifier", self.host),
                element("delimiter", ":"),
                element("sampleIdentifier", self._identifier(example)),
                xmlns=_IDENTIFIERS,
                xsi__schemaLocation=f"{_IDENTIFIERS} {_IDENTIFIERS}.xsd",
            ),
        )

    def _list_formats(self, arguments: Mapping[str, str]) -> Markup:
        if "identifier" in arguments:
            self._find(arguments["identifier"])
        formats = (
            element(
                "metadataFormat",
                element("metadataPrefix", each.prefix),
                element("schema", each.schema),
                element("metadataNamespace", each.namespace),
            )
            for each in FORMATS.values()
        )
        return element("ListMetadataFormats", *formats)

    def _list_sets(self, arguments: Mapping[str, str]) -> Markup:
        if TOKEN in arguments:
            raise OaiError("badResumptionToken", "The list of sets is complete without a token.")
        topics = self.catalogue.topics()[:SETS_PER_PAGE]
        if not topics:
            raise OaiError("noSetHierarchy", "This portal has no topics.")
        sets = (
            element("set", element("setSpec", _spec(each.id)), element("setName", each.name))
            for each in topics
        )
        return element("ListSets", *sets)

    def _get_record(self, arguments: Mapping[str, str]) -> Markup:
        header = self._find(arguments["identifier"])
        found = self._format(arguments["metadataPrefix"])
        return element("GetRecord", *self._records([header], found))

    def _list_records(self, arguments: Mapping[str, str]) -> Markup:
        selection = self._selection(arguments)
        headers, rest = self._page(selection, RECORDS_PER_PAGE)
        return element(
            "ListRecords", *self._records(headers, self._format(selection.prefix)), *rest
        )

    def _list_identifiers(self, arguments: Mapping[str, str]) -> Markup:
        headers, rest = self._page(self._selection(arguments), IDENTIFIERS_PER_PAGE)
        return element("ListIdentifiers", *map(self._header, headers), *rest)

    # Records

    def _selection(self, arguments: Mapping[str, str]) -> Selection:
        """Return what a list selects, if this portal has its format and set."""
        selection = Selection.parse(arguments)
        resumed = TOKEN in arguments
        try:
            self._format(selection.prefix)
            if selection.set:
                self._check_set(selection.set)
        except OaiError as error:
            if not resumed:
                raise
            _log.debug("a resumption token is out of date", exc_info=error)
            raise OaiError("badResumptionToken", f"Begin the list again: {error.detail}") from None
        return selection

    def _check_set(self, spec: str) -> None:
        if self.catalogue.topic(spec.replace(":", "/")) is None or "/" in spec:
            if not self.catalogue.topics():
                raise OaiError("noSetHierarchy", "This portal has no topics.")
            raise OaiError("noRecordsMatch", f"There is no set {spec[:100]!r}.")

    def _page(self, selection: Selection, size: int) -> tuple[list[RecordHeader], list[Markup]]:
        """Return the next headers of a list, and the token for those after them."""
        found = self.history.headers(selection, size + 1)
        if not found and selection.sent:
            raise OaiError(
                "badResumptionToken",
                "The rest of this list has changed: begin again, with a later until or none.",
            )
        if not found:
            raise OaiError("noRecordsMatch", "No record matches these arguments.")
        headers, more = found[:size], len(found) > size
        if not more and not selection.sent:
            return headers, []
        last = headers[-1]
        rest = selection.after(last.changed, last.work, len(headers)).token if more else ""
        return headers, [element(TOKEN, rest, cursor=str(selection.sent))]

    def _records(self, headers: Sequence[RecordHeader], format: MetadataFormat) -> list[Markup]:
        """Return records; a work that a build has removed since is deleted already."""
        found = self.catalogue.works([each.work for each in headers if not each.is_gone])
        works = {work.id: work for work in found}
        records = []
        for each in headers:
            if work := works.get(each.work):
                metadata = format.write(work, self.page_url(work.id))
                parts = [self._header(each), element("metadata", metadata)]
            else:
                parts = [self._header(each._replace(is_gone=True))]
            records.append(element("record", *parts))
        return records

    def _header(self, header: RecordHeader) -> Markup:
        return element(
            "header",
            element("identifier", self._identifier(header.work)),
            element("datestamp", header.changed),
            *(element("setSpec", _spec(topic)) for topic in header.topics),
            **({"status": "deleted"} if header.is_gone else {}),
        )

    def _identifier(self, work: str) -> str:
        return f"oai:{self.host}:{work}"

    def _find(self, identifier: str) -> RecordHeader:
        work = identifier.removeprefix(f"oai:{self.host}:")
        found = None if work == identifier else self.history.header(work)
        if found is None:
            raise OaiError("idDoesNotExist", f"There is no record {identifier[:100]!r}.")
        return found

    def _format(self, prefix: str) -> MetadataFormat:
        if prefix not in FORMATS:
            raise OaiError(
                "cannotDisseminateFormat", f"Records have these formats: {', '.join(FORMATS)}."
            )
        return FORMATS[prefix]


_Verb = Callable[[Provider, Mapping[str, str]], Markup]
_VERBS: Mapping[str, _Verb] = MappingProxyType(
    {
        "Identify": Provider._identify,
        "ListMetadataFormats": Provider._list_formats,
        "ListSets": Provider._list_sets,
        "GetRecord": Provider._get_record,
        "ListIdentifiers": Provider._list_identifiers,
        "ListRecords": Provider._list_records,
    }
)


def _spec(topic: str) -> str:
    """Return the setSpec of a topic.

    >>> _spec("machine-learning/neural-networks")
    'machine-learning:neural-networks'
    """
    return topic.replace("/", ":")
