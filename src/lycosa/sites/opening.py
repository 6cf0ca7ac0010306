"""Opening a recorded site, compiled if necessary."""

from __future__ import annotations

from pathlib import Path

from lycosa.sites.compiled import CompiledSite
from lycosa.sites.compiler import compile_site
from lycosa.sites.recording import Progress, Recording
from lycosa.sites.tables import StoredTable


def open_site(folder: Path | str, progress: Progress | None = None, jobs: int = 1) -> CompiledSite:
    """Open a recorded site; compile it first if its compiled form is missing or stale.

    With more than one job, pages are parsed in that many processes; a script
    that does this must be safe to import, as Python's multiprocessing requires.
    """
    recording = Recording.open(Path(folder))
    compiled = compile_site(recording, progress, jobs)
    return CompiledSite(compiled, recording.targets(StoredTable(compiled, "urls").find))
