"""HTTP: the `Fetcher` interface, its implementations, faults and address policy.

Everything a program needs is exported here; it is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lycosa.lazy import lazy_exports

if TYPE_CHECKING:
    from lycosa.crawler.http.addresses import AddressPolicy, system_lookup
    from lycosa.crawler.http.checks import check_fetcher
    from lycosa.crawler.http.credentials import Credentials, redacted_headers
    from lycosa.crawler.http.dict_fetcher import DictFetcher
    from lycosa.crawler.http.faults import Fault
    from lycosa.crawler.http.fetcher import ClientConfig, Fetcher, Limits, only
    from lycosa.crawler.http.http_fetcher import HttpFetcher
    from lycosa.crawler.http.response import Response

_HOMES = {
    "addresses": "AddressPolicy system_lookup",
    "checks": "check_fetcher",
    "credentials": "Credentials redacted_headers",
    "dict_fetcher": "DictFetcher",
    "faults": "Fault",
    "fetcher": "ClientConfig Fetcher Limits only",
    "http_fetcher": "HttpFetcher",
    "response": "Response",
}
__getattr__, __dir__ = lazy_exports(__name__, _HOMES)

__all__ = [
    "AddressPolicy",
    "ClientConfig",
    "Credentials",
    "DictFetcher",
    "Fault",
    "Fetcher",
    "HttpFetcher",
    "Limits",
    "Response",
    "check_fetcher",
    "only",
    "redacted_headers",
    "system_lookup",
]
