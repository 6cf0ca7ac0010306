"""What can be wrong with the folder of a crawl, each said in one sentence."""

from __future__ import annotations

from lycosa.files import ErrorAdvice

translate_errors = ErrorAdvice(
    "crawl.db",
    "start the crawl again",
    "is damaged ({}): put back a copy of it, or begin a new crawl in another folder; the archive "
    "beside it can still be read.",
    "start the crawl again",
).translate_errors
