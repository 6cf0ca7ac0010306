"""Faults: everything that can go wrong with a request, by name.

A fault is data, not an exception: it is the value of `Response.fault` and of
`Page.error`. It is a string with a description, and it says whether a retry
makes sense.

>>> Fault.DNS == "dns", Fault("too-large").transient
(True, False)
>>> print(Fault.TOO_SLOW.words)
The body arrived more slowly than the limit allows.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Fault(StrEnum):
    """The name of a fault, with its description and whether it is transient."""

    words: str
    """A description in one sentence."""
    transient: bool
    """Whether the same request may well succeed later."""

    def __new__(cls, name: str, transient: bool, words: str) -> Self:
        """Make the string and set its two attributes."""
        fault = str.__new__(cls, name)
        fault._value_ = name
        fault.transient = transient
        fault.words = words
        return fault

    # Before there is a connection.
    BAD_URL = "bad-url", False, "The URL is not a web address."
    DNS = "dns", True, "The name of the host could not be looked up."
    PRIVATE_ADDRESS = "private-address", False, "The address of the host is not public."
    REFUSED = "refused", True, "The host refused the connection."
    UNREACHABLE = "unreachable", True, "The network has no route to the host."
    TIMEOUT_CONNECT = "timeout-connect", True, "The host did not accept the connection in time."
    TLS = "tls", False, "The TLS handshake failed, or the certificate is not valid."
    PROXY = "proxy", True, "The proxy could not be reached or did not pass the request on."

    # Before there is a response.
    RESET = "reset", True, "The connection was reset."
    TIMEOUT_READ = "timeout-read", True, "The server stopped sending."
    TIMEOUT_TOTAL = "timeout-total", True, "The whole response took too long."
    BAD_ANSWER = "bad-answer", False, "The response is not HTTP, or its headers are too large."

    # While the body is read.
    TYPE_NOT_WANTED = (
        "type-not-wanted",
        False,
        "The page is not of a wanted type.",
    )
    TOO_LARGE = "too-large", False, "The body is larger than the limit."
    TOO_SLOW = "too-slow", True, "The body arrived more slowly than the limit allows."
    BOMB = "bomb", False, "The body is a decompression bomb."
    BROKEN_BODY = "broken-body", True, "The body is incomplete or cannot be decoded."

    # While the page is parsed.
    PARSE_TIMEOUT = "parse-timeout", False, "Parsing the page took longer than the limit."
    PARSE_MEMORY = "parse-memory", False, "Parsing the page took more memory than the limit."
    PARSE_CRASH = "parse-crash", False, "The page crashed the process that parsed it."

    # Found by the engine, which follows links and redirects.
    ROBOTS = "robots", False, "The robots.txt of the site disallows the page."
    KNOWN_PAGE = "known-page", False, "A redirect leads to a page that was visited already."
    REMOVED = "removed", False, "The owner of the crawl has removed the page from the archive."
    OUT_OF_SCOPE = "out-of-scope", False, "A redirect leads out of the scope of the crawl."
    REDIRECT_LOOP = "redirect-loop", False, "Redirects form a loop."
    TOO_MANY_REDIRECTS = (
        "too-many-redirects",
        False,
        "Too many redirects in a row.",
    )
