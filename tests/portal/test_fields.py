"""The table of fields: a facet, a reference field and an export format are added in one file.

Each test runs a whole portal (build, index, search, API, pages, exports) from a copy of the
package in which exactly one file is changed; all other files are links to the originals.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lycosa.portal.fields import COLUMNS, FACETS, FIELDS, INPUTS, SEARCHED, SORTS
from lycosa.portal.schema import SCHEMA

TESTS = Path(__file__).parents[1]
PACKAGE = TESTS.parent / "src" / "lycosa"


def overlay(folder: Path, changed: str, *edits: tuple[str, str]) -> Path:
    """Copy the package as links, except for one file, in which texts are replaced."""
    target = folder / "src"
    home = Path()
    (target / "lycosa").mkdir(parents=True)
    for part in Path(changed).parts:
        (target / "lycosa" / home).mkdir(exist_ok=True)
        for path in (PACKAGE / home).iterdir():
            if path.name not in (part, "__pycache__"):
                (target / "lycosa" / home / path.name).symlink_to(path)
        home /= part
    text = (PACKAGE / changed).read_text()
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} must be in {changed} once"
        text = text.replace(old, new)
    (target / "lycosa" / changed).write_text(text)
    return target


def run(source: Path, folder: Path, program: str):
    """Run a program on the changed package; return what it prints as JSON."""
    environment = {**os.environ, "PYTHONPATH": f"{source}:{TESTS}"}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + program, str(folder)],
        env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


PRELUDE = """
import json, sys
from pathlib import Path
import lycosa
from portal.build.crawls import Answer, answers, crawl, papers, printed, query
from lycosa.portal.build import build_portal
from lycosa.portal.corrections import Corrections
from lycosa.portal.catalogue import Catalogue
from lycosa.portal.exports import DOWNLOADS
from portal.web.portal_client import TOKEN, connect, html, text
folder = Path(sys.argv[1])
"""

FACET = """
build_portal(crawl(folder, answers(4)))
with connect(folder) as client:
    found = client.get("/api/search", params={"volume": "12(2)"}).json()
    none = client.get("/api/search", params={"volume": "99"}).json()
    page = html(client.get("/search?q="))
    openapi = client.get("/openapi.json").text
print(json.dumps({
    "total": found["total"], "none": none["total"], "facet": found["facets"]["volume"],
    "title": text(page.css_first("#facet-volume")), "openapi": "Only of these volumes" in openapi,
}))
"""

FIELD = """
made = papers(3)
reference = "A. Lee. The habits of wolves in winter. Springer Verlag, New York, 1994."
more = [Answer(f"http://p.example/{n}.txt", printed(p, made, more=[reference]))
        for n, p in enumerate(made)]
project = crawl(folder, more)
build_portal(project)
[(work, publisher)] = query(folder, "SELECT id, publisher FROM works WHERE title LIKE '%wolves%'")
paper = query(folder, "SELECT id FROM works WHERE kind = 'paper'")[0][0]
with Corrections.open(folder) as corrections:
    corrections.add("publisher", paper, "Wolf Press")
build_portal(project)
with connect(folder) as client:
    client.post("/sign-in", {"token": TOKEN})
    api = client.get(f"/api/works/{work}").json()
    found = client.get("/api/search", params={"q": "publisher:wolf"}).json()
    facet = client.get("/api/search", params={"publisher": "Wolf Press"}).json()
    page = client.get(f"/work/{paper}").text
    form = html(client.get(f"/correct?work={paper}"))
    texts = {e: client.get(f"/work/{paper}.{e}").text for e in ("bib", "ris", "json")}
pieces = DOWNLOADS["jsonl"](Catalogue.open(folder), ())
rows = [json.loads(line) for line in b"".join(pieces).splitlines()]
print(json.dumps({
    "extracted": publisher, "api": api["publisher"], "fact": api["facts"]["publisher"],
    "search": [hit["work"]["id"] == paper for hit in found["items"]],
    "facet": facet["total"], "page": "Publisher: <bdi>Wolf Press</bdi>" in page,
    "form": form.css_first("#publisher").attributes["value"], "texts": texts,
    "rows": sorted({row["publisher"] for row in rows}),
}))
"""

FORMAT = """
from click.testing import CliRunner
from lycosa.cli import main
build_portal(crawl(folder, answers(2)))
work = query(folder, "SELECT id FROM works WHERE kind = 'paper'")[0][0]
with connect(folder) as client:
    one = client.get(f"/work/{work}.tsv")
    every = client.get("/export/works.tsv")
    page = client.get(f"/work/{work}").text
    links = client.get(f"/api/works/{work}").json()["links"]
    paths = client.get("/openapi.json").json()["paths"]
out = folder / "works.tsv"
code = CliRunner().invoke(main, ["export", str(folder), "-o", str(out)]).exit_code
print(json.dumps({
    "one": one.text, "type": one.headers["content-type"], "same": every.text == out.read_text(),
    "lines": len(every.text.splitlines()), "page": f"/work/{work}.tsv" in page,
    "link": links["tsv"].endswith(".tsv"), "openapi": "/export/works.tsv" in paths, "code": code,
    "work": work,
}))
"""


def test_a_facet_is_added_in_one_file(tmp_path):
    source = overlay(
        tmp_path,
        "portal/fields.py",
        (
            'FieldSpec(label="Volume", ',
            'FieldSpec(label="Volume", facet=FacetSpec(name="volume", title="Volume", '
            'about="Only of these volumes."), ',
        ),
    )
    found = run(source, tmp_path / "portal", FACET)
    assert found["total"] == found["facet"][0]["count"] > 0
    assert found["facet"][0]["value"] == "12(2)"
    assert found["none"] == 0
    assert found["title"] == "Volume"
    assert found["openapi"]


def test_a_reference_field_is_added_in_one_file(tmp_path):
    spec = """    publisher: Annotated[
        str,
        FieldSpec(
            label="Publisher", extracted=("publisher",), search="publisher",
            facet=FacetSpec(name="publisher", title="Publisher", about="Only of these."),
            input=InputSpec(kind="publisher", about="the publisher, or nothing"),
            bibtex="publisher", ris="PB", csl="publisher", detail=True,
        ),
    ] = ""
    abstract: Annotated["""
    source = overlay(tmp_path, "portal/fields.py", ("    abstract: Annotated[", spec))
    found = run(source, tmp_path / "portal", FIELD)
    assert found["extracted"] == found["api"] != ""
    assert found["fact"]["source"] == "references"
    assert found["search"] == [True]
    assert found["facet"] == 1
    assert found["page"]
    assert found["form"] == "Wolf Press"
    assert "publisher = {Wolf Press}" in found["texts"]["bib"]
    assert "PB  - Wolf Press" in found["texts"]["ris"]
    assert json.loads(found["texts"]["json"])[0]["publisher"] == "Wolf Press"
    assert {"Wolf Press", found["extracted"]} <= {*found["rows"]}


def test_an_export_format_is_added_in_one_file(tmp_path):
    source = overlay(
        tmp_path,
        "portal/exports.py",
        (
            "_FORMATS = (\n",
            "def tsv_line(work):\n    return f'{work.id}\\t{work.year}\\n'\n\n\n"
            "def tsv(catalogue, kinds=()):\n    for work in catalogue.iter_works(*kinds):\n"
            "        yield tsv_line(work).encode()\n\n\n"
            '_FORMATS = (\n    ExportFormat("tsv", "TSV", "tsv", "text/x-tsv", tsv_line, tsv),\n',
        ),
    )
    found = run(source, tmp_path / "portal", FORMAT)
    assert found["one"].startswith(found["work"])
    assert found["type"] == "text/x-tsv; charset=utf-8"
    assert found["same"]
    assert found["lines"] > 1
    assert found["page"]
    assert found["link"]
    assert found["openapi"]
    assert found["code"] == 0


def test_columns_facets_and_inputs_are_those_of_the_table():
    for name in COLUMNS:
        assert f"\n  {name} {FIELDS[name].column}" in SCHEMA
    assert all(each.spec.facet for each in FACETS.values())
    assert all(each.spec.search for each in SEARCHED.values())
    assert all(each.spec.input for each in INPUTS.values())
    assert next(iter(SORTS)) == "relevance"


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_is_documented_or_named(name):
    assert FIELDS[name].spec.about or FIELDS[name].spec.label
