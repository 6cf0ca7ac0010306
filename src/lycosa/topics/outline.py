"""How a person writes down a tree of topics, and how it is read.

    # Computer science papers
    Artificial Intelligence: artificial intelligence
      Machine Learning: machine learning, supervised learning
        Neural Networks: neural network, backpropagation,
          perceptron
          > Learning ones; their hardware is elsewhere.

A topic stands under the one above it that is indented less. A line that ends
with a comma goes on in the next. `#` begins a comment, and the title if it
stands first; `>` begins a note about the topic above it. Quotes are for names
and keywords that hold a colon or a comma. docs/reference/topics-file.md has
it all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lycosa.errors import UsageError
from lycosa.web.words import words

SEPARATOR = "/"
"""Stands between the names of a path, so it cannot stand in a name."""

MAX_DEPTH = 20
"""How many topics may stand one under the other."""

MAX_CHARACTERS = 200
"""How many characters a name or a keyword may have."""

MAX_MISTAKES_SHOWN = 20
"""How many mistakes of a file are told at once."""

_MAX_LINE_WIDTH = 96
_BREAK = re.compile(r"\r\n|\r|\n")
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HASHES = re.compile(r"[#\s]+")
_QUOTED = r'"(?:[^"]|"")*"'
_NAME = re.compile(rf"({_QUOTED}\s*|(?!\")[^:]*)(?:$|:)")
_KEYWORD = re.compile(rf"\s*({_QUOTED}\s*|(?!\")[^,:]*)(?:$|,)")


@dataclass(frozen=True, slots=True)
class Topic:
    """A place in the tree; the root has the number 0 and the parent -1."""

    name: str
    keywords: tuple[str, ...] = ()
    note: str = ""
    line: int = field(default=0, compare=False)
    parent: int = -1
    depth: int = 0


def read_topics(text: str, where: str) -> list[Topic]:
    """The topics of a text, the root first; its mistakes are told of `where`.

    >>> [topic.keywords for topic in read_topics("Birds: owl, barn owl", "birds.txt")]
    [(), ('owl', 'barn owl')]
    >>> read_topics("Birds: owl, Owl", "birds.txt")
    Traceback (most recent call last):
    lycosa.errors.UsageError: birds.txt, line 1: the keyword 'Owl' stands twice under 'Birds'; \
remove one.
    """
    return _Reader(where).topics(text)


def write_topics(topics: Iterable[Topic]) -> str:
    """A text that is read as these topics.

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
    """Reads a file line by line and gathers what is wrong with it."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.wrong: dict[tuple[int, str], None] = {}
        self.found = [Topic("", line=1)]
        self.words: list[dict[tuple[str, ...], str]] = [{}]
        self.notes: list[list[str]] = [[]]
        # The topics that the next line may stand under, and how far they are indented.
        self.open = [0]
        self.margins = [-1]
        self.indented: tuple[str, int] | None = None

    def topics(self, text: str) -> list[Topic]:
        """The topics of a text, or all its mistakes as one error."""
        unfinished = 0  # the line before, if its keywords end with a comma
        first = True
        for number, line in enumerate(_BREAK.split(text.removeprefix("\ufeff")), 1):
            said = line.strip()
            if _CONTROL.search(line):
                self.say(number, "there is a control character; remove it")
            elif said.startswith("#"):
                if first:
                    self.found[0] = replace(self.found[0], name=_plain(_HASHES.sub("", said, 1)))
            elif said.startswith(">"):
                self.notes[-1].append(_plain(said[1:]))
            elif said and unfinished:
                self.keywords(said, number, unfinished)
                unfinished = number if said.endswith(",") else 0
            elif said:
                rest = self.topic(line, said, number)
                if rest is None:
                    break
                self.keywords(rest, number)
                unfinished = number if rest.endswith(",") else 0
            first = first and not said
        else:
            self.check()
            if unfinished:
                self.say(unfinished, "it ends with a comma; remove it or write another keyword")
        if self.wrong:
            told = [f"{self.where}, line {line}: {said}." for line, said in sorted(self.wrong)]
            if len(told) > MAX_MISTAKES_SHOWN:
                told[MAX_MISTAKES_SHOWN:] = [
                    f"{self.where}: {len(told) - MAX_MISTAKES_SHOWN} more mistakes follow."
                ]
            raise UsageError("\n".join(told))
        return [
            replace(topic, keywords=tuple(known.values()), note="\n".join(lines).strip("\n"))
            for topic, known, lines in zip(self.found, self.words, self.notes, strict=True)
        ]

    def say(self, line: int, what: str) -> None:
        """Note a mistake."""
        self.wrong[line, what] = None

    def topic(self, line: str, said: str, number: int) -> str | None:
        """Take in a topic and return its keywords; None if the rest cannot be understood."""
        if not self.indent(line[: len(line) - len(line.lstrip())], number):
            return None
        match = _NAME.match(said)
        if match is None:
            self.say(number, 'a quote is not closed before the colon; write "a name": keyword')
            name, rest = said.strip('"'), ""
        else:
            name, rest = _unquoted(match[1]), said[match.end() :]
        self.check_name(name, number)
        depth = len(self.open)
        if depth > MAX_DEPTH:
            self.say(
                number, f"{_short(name)!r} is more than {MAX_DEPTH} levels deep; indent it less"
            )
            return None
        self.found.append(Topic(name, line=number, parent=self.open[-1], depth=depth))
        self.words.append({})
        self.notes.append([])
        self.open.append(len(self.found) - 1)
        return rest

    def indent(self, margin: str, number: int) -> bool:
        """Close the topics that a line so indented does not stand under."""
        if margin:
            if set(margin) not in ({" "}, {"\t"}):
                self.say(number, "tabs and spaces are mixed before the name; use only spaces")
                return False
            kind = "spaces" if margin[0] == " " else "tabs"
            before, line = self.indented = self.indented or (kind, number)
            if kind != before:
                self.say(
                    number,
                    f"tabs and spaces are mixed: it is indented with {kind}, line {line} with "
                    f"{before}; use only spaces",
                )
                return False
        width = len(margin)
        if len(self.margins) == 1 and width:
            self.say(number, "the first topic is indented; begin it at the left margin")
        elif width < self.margins[-1] and width not in self.margins:
            known = ", ".join(map(str, self.margins[1:]))
            self.say(
                number,
                f"it is indented by {width}, but the topics above by {known}; "
                "indent it like the one it stands beside",
            )
        while self.margins[-1] >= width:
            self.margins.pop()
            self.open.pop()
        self.margins.append(width)
        return True

    def keywords(self, rest: str, number: int, unfinished: int = 0) -> None:
        """Take in keywords for the last topic."""
        known = self.words[-1]
        rest = rest.strip()
        start = 0
        while start < len(rest):
            match = _KEYWORD.match(rest, start)
            if match is None:
                advice = "put the whole keyword in quotes"
                if unfinished:
                    advice = f"remove the comma at the end of line {unfinished}, or {advice}"
                self.say(number, f"there is a colon or a quote among keywords; {advice}")
                break
            start = match.end()
            keyword = _unquoted(match[1])
            parts = tuple(words(keyword))
            if not keyword:
                self.say(number, "a keyword is empty; remove a comma or write the keyword")
            elif not parts:
                self.say(number, f"the keyword {_short(keyword)!r} has no letters; give it some")
            elif len(keyword) > MAX_CHARACTERS:
                self.say(number, f"the keyword {_short(keyword)!r} is too long; shorten it")
            elif parts in known:
                name = _short(self.found[-1].name)
                self.say(number, f"the keyword {keyword!r} stands twice under {name!r}; remove one")
            else:
                known[parts] = keyword

    def check_name(self, name: str, number: int) -> None:
        """Say what is wrong with a name by itself."""
        if not name:
            self.say(number, "a topic has no name; write one before the colon")
        elif SEPARATOR in name:
            self.say(
                number,
                f"the name {_short(name)!r} has a {SEPARATOR!r}, which stands between the names "
                "of a path; write it otherwise",
            )
        elif len(name) > MAX_CHARACTERS:
            self.say(number, f"the name {_short(name)!r} is too long; shorten it")

    def check(self) -> None:
        """Say what is wrong with the tree."""
        below = {topic.parent for topic in self.found}
        told = {line for line, _ in self.wrong}
        siblings: dict[tuple[int, str], int] = {}
        for number, topic in enumerate(self.found[1:], 1):
            name = topic.name.casefold()
            line = siblings.setdefault((topic.parent, name), topic.line)
            if line != topic.line:
                self.say(
                    topic.line,
                    f"{_short(topic.name)!r} stands beside another of that name (line {line}); "
                    "join them or rename one",
                )
            parent = topic.parent
            while parent > 0:
                above = self.found[parent]
                if above.name.casefold() == name:
                    said = f"{_short(topic.name)!r} stands under itself (line {above.line})"
                    self.say(topic.line, f"{said}; rename one")
                parent = above.parent
            if number not in below and not self.words[number] and topic.line not in told:
                goes_on = ", or end the line above with a comma if it goes on here"
                self.say(
                    topic.line,
                    f"{_short(topic.name)!r} has neither keywords nor topics under it; write "
                    f"keywords after a colon{goes_on if ',' in name else ''}",
                )
        if not siblings and not self.wrong:
            self.say(1, "there is no topic; write one as `Name: keyword, keyword`")


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
    """A topic's lines: its name, and its keywords as many as a line holds."""
    line = name
    for number, keyword in enumerate(map(_keyword, keywords)):
        gap = ", " if number else ": "
        if number and len(line) + len(keyword) > _MAX_LINE_WIDTH:
            yield line + ","
            line, gap = margin, ""
        line += gap + keyword
    yield line
