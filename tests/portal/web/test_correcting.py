import pytest

from lycosa.portal.corrections import Corrections
from portal.sample import ABSENT, MOVED, document_id, title_of, work_id
from portal.web.portal_client import TOKEN, connect, copy_portal, html, text

WORK = work_id(3)


@pytest.fixture
def folder(tmp_path):
    return copy_portal(tmp_path / "portal")


@pytest.fixture
def owner(folder):
    with connect(folder) as found:
        found.post("/sign-in", {"token": TOKEN})
        yield found


def form(owner, work=WORK):
    """The fields of the form as a browser would send them back."""
    page = html(owner.get(f"/correct?work={work}"))
    fields = {
        f.attributes["name"]: f.attributes.get("value") or "" for f in page.css("#correct input")
    }
    # A browser leaves out the line break after the start tag.
    fields |= {f.attributes["name"]: f.text().lstrip("\n") for f in page.css("#correct textarea")}
    for field in page.css("#correct select"):
        chosen = field.css_first("option[selected]") or field.css_first("option")
        fields[field.attributes["name"]] = chosen.attributes["value"] or ""
    return fields


def kept(folder):
    with Corrections.open(folder) as corrections:
        return [(one.kind, one.work, one.value) for one in corrections.all()]


def test_an_unchanged_form_stores_nothing(owner, folder):
    for number in (3, 30, 31, 32, 33, 34, 35, 45):
        response = owner.post("/correct", form(owner, work_id(number)))
        assert response.status_code == 303
        assert "kept=0" in response.headers["location"]
    assert kept(folder) == []


def test_stores_changed_fields(owner, folder):
    fields = form(owner) | {"title": "Another  title", "authors": "Ann Lee\nBob Roe\n", "year": ""}
    response = owner.post("/correct", fields)
    assert response.status_code == 303
    assert kept(folder) == [
        ("title", WORK, "Another title"),
        ("authors", WORK, "Ann Lee; Bob Roe"),
        ("year", WORK, ""),
    ]
    page = html(owner.get(response.headers["location"]))
    assert "3 corrections saved" in text(page.css_first("[role=status]"))
    assert page.css_first("#title").text().strip() == "Another title"
    # The stored values are the current ones now.
    assert "kept=0" in owner.post("/correct", form(owner)).headers["location"]


def test_stores_topics_and_pairs(owner, folder):
    other = f"http://portal.example/work/{work_id(9)}?x#cite"
    fields = form(owner) | {
        "topic": "information-retrieval/crawling",
        "same": other,
        "different": document_id(1003),
    }
    owner.post("/correct", fields)
    assert sorted(kept(folder)) == [
        ("different", WORK, document_id(1003)),
        ("same", WORK, work_id(9)),
        ("topic", WORK, "information-retrieval/crawling"),
    ]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("title", " ", "must not be empty"),
        ("year", "19x9", "four digits"),
        ("topic", "no/such", "no such topic"),
        ("same", ABSENT, "no such work"),
        ("same", WORK, "the work itself"),
        ("same", "<script>", "is not the id"),
        ("different", document_id(8), "none of its copies"),
        ("venue", "x" * 3000, "at most 2,000"),
    ],
)
def test_shows_invalid_values_beside_their_fields_and_stores_nothing(
    owner, folder, field, value, words
):
    response = owner.post("/correct", form(owner) | {"venue": "Elsewhere", field: value})
    assert response.status_code == 422
    page = html(response)
    control = page.css_first(f"#{field}")
    assert control.attributes["aria-invalid"] == "true"
    assert words in text(page.css_first(f"#{field}-wrong"))
    assert kept(folder) == []


def test_says_what_is_wrong_in_the_language_of_the_reader(owner):
    wrong = form(owner) | {"year": "19x9", "topic": "no/such", "same": "<script>"}
    german = html(owner.post("/correct?lang=de", wrong))
    assert text(german.css_first("#year-wrong")).startswith("Ein Jahr hat vier Ziffern")
    assert text(german.css_first("#topic-wrong")).startswith("Es gibt kein solches Thema")
    assert "ist nicht die Kennung eines Werks" in text(german.css_first("#same-wrong"))
    french = html(owner.get(f"/correct?work={ABSENT}&lang=fr"))
    assert "Il n’y a pas de telle œuvre à corriger." in text(french.css_first("main"))


def test_withdraws_corrections(owner, folder):
    owner.post("/correct", form(owner) | {"venue": "Elsewhere"})
    for path, place in (
        (f"/correct?work={WORK}", f"/correct?work={WORK}#corrections"),
        ("/dashboard", "/dashboard#corrections"),
    ):
        page = html(owner.get(path))
        assert "Elsewhere" in text(page.css_first("table.corrections"))
        undo = page.css_first("form[action='/correct/undo']")
        fields = {f.attributes["name"]: f.attributes["value"] or "" for f in undo.css("input")}
        response = owner.post("/correct/undo", fields)
        assert response.headers["location"] == place
        assert kept(folder) == []
        assert len(html(owner.get(path)).css(".undone")) == len(page.css(".undone")) + 1
        owner.post("/correct", form(owner) | {"venue": "Elsewhere"})


@pytest.mark.parametrize("kept", ["x", "12345x", "٣", "", "9" * 30])
def test_ignores_invalid_counts(owner, kept):
    page = html(owner.get("/correct", params={"work": WORK, "kept": kept}))
    assert page.css_first("[role=status]") is None


def test_accepts_former_ids(owner):
    assert form(owner, MOVED)["work"] == work_id(0)
    assert owner.get(f"/correct?work={ABSENT}").status_code == 404


@pytest.mark.parametrize("path", ["/correct", "/correct/undo"])
def test_accepts_only_forms_shown_to_the_owner(owner, folder, path):
    fields = form(owner) | {"venue": "Elsewhere", "id": "1"}
    assert owner.post(path, fields, origin="https://evil.example").status_code == 403
    assert owner.post(path, fields, origin=None).status_code == 403
    assert owner.post(path, fields | {"csrf_token": "x.y"}).status_code == 403
    assert owner.post(path, {**fields, "csrf_token": ""}).status_code == 403
    with connect(folder) as other:
        assert other.post(path, fields).status_code == 403  # not signed in
        other.post("/sign-in", {"token": TOKEN})
        assert other.post(path, fields).status_code == 403  # the mark is another's
    assert kept(folder) == []


@pytest.mark.parametrize("number", ["", "x", "-1", "0", "99", "9" * 30, "٣"])
def test_withdrawing_an_unknown_correction_does_nothing(owner, number):
    fields = form(owner)
    response = owner.post("/correct/undo", {"csrf_token": fields["csrf_token"], "id": number})
    assert response.status_code == 303


def test_escapes_hostile_values(owner):
    hostile = '"><script>alert(1)</script>'
    owner.post("/correct", form(owner) | {"title": hostile, "venue": hostile})
    for path in (f"/correct?work={WORK}", "/dashboard"):
        response = owner.get(path)
        assert hostile not in response.text
        assert hostile in text(html(response).css_first("table.corrections"))
    assert title_of(3) in owner.get("/dashboard").text
