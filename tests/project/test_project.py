"""A lycosa.toml: what it means, that it is written as it is read, and how it is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.core import Budget
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig, Limits
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.errors import UsageError
from lycosa.project import Project, Storage
from lycosa.project.crawling import WrittenGoal
from lycosa.web.urls import Scope, canonical

SEEDS = 'seeds = ["https://www.example.org/"]\n'
BASE = SEEDS + 'goal = "robot* AND lab"\n'
END = '[politeness]\ncontact = "you@example.org"\n'


def load(folder: Path, text: str) -> Project:
    (folder / "lycosa.toml").write_text(text, encoding="utf-8")
    return Project.load(folder)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(UsageError) as caught:
        load(folder, text)
    sentence = str(caught.value)
    assert sentence.startswith(str(folder / "lycosa.toml"))
    assert "\n" not in sentence
    return sentence


def test_the_shortest_file_means_the_defaults(tmp_path: Path) -> None:
    project = load(tmp_path, BASE + END)
    client = ClientConfig("you@example.org")
    assert project.job == Job(("https://www.example.org/",), client, text_only=True)
    assert project.storage == Storage()
    assert project.goal.name == project.goal_text == "robot* AND lab"
    assert project.spider == "wary(house)"
    assert project.policy().name == "wary(house)"


def test_a_goal_of_text_leaves_files_without_text_out(tmp_path: Path) -> None:
    project = load(tmp_path, SEEDS + "goal = { paper = true }\n" + END)
    assert project.job.text_only
    assert not project.job.followed.allows("https://www.example.org/spider.JPG")
    assert not project.job.followed.allows("https://www.example.org/spiders.tar.gz?x=1")
    assert project.job.followed.allows("https://www.example.org/spiders.ps.gz")
    assert load(tmp_path, BASE + END).job.text_only
    assert not load(tmp_path, SEEDS + 'goal = "url:jpg"\nwords = ["photo"]\n' + END).job.text_only


def test_every_section_sets_its_object(tmp_path: Path) -> None:
    project = load(
        tmp_path,
        BASE
        + """
        words = "papers"
        spider = "keywords"
        [budget]
        pages = 10
        seconds = "2h"
        recall = 0.5
        [scope]
        domains = ["example.com"]
        exclude = ['/calendar/']
        [politeness]
        contact = "https://example.org/bot"
        delay = 0.5
        pages-per-host = 7
        robots = false
        [requests]
        largest = "1 MB"
        types = ["text/html"]
        headers = { Accept-Language = "en" }
        [safety]
        loopback = true
        [storage]
        level = 9
        volume = "64 MB"
        """,
    )
    job = project.job
    assert job.budget == Budget(pages=10, seconds=7200.0)
    assert job.recall == 0.5
    assert job.scope == Scope(("example.com",), exclude=("/calendar/",))
    assert job.client == ClientConfig(
        "https://example.org/bot", headers=(("Accept-Language", "en"),)
    )
    assert job.pace == Pace(delay=0.5, pages=7)
    assert (job.robots, job.types) == (False, ("text/html",))
    assert job.limits == Limits(transferred=1 << 20)
    assert job.addresses == AddressPolicy(allow_loopback=True)
    assert project.storage == Storage(64 << 20, 9)
    assert (project.goal_text, project.spider) == ("papers", "keywords")


@pytest.mark.parametrize(
    ("section", "scope"),
    [
        ("", Scope(("www.example.org",))),
        ("domains = []", Scope(("www.example.org",))),
        ("exclude = ['x']", Scope(("www.example.org",), exclude=("x",))),
        ('domains = ["*"]', Scope()),
        ('prefixes = ["https://a.org/b"]', Scope(prefixes=("https://a.org/b",))),
        (
            'domains = ["a.org"]\nprefixes = ["https://a.org/b"]',
            Scope(("a.org",), ("https://a.org/b",)),
        ),
    ],
)
def test_scope_of_the_section(section: str, scope: Scope, tmp_path: Path) -> None:
    assert load(tmp_path, f"{BASE}[scope]\n{section}\n{END}").job.scope == scope


def test_seeds_from_a_file(tmp_path: Path) -> None:
    text = "\ufeff# mine\nhttp://a.example\n\n  http://b.example/#x \n#http://c.example/\n"
    (tmp_path / "list.txt").write_text(text, encoding="utf-8")
    project = load(tmp_path, 'seeds-file = "list.txt"\n' + BASE + END)
    assert project.job.seeds == (
        "https://www.example.org/",
        "http://a.example/",
        "http://b.example/",
    )
    assert "list.txt cannot be read: No such" in refused(
        tmp_path, f'seeds-file = "lost/list.txt"\ngoal = "x"\n{END}'
    )
    (tmp_path / "list.txt").write_bytes(b"\xff")
    assert "not in UTF-8" in refused(tmp_path, f'seeds-file = "list.txt"\ngoal = "x"\n{END}')


def test_a_goal_may_be_on_several_lines(tmp_path: Path) -> None:
    project = load(tmp_path, f'{SEEDS}goal = """\nrobot*\nAND lab\n"""\n{END}')
    assert project.goal.name == "robot* AND lab"


def test_a_goal_may_be_a_table(tmp_path: Path) -> None:
    (tmp_path / "known.txt").write_text("http://a.org/\n")
    text = f'{SEEDS}[goal]\nnot = {{ urls = "known.txt" }}\nquery = "robot*"\n{END}'
    project = load(tmp_path, text)
    assert project.goal.name == "~known & robot*"
    assert project.goal_text == "text:robot"


def test_words_of_links(tmp_path: Path) -> None:
    project = load(tmp_path, f'{BASE}words = ["Papers", "e-prints"]\n{END}')
    assert project.words == ("Papers", "e-prints")
    assert project.goal_text == "text:papers OR text:e OR text:prints"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BASE + "[politeness]\n", "politeness.contact is missing"),
        (BASE + '[politeness]\ncontact = "me"\n', "must name a contact for complaints"),
        ('goal = "x"\n' + END, "seeds are missing"),
        ('seeds = []\ngoal = "x"\n' + END, "seeds are missing"),
        ('seeds = "http://a.org/"\ngoal = "x"\n' + END, "seeds must be a list of texts"),
        ('seeds = ["ftp://a.org/"]\ngoal = "x"\n' + END, "'ftp://a.org/' is not a web address"),
        (SEEDS + END, "goal is missing"),
        (f"{SEEDS}goal = {{ papers = true }}\n{END}", "did you mean 'paper'"),
        (f"{SEEDS}goal = 5\n{END}", "goal must be a query in quotes"),
        (f'{SEEDS}goal = "robot AND"\n{END}', "lacks something at position 10"),
        (f"{SEEDS}{END}gaol = 1", "no key 'gaol' in [politeness]"),
        (f'sead = 1\n{BASE}{END}', "no key 'sead' above the sections; did you mean 'seeds'"),
        (f"pages = 1\n{BASE}{END}", "no key 'pages' above the sections; it belongs in [budget]"),
        (f"{BASE}{END}[politness]\n", "no section 'politness'; did you mean 'politeness'"),
        (f'{BASE}spider = "breath-first"\n{END}', "did you mean 'breadth-first'"),
        (f"{BASE}spider = 5\n{END}", "spider must be a text"),
        (f'{BASE}spider = "rl(nb)"\n{END}', "'rl(nb)' must be trained before it crawls"),
        (f'{BASE}spider = "optimal"\n{END}', "simulations only"),
        (f'{BASE}spider = "lost.lyc"\n{END}', "lost.lyc"),
        (f'{BASE}words = "paper"\n{END}', "no list of words 'paper'; did you mean 'papers'"),
        (f'{BASE}words = ["!"]\n{END}', "words contains no word"),
        (f"{BASE}words = 5\n{END}", "words must be a list of texts"),
        (f"{BASE}{END}[budget]\npages = 0", "budget.pages must be a whole number"),
        ("seeds = [\n\n", "is not valid TOML: Invalid value (at end of document)"),
        (f"{BASE}x = = 1\n", "is not valid TOML: Invalid value (at line 3, column 5)"),
        (f"{BASE}goal = 1\n", "at line 3"),
        (f"x = {'[' * 5000}", "is not valid TOML"),
        (f"x = {'9' * 5000}", "is not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_with_the_file(text: str, sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(tmp_path, text)


def test_refuses_a_folder_without_a_project(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"it has no lycosa\.toml; `lycosa new .*` writes one"):
        Project.load(tmp_path)
    with pytest.raises(UsageError, match="is not a project"):
        Project.load(tmp_path / "lost")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        Project.load(tmp_path / "file")


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "lycosa.toml").write_bytes(b'goal = "caf\xe9"')
    with pytest.raises(UsageError, match="is not in UTF-8"):
        Project.load(tmp_path)


def test_accepts_a_byte_order_mark(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff" + BASE + END).job.seeds == ("https://www.example.org/",)


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    project = load(
        tmp_path,
        BASE + END + '[requests]\nproxy = "http://me:pass-word@proxy.example/"\n'
        'headers = { Authorization = "pass-word" }\n',
    )
    assert project.job.client.proxy == "http://me:pass-word@proxy.example/"
    assert project.job.client.headers == (("Authorization", "pass-word"),)
    assert "pass-word" not in f"{project} {project!r} {project.job!r}"


def test_spider_files_are_relative_to_the_folder(tmp_path: Path, monkeypatch: Any) -> None:
    from lycosa.sites.generated import World
    from lycosa.spiders import spider
    from lycosa.spiders.model_file import save_spider

    folder = tmp_path / "with (some), signs"
    folder.mkdir()
    made = spider("rl(nb)")
    site = World(seed=1, departments=1, pages=150).department(0)
    models = made.train([site], "papers")
    save_spider(folder / "mine.lyc", made, "papers", models, sites=[site.name])
    (folder / "people.txt").write_text("smith\njones\n")
    monkeypatch.chdir(tmp_path)
    assert load(folder, f'{BASE}spider = "mine.lyc"\n{END}').policy().name == "rl(nb)"
    house = spider("wary(house)")
    taught = house.train([site], "papers")
    save_spider(folder / "house.lyc", house, "papers", taught, sites=[site.name])
    assert load(folder, f'{BASE}spider = "house.lyc"\n{END}').policy().name == "wary(house)"
    # Inside of other names files work too, unless a comma is in the name of the folder.
    plain = folder.rename(tmp_path / "plain (old)")
    found = load(plain, f'{BASE}spider = "front-advancement(people.txt, fade=0.5)"\n{END}')
    assert found.spider == "front-advancement(people.txt, fade=0.5)"
    assert str(plain / "people.txt") in found.policy().name
    text = f'{BASE}spider = "change-policy(mine.lyc, breadth-first, at=0.5)"\n{END}'
    assert str(plain / "mine.lyc") in load(plain, text).policy().name


def test_writing_never_overwrites(tmp_path: Path) -> None:
    project = Project.of_urls(tmp_path, ["http://a.org/"], "robot*", contact="a@b.org")
    project.write()
    before = (tmp_path / "lycosa.toml").read_text()
    with pytest.raises(UsageError, match="already exists"):
        replace(project, wanted="vision").write()
    assert (tmp_path / "lycosa.toml").read_text() == before


def test_refuses_to_write_unreadable_values(tmp_path: Path) -> None:
    project = Project.of_urls(tmp_path / "x", ["http://a.org/"], "a", contact="a@b.org", pages=0)
    with pytest.raises(UsageError, match=r"budget\.pages must be a whole number"):
        project.write()
    assert not (tmp_path / "x").exists()


def test_of_urls_writes_its_arguments(tmp_path: Path) -> None:
    project = Project.of_urls(
        tmp_path / "robots",
        ["HTTP://A.org", "http://b.org/x"],
        "robot* AND (lab OR group)",
        contact="a@b.org",
        spider="breadth-first",
        words=["robot"],
        pages=500,
        targets=20,
        seconds=3600,
        recall=0.9,
        delay=0.25,
        scope=Scope(("a.org",)),
    )
    project.write()
    assert Project.load(tmp_path / "robots") == project
    lines = (tmp_path / "robots" / "lycosa.toml").read_text().splitlines()
    said = [line.partition("  ")[0] for line in lines if line and line[0] not in "#["]
    assert said == [
        "seeds = [", "", "", "]", 'goal = "robot* AND (lab OR group)"', 'words = ["robot"]',
        'spider = "breadth-first"', "pages = 500", "targets = 20", 'seconds = "1h"',
        "recall = 0.9", 'domains = ["a.org"]', 'contact = "a@b.org"', "delay = 0.25",
    ]  # fmt: skip


# A round trip through the file: any project that can be made is read as it was written.
COUNTS = st.integers(1, 10**9)
NUMBERS = st.floats(0, 1e9) | st.integers(0, 10**9)
LINES = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), min_size=1).filter(
    lambda text: bool(text.strip()) and text.isprintable() and not text.startswith("TODO")
)
URLS = st.builds(
    lambda host, path: canonical(f"https://{host}.example/{path}") or "https://a.example/",
    st.sampled_from(["a", "b", "www.c"]),
    LINES,
)
HOSTS = st.sampled_from(["a.example", "example.org", "127.0.0.1", "::1"])
SCOPES = st.none() | st.builds(
    Scope,
    st.lists(HOSTS, max_size=2).map(tuple),
    st.lists(URLS, max_size=2).map(tuple),
    st.lists(st.sampled_from(["/calendar/", r"\d+'\"", "[?&]x="]), max_size=2).map(tuple),
)
MANNERS = st.builds(
    ClientConfig,
    LINES.map(lambda text: f"@{text}"),
    LINES,
    st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9.-]{0,9}", fullmatch=True), LINES).map(
        lambda headers: tuple(headers.items())
    ),
    st.none() | st.just("http://me:\"x'y$@proxy.example:3128/"),
    st.booleans(),
    st.booleans(),
    st.dictionaries(
        st.sampled_from(["a.example", "http://[::1]:8080", "*.example.org"]),
        st.dictionaries(st.sampled_from(["Authorization", "X-Key"]), LINES).map(
            lambda headers: tuple(headers.items())
        ),
    ).map(lambda hosts: tuple(hosts.items())),
    st.lists(st.sampled_from(["*", "a.example:8443", "https://b.example"])).map(tuple),
    st.none() | st.just("/home/me/cookies.txt"),
)
TIMES = st.floats(0.001, 1e6)
JOBS = st.builds(
    Job,
    st.lists(URLS, min_size=1, max_size=3).map(tuple),
    MANNERS,
    SCOPES,
    st.builds(Budget, st.none() | COUNTS, st.none() | COUNTS, st.none() | TIMES),
    st.none() | st.floats(0.001, 1),
    pace=st.builds(
        Pace,
        delay=NUMBERS,
        slowness=NUMBERS,
        per_host=COUNTS,
        retries=st.integers(0, 9),
        pages=st.none() | COUNTS,
        quarantine=NUMBERS,
    ),
    limits=st.builds(
        Limits, connect=TIMES, rate=NUMBERS, transferred=COUNTS, ratio=st.floats(1, 1e6)
    ),
    addresses=st.builds(AddressPolicy, st.booleans(), st.booleans()),
    types=st.lists(st.sampled_from(["text/html", "application/pdf"]), max_size=2).map(tuple),
    robots=st.booleans(),
    sitemaps=st.booleans(),
    refresh=st.booleans(),
    max_in_flight=COUNTS,
    redirects=COUNTS,
    random_seed=st.integers(0, 9),
)


@settings(max_examples=100, deadline=None)
@given(
    JOBS,
    st.sampled_from(
        [
            'robot* AND "the lab"',
            "title:a OR url:b",
            "été $goal",
            {"paper": True, "any": [{"query": 'say "x"'}, "b"], "words": {"least": 5}},
            {"categories": {"two words": "a", "b": {"query": "b", "weight": 0.5}}},
        ]
    ),
    st.none() | st.just("papers") | st.lists(LINES.map(lambda text: f"a {text}"), min_size=1),
    st.sampled_from(["yield(combined)", "random", "keywords(a, b)"]),
    st.builds(Storage, COUNTS, st.integers(1, 9)),
)
def test_projects_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    job: Job,
    wanted: WrittenGoal,
    words: Any,
    spider: str,
    storage: Storage,
) -> None:
    folder = tmp_path_factory.mktemp("project")
    listed = tuple(words) if isinstance(words, list) else words
    project = Project(folder, job, wanted, listed, spider, storage)
    project.write()
    assert Project.load(folder) == project
