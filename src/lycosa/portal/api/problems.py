"""Error responses as problem documents (RFC 9457), and redirects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

MEDIA = "application/problem+json"
CORS: Mapping[str, str] = {"Access-Control-Allow-Origin": "*"}
"""The API is public, so that scripts on pages of other sites may read it, too."""


class Problem(Exception):
    """A request that is refused.

    `detail` is a sentence for people; `parameter` names the invalid parameter,
    if there is one; `headers` are added to the response.

    >>> print(Problem(404, "There is no such work.").response().body.decode())
    {"type":"about:blank","title":"Not Found","status":404,"detail":"There is no such work."}
    """

    def __init__(
        self, status: int, detail: str, *, parameter: str = "", headers: Mapping[str, str] = CORS
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.parameter = parameter
        self.headers = {**CORS, **headers, "Cache-Control": "no-store"}

    def response(self) -> Response:
        """Return the response with the problem document."""
        document = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.parameter:
            document["parameter"] = self.parameter
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        body = text.encode("utf-8", "replace")
        return Response(body, self.status, headers=self.headers, media_type=MEDIA)


class MovedPermanently(Exception):
    """The resource has moved to another URL."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    def response(self) -> Response:
        """Return the redirect to the new URL."""
        return Response(status_code=301, headers={**CORS, "Location": self.url})
