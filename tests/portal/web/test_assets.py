import re

import pytest

from lycosa.portal.web.assets import Assets
from portal.web.portal_client import connect


@pytest.fixture(scope="module")
def reader():
    with connect() as found:
        yield found


@pytest.mark.parametrize("name", ["portal.css", "charts.css", "theme.js", "portal.js", "icon.svg"])
def test_files_are_immutable_under_hashed_names(reader, name):
    hashed = Assets().names[name]
    assert re.fullmatch(r"\w+\.[0-9a-f]{12}\.(css|js|svg)", hashed)
    response = reader.get(f"/static/{hashed}")
    assert response.status_code == 200
    assert "immutable" in response.headers["cache-control"]
    assert reader.get(f"/static/{name}").status_code == 404
    plain = reader.get(f"/static/{hashed}", headers={"Accept-Encoding": "identity"})
    assert plain.content == response.content
    assert "content-encoding" not in plain.headers


def test_scripts_are_small_and_contact_no_other_site(reader):
    assets = Assets()
    scripts = [reader.get(f"/static/{assets.names[n]}").text for n in ("theme.js", "portal.js")]
    assert sum(map(len, scripts)) < 10_000
    for text in [*scripts, reader.get(f"/static/{assets.names['portal.css']}").text]:
        assert "://" not in text
        assert "@import" not in text
    for dangerous in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert dangerous not in "".join(scripts)
