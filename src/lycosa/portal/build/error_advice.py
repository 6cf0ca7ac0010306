"""What can be wrong with the files of a portal, each said in one sentence."""

from __future__ import annotations

from lycosa.files import ErrorAdvice

translate_errors = ErrorAdvice(
    "portal.db",
    "build again",
    "is damaged or no database ({}): delete it and build again.",
    "build again; nothing is lost",
).translate_errors
