"""Purge: the last copies of what was removed are deleted, also from files beside the portal.

A purge has three parts: the archive of the crawl, which must not be running; portal.db and
the index, which the build writes anew; and what people wrote about the removed works. It may
be killed at any moment: a removal counts as pending until all of it is done, and every build
goes on with it.
"""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import Final

from lycosa.crawler.storage.expunge import expunge_pages
from lycosa.errors import UsageError
from lycosa.portal.build.identity import header_name
from lycosa.portal.corrections import Corrections
from lycosa.project.audit_log import AuditLog
from lycosa.project.exclusions import Exclusions
from lycosa.web.urls import BlockedUrls

DOCUMENTS_OF_WORKERS: Final = "cluster/documents"
"""The folder of documents that the workers of a cluster have read."""

_log = logging.getLogger("lycosa.portal")


class Purge:
    """The purge of the removals of a project that are pending.

    `folder` is that of the project, and `exclusions` are open; others may come meanwhile.
    """

    def __init__(self, folder: Path, exclusions: Exclusions) -> None:
        self._folder = folder
        self._exclusions = exclusions
        self._pending = exclusions.pending()
        self._traces = exclusions.traces({one.id for one in self._pending})

    def __bool__(self) -> bool:
        return bool(self._pending)

    def delete_pages(self) -> bool:
        """Delete removed pages from the archive; return False if a crawl is running."""
        hosts = sorted(one.target for one in self._pending if one.kind == "host")
        removed = BlockedUrls(tuple(sorted(self._keys)), tuple(hosts))
        try:
            bodies = {trace.key for trace in self._traces if trace.kind == "body"}
            count = expunge_pages(self._folder, removed.covers, bodies)
        except UsageError as error:
            _log.debug("the archive of %s is in use", self._folder, exc_info=error)
            return False
        _log.info("%d pages were deleted from the archive of %s", count, self._folder)
        # Copies that a repair or a cluster has kept, of what can be made again.
        kept = ("crawl.db.damaged*", "index.damaged*", DOCUMENTS_OF_WORKERS)
        for path in sorted(path for name in kept for path in self._folder.glob(name)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        return True

    def delete_decisions(self) -> None:
        """Delete what people wrote about removed works: corrections, labels, lessons, audit."""
        documents = {f"d{key}" for key in self._keys}
        works = {one.target for one in self._pending if one.kind == "work"}
        members = {
            *map(header_name, documents),
            *(each.key.partition("/")[2] for each in self._traces if each.kind == "reference"),
        }
        ids = documents | works | members
        with Corrections.open(self._folder) as corrections:
            corrections.purge(ids)
        AuditLog(self._exclusions.database).redact(ids)
        self._exclusions.forget(self._keys, works | members)
        self._exclusions.database.vacuum()

    def finish(self) -> None:
        """Note that no copy is left."""
        self._exclusions.mark_purged(one.id for one in self._pending)

    @property
    def _keys(self) -> set[str]:
        return {trace.key for trace in self._traces if trace.kind == "document"}
