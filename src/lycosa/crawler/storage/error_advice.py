"""Translation of errors in the folder of a crawl into one sentence each."""

from __future__ import annotations

from lycosa.files import ErrorAdvice

translate_errors = ErrorAdvice(
    "crawl.db",
    "start the crawl again",
    "is damaged ({}): restore a copy of it, or run lycosa repair on its folder, which rebuilds it "
    "from the archive.",
    "start the crawl again",
).translate_errors
