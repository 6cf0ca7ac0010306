"""Arguments of OAI-PMH requests: which verb takes which, dates, resumption tokens, errors.

>>> parse_arguments([("verb", "GetRecord"), ("identifier", "oai:a.org:w1")])
Traceback (most recent call last):
    ...
lycosa.portal.oai.arguments.OaiError: GetRecord requires metadataPrefix.
>>> selection = Selection.parse({"metadataPrefix": "oai_dc", "from": "2026-01-31"})
>>> selection.start
'2026-01-31T00:00:00Z'
>>> selection.after("2026-02-01T10:00:00Z", "w1", 100).token[:24]
'WyJvYWlfZGMiLCIyMDI2LTAx'
"""

from __future__ import annotations

import json
import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Final

MAX_TOKEN_CHARACTERS: Final = 1000
"""Of a resumption token; those of this portal are a third as long."""
_LIST = ("metadataPrefix",), ("from", "until", "set", "resumptionToken")
VERBS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        "Identify": ((), ()),
        "ListMetadataFormats": ((), ("identifier",)),
        "ListSets": ((), ("resumptionToken",)),
        "GetRecord": (("identifier", "metadataPrefix"), ()),
        "ListIdentifiers": _LIST,
        "ListRecords": _LIST,
    }
)
"""The verbs, each with the arguments that it requires and those that it allows besides."""
TOKEN: Final = "resumptionToken"  # noqa: S105 - the name of an argument
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_SECOND = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)

_log = logging.getLogger("lycosa.portal")


class OaiError(Exception):
    """A request that is answered with an error of the protocol.

    `code` is one of the protocol's, such as badArgument; `detail` is a sentence for people.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def parse_arguments(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the arguments of a request by name, the verb among them."""
    given = [*pairs]
    verbs = [value for name, value in given if name == "verb"]
    if len(verbs) != 1 or verbs[0] not in VERBS:
        raise OaiError("badVerb", f"The verb must be given once, one of {', '.join(VERBS)}.")
    required, optional = VERBS[verbs[0]]
    allowed = ("verb", *required, *optional)
    found: dict[str, str] = {}
    for name, value in given:
        if name not in allowed:
            raise OaiError("badArgument", f"{verbs[0]} has no argument {name[:50]!r}.")
        if name in found:
            raise OaiError("badArgument", f"{name} may be given only once.")
        if not value.isascii() or not value:
            raise OaiError("badArgument", f"{name} must be ASCII characters, and not empty.")
        found[name] = value
    if TOKEN in found:
        if len(found) > 2:
            raise OaiError("badArgument", f"{TOKEN} takes no other argument beside it.")
        return found
    for name in required:
        if name not in found:
            raise OaiError("badArgument", f"{verbs[0]} requires {name}.")
    return found


@dataclass(frozen=True, slots=True)
class Selection:
    """The records that a list has, and how many of them were sent.

    `prefix` names their format. `start` and `end` bound their datestamps and are empty for
    no bound; `set` is a setSpec or empty. `changed` and `work` are those of the last record
    that was sent, and `sent` is how many there were.
    """

    prefix: str
    start: str = ""
    end: str = ""
    set: str = ""
    changed: str = ""
    work: str = ""
    sent: int = 0

    @classmethod
    def parse(cls, arguments: Mapping[str, str]) -> Selection:
        """Return what the arguments of a list select."""
        if TOKEN in arguments:
            return cls._from_token(arguments[TOKEN])
        start, end = arguments.get("from", ""), arguments.get("until", "")
        for name, date in (("from", start), ("until", end)):
            if date and not _is_date(date):
                raise OaiError(
                    "badArgument",
                    f"{name} must be a date like 2026-01-31 or 2026-01-31T10:00:00Z.",
                )
        if start and end and len(start) != len(end):
            raise OaiError("badArgument", "from and until must have the same granularity.")
        if start and end and start > end:
            raise OaiError("badArgument", "from must not be later than until.")
        start += "T00:00:00Z" * bool(_DAY.fullmatch(start))
        end += "T23:59:59Z" * bool(_DAY.fullmatch(end))
        return cls(arguments["metadataPrefix"], start, end, arguments.get("set", ""))

    @classmethod
    def _from_token(cls, token: str) -> Selection:
        try:
            if len(token) > MAX_TOKEN_CHARACTERS:
                raise ValueError("too long")
            padded = token + "=" * (-len(token) % 4)
            prefix, start, end, spec, changed, work, sent = json.loads(urlsafe_b64decode(padded))
            texts = (prefix, start, end, spec, changed, work)
            if not all(isinstance(text, str) and text.isascii() for text in texts):
                raise ValueError("not texts")
            if type(sent) is not int or not 0 <= sent < 1 << 40:
                raise ValueError("not a number")
            found = cls(prefix, start, end, spec, changed, work, sent)
            if found.token != token or not _SECOND.fullmatch(found.changed):
                raise ValueError("not written by a portal")
        except (ValueError, TypeError, RecursionError) as error:
            _log.debug("a resumption token cannot be read", exc_info=error)
            raise OaiError(
                "badResumptionToken", "This token is not valid: begin the list again."
            ) from None
        return found

    def after(self, changed: str, work: str, count: int) -> Selection:
        """Return the rest of the list, after so many records that end with this one."""
        return replace(self, changed=changed, work=work, sent=self.sent + count)

    @property
    def token(self) -> str:
        """The selection as a resumption token: the server keeps nothing."""
        text = json.dumps(astuple(self), separators=(",", ":"))
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _is_date(text: str) -> bool:
    if not _DAY.fullmatch(text) and not _SECOND.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
