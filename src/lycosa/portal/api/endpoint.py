"""How a request becomes an answer: understood, compared with what the reader has, made, sent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from lycosa.portal.api.operation import ApiContext, ApiRequest, Operation
from lycosa.portal.api.problems import CORS, MovedPermanently, Problem

CACHE_CONTROL = "max-age=60"
"""For how long an answer may be used without asking again."""
ALLOWED_METHODS = "GET, HEAD, OPTIONS"


class Endpoint:
    """Answers one operation; an application of its own, so that it sees all methods."""

    def __init__(self, operation: Operation, context: ApiContext) -> None:
        self._operation = operation
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        if request.method == "OPTIONS":
            allowed = {"Allow": ALLOWED_METHODS, "Access-Control-Allow-Methods": ALLOWED_METHODS}
            headers = {**CORS, **allowed, "Access-Control-Allow-Headers": "If-None-Match"}
            response = Response(status_code=204, headers=headers)
        elif request.method not in ALLOWED_METHODS.split(", "):
            words = f"This address is for reading only: {ALLOWED_METHODS}."
            response = Problem(405, words, headers={"Allow": ALLOWED_METHODS}).response()
        else:
            response = await run_in_threadpool(self._answer, request)
        await response(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        operation = self._operation
        # Asked for before anything else: an answer may be newer than its tag, never older.
        tag = "" if operation.uses_index else self._tag(self._context.catalogue.generation.encode())
        try:
            values = operation.read(request)
            if tag and _known(tag, request):
                return self._unchanged(tag)
            made = operation.handler(ApiRequest(request, values, self._context))
        except (Problem, MovedPermanently) as other:
            return other.response()
        if isinstance(made, Iterator):
            return self._sent(request, made, tag)
        body = _body(made)
        tag = tag or self._tag(body)
        return self._unchanged(tag) if _known(tag, request) else self._sent(request, body, tag)

    def _sent(self, request: Request, made: bytes | Iterator[bytes], tag: str) -> Response:
        headers = self._headers(tag)
        media = self._operation.media
        if not media.endswith("json") and "charset" not in media and not self._operation.filename:
            media += "; charset=utf-8"
        if isinstance(made, bytes):
            return Response(made, headers=headers, media_type=media)
        if request.method == "HEAD":
            del made  # which lets go of what it holds
            return Response(headers=headers, media_type=media)
        return StreamingResponse(made, headers=headers, media_type=media)

    def _unchanged(self, tag: str) -> Response:
        return Response(status_code=304, headers=self._headers(tag))

    def _headers(self, tag: str) -> dict[str, str]:
        headers = {**CORS, "Cache-Control": CACHE_CONTROL, "ETag": tag}
        if self._operation.filename:
            headers["Content-Disposition"] = f'attachment; filename="{self._operation.filename}"'
        return headers

    def _tag(self, state: bytes) -> str:
        """A name for a state, another one when this program is."""
        digest = hashlib.sha256(state + b"\0" + self._context.version.encode())
        return f'W/"{digest.hexdigest()[:20]}"'


def _body(made: Any) -> bytes:
    text = made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _known(tag: str, request: Request) -> bool:
    given = request.headers.get("if-none-match", "")
    return any(each.strip() in (tag, tag.removeprefix("W/"), "*") for each in given.split(","))
