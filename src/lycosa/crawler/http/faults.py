"""Everything that can go wrong with a request, by name.

A fault is data, not an exception: it stands in `Fetched.fault` and in
`Page.error`. It is a string that also knows what it means and whether trying
again later makes sense.

>>> Fault.DNS == "dns", Fault("too-large").transient
(True, False)
>>> print(Fault.TOO_SLOW.words)
The body came more slowly than is allowed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Fault(StrEnum):
    """The name of a fault, with a sentence for people and whether it may pass."""

    words: str
    """What happened, in one sentence."""
    transient: bool
    """Whether the same request may well succeed later."""

    def __new__(cls, name: str, transient: bool, words: str) -> Self:
        """A string and the two facts about it."""
        fault = str.__new__(cls, name)
        fault._value_ = name
        fault.transient = transient
        fault.words = words
        return fault

    # Before there is a connection.
    BAD_URL = "bad-url", False, "This is no address of a web page."
    DNS = "dns", True, "The name of the host could not be looked up."
    PRIVATE_ADDRESS = "private-address", False, "The host is at an address that is not public."
    REFUSED = "refused", True, "The host refused the connection."
    UNREACHABLE = "unreachable", True, "There is no way through the network to the host."
    TIMEOUT_CONNECT = "timeout-connect", True, "The host did not take the connection in time."
    TLS = "tls", False, "No secure connection could be made, or the certificate is not valid."
    PROXY = "proxy", True, "The proxy could not be reached or did not pass the request on."

    # Before there is an answer.
    RESET = "reset", True, "The connection was cut off."
    TIMEOUT_READ = "timeout-read", True, "The server went silent."
    TIMEOUT_TOTAL = "timeout-total", True, "The answer as a whole took too long."
    BAD_ANSWER = "bad-answer", False, "What was answered is not HTTP, or its head is too large."

    # While the body comes.
    TYPE_NOT_WANTED = "type-not-wanted", False, "The page is of a type that nobody asked for."
    TOO_LARGE = "too-large", False, "The body is larger than is allowed."
    TOO_SLOW = "too-slow", True, "The body came more slowly than is allowed."
    BOMB = "bomb", False, "The body grows out of all proportion when it is decompressed."
    BROKEN_BODY = "broken-body", True, "The body is incomplete or cannot be decoded."

    # Found by whoever follows links and redirects.
    ROBOTS = "robots", False, "The site asks robots not to visit the page."
    KNOWN_PAGE = "known-page", False, "A redirect leads to a page that was visited already."
    OUT_OF_SCOPE = "out-of-scope", False, "A redirect leads out of the crawl."
    REDIRECT_LOOP = "redirect-loop", False, "A redirect leads back to where it came from."
    TOO_MANY_REDIRECTS = "too-many-redirects", False, "Redirects go on and on."
