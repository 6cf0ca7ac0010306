"""Events for programs, and that they are documented to the field."""

import io
import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cli.view_samples import HOSTILE, status, step
from lycosa.cli.events import JsonView
from lycosa.crawler.live.status import HostWait, SeedFailure

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "events.md"


def events(*calls, folder=None):
    """What is printed for some calls; a second goes by with each."""
    now = [0.0]
    out, notes = io.StringIO(), io.StringIO()
    with JsonView(folder, out=out, notes=notes, clock=lambda: now[0]) as view:
        for name, *arguments in calls:
            now[0] += 1.0
            getattr(view, name)(*arguments)
    return [json.loads(line) for line in out.getvalue().splitlines()], notes.getvalue()


def documented():
    found = {}
    for part in DOCS.read_text().split("\n## ")[1:]:
        name, _, rest = part.partition("\n")
        if fields := re.findall(r"^\| `(\w+)` \|", rest, re.MULTILINE):
            found[name] = fields
    return found


def test_the_documentation_lists_exactly_the_fields():
    failure = SeedFailure.of("http://a.example/", "dns")
    calls = [
        ("step", step()), ("failure", failure), *[("tick", status())] * 6,
        ("end", status(reason="person", failures=(failure,))),
    ]  # fmt: skip
    found, _ = events(*calls)
    emitted = {event["event"]: sorted(event) for event in found}
    assert emitted == {name: sorted(fields) for name, fields in documented().items()}


def test_the_parts_of_fields_are_documented():
    (end,), _ = events(("end", status()))
    text = DOCS.read_text()
    for part in (*end["estimate"], *end["waits"][0]):
        assert f"`{part}`" in text


def test_a_step_event_has_the_outcome():
    (seed, link), _ = events(
        ("step", step(7, score=float("inf"))),
        ("step", step(8, reward=0.0, error="dns", source=0, score=0.5)),
    )
    assert seed == {
        "event": "step", "time": seed["time"], "n": 7, "url": "http://a.example/", "final": None,
        "status": 200, "type": "text/html", "reward": 1.0, "score": None, "source": None,
        "error": None,
    }  # fmt: skip
    assert (link["error"], link["status"], link["score"]) == ("dns", 0, 0.5)
    assert link["source"] == "http://a.example/from"


def test_a_step_event_has_redirects_if_known():
    out = io.StringIO()
    JsonView(out=out).step(step(), asked="http://a.example/old", final="http://a.example/")
    event = json.loads(out.getvalue())
    assert (event["url"], event["final"]) == ("http://a.example/old", "http://a.example/")


def test_writes_a_status_every_five_seconds():
    found, _ = events(*[("tick", status())] * 20)
    assert [event["event"] for event in found] == ["status"] * 4
    assert found[0]["waits"] == [
        {"host": "www.a.example", "why": "back-off after 503", "seconds": 12.4, "urls": 1234}
    ]
    assert found[0]["estimate"] == {"found": 56, "total": 80.0, "low": 0.55, "high": 0.88}


def test_the_end_event_has_the_reason_and_fault_counts():
    end = status(reason="person", fault_names={"dns": 2, "reset": 1})
    found, _ = events(("end", end), folder=Path("there"))
    assert found[-1]["fault_names"] == {"dns": 2, "reset": 1}
    assert (found[-1]["reason"], found[-1]["folder"]) == ("person", "there")


def test_notes_are_not_events():
    found, notes = events(("note", "finishing\x1b[2J"))
    assert found == []
    assert notes == "finishing·[2J\n"


@given(st.text() | st.just(HOSTILE))
def test_every_event_is_one_line_of_ascii(text):
    out = io.StringIO()
    view = JsonView(out=out)
    view.step(step(), asked=text, final=text)
    view.end(status(waits=(HostWait(text, text, None, 1),), reason=text))
    lines = out.getvalue().split("\n")
    assert len(lines) == 3
    assert out.getvalue().isascii()
    assert json.loads(lines[0])["url"] == text
