"""Topics file: the text format of a topic tree.

    # Computer science papers
    Artificial Intelligence: artificial intelligence
      Machine Learning: machine learning, supervised learning
        Neural Networks: neural network, backpropagation,
          perceptron
          > Learning ones; their hardware is elsewhere.

The parent of a topic is the last topic above it with less indentation. A line
that ends with a comma continues on the next. `#` starts a comment, or the title
in the first line; `>` starts a note about the topic above it. Quotes enclose
names and keywords with a colon or a comma. docs/reference/topics-file.md has
the full description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lycosa.errors import UsageError
from lycosa.web.words import words

SEPARATOR = "/"
"""Separates the names of a path, so a name cannot contain it."""

MAX_DEPTH = 20
"""Levels of a tree."""

MAX_CHARACTERS = 200
"""Characters of a name or keyword."""

MAX_MISTAKES_SHOWN = 20
"""Mistakes reported in one error."""

_MAX_LINE_WIDTH = 96
_BREAK = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HASHES = re.compile(r"[#\s]+")
_QUOTED = r'"(?:[^"]|"")*"'
_NAME = re.compile(rf"({_QUOTED}\s*|(?!\")[^:]*)(?:$|:)")
_KEYWORD = re.compile(rf"\s*({_QUOTED}\s*|(?!\")[^,:]*)(?:$|,)")


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic of the tree.

    `name` is unique among its siblings, "" for the root; `keywords` label documents by being
    contained in them; `note` is the text of its `>` lines, "" if there are none. `line` is its line
    in the file, `parent` the number of its parent (-1 for the root, number 0), and `depth` its
    distance from the root.
    """

    name: str
    keywords: tuple[str, ...] = ()
    note: str = ""
    line: int = field(default=0, compare=False)
    parent: int = -1
    depth: int = 0


def read_topics(text: str, where: str) -> list[Topic]:
    """Parse the text of a topics file; return its topics, the root first.

    Mistakes raise one `UsageError` with a line for each; `where` names the file in it.

    >>> [topic.keywords for topic in read_topics("Birds: owl, barn owl", "birds.txt")]
    [(), ('owl', 'barn owl')]
    >>> read_topics("Birds: owl, Owl", "birds.txt")
    Traceback (most recent call last):
    lycosa.errors.UsageError: birds.txt, line 1: the keyword 'Owl' occurs twice under 'Birds'; \
remove one.
    """
    return _Reader(where).topics(text)


def write_topics(topics: Iterable[Topic]) -> str:
    """Return the text of a topics file with these topics.

    >>> print(write_topics(read_topics("Birds:owl ,  barn   owl", "birds.txt")), end="")
    Birds: owl, barn owl
    """
    lines: list[str] = []
    for topic in topics:
        margin = "  " * (topic.depth - 1)
        if topic.depth:
            lines += _wrapped(f"{margin}{_name(topic.name)}", topic.keywords, margin + "    ")
        elif topic.name:
            lines.append(f"# {topic.name}")
        margin += "  " if topic.depth else ""
        lines += [f"{margin}> {line}".rstrip() for line in topic.note.split("\n") if topic.note]
    return "".join(f"{line}\n" for line in lines)


class _Reader:
    """Parser that reads a file line by line and collects its mistakes."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.wrong: dict[tuple[int, str], None] = {}
        self.found = [Topic("", line=1)]
        self.words: list[dict[tuple[str, ...], str]] = [{}]
        self.notes: list[list[str]] = [[]]
        # The possible parents of the next line, and their indentation.
        self.open = [0]
        self.margins = [-1]
        self.indented: tuple[str, int] | None = None

    def topics(self, text: str) -> list[Topic]:
        """Return the topics of a text; raise one error with all mistakes."""
        unfinished = 0  # the line before, if its keywords end with a comma
        first = True
        for number, line in enumerate(_BREAK.split(text.removeprefix("\ufeff")), 1):
            content = line.strip()
            if _CONTROL.search(line):
                self.report(number, "there is a control character; remove it")
            elif content.startswith("#"):
                if first:
                    self.found[0] = replace(self.found[0], name=_plain(_HASHES.sub("", content, 1)))
            elif content.startswith(">"):
                self.notes[-1].append(_plain(content[1:]))
            elif content and unfinished:
                self.keywords(content, number, unfinished)
                unfinished = number if content.endswith(",") else 0
            elif content:
                rest = self.topic(line, content, number)
                if rest is None:
                    break
                self.keywords(rest, number)
                unfinished = number if rest.endswith(",") else 0
            first = first and not content
        else:
            self.check()
            if unfinished:
                self.report(
                    unfinished,
                    "the keywords end with a comma; remove it or write another keyword",
                )
        if self.wrong:
            messages = [f"{self.where}, line {line}: {text}." for line, text in sorted(self.wrong)]
            if len(messages) > MAX_MISTAKES_SHOWN:
                messages[MAX_MISTAKES_SHOWN:] = [
                    f"{self.where}: {len(messages) - MAX_MISTAKES_SHOWN} more mistakes follow."
                ]
            raise UsageError("\n".join(messages))
        return [
            replace(topic, keywords=tuple(known.values()), note="\n".join(lines).strip("\n"))
            for topic, known, lines in zip(self.found, self.words, self.notes, strict=True)
        ]

    def report(self, line: int, mistake: str) -> None:
        """Record a mistake."""
        self.wrong[line, mistake] = None

    def topic(self, line: str, content: str, number: int) -> str | None:
        """Add a topic and return its keywords; None if the rest of the file cannot be parsed."""
        if not self.indent(line[: len(line) - len(line.lstrip())], number):
            return None
        match = _NAME.match(content)
        if match is None:
            self.report(number, 'a quote is not closed before the colon; write "a name": keyword')
            name, rest = content.strip('"'), ""
        else:
            name, rest = _unquoted(match[1]), content[match.end() :]
        self.check_name(name, number)
        depth = len(self.open)
        if depth > MAX_DEPTH:
            self.report(
                number, f"{_short(name)!r} is more than {MAX_DEPTH} levels deep; indent it less"
            )
            return None
        self.found.append(Topic(name, line=number, parent=self.open[-1], depth=depth))
        self.words.append({})
        self.notes.append([])
        self.open.append(len(self.found) - 1)
        return rest

    def indent(self, margin: str, number: int) -> bool:
        """Close the topics that a line with this indentation is not under; False if it is mixed."""
        if margin:
            if set(margin) not in ({" "}, {"\t"}):
                self.report(number, "tabs and spaces are mixed before the name; use only spaces")
                return False
            kind = "spaces" if margin[0] == " " else "tabs"
            before, line = self.indented = self.indented or (kind, number)
            if kind != before:
                self.report(
                    number,
                    f"tabs and spaces are mixed: it is indented with {kind}, line {line} with "
                    f"{before}; use only spaces",
                )
                return False
        width = len(margin)
        if len(self.margins) == 1 and width:
            self.report(number, "the first topic is indented; begin it at the left margin")
        elif width < self.margins[-1] and width not in self.margins:
            known = ", ".join(map(str, self.margins[1:]))
            self.report(
                number,
                f"it is indented by {width}, but the topics above by {known}; "
                "indent it like its sibling topics",
            )
        while self.margins[-1] >= width:
            self.margins.pop()
            self.open.pop()
        self.margins.append(width)
        return True

    def keywords(self, rest: str, number: int, unfinished: int = 0) -> None:
        """Add keywords to the last topic."""
        known = self.words[-1]
        rest = rest.strip()
        start = 0
        while start < len(rest):
            match = _KEYWORD.match(rest, start)
            if match is None:
                advice = "put the whole keyword in quotes"
                if unfinished:
                    advice = f"remove the comma at the end of line {unfinished}, or {advice}"
                self.report(number, f"there is a colon or a quote among keywords; {advice}")
                break
            start = match.end()
            keyword = _unquoted(match[1])
            parts = tuple(words(keyword))
            if not keyword:
                self.report(number, "a keyword is empty; remove a comma or write the keyword")
            elif not parts:
                self.report(number, f"the keyword {_short(keyword)!r} has no letters; give it some")
            elif len(keyword) > MAX_CHARACTERS:
                self.report(number, f"the keyword {_short(keyword)!r} is too long; shorten it")
            elif parts in known:
                name = _short(self.found[-1].name)
                self.report(
                    number, f"the keyword {keyword!r} occurs twice under {name!r}; remove one"
                )
            else:
                known[parts] = keyword

    def check_name(self, name: str, number: int) -> None:
        """Report mistakes of a name."""
        if not name:
            self.report(number, "a topic has no name; write one before the colon")
        elif SEPARATOR in name:
            self.report(
                number,
                f"the name {_short(name)!r} has a {SEPARATOR!r}, which separates the names "
                "of a path; write the name without it",
            )
        elif len(name) > MAX_CHARACTERS:
            self.report(number, f"the name {_short(name)!r} is too long; shorten it")

    def check(self) -> None:
        """Report mistakes of the tree."""
        below = {topic.parent for topic in self.found}
        reported = {line for line, _ in self.wrong}
        siblings: dict[tuple[int, str], int] = {}
        for number, topic in enumerate(self.found[1:], 1):
            name = topic.name.casefold()
            line = siblings.setdefault((topic.parent, name), topic.line)
            if line != topic.line:
                self.report(
                    topic.line,
                    f"{_short(topic.name)!r} has a sibling of the same name (line {line}); "
                    "join them or rename one",
                )
            parent = topic.parent
            while parent > 0:
                above = self.found[parent]
                if above.name.casefold() == name:
                    text = f"{_short(topic.name)!r} is under a topic of that name"
                    self.report(topic.line, f"{text} (line {above.line}); rename one")
                parent = above.parent
            if number not in below and not self.words[number] and topic.line not in reported:
                goes_on = ", or end the line above with a comma if it goes on here"
                self.report(
                    topic.line,
                    f"{_short(topic.name)!r} has neither keywords nor topics under it; write "
                    f"keywords after a colon{goes_on if ',' in name else ''}",
                )
        if not siblings and not self.wrong:
            self.report(1, "there is no topic; write one as `Name: keyword, keyword`")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _unquoted(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        text = text[1:-1].replace('""', '"')
    return _plain(text)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _name(name: str) -> str:
    plain = not name.startswith(("#", ">", '"')) and ":" not in name and not name.endswith(",")
    return name if plain else _in_quotes(name)


def _keyword(keyword: str) -> str:
    plain = not keyword.startswith(("#", ">", '"')) and not set(":,") & set(keyword)
    return keyword if plain else _in_quotes(keyword)


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _wrapped(name: str, keywords: Sequence[str], margin: str) -> Iterator[str]:
    """Yield the lines of a topic: its name and keywords, wrapped."""
    line = name
    for number, keyword in enumerate(map(_keyword, keywords)):
        gap = ", " if number else ": "
        if number and len(line) + len(keyword) > _MAX_LINE_WIDTH:
            yield line + ","
            line, gap = margin, ""
        line += gap + keyword
    yield line
