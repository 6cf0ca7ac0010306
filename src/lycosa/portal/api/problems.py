"""What is wrong with a request, told to programs (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import Response

MEDIA = "application/problem+json"
CORS: Mapping[str, str] = {"Access-Control-Allow-Origin": "*"}
"""Everything here may be read by anybody, so also by the pages of other sites."""


class Problem(Exception):
    """A request that cannot be answered, and why, in a sentence.

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
        """The answer that says so."""
        facts = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        if self.parameter:
            facts["parameter"] = self.parameter
        text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
        body = text.encode("utf-8", "replace")
        return Response(body, self.status, headers=self.headers, media_type=MEDIA)


class MovedPermanently(Exception):
    """What was asked for has another address now."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    def response(self) -> Response:
        """The answer that sends there."""
        return Response(status_code=301, headers={**CORS, "Location": self.url})
