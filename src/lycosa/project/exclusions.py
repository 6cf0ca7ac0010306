"""Exclusions: what the owner of a project has hidden, removed or blocked.

* hidden: not shown by the portal, and kept in the archive;
* removed: deleted from the portal and from the archive, and never requested again;
* blocked: not requested again, and not shown.

Each is about a URL, a host with its subdomains, a work, or an author. An exclusion has traces:
digests by which a build recognises the documents and references that it is about, also
those that come later. What was removed is known by its traces alone.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Exclusions.open(folder) as exclusions:
...     _ = exclusions.add("block", "host", "ads.example", reason="Nothing but advertisements.")
...     number = exclusions.add("remove", "url", "http://a.example/x", reason="Its author asks.")
...     blocked = exclusions.blocked()
...     [(one.action, one.label) for one in exclusions.all()]
[('block', 'ads.example'), ('remove', '')]
>>> blocked.covers("http://a.example/x"), blocked.covers("http://www.ads.example/")
(True, True)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, Self

from lycosa.closing import Closing
from lycosa.errors import UnknownName, UsageError
from lycosa.lazy_database import LazyDatabase, timestamp
from lycosa.project.audit_log import write_entry
from lycosa.project.owner_database import OWNER, open_owner_database
from lycosa.web.digests import digest
from lycosa.web.urls import BlockedUrls, canonical, host_of, is_subdomain

HIDE, REMOVE, BLOCK = "hide", "remove", "block"
ACTIONS: Final = (HIDE, REMOVE, BLOCK)
KINDS: Final = ("url", "host", "work", "author")
TRACES: Final = ("document", "body", "reference", "title", "identifier", "author")
"""Kinds of traces: digests of a URL, of a body, of a reference as it was printed, of a title
with its first author, of a DOI or arXiv number, of the id of an author."""
MAX_REASON_CHARACTERS: Final = 500

_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]")
_COLUMNS = (
    "id, action, kind, target, label, reason, account, time, ifnull(undone, ''), ifnull(purged, '')"
)


class Trace(NamedTuple):
    """A digest by which something excluded is recognised; `kind` is one of `TRACES`."""

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One decision of the owner or of an editor."""

    id: int
    action: str
    """One of `ACTIONS`."""
    kind: str
    """One of `KINDS`."""
    target: str
    """A host, the id of a work, or the digest of a URL or of the id of an author."""
    label: str
    """What was given; empty if it was removed."""
    reason: str
    account: str
    """The name of the account that decided it."""
    time: str
    """ISO 8601, UTC."""
    undone: str = ""
    """When it was withdrawn; empty while it is in force."""
    purged: str = ""
    """When the last copy of what was removed was deleted; empty before."""


@dataclass(frozen=True, slots=True)
class ExclusionRules:
    """The exclusions in force, as a build looks them up: from digests to numbers of exclusions."""

    hosts: Mapping[str, int] = field(default_factory=dict)
    traces: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By kind of trace."""
    digest: str = ""
    """A hash of all of it; empty if nothing is excluded."""

    def __bool__(self) -> bool:
        return bool(self.digest)

    def of_url(self, url: str) -> int | None:
        """Return the exclusion of a canonical URL, by itself or by its host."""
        if self.hosts and is_subdomain(host := host_of(url), self.hosts):
            while host not in self.hosts:
                host = host.partition(".")[2]
            return self.hosts[host]
        return self.of("document", digest(url)) if self.traces.get("document") else None

    def of(self, kind: str, key: str) -> int | None:
        """Return the exclusion that has a trace."""
        return self.traces.get(kind, {}).get(key)


class Exclusions(Closing):
    """The exclusions of a project; `database` is its owner.db. Open them with `open`."""

    def __init__(self, database: LazyDatabase) -> None:
        self.database = database

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the exclusions of the project in a folder."""
        return cls(open_owner_database(folder))

    def add(
        self,
        action: str,
        kind: str,
        value: str,
        *,
        reason: str,
        account: str = OWNER,
        label: str = "",
        traces: Iterable[Trace] = (),
        lessons: Mapping[str, str] | None = None,
    ) -> int:
        """Add an exclusion and return its number.

        `value` is a URL, a host, or the id of a work or of an author, and `label` what is
        shown of it, by default the same. `lessons` has the words of documents, by the digests
        of their URLs, if they do not belong here and the goal should learn that.
        """
        if action not in ACTIONS:
            raise UnknownName("action", action, ACTIONS)
        value = _clean(kind, value)
        target = digest(value) if kind in ("url", "author") else value
        own = {"url": "document", "author": "author"}.get(kind)
        found = {*traces, *([Trace(own, target)] if own else [])}
        label = "" if action == REMOVE and kind != "host" else label or value
        row = (action, kind, target, label, clean_reason(reason), account, timestamp())
        with self.database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO exclusions (action, kind, target, label, reason, account, time) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            number = int(cursor.lastrowid or 0)
            connection.executemany(
                "INSERT INTO traces VALUES (?, ?, ?)", ((number, *each) for each in sorted(found))
            )
            connection.executemany(
                "INSERT INTO lessons VALUES (?, ?, ?)",
                ((number, *each) for each in sorted((lessons or {}).items())),
            )
            subject = target if kind in ("work", "host") else str(number)
            write_entry(connection, account, f"{action} {kind}", subject, "", label)
        return number

    def undo(self, number: int, account: str = OWNER) -> bool:
        """Withdraw an exclusion; return False if none of that number is in force."""
        if not any(one.id == number for one in self.all()):
            return False
        with self.database.transaction() as connection:
            query = "UPDATE exclusions SET undone = ? WHERE id = ? AND undone IS NULL"
            done = connection.execute(query, (timestamp(), number)).rowcount > 0
            if done:
                connection.execute("DELETE FROM lessons WHERE exclusion = ?", (number,))
                write_entry(connection, account, "undo exclusion", str(number))
            return done

    def history(self) -> list[Exclusion]:
        """Return all exclusions, withdrawn ones included, oldest first."""
        query = f"SELECT {_COLUMNS} FROM exclusions ORDER BY id"  # noqa: S608
        return [Exclusion(*row) for row in self.database.rows(query)]

    def all(self) -> list[Exclusion]:
        """Return the exclusions in force, oldest first."""
        return [one for one in self.history() if not one.undone]

    def traces(self, numbers: Collection[int]) -> list[Trace]:
        """Return the traces of some exclusions."""
        rows = self.database.rows("SELECT exclusion, kind, key FROM traces ORDER BY kind, key")
        return [Trace(kind, key) for number, kind, key in rows if number in numbers]

    def rules(self) -> ExclusionRules:
        """Return the exclusions in force as a build looks them up."""
        every = self.all()
        if not every:
            return ExclusionRules()
        numbers = {one.id for one in every}
        traces: dict[str, dict[str, int]] = {}
        for number, kind, key in self.database.rows("SELECT exclusion, kind, key FROM traces"):
            if number in numbers:
                traces.setdefault(kind, {})[key] = number
        hosts = {one.target: one.id for one in every if one.kind == "host"}
        facts = sorted(hosts), sorted((kind, *sorted(keys)) for kind, keys in traces.items())
        return ExclusionRules(hosts, traces, digest(repr(facts)))

    def blocked(self) -> BlockedUrls:
        """Return the URLs that are not requested: those that are blocked or removed."""
        barred = [one for one in self.all() if one.action != HIDE]
        if not barred:
            return BlockedUrls()
        documents = [
            trace.key
            for trace in self.traces({one.id for one in barred})
            if trace.kind == "document"
        ]
        hosts = [one.target for one in barred if one.kind == "host"]
        return BlockedUrls(tuple(sorted({*documents})), tuple(sorted({*hosts})))

    def extend(self, number: int, traces: Iterable[Trace]) -> None:
        """Add traces that were found later."""
        with self.database.transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO traces VALUES (?, ?, ?)",
                ((number, *each) for each in traces),
            )
            connection.execute("UPDATE exclusions SET purged = NULL WHERE id = ?", (number,))

    def pending(self) -> list[Exclusion]:
        """Return the removals of which copies may be left."""
        return [one for one in self.all() if one.action == REMOVE and not one.purged]

    def lessons(self) -> list[str]:
        """Return the words of the documents that do not belong here."""
        rows = self.database.rows("SELECT words FROM lessons ORDER BY exclusion, document")
        return [row[0] for row in rows]

    def forget(self, documents: Collection[str], works: Collection[str]) -> None:
        """Delete the words and labels of documents and works that were removed, for good."""
        with self.database.transaction() as connection:
            connection.executemany(
                "DELETE FROM lessons WHERE document = ?", ((each,) for each in documents)
            )
            connection.executemany(
                "UPDATE exclusions SET label = '' WHERE target = ? AND kind != 'host'",
                ((each,) for each in (*documents, *works)),
            )

    def mark_purged(self, numbers: Iterable[int]) -> None:
        """Note that no copy is left of what some exclusions have removed."""
        with self.database.transaction() as connection:
            connection.executemany(
                "UPDATE exclusions SET purged = ? WHERE id = ?",
                ((timestamp(), number) for number in numbers),
            )

    def close(self) -> None:
        """Close the file."""
        self.database.close()


def read_blocked(folder: Path | str) -> BlockedUrls:
    """Return the URLs of a project that are not requested."""
    with Exclusions.open(folder) as exclusions:
        return exclusions.blocked()


def clean_reason(text: str) -> str:
    """Return a reason in one line; refuse a missing one, and one that is too long."""
    reason = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not reason:
        raise UsageError("Give a reason: others will ask why.")
    if len(reason) > MAX_REASON_CHARACTERS:
        raise UsageError(f"A reason has at most {MAX_REASON_CHARACTERS} characters; shorten it.")
    return reason


def _clean(kind: str, value: str) -> str:
    if kind not in KINDS:
        raise UnknownName("kind", kind, KINDS)
    value = value.strip()
    if kind == "url":
        url = canonical(value)
        if url is None:
            raise UsageError(f"{value[:80]!r} is not a web address.")
        return url
    if kind == "host":
        value = value.lower().rstrip(".")
        if not _HOST.fullmatch(value):
            raise UsageError(f"{value[:80]!r} is not the name of a host, such as example.org.")
    if not value:
        raise UsageError(f"Give the id of the {kind}.")
    return value
