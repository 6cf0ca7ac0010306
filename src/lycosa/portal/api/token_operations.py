"""Operations that need a token: corrections by programs.

They are declared here for the OpenAPI document and the reference; `lycosa.portal.web` answers
them, because it knows the accounts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lycosa.portal.api.schemas import named

SECURITY = "token"
"""The name of the way to sign in, in the OpenAPI document."""
SECURITY_SCHEMES = {
    SECURITY: {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of the owner (owner.token), or that of an editor.",
    }
}
TOKEN_PROBLEMS = {
    "NotJson": (400, "The body is not JSON, or not an object of texts."),
    "NoToken": (401, "There is no valid token in the header Authorization."),
    "TooLarge": (413, "The body is too large."),
    "Refused": (422, "The correction is not possible; the detail says why."),
}
"""Error responses that only these operations have; see `openapi.PROBLEMS`."""
_COMMON = ("NotAllowed", "TooLong", "TooMany", "Unavailable", "NoToken")


@dataclass(frozen=True, slots=True)
class TokenOperation:
    """An operation with a token: a method on one path."""

    method: str
    path: str
    """With parameters in the notation of OpenAPI."""
    name: str
    """The `operationId`."""
    summary: str
    status: int = 200
    """Of the response to a request that succeeds."""
    schema: str = ""
    """The name of the schema of that response; empty if it has no body."""
    takes: str = ""
    """The name of the schema of the request's body; empty if it has none."""
    problems: tuple[str, ...] = ()
    """Names of the error responses that it has beside those of all."""

    @property
    def route(self) -> str:
        """The path in the notation of Starlette."""
        return self.path.replace("{number}", "{number:int}")

    def document(self) -> dict[str, Any]:
        """Return the operation as an object of the OpenAPI document."""
        found: dict[str, Any] = {
            "operationId": self.name,
            "summary": self.summary,
            "tags": ["corrections"],
            "security": [{SECURITY: []}],
            "responses": {str(self.status): {"description": f"{self.summary}."}},
        }
        if self.schema:
            found["responses"][str(self.status)]["content"] = _content(self.schema)
        if self.takes:
            found["requestBody"] = {"required": True, "content": _content(self.takes)}
        if self.path != self.route:
            schema = {"type": "integer", "minimum": 1}
            about = "The id of a correction."
            found["parameters"] = [
                {"name": "number", "in": "path", "required": True, "description": about}
                | {"schema": schema}
            ]
        return found

    @property
    def problem_names(self) -> tuple[str, ...]:
        """The names of all its error responses."""
        return (*_COMMON, *self.problems)


def _content(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": named(schema)}}


TOKEN_OPERATIONS = (
    TokenOperation(
        "GET",
        "/api/corrections",
        "listCorrections",
        "All corrections, oldest first",
        schema="Corrections",
    ),
    TokenOperation(
        "POST",
        "/api/corrections",
        "addCorrection",
        "Make a correction, which the next build applies",
        201,
        "AddedCorrection",
        "NewCorrection",
        ("NotJson", "TooLarge", "Refused"),
    ),
    TokenOperation(
        "DELETE",
        "/api/corrections/{number}",
        "undoCorrection",
        "Withdraw a correction",
        204,
        problems=("NotFound",),
    ),
)
