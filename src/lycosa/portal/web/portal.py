"""The state of a served portal: catalogue, engine, corrections, accounts and templates."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from lycosa.portal.catalogue import Catalogue
from lycosa.portal.corrections import Corrections
from lycosa.portal.editors import Account, Editors
from lycosa.portal.languages import LANGUAGES, PARAMETER, Language, choose_language
from lycosa.portal.search import Engine
from lycosa.portal.web.assets import Assets
from lycosa.portal.web.authentication import COOKIE, Authenticator
from lycosa.portal.web.links import Links
from lycosa.portal.web.rendering import templates
from lycosa.portal.web.settings import Settings
from lycosa.project.audit_log import AuditLog
from lycosa.project.exclusions import Exclusions
from lycosa.project.owner_database import open_owner_database

DEFAULT_TITLE = "Search"
"""The title of a portal whose project sets none."""
SHARED = "max-age=60"
"""Cache-Control of public pages: how long browsers may reuse a page without revalidating."""
DEFAULT_FACTS: Mapping[str, str] = MappingProxyType(
    {"title": DEFAULT_TITLE, "description": "", "built": "", "topics": "", "newest": ""}
)
"""What a page shows of a portal that says nothing, or cannot be read."""
PRIVATE = "no-store"
"""Cache-Control of pages of the owner."""


class Session(NamedTuple):
    """The account that is signed in, and the cookie that says so."""

    account: Account
    cookie: str


class Portal:
    """State that all requests share: catalogue, engine, corrections, accounts and templates.

    `folder` is the folder of the project, with portal.db, corrections.db and the index;
    `settings` are the options of the server.
    """

    def __init__(self, folder: Path | str, settings: Settings) -> None:
        self.folder = Path(folder)
        self.settings = settings
        self.catalogue = Catalogue.open(folder)
        self.engine = Engine.open(self.folder / "index")
        self.corrections = Corrections.open(folder)
        self.decisions = open_owner_database(folder)
        self.exclusions = Exclusions(self.decisions)
        self.audit = AuditLog(self.decisions)
        self.editors = Editors(self.decisions)
        self.authenticator = Authenticator(settings.token, self.editors)
        self.links = Links(settings)
        self.assets = Assets()
        self._templates = {
            code: templates(self.links, self.assets, language)
            for code, language in LANGUAGES.items()
        }
        self._known: tuple[str, dict[str, str], dict[str, str]] | None = None

    def facts(self) -> Mapping[str, str]:
        """Return title, description and build time of the portal, and what else all pages show.

        `topics` is how many are used, and `newest` when the latest work was found.
        """
        return self._load()[1]

    def topic_names(self) -> Mapping[str, str]:
        """Return the names of topics by path."""
        return self._load()[2]

    def _load(self) -> tuple[str, dict[str, str], dict[str, str]]:
        """Return what every page needs, read once per generation of the catalogue."""
        generation = self.catalogue.generation
        known = self._known
        if known is None or known[0] != generation:
            topics = self.catalogue.topics()
            used = sum(topic.works > 0 for topic in topics)
            facts = {**DEFAULT_FACTS, **self.catalogue.meta, "topics": str(used or "")}
            facts["newest"] = self.catalogue.found.latest_time()
            names = {topic.id: topic.name for topic in topics}
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
        """Render a page from its template, with the values that every page has."""
        if "portal" not in values:
            values["portal"] = self.facts()
        language = self.language(request)
        common = {
            "q": "",
            "path": request.scope["path"],
            "language": language,
            "languages": _language_links(request),
        }
        template_file = self._templates[language.code].get_template(f"{template}.html")
        body = template_file.render(common | values).encode("utf-8", "replace")
        headers = {
            "Cache-Control": cache_control,
            "Content-Language": language.code,
            "Vary": "Accept-Language, Cookie",
        }
        return HTMLResponse(body, status, headers=headers)

    def language(self, request: HTTPConnection) -> Language:
        """Return the language of a page."""
        header = request.headers.get("accept-language", "")
        return choose_language(request.query_params, request.cookies, header)

    def session(self, request: HTTPConnection) -> Session | None:
        """Return the session of a request, None if no account is signed in."""
        cookie = request.cookies.get(COOKIE, "")
        account = self.authenticator.account(cookie) if cookie else None
        return None if account is None else Session(account, cookie)

    def close(self) -> None:
        """Close the databases of corrections and decisions."""
        self.corrections.close()
        self.decisions.close()


def _language_links(request: Request) -> list[tuple[Language, str]]:
    """Return each language with the URL of this page in it."""
    others = [pair for pair in request.query_params.multi_items() if pair[0] != PARAMETER]
    return [
        (language, f"?{urlencode([*others, (PARAMETER, code)])}")
        for code, language in LANGUAGES.items()
    ]
