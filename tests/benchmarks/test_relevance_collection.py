"""Reader of test collections in the forms of SMART, TIME, NPL and LISA."""

from contextlib import suppress

import pytest
from bench.relevance_collection import Document, read_collection, read_collections
from bench.relevance_records import judgements, records
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from realdata import CORPORA
from recorded_sites import realdata

DOCUMENTS = """.I 1
.T
Wings
in a slipstream
.A
Perlis, A. J.
Lee, Ann
.B
CACM December, 1958
.N
ignored
.W
The lift of wings.
.I 2
.W
Heat.
.W
And flow.
.I 03
.X
1 2 3
"""


def folder(path, questions, judgements, documents=DOCUMENTS, names=("a.all", "a.qry", "qrels")):
    path.mkdir(exist_ok=True)
    for name, text in zip(names, (documents, questions, judgements), strict=True):
        (path / name).write_text(text, encoding="latin-1")
    return path


def questions(*numbers):
    return "".join(f".I {number}\n.W\n what about {number} ?\n" for number in numbers)


def test_documents_have_title_text_authors_and_year(tmp_path):
    found = read_collection(folder(tmp_path / "c", questions(1), "1 1 0 0\n"))
    assert found.name == "c"
    assert found.documents == [
        Document("1", "Wings in a slipstream", "The lift of wings.", ("A. J. Perlis", "Ann Lee"),
                 1958),
        Document("2", "", "Heat. And flow."),
        Document("3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("judgements", "grades"),
    [
        ("01 1 0 0\n01 2 0 0.000000\n", {"1": 1, "2": 1}),
        ("1 1\n1 3\n", {"1": 1, "3": 1}),
        ("1 1 1\n1 2 4\n1 3 -1\n", {"1": 4, "2": 1}),
        ("1 1 1\n1 2 5\n1 3 -1\n", {"1": 4}),
        ("1 0 1 1\n1 0 2 0\n1 Q0 3 2\n", {"1": 1, "3": 2}),
        ("1 1 2\n1 2 1\n1 3 0\n", {"1": 2, "2": 1}),
        ("\t1\t1\t0\t0.0\n\n 1   2 0 0.0 \n", {"1": 1, "2": 1}),
    ],
)
def test_judgements_in_every_usual_form(tmp_path, judgements, grades):
    assert read_collection(folder(tmp_path, questions(1), judgements)).grades == {"1": grades}


def test_questions_are_numbered_by_record_or_by_place_as_the_judgements_are(tmp_path):
    by_record = read_collection(folder(tmp_path / "a", questions(4, 9), "9 1\n4 2\n"))
    assert by_record.questions == {"4": "what about 4 ?", "9": "what about 9 ?"}
    by_place = read_collection(folder(tmp_path / "b", questions(1, 4, 9), "1 1\n2 1\n3 2\n"))
    assert by_place.questions["2"] == "what about 4 ?"
    assert by_place.grades["3"] == {"2": 1}


def test_judgements_that_fit_nothing_are_counted(tmp_path):
    found = read_collection(folder(tmp_path, questions(1, 2), "1 1\n1 77\n8 1\n2 3\n"))
    assert found.dropped == 2
    assert found.grades == {"1": {"1": 1}, "2": {"3": 1}}


def test_questions_without_text_or_answer_are_not_measured(tmp_path):
    asked = ".I 1\n.W\nwhat\n.N\nsomeone\n.I 2\n.T\na title\n.I 0\n"
    found = read_collection(folder(tmp_path, asked, "1 1 0\n2 2 0\n"))
    assert found.questions == {"1": "what", "2": "a title"}


@pytest.mark.parametrize(
    "names",
    [("CISI.ALL", "CISI.QRY", "CISI.REL"), ("cacm.all", "query.text", "qrels.text"),
     ("x", "y", "z"), ("documents.txt", "queries.txt", "judged.tsv")],
)  # fmt: skip
def test_files_are_found_by_name_and_content(tmp_path, names):
    path = folder(tmp_path, questions(1), "1 2 0 0\n", names=names)
    (path / "README").write_text("A collection.\nSee elsewhere.\n")
    (path / "common_words").write_text("a\nan\nthe\n")
    found = read_collection(path)
    assert len(found.documents) == 3
    assert found.grades == {"1": {"2": 1}}


def test_the_form_of_the_judgements_that_fits_is_read(tmp_path):
    path = folder(tmp_path, questions(1), "1 2 0 0\n1 3 0 0\n")
    (path / "a.rel.old").write_text("7 1\n7 2\n7 3\n")
    assert read_collection(path).grades == {"1": {"2": 1, "3": 1}}


def test_a_folder_of_collections_is_read(tmp_path):
    for name in ("b", "a"):
        folder(tmp_path / name, questions(1), "1 1\n")
    assert [each.name for each in read_collections(tmp_path)] == ["a", "b"]


def test_missing_parts_are_named(tmp_path):
    with pytest.raises(UsageError, match="There is no folder"):
        read_collections(tmp_path / "missing")
    with pytest.raises(UsageError, match="no file of documents"):
        read_collections(tmp_path)
    path = folder(tmp_path, questions(1), "1 1\n")
    (path / "qrels").unlink()
    with pytest.raises(UsageError, match="no file of judgements"):
        read_collection(path)
    with pytest.raises(UsageError, match="name no question and document"):
        read_collection(folder(tmp_path, questions(1), "5 9\n"))


@realdata
def test_the_collections_beside_the_project_are_read_whole():
    cacm, cranfield = read_collections(CORPORA / "retrieval")
    assert (len(cacm.documents), len(cacm.grades), cacm.dropped) == (3204, 52, 0)
    assert (len(cranfield.documents), len(cranfield.grades), cranfield.dropped) == (1400, 225, 0)
    assert cranfield.questions["3"].startswith("what problems of heat conduction")
    assert {g for grades in cranfield.grades.values() for g in grades.values()} == {1, 2, 3, 4}
    assert cacm.documents[0].authors == ("A. J. Perlis", "K. Samelson")
    assert cacm.documents[0].year == 1958


def write(path, **files):
    path.mkdir(exist_ok=True)
    for name, text in files.items():
        (path / name.replace("_", ".")).write_text(text)
    return path


def test_a_collection_in_the_form_of_time_is_read(tmp_path):
    found = read_collection(
        write(
            tmp_path,
            TIME_ALL="*TEXT 017 01/04/63 PAGE 020\n\nTHE ALLIES\n\nAFTER NASSAU .\n"
            "*TEXT 020 01/04/63 PAGE 021\n\nANOTHER\n*TEXT 021 X\nMORE\n*STOP\n",
            TIME_QUE="*FIND     1\n\nWHAT OF ALLIES\nAND MORE .\n\n*FIND     2\n OTHERS\n*STOP\n",
            TIME_REL="1  1 2 3 1 2\n\n2  3 \n",
            TIME_STP="A\nABOUT\n",
        )
    )
    assert [(each.id, each.text) for each in found.documents] == [
        ("1", "THE ALLIES AFTER NASSAU ."), ("2", "ANOTHER"), ("3", "MORE"),
    ]  # fmt: skip
    assert found.questions == {"1": "WHAT OF ALLIES AND MORE .", "2": "OTHERS"}
    assert found.grades == {"1": {"1": 1, "2": 1, "3": 1}, "2": {"3": 1}}


def test_a_collection_in_the_form_of_npl_is_read(tmp_path):
    folder = write(tmp_path)
    for name, text in {
        "doc-text": "1\ncompact memories\nare small\n   /\n2\ncores\n   /\n",
        "doc-vecs": "1\n 12 13\n   /\n2\n 14\n   /\n",
        "query-text": "1\nSMALL MEMORIES\n/\n2\nCORES\n/\n",
        "query-vecs": "1\n 12 13\n   /\n2\n 14\n   /\n",
        "rlv-ass": "1\n 1 2\n   /\n2\n 2\n   /\n",
    }.items():
        (folder / name).write_text(text)
    found = read_collection(folder)
    assert [each.text for each in found.documents[:2]] == ["compact memories are small", "cores"]
    assert found.questions == {"1": "SMALL MEMORIES", "2": "CORES"}
    assert found.grades == {"1": {"1": 1, "2": 1}, "2": {"2": 1}}


def test_a_collection_in_the_form_of_lisa_is_read(tmp_path):
    found = read_collection(
        write(
            tmp_path,
            LISA0_001="Document    1\nTHE INDIAN COUNCIL\nOF LIBRARIES.\n     \n"
            "Outlines its aims.\n****************\n",
            LISA0_501="Document  501\nPHOTOCOPIERS.\n\nIn two\n\nparts.\n****************\n",
            LISA_QUE="1\nI AM INTERESTED IN\nPHOTOCOPIERS. #\n2\nLIBRARIES #\n",
            LISA_REL="Query 1\n1 Relevant Refs:\n501 -1\n\nQuery 2\n2 Relevant Refs:\n1 501 -1\n",
            README="Library abstracts\n",
        )
    )
    assert found.documents == [
        Document("1", "THE INDIAN COUNCIL OF LIBRARIES.", "Outlines its aims."),
        Document("501", "PHOTOCOPIERS.", "In two parts."),
    ]
    assert found.questions == {"1": "I AM INTERESTED IN PHOTOCOPIERS.", "2": "LIBRARIES"}
    assert found.grades == {"1": {"501": 1}, "2": {"1": 1, "501": 1}}


def test_malformed_judgements_name_their_file(tmp_path):
    with pytest.raises(UsageError, match=r"qrels cannot be read: Judgements need lines"):
        read_collection(folder(tmp_path, questions(1), "1 1\none two\n"))


@given(st.text(".IWT 01/#*\nQueryDocument-TEXTFIND", max_size=200))
@settings(max_examples=200)
def test_no_text_breaks_the_readers(text):
    list(records(text))
    with suppress(UsageError):
        judgements(text)
