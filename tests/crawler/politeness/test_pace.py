"""The pace of one host: what is forgotten when a crawl is run again."""

from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from random import Random

import pytest

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.http.response import Response
from lycosa.crawler.politeness.pace import HostPace, Pace, without_failures


def test_only_a_retry_after_survives_when_failures_are_forgotten():
    host = HostPace(Pace(failures=1))
    response = Response("http://a.example/", datetime.now(UTC), 503, seconds=0.1)
    host.failed(100.0, 100.0, response, Random(0))
    kept = without_failures(host.snapshot(100.0))
    assert (kept["failures"], kept["quarantine"], kept["back-off"]) == (0, 0.0, 0.0)
    asked = replace(response, raw_headers=((b"Retry-After", b"60"),))
    host.failed(100.0, 100.0, asked, Random(0))
    again = HostPace(Pace())
    again.restore(without_failures(host.snapshot(110.0)), 110.0)
    assert again.due == pytest.approx(160.0)


def test_a_forbidden_address_counts_as_a_failure_without_a_back_off():
    host = HostPace(Pace())
    refused = Response("http://a.example/", datetime.now(UTC), fault=Fault.PRIVATE_ADDRESS)
    host.failed(100.0, 100.0, refused, Random(0))
    assert (host.failures, host.due) == (1, -inf)
