"""Small recorded sites for tests, and the location of the real ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lycosa.archive.writer import WarcWriter
from lycosa.sites import Recording
from realdata import SITES

REAL = SITES
DATE = datetime(2026, 1, 1, tzinfo=UTC)

realdata = pytest.mark.realdata
needs_real_sites = pytest.mark.skipif(
    not REAL.is_dir(), reason=f"the recorded sites are not at {REAL}"
)


def record(
    folder: Path,
    pages: Mapping[str, str | bytes],
    *,
    seeds: tuple[str, ...] = (),
    leaves: tuple[str, ...] = (),
    aliases: Mapping[str, str] | None = None,
    targets: Mapping[str, tuple[str, ...]] | None = None,
    family: str = "tests",
) -> Path:
    """Write a recorded site of HTML pages."""
    folder.mkdir(parents=True, exist_ok=True)
    with WarcWriter(folder / "pages.warc.gz", date=DATE) as writer:
        for url, html in pages.items():
            body = html.encode() if isinstance(html, str) else html
            writer.response(url, body, headers={"Content-Type": "text/html"}, date=DATE)
    recording = Recording(folder, folder.name, family, seeds or (next(iter(pages)),))
    recording.write()
    recording.write_lists(leaves=leaves, aliases=aliases, targets=targets)
    return folder
