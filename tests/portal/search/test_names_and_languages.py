"""Names with signs, compounds, units and languages, from the index to the results."""

import pytest

from lycosa.portal.search import IndexEntry
from portal.search.sample_works import index_of

WORKS = [
    IndexEntry("cpp", "paper", "Templates in C++", text="C++ and its library.", language="en"),
    IndexEntry("c", "paper", "The C language", text="Plain C programs.", language="en"),
    IndexEntry("csharp", "paper", "C# and .NET", text="The .NET runtime.", language="en"),
    IndexEntry("hyphen", "paper", "Bounds in the p-norm", text="An e-mail.", language="en"),
    IndexEntry("joined", "paper", "Bounds for pnorm", text="An email.", language="en"),
    IndexEntry("de", "page", "Paketverwaltung", text="Die Paketverwaltung.", language="de"),
    IndexEntry("fr", "page", "L'école", text="Méthodes appliquées.", language="fr"),
    IndexEntry("ja", "page", "パッケージ管理", text="この章では道具を示す。", language="ja"),
    IndexEntry("ghz", "paper", "Radio at 5GHz", text="A CO$_2$ laser.", language="en"),
    IndexEntry("spaced", "paper", "Radio at 5 GHz", text="A laser.", language="en"),
    IndexEntry("latex", "paper", r"Erd{\H o}s and Schr\"odinger", text="", language="en"),
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("index"), WORKS)


@pytest.mark.parametrize(
    ("query", "works"),
    [
        ("C++", ["cpp"]),
        ("C", ["c"]),
        ("C#", ["csharp"]),
        (".NET", ["csharp"]),
        ("dotnet", ["csharp"]),
        ("pnorm", ["hyphen", "joined"]),
        ("p-norm", ["hyphen", "joined"]),
        ("email", ["hyphen", "joined"]),
        ("Paketverwaltungen", ["de"]),
        ("Paketverwaltung", ["de"]),
        ("école", ["fr"]),
        ("ecole", ["fr"]),
        ("appliqué", ["fr"]),
        ("管理", ["ja"]),
        ("5GHz", ["ghz", "spaced"]),
        ("5 GHz", ["ghz", "spaced"]),
        ("CO2", ["ghz"]),
        ("CO₂", ["ghz"]),
        ("erdos", ["latex"]),
        ("Schrödinger", ["latex"]),
        ("language:de", ["de"]),
        ('"Paketverwaltungen"', []),
        ("laser NOT CO2", ["spaced"]),
    ],
)
def test_finds_names_compounds_and_words_of_all_languages(engine, query, works):
    assert sorted(hit.id for hit in engine.search(query).hits) == works


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("C++", [("Templates in ", False), ("C++", True)]),
        ("Paketverwaltungen", [("Paketverwaltung", True)]),
        ("pnorm", [("Bounds for ", False), ("pnorm", True)]),
        ("Erdős", [("Erdős", True), (" and Schrödinger", False)]),
    ],
)
def test_titles_mark_what_was_found(engine, query, title):
    assert title in [list(hit.title) for hit in engine.search(query).hits]
