"""Translation of disk and database errors of a portal into one sentence each."""

from __future__ import annotations

from lycosa.files import ErrorAdvice

translate_errors = ErrorAdvice(
    "portal.db",
    "build again",
    "is damaged or no database ({}): delete it and build again.",
    "build again; nothing is lost",
).translate_errors
