"""Why a start page gave nothing: one table of causes, each with a sentence and the next step.

>>> print(SeedFailure.of("https://www.exmaple.org/", "dns"))
https://www.exmaple.org/: The name www.exmaple.org could not be looked up. Check the spelling of \
the address, and that this machine is connected to a network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from lycosa.crawler.http.faults import Fault
from lycosa.web.urls import host_of

_AGAIN = "a new run requests a start page that failed at once"
_BROWSER = "Open the address in a browser"


class _Cause(NamedTuple):
    """What happened, and what to do next; both are templates of `SeedFailure.of`."""

    words: str
    advice: str


CAUSES: Mapping[str, _Cause] = MappingProxyType({
    # Before there is a connection.
    "bad-url": _Cause("It is not a web address.", "Write it like https://example.org/."),
    "dns": _Cause(
        "The name {host} could not be looked up.",
        "Check the spelling of the address, and that this machine is connected to a network."),
    "loopback": _Cause(
        "{host} is this machine, and requests to it are not allowed.",
        "For a test on your own machine give --loopback, or write loopback = true in [safety]."),
    "private-address": _Cause(
        "The address of {host} is not public, and requests to it are not allowed.",
        "If the host is yours, write private = true in [safety], or loopback = true if it is this "
        "machine."),
    "refused": _Cause(
        "{host} refused the connection.",
        "Check that the server runs, and the port and the scheme (http or https) of the address."),
    "unreachable": _Cause(
        "There is no route to {host}.",
        "Check the network of this machine; if it needs a proxy, write proxy in [requests]."),
    "timeout-connect": _Cause(
        "{host} did not accept a connection in time.",
        f"{_BROWSER}; if it is only slow, raise connect-timeout in [requests]."),
    "tls": _Cause(
        "The TLS handshake with {host} failed, or its certificate is not valid.",
        f"{_BROWSER} to see why; for a host of your own, verify = false in [requests] accepts any "
        "certificate."),
    "proxy": _Cause(
        "The proxy could not be reached, or it did not pass the request on.",
        "Check proxy in [requests]."),

    # Before there is a response, or while its body is read.
    "reset": _Cause(
        "{host} closed the connection without an answer.",
        "Check the scheme of the address (http or https), or try again later: " + _AGAIN + "."),
    "timeout-read": _Cause(
        "{host} accepted the request and did not answer in time.",
        "Try again later, or raise read-timeout in [requests]."),
    "timeout-total": _Cause(
        "The whole response took too long.",
        "Try again later, or raise total-timeout in [requests]."),
    "too-slow": _Cause(
        "The page arrived more slowly than the limit allows.",
        "Try again later, or lower slowest in [requests]."),
    "bad-answer": _Cause(
        "The response of {host} is not HTTP, or its headers are too large.",
        "Check the port and the scheme (http or https) of the address."),
    "too-large": _Cause(
        "The page is larger than the limit.",
        "Start at another page, or raise largest in [requests]."),
    "bomb": _Cause("The page is a decompression bomb.", "Start at another page."),
    "broken-body": _Cause(
        "The page arrived incomplete, or cannot be decoded.", f"{_BROWSER}, or try again later."),

    # What the server answered.
    "log-in": _Cause(
        "{host} answered {status}: the page needs a log-in.",
        "Start at a public page, or send a header or a cookie by headers in [requests]."),
    "forbidden": _Cause(
        "{host} answered {status}: it does not let this crawler read the page.",
        f"{_BROWSER}; if it opens there, the site refuses crawlers: ask its owner."),
    "not-found": _Cause(
        "{host} answered {status}: the page does not exist.",
        f"{_BROWSER} and copy the address from there."),
    "too-many-requests": _Cause(
        "{host} answered {status}: too many requests.",
        "Wait, raise delay in [politeness], and run the crawl again."),
    "server-error": _Cause(
        "{host} answered {status}: an error of the server.",
        "Try again later: " + _AGAIN + "."),
    "status": _Cause("{host} answered {status}, which is no page.", f"{_BROWSER}."),

    # What the engine found.
    "robots": _Cause(
        "The robots.txt of {host} disallows the page for {agent}.",
        "Start at a page that it allows, or ask the owner of the site; for a site of your own, "
        "write robots = false in [politeness]."),
    "robots-unreachable": _Cause(
        "The robots.txt of {host} answered with an error of the server, and without it nothing "
        "may be requested.",
        "Try again later: " + _AGAIN + "."),
    "out-of-scope": _Cause(
        "It redirects to {target}, which is out of scope.",
        "Start there, or add {target_host} to domains in [scope]."),
    "redirect-loop": _Cause(
        "Its redirects form a loop.",
        f"{_BROWSER} and copy the address of the page; a loop may also mean that the site needs "
        "cookies = true in [requests]."),
    "too-many-redirects": _Cause(
        "It has too many redirects in a row.", f"{_BROWSER} and start at the last address."),
    "host-pages": _Cause(
        "The limit of pages of {host} is reached.", "Raise pages-per-host in [politeness]."),
    "host-quarantine": _Cause(
        "{host} failed repeatedly and is left alone for a while.",
        "Try again later: " + _AGAIN + "."),

    # What the page is.
    "type-not-wanted": _Cause(
        "The page is of the type {type}, which this crawl does not download.",
        "Start at a web page that links to the wanted pages, or change types in [requests]."),
    "binary": _Cause(
        "The page is no text but a file of the type {type}, and has no links.",
        "Start at a web page that links to the wanted pages."),
    "empty": _Cause("The page is empty.", f"{_BROWSER}; if it has text there, try --render auto."),
    "script-only": _Cause(
        "The page has no links and hardly any text: a script writes it in the browser.",
        "Try --render auto, or start at a page with links of its own."),
})  # fmt: skip
"""What a start page that gave nothing can be due to."""

_STATUSES = MappingProxyType({
    401: "log-in", 403: "forbidden", 404: "not-found", 407: "log-in", 410: "not-found",
    429: "too-many-requests", 451: "forbidden",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeedFailure:
    """A start page that gave nothing: the cause, for programs, and the words, for people."""

    url: str
    cause: str
    """A key of `CAUSES`."""
    words: str
    """What happened, in a sentence."""
    advice: str
    """What to do next."""
    retrying: bool = False
    """Whether it will be requested again in this run."""

    @classmethod
    def of(cls, url: str, cause: str, *, retrying: bool = False, **details: object) -> Self:
        """Return the failure of a start page by a cause.

        `details` are `status`, `agent`, `type` and `target`, where the cause has them.
        """
        target = str(details.get("target") or "another page")
        known = {
            "host": host_of(url),
            "target": target,
            "target_host": host_of(target) or "its host",
            "status": details.get("status") or "no status",
            "agent": details.get("agent") or "this crawler",
            "type": details.get("type") or "unknown",
        }
        found = CAUSES.get(cause) or _Cause(f"It failed: {cause}.", f"{_BROWSER}.")
        words, advice = found.words.format_map(known), found.advice.format_map(known)
        return cls(url, cause, words, advice, retrying)

    @classmethod
    def of_note(cls, note: Mapping[str, Any]) -> Self:
        """Return the failure that a crawl has noted."""
        url, cause, words, advice = (
            str(note.get(name) or "") for name in ("url", "cause", "words", "advice")
        )
        return cls(url, cause, words, advice, bool(note.get("retrying")))

    def __str__(self) -> str:
        return f"{self.url}: {self.words} {self.advice}"


def cause_of_status(status: int) -> str:
    """Return the cause that a status other than a success means.

    >>> cause_of_status(401), cause_of_status(503), cause_of_status(418)
    ('log-in', 'server-error', 'status')
    """
    return _STATUSES.get(status) or ("server-error" if 500 <= status < 600 else "status")


def cause_of_fault(fault: str, url: str) -> str:
    """Return the cause that a fault at a URL means.

    >>> cause_of_fault("dns", "http://a.example/")
    'dns'
    >>> cause_of_fault("private-address", "http://127.0.0.1:8000/")
    'loopback'
    """
    if fault == Fault.PRIVATE_ADDRESS and _is_loopback(host_of(url)):
        return "loopback"
    return str(fault)


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
