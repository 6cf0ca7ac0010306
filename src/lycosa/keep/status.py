"""The status of a kept portal, in keep.json: what it does now, and what it did last."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from lycosa.errors import UsageError
from lycosa.files import replace_file

FILE = "keep.json"
MAX_FAILURES = 20
"""Failures that are kept, the latest ones."""

_log = logging.getLogger("lycosa.keep")


def now() -> str:
    """Return the time now: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass
class KeepStatus:
    """What `lycosa keep` does with a project."""

    state: str = "starting"
    """starting, crawling, building, compacting, waiting or stopped."""
    since: str = field(default_factory=now)
    """When it came to this state."""
    process: int = 0
    """The number of the process; 0 if it has ended."""
    cycles: int = 0
    """Cycles of a crawl and a build that have ended."""
    next: str = ""
    """When the next cycle begins; empty unless it waits."""
    revisits: int = 0
    """Pages that the last cycle wanted to request again."""
    discoveries: int = 0
    """New pages that the last cycle was allowed to request."""
    gone: int = 0
    """Pages that were there and are not any more."""
    changes: list[str] = field(default_factory=list)
    """Hosts whose documents have fewer fields than before, and since when."""
    restarts: int = 0
    """How often the server was started again."""
    failures: list[str] = field(default_factory=list)
    """The latest failures, each with its time."""

    def enter(self, folder: Path, state: str, **facts: Any) -> None:
        """Change the state and some facts, and write the file."""
        self.state, self.since = state, now()
        for name, value in facts.items():
            setattr(self, name, value)
        self.write(folder)

    def fail(self, folder: Path, what: str) -> None:
        """Record a failure."""
        _log.warning("%s", what)
        self.failures = [*self.failures, f"{now()} {what}"][-MAX_FAILURES:]
        self.write(folder)

    def write(self, folder: Path) -> None:
        """Write the file; a full disk does not end the service."""
        try:
            with replace_file(folder / FILE) as part:
                part.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        except OSError as error:
            _log.warning("%s cannot be written", folder / FILE, exc_info=error)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the file of a folder."""
        path = folder / FILE
        try:
            found = dict(json.loads(path.read_text(encoding="utf-8")).items())
            known = {name: found[name] for name in cls.__dataclass_fields__ if name in found}
            return cls(**known)
        except FileNotFoundError:
            raise UsageError(
                f"{folder} is not kept: start it with `lycosa keep {folder}`."
            ) from None
        except (OSError, ValueError, TypeError, AttributeError) as error:
            _log.debug("%s cannot be read", path, exc_info=error)
            raise UsageError(f"{path} cannot be read: `lycosa keep` writes it again.") from None
