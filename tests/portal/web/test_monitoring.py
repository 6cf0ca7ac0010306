from datetime import UTC, datetime
from multiprocessing import get_context

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request

from lycosa.errors import UsageError
from lycosa.portal.web.access_log import AccessLog, format_line
from lycosa.portal.web.monitoring import request_kind
from lycosa.portal.web.traffic import KINDS, SECONDS, TrafficTable
from portal.web.portal_client import TOKEN, connect, copy_portal


@pytest.fixture
def local():
    """A client on the machine of the server."""
    with connect(client="127.0.0.1") as found:
        yield found


@pytest.fixture
def remote():
    with connect(client="192.0.2.7") as found:
        yield found


def samples(text):
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_healthy_portal(remote):
    reply = remote.get("/healthz")
    assert reply.status_code == 200
    assert reply.json()["status"] == "ok"
    assert reply.json()["works"] > 0


def test_a_portal_whose_index_is_lost_is_not_healthy(tmp_path):
    folder = copy_portal(tmp_path)
    with connect(folder) as found:
        (folder / "index" / "meta.json").unlink()
        reply = found.get("/healthz")
    assert (reply.status_code, reply.json()) == (503, {"status": "unavailable"})


def test_metrics_count_requests(local):
    assert local.get("/search?q=spider").status_code == 200
    assert local.get("/work/missing").status_code == 404
    found = samples(local.get("/metrics").text)
    assert found["lycosa_http_requests_total", "2xx", "search"] == 1
    assert found["lycosa_http_requests_total", "4xx", "work"] == 1
    assert found["lycosa_http_request_duration_seconds_count", "search"] == 1
    assert found["lycosa_http_request_duration_seconds_bucket", "+Inf", "search"] == 1
    assert found["lycosa_http_response_bytes_total", "search"] > 1000
    assert found["lycosa_indexed_works",] > 0


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Authorization": "Bearer a guess"}, 403),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ],
)
def test_metrics_for_other_machines_need_the_token(remote, headers, status):
    assert remote.get("/metrics", headers=headers).status_code == status


def test_metrics_behind_a_proxy_that_was_not_announced(local):
    assert local.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.sampled_from(KINDS),
            st.sampled_from((200, 304, 404, 503)),
            st.floats(0, 20),
        ),
        max_size=30,
    )
)
def test_totals_are_those_of_all_processes(requests):
    table = TrafficTable(3, get_context("spawn"))
    for process, kind, status, seconds in requests:
        table.row(process).count(kind, status, seconds, 10)
    for kind, total in table.total().items():
        mine = [(status, seconds) for _, each, status, seconds in requests if each == kind]
        assert total.requests == sum(total.statuses) == len(mine)
        assert total.statuses[4] == sum(status == 503 for status, _ in mine)
        assert total.size == 10 * len(mine)
        for bound in SECONDS:
            assert total.within(bound) == sum(seconds <= bound for _, seconds in mine)
    assert table.restarts == 0


def test_kinds_under_a_prefix():
    assert request_kind("/papers/search", "/papers") == "search"


def request(path="/search", query=b"q=a", **headers):
    pairs = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
    return Request(
        {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "http_version": "1.1",
            "headers": pairs,
            "client": ("192.0.2.7", 1),
        }
    )


def test_a_line_of_the_access_log(tmp_path):
    log = AccessLog(str(tmp_path / "access.log"))
    log.write(request(user_agent=b"a browser"), 200, 1234, trust_proxy=False)
    [line] = (tmp_path / "access.log").read_text().splitlines()
    before, _, after = line.partition(" - - [")
    assert before == "192.0.2.7"
    assert after.endswith('] "GET /search?q=a HTTP/1.1" 200 1234 "-" "a browser"')


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_clients_cannot_forge_lines(query, agent):
    forged = request(query=query, user_agent=agent)
    line = format_line("192.0.2.7", datetime.now(UTC), forged, 200, 1)
    assert line.count("\n") == 1
    assert line.count('"') == 6
    assert line[:-1].isprintable()


def test_a_rotated_log_is_opened_again(tmp_path):
    path = tmp_path / "access.log"
    log = AccessLog(str(path))
    log.write(request(), 200, 1, trust_proxy=False)
    path.rename(tmp_path / "access.log.1")
    log.write(request(), 404, 1, trust_proxy=False)
    assert '" 200 1 "' in (tmp_path / "access.log.1").read_text()
    assert '" 404 1 "' in path.read_text()


def test_a_log_that_cannot_be_written(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        AccessLog(str(tmp_path / "missing" / "access.log"))
    folder = tmp_path / "logs"
    folder.mkdir()
    log = AccessLog(str(folder / "access.log"))
    (folder / "access.log").unlink()
    folder.rmdir()
    log.write(request(), 200, 1, trust_proxy=False)  # the request itself is answered
