"""The files that pages load: style, scripts, icon. Their names change with what is in them."""

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
_FOREVER = "public, max-age=31536000, immutable"


class Assets:
    """All of them, in memory."""

    def __init__(self) -> None:
        found = {
            file.name: file.read_bytes()
            for file in files("lycosa.portal.web").joinpath("static").iterdir()
            if file.name.rpartition(".")[2] in _TYPES
        }
        # The look of charts in reports; in a layer, so that the look of pages comes first.
        found["pictures.css"] = f"@layer pictures {{{STYLE}}}\n".encode()
        self.names: Mapping[str, str] = {name: _hashed(name, body) for name, body in found.items()}
        """A file's name, and the one under which it is served."""
        self._bodies = {self.names[name]: (name, body) for name, body in found.items()}
        self._packed = {
            name: gzip.compress(body, mtime=0) for name, (_, body) in self._bodies.items()
        }

    def answer(self, request: Request) -> Response | None:
        """The file that is asked for; None if there is none of that name."""
        name = request.path_params["name"]
        if name not in self._bodies:
            return None
        plain, body = self._bodies[name]
        headers = {"Cache-Control": _FOREVER, "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            body = self._packed[name]
            headers["Content-Encoding"] = "gzip"
        return Response(body, headers=headers, media_type=_TYPES[plain.rpartition(".")[2]])


def _hashed(name: str, body: bytes) -> str:
    stem, _, kind = name.rpartition(".")
    return f"{stem}.{hashlib.sha256(body).hexdigest()[:12]}.{kind}"
