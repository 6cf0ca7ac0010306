"""Suggestions for what is nearly a web address."""

from __future__ import annotations

import re

from lycosa.web.urls import canonical

_HOST = re.compile(r"(?:localhost|(?:[\w-]+\.)+[^\W\d_][\w-]+)(?::\d+)?(?:[/?#].*)?")


def suggested_url(text: str) -> str | None:
    """Return the web address that a text without a scheme may mean; None if it looks like none.

    >>> suggested_url("www.example.org"), suggested_url("localhost:8000/x")
    ('https://www.example.org/', 'http://localhost:8000/x')
    >>> suggested_url("my-project") is None
    True
    """
    if not _HOST.fullmatch(text):
        return None
    scheme = "http" if text.startswith("localhost") else "https"
    return canonical(f"{scheme}://{text}")
