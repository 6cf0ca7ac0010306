"""Static files: styles, scripts, icon; the hash of the content is part of the name."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from lycosa.reporting.style import STYLE

_TYPES = MappingProxyType({"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"})
_IMMUTABLE = "public, max-age=31536000, immutable"


class Assets:
    """All static files, held in memory, also compressed."""

    def __init__(self) -> None:
        found = {
            file.name: file.read_bytes()
            for file in files("lycosa.portal.web").joinpath("static").iterdir()
            if file.name.rpartition(".")[2] in _TYPES
        }
        # The style of charts; in a cascade layer, so that the style of pages takes precedence.
        found["charts.css"] = f"@layer charts {{{STYLE}}}\n".encode()
        self.names: Mapping[str, str] = {name: _hashed(name, body) for name, body in found.items()}
        """The name under which each file is served."""
        self._bodies = {self.names[name]: (name, body) for name, body in found.items()}
        self._compressed = {
            name: gzip.compress(body, mtime=0) for name, (_, body) in self._bodies.items()
        }

    def response(self, request: Request) -> Response | None:
        """Return the response with a file; None if there is no file of that name."""
        name = request.path_params["name"]
        if name not in self._bodies:
            return None
        plain, body = self._bodies[name]
        headers = {"Cache-Control": _IMMUTABLE, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            body = self._compressed[name]
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=_TYPES[plain.rpartition(".")[2]])


def _hashed(name: str, body: bytes) -> str:
    stem, _, kind = name.rpartition(".")
    return f"{stem}.{hashlib.sha256(body).hexdigest()[:12]}.{kind}"
