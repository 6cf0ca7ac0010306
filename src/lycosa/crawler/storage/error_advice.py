"""Translation of errors in the folder of a crawl into one sentence each."""

from __future__ import annotations

from lycosa.files import ErrorAdvice

translate_errors = ErrorAdvice(
    "crawl.db",
    "start the crawl again",
    "is damaged ({}): restore a copy of it, or start a new crawl in another folder; the archive "
    "beside it can still be read.",
    "start the crawl again",
).translate_errors
