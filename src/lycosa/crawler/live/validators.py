"""Validators of the pages that a crawl requests again: ETag and Last-Modified (RFC 9110)."""

from __future__ import annotations

from lycosa.core import Page
from lycosa.crawler.live.job import Job
from lycosa.crawler.live.page_reader import PageReader
from lycosa.crawler.live.step_index import StepIndex
from lycosa.crawler.storage.store import RevisitStore, StoredResponse


class Validators(dict[int, tuple[str, str]]):
    """ETag and Last-Modified by the numbers of pages: exactly those to be requested again.

    `job` says which these are, and `page_reader` numbers their URLs.
    """

    def __init__(self, job: Job, page_reader: PageReader) -> None:
        super().__init__()
        self._job = job
        self._page_reader = page_reader

    def note(self, page: Page, requested: int, response: StoredResponse) -> None:
        """Take in a page that is replayed."""
        job = self._job
        if not job.refresh or not 200 <= page.status < 300:
            return
        if page.number != requested:  # it has moved since it was last requested
            self.pop(requested, None)
        if job.revisits is None or self._page_reader.urls[page.number] in job.revisits:
            self[page.number] = _tags(response)

    def find(self, store: RevisitStore, index: StepIndex) -> None:
        """Find those pages in the archive that were not replayed: a checkpoint has them."""
        for url in sorted(self._job.revisits or ()):
            number = self._page_reader.number(url)
            if number in self or not index.step(number):
                continue
            response = store.latest(url)
            if response is not None:
                self[number] = _tags(response)


def _tags(response: StoredResponse) -> tuple[str, str]:
    headers = response.headers
    return headers.get("etag", ""), headers.get("last-modified", "")
