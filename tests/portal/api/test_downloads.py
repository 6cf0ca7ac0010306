import gc
import importlib.util

import pytest

from lycosa.portal import exports
from lycosa.portal.api import downloads
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.exports import DOWNLOADS, EXPORTS
from portal.web.portal_client import connect, shared_portal


@pytest.fixture(scope="module")
def api():
    with connect() as found:
        yield found


@pytest.mark.parametrize("ending", DOWNLOADS)
def test_downloads_equal_the_exports(api, ending):
    media, make = EXPORTS[ending].media_type, DOWNLOADS[ending]
    response = api.get(f"/export/works.{ending}")
    assert response.status_code == 200
    assert response.headers["content-type"] == media
    assert response.headers["content-disposition"] == f'attachment; filename="works.{ending}"'
    assert response.content == b"".join(make(Catalogue.open(shared_portal()), ()))


def test_downloads_can_be_repeated(api):
    for method in ("GET", "HEAD") * (downloads.MAX_DOWNLOADS + 2):
        assert api.ask(method, "/export/works.jsonl").status_code == 200


class StubContext:
    """What a download needs from the context of a request."""

    def __init__(self, slots):
        from threading import Semaphore

        self.downloads = Semaphore(slots)


class StubRequest:
    def __init__(self, slots):
        self.context = StubContext(slots)
        self.catalogue = Catalogue.open(shared_portal())


def test_limits_concurrent_downloads():
    request = StubRequest(2)
    first = downloads.export(request, "jsonl")
    second = downloads.export(request, "bib")
    with pytest.raises(downloads.Problem, match="Try again") as caught:
        downloads.export(request, "jsonl")
    assert caught.value.status == 429
    assert caught.value.headers["Retry-After"] == "60"
    del first  # thrown away before anything was read
    gc.collect()
    third = downloads.export(request, "jsonl")
    assert b"".join(third) == b"".join(DOWNLOADS["jsonl"](request.catalogue, ()))
    downloads.export(request, "jsonl").close()
    assert b"".join(second)


def test_reports_missing_pyarrow(api, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        exports, "find_spec", lambda name: None if name == "pyarrow" else real(name)
    )
    response = api.get("/export/works.parquet")
    assert response.status_code == 404
    assert "download works.jsonl" in response.json()["detail"]
