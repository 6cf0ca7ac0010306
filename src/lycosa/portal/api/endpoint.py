"""HTTP endpoint of an operation: parse the request, check its ETag, run the handler, respond."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from lycosa.portal.api.operation import ApiContext, ApiRequest, Operation
from lycosa.portal.api.problems import CORS, MovedPermanently, Problem

CACHE_CONTROL = "max-age=60"
"""How long clients may reuse a response without revalidating it."""
ALLOWED_METHODS = "GET, HEAD, OPTIONS"

_log = logging.getLogger("lycosa.portal")


class Endpoint:
    """ASGI application of one operation, which therefore receives requests of all methods.

    `context` is what the handler reads from; all endpoints share it.
    """

    def __init__(self, operation: Operation, context: ApiContext) -> None:
        self._operation = operation
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to a request."""
        request = Request(scope, receive)
        if request.method == "OPTIONS":
            allowed = {"Allow": ALLOWED_METHODS, "Access-Control-Allow-Methods": ALLOWED_METHODS}
            headers = {**CORS, **allowed, "Access-Control-Allow-Headers": "If-None-Match"}
            response = Response(status_code=204, headers=headers)
        elif request.method not in ALLOWED_METHODS.split(", "):
            detail = f"This URL is read-only: {ALLOWED_METHODS}."
            response = Problem(405, detail, headers={"Allow": ALLOWED_METHODS}).response()
        else:
            response = await self._context.run(request, partial(self._respond, request))
        await response(scope, receive, send)

    def _respond(self, request: Request) -> Response:
        operation = self._operation
        # Computed first: a response may be newer than its tag, never older.
        tag = (
            "" if operation.uses_index else self._etag(self._context.catalogue.generation.encode())
        )
        try:
            values = operation.read(request)
            if tag and _matches(tag, request):
                return self._not_modified(tag)
            result = operation.handler(ApiRequest(request, values, self._context))
        except Problem as problem:
            # Without its detail, which quotes what the client sent.
            _log.debug("%s answers %d", operation.path, problem.status)
            return problem.response()
        except MovedPermanently as moved:
            return moved.response()
        if isinstance(result, Iterator):
            return self._ok(request, result, tag)
        body = _encode(result)
        tag = tag or self._etag(body)
        return self._not_modified(tag) if _matches(tag, request) else self._ok(request, body, tag)

    def _ok(self, request: Request, body: bytes | Iterator[bytes], tag: str) -> Response:
        headers = self._headers(tag)
        media = self._operation.media
        if not media.endswith("json") and "charset" not in media and not self._operation.filename:
            media += "; charset=utf-8"
        if isinstance(body, bytes):
            return Response(body, headers=headers, media_type=media)
        if request.method == "HEAD":
            del body  # closes the generator, which releases its download slot
            return Response(headers=headers, media_type=media)
        return StreamingResponse(body, headers=headers, media_type=media)

    def _not_modified(self, tag: str) -> Response:
        return Response(status_code=304, headers=self._headers(tag))

    def _headers(self, tag: str) -> dict[str, str]:
        headers = {**CORS, "Cache-Control": CACHE_CONTROL, "ETag": tag}
        if self._operation.filename:
            headers["Content-Disposition"] = f'attachment; filename="{self._operation.filename}"'
        return headers

    def _etag(self, state: bytes) -> str:
        """Return the ETag of a state, which also depends on the version of Lycosa."""
        digest = hashlib.sha256(state + b"\0" + self._context.version.encode())
        return f'W/"{digest.hexdigest()[:20]}"'


def _encode(result: Any) -> bytes:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _matches(tag: str, request: Request) -> bool:
    given = request.headers.get("if-none-match", "")
    return any(each.strip() in (tag, tag.removeprefix("W/"), "*") for each in given.split(","))
