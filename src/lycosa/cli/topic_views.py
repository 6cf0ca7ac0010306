"""Results of `lycosa topics`, as facts for JSON and as tables and trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.text import Text
from rich.tree import Tree

from lycosa.cli.console import output, table
from lycosa.reporting.text import plural, printable
from lycosa.topics.corpus import Corpus
from lycosa.topics.coverage import Coverage
from lycosa.topics.model import TopicModel
from lycosa.topics.rule_list import RuleList

if TYPE_CHECKING:
    from lycosa.topics.suggestions import Suggestions

MAX_LISTED = 20
"""Keywords of a kind that are listed; --json has all."""


def coverage_facts(coverage: Coverage) -> dict[str, Any]:
    """Return how many documents the keywords label."""
    tree, thin = coverage.hierarchy, set(coverage.thin())
    return {
        "documents": coverage.documents,
        "share": round(coverage.share, 4),
        "thin": [tree.path(number) for number in sorted(thin)],
        "idle": coverage.idle,
        "overruled": coverage.overruled,
        "reached": [
            {
                "path": tree.path(number),
                "keywords": len(tree[number].keywords),
                "decides": int(coverage.topics[number]),
                "thin": number in thin,
            }
            for number in range(1, len(tree))
        ],
    }


def print_coverage(facts: dict[str, Any], coverage: Coverage | None) -> None:
    """Print the coverage of each topic, and the keywords to review."""
    if coverage is not None:
        share = f"{100 * facts['share']:.0f} %"
        click.echo(f"{share} of {plural(facts['documents'], 'document')} are labelled by a keyword")
        click.echo()
        rows = table(topic="left", keywords="right", decides="right", note="left")
        for number, row in enumerate(facts["reached"], 1):
            topic = coverage.hierarchy[number]
            note = "thin" if row["thin"] else ""
            name = "  " * (topic.depth - 1) + printable(topic.name)
            rows.add_row(Text(name), f"{row['keywords']:,}", f"{row['decides']:,}", note)
        output().print(rows)
        _listed("Keywords that match no document", facts["idle"])
        _listed("Keywords that label nothing, because earlier ones match first", facts["overruled"])
    several = [f"{k}: {'; '.join(held)}" for k, held in facts["shared"].items()]
    _listed("Keywords of several topics; the first topic gets their documents", several)


def fit_facts(model: TopicModel, corpus: Corpus) -> dict[str, Any]:
    """Return the rounds of the training and its result."""
    leaves = model.documents.leaves()
    confidence = model.documents.shares.max(axis=1)[leaves >= 0]
    labels = RuleList.of(model.hierarchy).labels(corpus)
    return {
        "documents": len(corpus),
        "citations": int(corpus.citations.nnz),
        "words": len(model.words),
        "topics": len(model.hierarchy) - 1,
        "leaves": len(model.hierarchy.leaves),
        "reached": int(np.count_nonzero(labels >= 0)),
        "placed": len(confidence),
        "used": len(np.unique(leaves[leaves >= 0])),
        "probability": round(float(confidence.mean()), 4) if len(confidence) else 0.0,
        "rounds": [
            {"likelihood": round(r.likelihood, 5), "moved": round(r.moved, 5)}
            for r in model.history
        ],
    }


def print_fit(facts: dict[str, Any]) -> None:
    """Print the rounds and a summary."""
    rows = table(round="right", likelihood="right", moved="right")
    for number, each in enumerate(facts["rounds"]):
        moved = f"{100 * each['moved']:.1f} %"
        rows.add_row(str(number), f"{each['likelihood']:.4f}", moved)
    output().print(rows)
    click.echo()
    count = plural(facts["documents"], "document")
    share = 100 * facts["reached"] / facts["documents"]
    click.echo(f"{printable(facts['file'])}: {count}, {plural(facts['words'], 'word')}")
    click.echo(f"{share:.0f} % are labelled by a keyword, {facts['placed']:,} are classified")
    click.echo(
        f"in {facts['used']:,} of {facts['leaves']:,} leaf topics, with a probability "
        f"of {facts['probability']:.2f} on average"
    )


def tree_facts(
    model: TopicModel, root: int, depth: int | None, words: int, titles: int
) -> list[dict[str, Any]]:
    """Return a topic and those below it, in the order of the file."""
    tree, placed = model.hierarchy, model.documents
    leaves = placed.leaves()
    counts = np.zeros(len(tree), np.int64)
    for leaf in tree.leaves.tolist():
        counts[tree.ancestors(leaf)] += np.count_nonzero(leaves == leaf)
    column = {leaf: k for k, leaf in enumerate(tree.leaves.tolist())}
    facts = []
    for number in range(len(tree)):
        below = tree[number].depth - tree[root].depth
        inside = root in tree.ancestors(number) and (depth is None or below <= depth)
        if not inside or not number:
            continue
        best: list[int] = []
        if number in column:
            members = np.flatnonzero(leaves == number)
            confidence = placed.shares[members, column[number]]
            best = members[np.argsort(-confidence, kind="stable")[:titles]].tolist()
        facts.append(
            {
                "path": tree.path(number),
                "name": tree[number].name,
                "depth": tree[number].depth,
                "documents": int(counts[number]),
                "words": [word.word for word in model.top_words(number, words)],
                "examples": [{"name": placed.names[d], "title": placed.titles[d]} for d in best],
            }
        )
    return facts


def print_tree(facts: Sequence[dict[str, Any]], title: str) -> None:
    """Print the facts of `tree_facts` as a tree."""
    top = Tree(Text(printable(title)))
    first = facts[0]["depth"] if facts else 1
    branches = [top]
    for each in facts:
        del branches[each["depth"] - first + 1 :]
        label = Text(printable(each["name"]), style="bold")
        label.append(f"  {each['documents']:,}", style="cyan")
        if each["words"]:
            label.append("  " + printable(", ".join(each["words"])), style="not bold")
        branch = branches[-1].add(label)
        for example in each["examples"]:
            branch.add(Text(printable(example["title"])[:100], style="dim"))
        branches.append(branch)
    output().print(top)


def suggestion_facts(found: Suggestions) -> dict[str, Any]:
    """Return all suggestions."""
    tree = found.hierarchy
    return {
        "topics": [
            {
                "path": tree.path(each.topic),
                "keywords": list(tree[each.topic].keywords),
                "decides": each.decides,
                "probability": round(each.confidence, 4),
                "proposals": [
                    {
                        "keyword": p.keyword,
                        "documents": p.documents,
                        "z": round(p.z, 2),
                        "titles": list(p.titles),
                    }
                    for p in each.proposals
                ],
            }
            for each in found.topics
        ],
        "misleading": [
            {
                "path": tree.path(each.topic),
                "keyword": each.keyword,
                "decides": each.decides,
                "elsewhere": each.elsewhere,
                "instead": tree.path(each.instead),
                "titles": list(each.titles),
            }
            for each in found.misleading
        ],
    }


def explanation_facts(
    model: TopicModel, corpus: Corpus, document: int, topic: int | None
) -> dict[str, Any]:
    """Return the topics of a document, and the evidence for the first and second choice."""
    tree = model.hierarchy
    placement = model.place(corpus)
    nodes = placement.nodes[document]
    order = tree.leaves[np.argsort(-placement.shares[document], kind="stable")].tolist()
    known = bool(placement.outside[document] <= 0.5)
    chosen = (order[0] if known else None) if topic is None else topic
    second = None
    if chosen is not None and known:
        second = next((leaf for leaf in order if chosen not in tree.ancestors(leaf)), None)
    reasons = [] if chosen is None else model.explain(corpus, document, chosen)
    others = [] if second is None else model.explain(corpus, document, second)
    against = {(reason.kind, reason.what): reason.weight for reason in others}
    return {
        "document": corpus.names[document],
        "title": corpus.titles[document],
        "topics": [
            {"path": placed.path, "probability": round(placed.probability, 4)}
            for placed in placement.topics(document, 0.05)
        ],
        "topic": _choice(model, nodes, chosen),
        "second": _choice(model, nodes, second),
        "reasons": [
            {
                "kind": reason.kind,
                "what": reason.what,
                "weight": round(reason.weight, 3),
                "second": round(against.get((reason.kind, reason.what), 0.0), 3),
            }
            for reason in reasons
        ],
    }


def _choice(
    model: TopicModel, nodes: NDArray[np.float32], topic: int | None
) -> dict[str, Any] | None:
    if topic is None:
        return None
    return {
        "path": model.hierarchy.path(topic),
        "probability": round(float(nodes[topic]), 4),
    }


def print_explanation(facts: dict[str, Any]) -> None:
    """Print the facts of `explanation_facts` as tables."""
    click.echo(f"{printable(facts['document'])}: {printable(facts['title'])}")
    click.echo()
    rows = table(probability="right", topic="left")
    for each in facts["topics"]:
        rows.add_row(f"{each['probability']:.2f}", Text(printable(each["path"])))
    output().print(rows)
    click.echo()
    if facts["topic"] is None:
        click.echo("It fits no topic, or has no known word: it is outside the tree.")
        return
    second = facts["second"]
    beside = f", and for the second choice, {printable(second['path'])}" if second else ""
    click.echo(f"Evidence for {printable(facts['topic']['path'])}{beside}")
    rows = table(weight="right", second="right", kind="left", what="left")
    for each in facts["reasons"]:
        numbers = f"{each['weight']:+.2f}", f"{each['second']:+.2f}"
        rows.add_row(*numbers, each["kind"], Text(printable(each["what"])[:100]))
    output().print(rows)


def _listed(title: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    click.echo()
    click.echo(f"{title}:")
    for line in lines[:MAX_LISTED]:
        click.echo(f"  {printable(line)}")
    if len(lines) > MAX_LISTED:
        click.echo(f"  and {len(lines) - MAX_LISTED:,} more (--json has all)")
