"""Export as BibTeX, JSON and table rows."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.evidence.evidence import Evidence, combine
from lycosa.papers.exports import (
    COLUMNS,
    FORMATS,
    BibtexEntry,
    bibtex,
    bibtex_entry,
    escape_latex,
    paper_entry,
    paper_json,
    table_rows,
)
from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
from lycosa.papers.paper import Paper, PaperReference


def found(kind, **labels):
    return kind({k: (FieldSpan(v, 0.9, 0, 1, 0, 0),) for k, v in labels.items()})


def reference(**labels):
    return found(Reference, **labels)


LEE = reference(
    author="A. Lee and J. van der Berg",
    title="Spiders in XML: a study",
    journal="Machine Learning",
    volume="12(2)",
    pages="101-20",
    date="May 1997",
)


def parse(text):
    """A strict little reader of BibTeX: entries with balanced braces, nothing between them."""
    entries = {}
    while text:
        head = re.match(r"@([a-z]+)\{([a-z0-9-]+),\n", text)
        assert head, text
        text = text[head.end() :]
        fields = {}
        while not text.startswith("}\n"):
            name = re.match(r"  ([a-z]+) = \{", text)
            assert name, text
            depth, k = 1, name.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[k], 0)
                k += 1
            fields[name[1]] = text[name.end() : k - 1]
            assert text[k : k + 2] == ",\n"
            text = text[k + 2 :]
        assert head[2] not in entries
        entries[head[2]] = (head[1], fields)
        text = text[2:].removeprefix("\n")
    return entries


COMMANDS = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}


def typeset(text):
    """What TeX would print of escaped ASCII text."""
    text = re.sub(r"\{\\(text[a-z]+)\}", lambda m: f"\0{COMMANDS[m[1]]}", text)
    text = re.sub(r"\\([&%$#_])", r"\1", text)
    text = re.sub(r"(?<!\0)[{}]", "", text)
    return text.replace("\0", "")


def test_formats_an_article():
    (key, (kind, fields)), *others = parse(bibtex([LEE])).items()
    assert (key, kind, others) == ("lee1997spiders", "article", [])
    assert fields == {
        "author": "Lee, A. and van der Berg, J.",
        "title": "Spiders in {XML:} a study",
        "journal": "Machine Learning",
        "year": "1997",
        "volume": "12",
        "number": "2",
        "pages": "101--120",
    }


def test_entry_type_depends_on_the_fields():
    cases = {
        "article": {"journal": "AI"},
        "inproceedings": {"booktitle": "In Proceedings of ICML"},
        "phdthesis": {"tech": "PhD thesis", "institution": "MIT"},
        "mastersthesis": {"tech": "Master's thesis"},
        "techreport": {"tech": "Technical Report 94-3", "institution": "MIT"},
        "book": {"publisher": "Wiley"},
        "misc": {},
    }
    for kind, labels in cases.items():
        assert bibtex_entry(reference(title="Spiders", **labels)).kind == kind
    made = bibtex_entry(reference(title="Spiders", **cases["inproceedings"]))
    assert made.fields["booktitle"] == "Proceedings of ICML"
    assert bibtex_entry(reference(title="S", **cases["phdthesis"])).fields["school"] == "MIT"


def test_a_header_has_its_abstract_and_keywords():
    header = found(
        Header, title="Spiders", author="Ann Lee", abstract="Abstract They hunt.", keyword="web, ai"
    )
    assert bibtex_entry(header) == (
        "misc",
        {
            "author": "Lee, Ann",
            "title": "Spiders",
            "keywords": "web, ai",
            "abstract": "They hunt.",
        },
    )


def test_empty_fields_give_no_entry():
    assert bibtex([Reference(), Header()]) == ""


def test_keys_do_not_depend_on_later_entries():
    other = reference(author="A. Lee", title="Spiders of the north", date="1997")
    third = reference(author="A. Lee", title="Spiders of the south", date="1997")
    alone = list(parse(bibtex([LEE, other])))
    more = list(parse(bibtex([LEE, third, other])))
    assert alone[0] == more[0] == "lee1997spiders"
    assert alone[1] == more[2]
    assert re.fullmatch(r"lee1997spiders-[0-9a-f]{8}", alone[1])


def test_equal_entries_are_written_once():
    assert bibtex([LEE, LEE]) == bibtex([LEE])


def test_accents_become_commands():
    assert escape_latex("naïve Čech Škoda Łódź façade") == (
        r"na{\"{\i}}ve {\v{C}}ech {\v{S}}koda {\L}{\'o}d{\'z} fa{\c{c}}ade"
    )
    assert escape_latex("“a” – b") == "``a'' -- b"
    assert escape_latex("Кудрявцев") == "Кудрявцев"


def test_control_characters_are_removed():
    assert escape_latex("a\x00b\n\tc\x1b\u202e") == "ab c"


def test_names_with_an_and_stay_one_person():
    made = reference(author="Black And Decker", title="Drills")
    (_, (_, fields)), *_ = parse(bibtex([made])).items()
    assert re.sub(r"\{[^{}]*\}", "", fields["author"]).count(" and ") == len(made.authors) - 1


ascii_text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60)
any_text = st.text(max_size=60)


@given(ascii_text)
def test_escaped_text_prints_as_the_original(text):
    assert typeset(escape_latex(text)) == " ".join(text.split())


@given(any_text)
def test_braces_are_balanced_and_nothing_special_is_left(text):
    made = escape_latex(text)
    depth = 0
    for c in made:
        depth += {"{": 1, "}": -1}.get(c, 0)
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"(?<!\\)[&%$#_]|[~|<>\n]", re.sub(r"\\[\^~]", "", made))


LABELS = ("author", "title", "journal", "booktitle", "date", "volume", "pages", "publisher",
          "editor", "institution", "location", "note", "tech")  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(LABELS), any_text), max_size=4))
def test_entries_of_any_fields_can_be_parsed(items):
    some = [reference(**labels) for labels in items]
    made = [bibtex_entry(each) for each in some]
    kept = {(e.kind, tuple(e.fields.items())) for e in made if e.fields}
    assert len(parse(bibtex(some))) == len(kept)


def test_json_has_all_fields():
    cited = PaperReference("[1] A. Lee ...", LEE, 3, 7, ("as in [1]",))
    paper = Paper("text", found(Header, title="Webs", email="{a,b}@x.edu"), (cited,), True, 0.97, 4)
    facts = json.loads(json.dumps(paper_json(paper)))
    assert facts["header"]["emails"] == ["a@x.edu", "b@x.edu"]
    (one,) = facts["references"]
    assert (one["page"], one["line"], one["contexts"]) == (4, 8, ["as in [1]"])
    assert (one["title"], one["year"], one["pages"]) == (LEE.title, 1997, [101, 120])
    assert one["authors"][1] == {"family": "van der Berg", "given": "J."}
    assert one["confidence"]["title"] == 0.9
    assert (facts["paper"], facts["sure"], facts["pages"]) == (True, 0.97, 4)


def test_json_of_a_failure_has_its_outcome():
    facts = paper_json(Paper("encrypted"))
    assert facts["outcome"] == "encrypted"
    assert "header" not in facts


def test_the_first_row_is_the_paper():
    paper = Paper("text", found(Header, title="Webs", date="1999"), (PaperReference("", LEE),))
    own, cited = table_rows(paper)
    assert dict(zip(COLUMNS, own, strict=True))["title"] == "Webs"
    assert dict(zip(COLUMNS, cited, strict=True)) == {
        "number": "1",
        "year": "1997",
        "authors": "Lee, A.; van der Berg, J.",
        "title": LEE.title,
        "venue": "Machine Learning",
        "pages": "101-120",
        "sure": "0.90",
    }


def test_formats_stream_or_write_all_at_the_end():
    paper = Paper("text", found(Header, title="Webs"), (PaperReference("", LEE),))
    arrived = []

    def papers():
        for name, each in (("a.pdf", paper), ("b.pdf", Paper("encrypted"))):
            arrived.append(name)
            yield name, each

    first = next(FORMATS["json"].write(papers()))
    assert arrived == ["a.pdf"]
    assert json.loads(first)["file"] == "a.pdf"
    assert list(FORMATS["bibtex"].write(papers())) == [bibtex([paper.header, LEE])]
    assert [name for name, form in FORMATS.items() if form.streams] == ["json"]
    assert list(FORMATS["bibtex"].write([("b.pdf", Paper("encrypted"))])) == []


def test_a_paper_has_year_venue_and_identifiers_by_the_evidence():
    evidence = (
        Evidence("year", "1999", "masthead", 0.95),
        Evidence("venue", "Web Letters", "masthead", 0.9),
        Evidence("doi", "10.1234/webs_7", "identifier", 0.95),
    )
    header = Header({"title": (FieldSpan("Webs", 0.9, 0, 1, 0, 0),)})
    paper = Paper("text", header, evidence=evidence, facts=combine(evidence))
    (text,) = FORMATS["bibtex"].write([("webs.pdf", paper)])
    assert text == (
        "@article{1999webs,\n  title = {Webs},\n  journal = {Web Letters},\n  year = {1999},\n"
        "  doi = {10.1234/webs\\_7},\n}\n"
    )
    met = (Evidence("venue", "Conference on Webs", "meeting", 0.9),)
    assert paper_entry(Paper("text", header, evidence=met, facts=combine(met))) == BibtexEntry(
        "inproceedings", {"title": "Webs", "booktitle": "Conference on Webs"}
    )
