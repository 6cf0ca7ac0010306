"""`lycosa topics`: classify documents into a topic tree, and help to write the tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.cli.output_files import check_writable
from lycosa.errors import UsageError
from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.topics.hierarchy import Hierarchy

CITATIONS = click.option(
    "--citations",
    type=Path,
    metavar="FILE",
    help="Citations: two columns of document names, citing and cited, with a header row.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print all results as JSON.")
MODEL = click.argument("model_file", metavar="MODEL", type=Path)


@click.group()
def topics() -> None:
    """Classify documents into a tree of topics that you describe with keywords.

    No document is labelled by hand: the keywords label some documents of each
    topic, and a classifier trained on these classifies all others.

    TOPICS is a file such as the one below, or the name of a template. CORPUS is
    a file of documents: tab-separated columns with a header row, or JSON lines,
    with a title, an abstract or a text, and optionally an id.

    \b
      Databases
        Relational: relational, sql, normal form
        Deductive: datalog, deductive database
      Robotics: robot, manipulator

    \b
    Examples:
      lycosa topics suggest documents.tsv > topics.txt
      lycosa topics check topics.txt documents.tsv
      lycosa topics fit topics.txt documents.tsv -o topics.model
      lycosa topics show topics.model
      lycosa topics suggest topics.txt documents.tsv
      lycosa topics explain topics.model 1047 --corpus documents.tsv
    """  # noqa: D301


@topics.command(short_help="Print a template of a topic file.")
@click.argument("name", required=False)
@JSON
def template(name: str | None, as_json: bool) -> None:
    """Print a template of a topic file; without a NAME, list the templates.

    \b
    Examples:
      lycosa topics template
      lycosa topics template computer-science > topics.txt
    """  # noqa: D301
    from lycosa.topics.template import TEMPLATES, template_text
    from lycosa.topics.template import read_template as tree

    if name is not None:
        text = template_text(name)
        click.echo(_dumps({"name": name, "text": text}) if as_json else text, nl=as_json)
        return
    facts = [{"name": each, **_size(tree(each))} for each in TEMPLATES]
    if as_json:
        click.echo(_dumps(facts))
        return
    for each in facts:
        click.echo(f"{each['name']}: {each['title']}, {plural(each['topics'], 'topic')}")


@topics.command(short_help="Check a topic file and its coverage.")
@click.argument("file", metavar="TOPICS")
@click.argument("documents", metavar="[CORPUS]", required=False, type=Path)
@JSON
def check(file: str, documents: Path | None, as_json: bool) -> None:
    """Check a topic file, and show how many documents its keywords label.

    All errors in the file are listed with their lines, and the exit code is 2.
    With a CORPUS, a table shows how many documents the keywords of each topic
    label. Fewer than ten documents are too few to train on.

    \b
    Examples:
      lycosa topics check topics.txt
      lycosa topics check topics.txt documents.tsv
      lycosa topics check computer-science papers.tsv --json | jq .share
    """  # noqa: D301
    from lycosa.cli import topic_inputs
    from lycosa.cli.topic_views import coverage_facts, print_coverage
    from lycosa.topics.corpus import Corpus
    from lycosa.topics.coverage import Coverage, shared_keywords

    tree = topic_inputs.read_tree(file)
    facts: dict[str, Any] = {"file": file, **_size(tree)}
    facts["shared"] = {k: [tree.path(n) for n in held] for k, held in shared_keywords(tree).items()}
    coverage = None
    if documents is not None:
        coverage = Coverage.of(tree, Corpus.read(documents))
        facts |= coverage_facts(coverage)
    if as_json:
        click.echo(_dumps(facts))
        return
    counts = f"{plural(facts['topics'], 'topic')}, {plural(facts['leaves'], 'leaf')}"
    counts = counts.replace("leafs", "leaves")
    click.echo(f"{printable(file)}: {counts}, {plural(facts['keywords'], 'keyword')}")
    print_coverage(facts, coverage)


@topics.command(short_help="Train a topic model.")
@click.argument("file", metavar="TOPICS")
@click.argument("documents", metavar="CORPUS", type=Path)
@CITATIONS
@click.option(
    "-o", "--out", required=True, type=Path, metavar="MODEL", help="The model file to write."
)
@click.option(
    "--rounds",
    type=click.IntRange(min=0),
    default=None,
    help="Maximum number of EM rounds.",
)
@JSON
def fit(
    file: str,
    documents: Path,
    citations: Path | None,
    out: Path,
    rounds: int | None,
    as_json: bool,
) -> None:
    """Train a topic model on a CORPUS, and classify its documents.

    Each round classifies all documents again and trains on all labels. The
    likelihood is the mean logarithm of the probability of a word; `moved` is
    the share of documents that changed their topic. Training stops when hardly
    any document moves.

    \b
    Examples:
      lycosa topics fit topics.txt documents.tsv -o topics.model
      lycosa topics fit computer-science papers.tsv --citations cites.tsv -o cs.model
    """  # noqa: D301
    import time

    from lycosa.cli import topic_inputs
    from lycosa.cli.topic_views import fit_facts, print_fit
    from lycosa.topics.model_file import save_model

    check_writable(out)
    tree = topic_inputs.read_tree(file)
    started = time.perf_counter()
    corpus, model = topic_inputs.fit_model(tree, documents, citations, rounds)
    save_model(out, model)
    facts = {"file": str(out), "bytes": out.stat().st_size, **fit_facts(model, corpus)}
    if as_json:
        click.echo(_dumps(facts))
        return
    print_fit(facts)
    click.echo(f"{duration(time.perf_counter() - started)}. Next: lycosa topics show {out}")


@topics.command(short_help="Show the topics of a model.")
@MODEL
@click.argument("topic", required=False)
@click.option("--depth", type=click.IntRange(min=1), default=None, help="How many levels to show.")
@click.option(
    "--words",
    type=click.IntRange(min=0),
    default=6,
    show_default=True,
    help="How many words of each topic to show.",
)
@click.option(
    "--titles",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="How many documents of each leaf topic to show.",
)
@JSON
def show(
    model_file: Path, topic: str | None, depth: int | None, words: int, titles: int, as_json: bool
) -> None:
    """Show the tree of a MODEL: documents, characteristic words, and examples per topic.

    A document counts in its most probable topic and in the topics above it. The
    words are those that distinguish a topic from the rest of the tree. With a
    TOPIC, only that part of the tree is shown.

    \b
    Examples:
      lycosa topics show topics.model
      lycosa topics show topics.model --depth 1
      lycosa topics show topics.model 'Databases/Relational' --words 20 --titles 10
      lycosa topics show topics.model --json | jq '.topics[] | [.path, .documents]'
    """  # noqa: D301
    from lycosa.cli.topic_views import print_tree, tree_facts
    from lycosa.topics.model_file import load_model

    model = load_model(model_file)
    root = model.hierarchy.find(topic) if topic else 0
    facts = tree_facts(model, root, depth, words, titles)
    if as_json:
        click.echo(_dumps({"documents": len(model.documents), "topics": facts}))
    else:
        print_tree(facts, model.hierarchy[0].name or str(model_file))


@topics.command(short_help="Suggest keywords, or a whole tree.")
@click.argument("files", nargs=-1, required=True, metavar="[TOPICS] CORPUS")
@CITATIONS
@click.option(
    "--topics",
    "count",
    type=click.IntRange(min=2),
    default=None,
    help="Without a file: how many topics to propose.  [default: chosen from the documents]",
)
@click.option("--topic", "path", help="With a file: suggest for this topic only.")
@click.option(
    "--all", "every", is_flag=True, help="With a file: suggest also for topics that are not thin."
)
@click.option("--write", type=Path, metavar="NEW", help="Write the revised topic file for review.")
@JSON
def suggest(
    files: tuple[str, ...],
    citations: Path | None,
    count: int | None,
    path: str | None,
    every: bool,
    write: Path | None,
    as_json: bool,
) -> None:
    """Suggest keywords for a topic file; without a file, suggest a whole tree.

    With TOPICS, the command fits a model and suggests words for thin topics:
    those with few keywords, few documents, or low probabilities. Each suggestion
    shows how many more documents it would label; none takes documents from the
    keywords of other topics. Misleading keywords are listed too. You can paste
    the lines into the file; --write does not keep comments.

    With a CORPUS alone, similar documents are clustered, and a tree with names
    and keywords is printed for you to edit: rename, move, merge and remove
    topics as you like.

    \b
    Examples:
      lycosa topics suggest documents.tsv > topics.txt
      lycosa topics suggest documents.tsv --topics 20
      lycosa topics suggest topics.txt documents.tsv
      lycosa topics suggest topics.txt documents.tsv --topic Databases/Deductive
      lycosa topics suggest topics.txt documents.tsv --write revised.txt
    """  # noqa: D301
    if len(files) > 2:
        raise UsageError("Give a topic file and a corpus, or a corpus alone.")
    if write is not None:
        if write.exists():
            raise UsageError(f"{write} already exists; give the name of a new file to --write.")
        check_writable(write)
    if len(files) == 1:
        if path is not None or every:
            raise UsageError("--topic and --all need a topic file: give one before the corpus.")
        found = _discover_tree(Path(files[0]), citations, count)
    else:
        if count is not None:
            raise UsageError("--topics is for a corpus alone: a topic file has its own topics.")
        found = _suggest_keywords(files[0], Path(files[1]), citations, path, every)
    facts, text, revised = found
    if write is not None:
        write.write_text(revised, encoding="utf-8")
        click.echo(f"lycosa: Wrote {write}.", err=True)
    click.echo(_dumps(facts) if as_json else text, nl=as_json)


@topics.command(short_help="Explain why a document is in its topic.")
@MODEL
@click.argument("document", metavar="DOC")
@click.option(
    "--corpus", "documents", type=Path, metavar="FILE", help="The file of documents that DOC is in."
)
@CITATIONS
@click.option("--topic", "path", help="Explain this topic instead of the most probable one.")
@JSON
def explain(
    model_file: Path,
    document: str,
    documents: Path | None,
    citations: Path | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Show which words, keywords and neighbours put a document into its topic.

    DOC is the name of a document in --corpus; without --corpus, the name of a
    training document of the MODEL (of which only the title is known), a text
    file, or - for stdin. A weight is what a feature adds to the log-odds of the
    topic, compared with the average over other topics; next to it is what it
    adds to the second choice.

    \b
    Examples:
      lycosa topics explain topics.model 1047 --corpus documents.tsv
      lycosa topics explain topics.model 1047 --corpus documents.tsv --citations cites.tsv
      lycosa topics explain topics.model page.txt --topic Databases
      echo 'relational algebra for robots' | lycosa topics explain topics.model -
    """  # noqa: D301
    from lycosa.cli import topic_inputs
    from lycosa.cli.topic_views import explanation_facts, print_explanation
    from lycosa.topics.model_file import load_model

    if citations is not None and documents is None:
        raise UsageError("--citations needs --corpus, the documents that cite each other.")
    model = load_model(model_file)
    topic = model.hierarchy.find(path) if path is not None else None
    corpus, number = topic_inputs.find_document(model, document, documents, citations)
    facts = explanation_facts(model, corpus, number, topic)
    if as_json:
        click.echo(_dumps(facts))
    else:
        print_explanation(facts)


def _size(tree: Hierarchy) -> dict[str, Any]:
    return {
        "title": tree[0].name,
        "topics": len(tree) - 1,
        "leaves": len(tree.leaves),
        "keywords": sum(len(topic.keywords) for topic in tree),
    }


def _discover_tree(
    documents: Path, citations: Path | None, count: int | None
) -> tuple[dict[str, Any], str, str]:
    """Return a suggested tree as JSON facts, as text, and as a topic file."""
    from lycosa.cli.console import progress_bars, show_reports
    from lycosa.topics.corpus import Corpus
    from lycosa.topics.discovery import discover

    with progress_bars() as progress:
        task = progress.add_task("reading", total=None)
        corpus = Corpus.read(documents, citations)
        progress.update(task, description="discovering topics")
        with show_reports(progress, task):
            found = discover(corpus, count)
    tree = found.hierarchy
    sizes = [int((found.groups == number).sum()) for number in range(len(tree))]
    facts = [
        {
            "path": tree.path(number),
            "keywords": list(tree[number].keywords),
            "documents": sizes[number],
        }
        for number in range(1, len(tree))
    ]
    text = found.text(corpus, documents.name)
    return {"documents": len(corpus), "topics": facts}, text, text


def _suggest_keywords(
    file: str, documents: Path, citations: Path | None, path: str | None, every: bool
) -> tuple[dict[str, Any], str, str]:
    """Return suggestions for a topic file as JSON facts, as text, and as a revised file."""
    from lycosa.cli import topic_inputs
    from lycosa.cli.topic_views import suggestion_facts
    from lycosa.topics.suggestions import suggest as run

    tree = topic_inputs.read_tree(file)
    wanted = tree.leaves.tolist() if every else None
    if path is not None:
        wanted = [tree.find(path)]
    corpus, model = topic_inputs.fit_model(tree, documents, citations)
    found = run(model, corpus, wanted)
    text = found.text() or "# There is nothing to suggest.\n"
    return suggestion_facts(found), text, found.revised().text()


def _dumps(facts: Any) -> str:
    return json.dumps(facts, indent=1, ensure_ascii=False)
