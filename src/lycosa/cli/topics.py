"""`lycosa topics`: a tree of topics that fills itself, and help with writing it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lycosa.errors import UsageError
from lycosa.reporting.text import duration, plural, printable

if TYPE_CHECKING:
    from lycosa.topics.hierarchy import Hierarchy

CITATIONS = click.option(
    "--citations",
    type=Path,
    metavar="FILE",
    help="Who cites whom: two columns of names, citing and cited, with a head.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print all of it for machines.")
MODEL = click.argument("model_file", metavar="MODEL", type=Path)


@click.group()
def topics() -> None:
    """Place documents in a tree of topics that you write down with a few keywords.

    Nothing is labelled by hand: the keywords find some documents of each topic,
    and what is learned from these places all others.

    TOPICS is a file such as the one below, or the name of a template. CORPUS is
    a file of documents: tab-separated columns with a head, or JSON lines, with
    a title, an abstract or a text, and perhaps an id.

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


@topics.command(short_help="Print a file of topics to begin with.")
@click.argument("name", required=False)
@JSON
def template(name: str | None, as_json: bool) -> None:
    """Print a file of topics to begin with; without a NAME, say which there are.

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


@topics.command(short_help="Check a file of topics and what it reaches.")
@click.argument("file", metavar="TOPICS")
@click.argument("documents", metavar="[CORPUS]", required=False, type=Path)
@JSON
def check(file: str, documents: Path | None, as_json: bool) -> None:
    """Say what is wrong with a file of topics, and what its keywords reach.

    All mistakes of the file are told with their lines; the exit code is 2 then.
    With a CORPUS, the table has for each topic the documents that its keywords
    decide about. A topic with fewer than ten has too few to learn from.

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


@topics.command(short_help="Learn what the topics are about.")
@click.argument("file", metavar="TOPICS")
@click.argument("documents", metavar="CORPUS", type=Path)
@CITATIONS
@click.option("-o", "--out", required=True, type=Path, metavar="MODEL", help="The file to make.")
@click.option(
    "--rounds",
    type=click.IntRange(min=0),
    default=None,
    help="Rounds of learning at most.",
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
    """Learn from a CORPUS what the topics are about, and place its documents.

    Each round labels all documents anew and learns from all labels. The
    likelihood is that of a word of the text, as a logarithm; `moved` is the
    share of documents that changed their topic. When hardly any does, it is done.

    \b
    Examples:
      lycosa topics fit topics.txt documents.tsv -o topics.model
      lycosa topics fit computer-science papers.tsv --citations cites.tsv -o cs.model
    """  # noqa: D301
    import time

    from lycosa.cli import topic_inputs
    from lycosa.cli.topic_views import fit_facts, print_fit
    from lycosa.topics.model_file import save_model

    _check_writable(out)
    tree = topic_inputs.read_tree(file)
    began = time.perf_counter()
    corpus, model = topic_inputs.fit_model(tree, documents, citations, rounds)
    save_model(out, model)
    facts = {"file": str(out), "bytes": out.stat().st_size, **fit_facts(model, corpus)}
    if as_json:
        click.echo(_dumps(facts))
        return
    print_fit(facts)
    click.echo(f"{duration(time.perf_counter() - began)}. Next: lycosa topics show {out}")


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
    help="How many documents of each topic at the bottom to show.",
)
@JSON
def show(
    model_file: Path, topic: str | None, depth: int | None, words: int, titles: int, as_json: bool
) -> None:
    """Show the tree of a MODEL: documents, telling words, and examples of each topic.

    A document counts in its most probable topic and in all above it. The words
    are those that set a topic apart from the rest of the tree. With a TOPIC,
    only what stands under it is shown.

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
    help="Without a file: how many topics to propose.  [default: what the documents call for]",
)
@click.option("--topic", "path", help="With a file: suggest for this topic only.")
@click.option("--all", "every", is_flag=True, help="With a file: suggest for thick topics, too.")
@click.option("--write", type=Path, metavar="NEW", help="Write the revised file, to be reviewed.")
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
    """Suggest keywords for a file of topics; without a file, suggest a file.

    With TOPICS, a model is fitted, and words are proposed for thin topics: those
    with few keywords, few documents, or unsure ones. With each word it is said
    how many documents more it would reach. None takes documents from the
    keywords of other topics. Keywords that mislead are told of, too. The lines
    can be pasted into the file; comments in it are not kept by --write.

    With a CORPUS alone, documents that are alike are put together, and a tree
    with names and keywords is printed, ready to be changed: rename, move, join
    and remove as you like.

    \b
    Examples:
      lycosa topics suggest documents.tsv > topics.txt
      lycosa topics suggest documents.tsv --topics 20
      lycosa topics suggest topics.txt documents.tsv
      lycosa topics suggest topics.txt documents.tsv --topic Databases/Deductive
      lycosa topics suggest topics.txt documents.tsv --write revised.txt
    """  # noqa: D301
    if len(files) > 2:
        raise UsageError("Give a file of topics and a corpus, or a corpus alone; nothing more.")
    if write is not None:
        if write.exists():
            raise UsageError(f"{write} is there already; give the name of a new file to --write.")
        _check_writable(write)
    if len(files) == 1:
        if path is not None or every:
            raise UsageError("--topic and --all are about a file of topics; give it, too.")
        found = _discovered(Path(files[0]), citations, count)
    else:
        if count is not None:
            raise UsageError("--topics is for a corpus alone: a file has its topics.")
        found = _suggested(files[0], Path(files[1]), citations, path, every)
    facts, text, revised = found
    if write is not None:
        write.write_text(revised, encoding="utf-8")
        click.echo(f"lycosa: {write} is written.", err=True)
    click.echo(_dumps(facts) if as_json else text, nl=as_json)


@topics.command(short_help="Say why a document is in its topic.")
@MODEL
@click.argument("document", metavar="DOC")
@click.option(
    "--corpus", "documents", type=Path, metavar="FILE", help="The file of documents that DOC is in."
)
@CITATIONS
@click.option("--topic", "path", help="What speaks for this topic, instead of the likeliest.")
@JSON
def explain(
    model_file: Path,
    document: str,
    documents: Path | None,
    citations: Path | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Say which words, keywords and neighbours put a document into its topic.

    DOC is the name of a document in --corpus, or else of one that the MODEL has
    learned from (then its title is all that is known of it), a file with a
    text, or - for stdin. A weight is how much it adds to the logarithm of the
    topic's odds, against what other topics get from it on average; beside it
    stands what it adds to the second choice.

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
        raise UsageError("--citations are between documents of --corpus; give it, too.")
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


def _discovered(
    documents: Path, citations: Path | None, count: int | None
) -> tuple[dict[str, Any], str, str]:
    """A proposed tree: for machines, for people, and as a file."""
    from lycosa.cli.console import progress_bars
    from lycosa.topics.corpus import Corpus
    from lycosa.topics.discovery import discover

    with progress_bars() as progress:
        progress.add_task("discovering", total=None)
        corpus = Corpus.read(documents, citations)
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


def _suggested(
    file: str, documents: Path, citations: Path | None, path: str | None, every: bool
) -> tuple[dict[str, Any], str, str]:
    """Suggestions for a file: for machines, for people, and as a file."""
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


def _check_writable(place: Path) -> None:
    """Complain before the work, not after."""
    if place.is_dir() or not os.access(place.absolute().parent, os.W_OK):
        raise UsageError(f"{place} cannot be written; name a file in a folder of yours.")


def _dumps(facts: Any) -> str:
    return json.dumps(facts, indent=1, ensure_ascii=False)
