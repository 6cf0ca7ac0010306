"""A portal that is served: what it holds, who owns it, and how its pages are made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from lycosa.portal.catalogue import Catalogue
from lycosa.portal.corrections import Corrections
from lycosa.portal.search import Engine
from lycosa.portal.web.assets import Assets
from lycosa.portal.web.authentication import COOKIE, OwnerAuthenticator
from lycosa.portal.web.links import Links
from lycosa.portal.web.rendering import templates
from lycosa.portal.web.settings import Settings

TITLE = "Search"
"""Of a portal that has no name."""
SHARED = "max-age=60"
"""How long a reader's browser may show a page without asking again."""
PRIVATE = "no-store"


class Portal:
    """What pages are made of; shared by all requests."""

    def __init__(self, folder: Path | str, settings: Settings) -> None:
        self.folder = Path(folder)
        self.settings = settings
        self.catalogue = Catalogue.open(folder)
        self.engine = Engine.open(self.folder / "index")
        self.corrections = Corrections.open(folder)
        self.owner = OwnerAuthenticator(settings.token)
        self.links = Links(settings)
        self.assets = Assets()
        self._templates = templates(self.links, self.assets)
        self._known: tuple[str, dict[str, str], dict[str, str]] | None = None

    def facts(self) -> Mapping[str, str]:
        """Title, description and age of the portal."""
        return self._read()[1]

    def topic_names(self) -> Mapping[str, str]:
        """What topics are called, by their paths."""
        return self._read()[2]

    def _read(self) -> tuple[str, dict[str, str], dict[str, str]]:
        """What every page needs, read once for each build."""
        generation = self.catalogue.generation
        known = self._known
        if known is None or known[0] != generation:
            facts = {"title": TITLE, "description": "", "built": ""} | dict(self.catalogue.meta)
            names = {topic.id: topic.name for topic in self.catalogue.topics()}
            known = self._known = (generation, facts, names)
        return known

    def render(
        self,
        request: Request,
        template: str,
        *,
        status: int = 200,
        cache_control: str = SHARED,
        **values: Any,
    ) -> HTMLResponse:
        """A page from its template."""
        values = {"portal": self.facts(), "q": "", "path": request.scope["path"]} | values
        text = self._templates.get_template(f"{template}.html").render(values)
        body = text.encode("utf-8", "replace")
        return HTMLResponse(body, status, headers={"Cache-Control": cache_control})

    def owner_session(self, request: HTTPConnection) -> str:
        """The proof of the owner that a request has; empty if it has none that holds."""
        proof = request.cookies.get(COOKIE, "")
        return proof if proof and self.owner.is_valid_session(proof) else ""

    def close(self) -> None:
        """Let go of what is open."""
        self.corrections.close()
