"""What can be wrong with the files of a portal, each said in one sentence."""

from __future__ import annotations

from lycosa.troubles import Advice

explained = Advice(
    "portal.db",
    "build again",
    "is damaged or no database ({}): delete it and build again.",
    "build again; nothing is lost",
).explained
