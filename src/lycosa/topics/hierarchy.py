"""Topic tree with keywords.

`lycosa.topics.outline` and docs/reference/topics-file.md describe its file format.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

import numpy as np

from lycosa.content import Ints
from lycosa.errors import UnknownName, UsageError
from lycosa.topics.outline import SEPARATOR, Topic, read_topics, write_topics

_log = logging.getLogger("lycosa.topics")

__all__ = ["Hierarchy", "Topic"]


class Hierarchy(Sequence[Topic]):
    """Tree of topics in the order of their file, each after its parent; number 0 is the root.

    >>> tree = Hierarchy.parse('''
    ... Databases: database
    ...   Relational: relational, sql
    ...   Temporal: temporal database
    ... ''')
    >>> [topic.name for topic in tree]
    ['', 'Databases', 'Relational', 'Temporal']
    >>> tree.parents.tolist(), tree.leaves.tolist()
    ([-1, 0, 1, 1], [2, 3])
    >>> tree.path(3), tree.find("Databases/Temporal"), tree.ancestors(3)
    ('Databases/Temporal', 3, [3, 1, 0])
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = tuple(topics)
        open_: list[int] = []  # the topics from the root down to the last one
        for number, topic in enumerate(self._topics):
            del open_[max(topic.depth, 0) :]
            if len(open_) != topic.depth or topic.parent != (open_[-1] if open_ else -1):
                raise UsageError(
                    f"Topic {number}, {topic.name!r}, does not follow its parent: list the root, "
                    "then each topic followed by the topics under it."
                )
            open_.append(number)
            if number and not topic.depth:
                raise UsageError(
                    f"Topic {number}, {topic.name!r}, is a second root; give it a parent."
                )
        if not self._topics:
            raise UsageError("A hierarchy needs at least a root.")
        self.parents: Ints = np.array([topic.parent for topic in self._topics], np.int32)
        self._children: list[list[int]] = [[] for _ in self._topics]
        for number, topic in enumerate(self._topics[1:], 1):
            self._children[topic.parent].append(number)
        self.leaves: Ints = np.array(
            [number for number, below in enumerate(self._children) if not below], np.int32
        )
        self._chains: list[list[int]] = []  # from each topic to the root
        for number, topic in enumerate(self._topics):
            self._chains.append([number, *(self._chains[topic.parent] if number else ())])
        self._paths = [
            SEPARATOR.join(self[number].name for number in chain[-2::-1]) for chain in self._chains
        ]
        self._numbers = {self.path(number).casefold(): number for number in range(len(self))}

    @classmethod
    def read(cls, path: str | Path) -> Hierarchy:
        """Read a topics file."""
        try:
            data = Path(path).read_bytes()
        except FileNotFoundError:
            _log.debug("cannot read %s", path, exc_info=True)
            raise UsageError(f"There is no file {path}; give a topics file.") from None
        except (OSError, ValueError) as error:
            _log.debug("cannot read %s", path, exc_info=True)
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"{path} cannot be read: {reason}.") from None
        try:
            return cls.parse(data.decode("utf-8"), str(path))
        except UnicodeDecodeError as error:
            _log.debug("cannot decode %s", path, exc_info=True)
            line = data.count(b"\n", 0, error.start) + 1
            raise UsageError(
                f"{path}, line {line}: this is not UTF-8; save the file as UTF-8."
            ) from None

    @classmethod
    def parse(cls, text: str, where: str = "topics") -> Hierarchy:
        """Parse the text of a topics file; error messages start with `where`."""
        return cls(read_topics(text, where))

    @overload
    def __getitem__(self, number: int) -> Topic: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Topic]: ...
    def __getitem__(self, number: int | slice) -> Topic | Sequence[Topic]:
        return self._topics[number]

    def __len__(self) -> int:
        return len(self._topics)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self._topics == other._topics

    def __hash__(self) -> int:
        return hash(self._topics)

    def __repr__(self) -> str:
        return f"<Hierarchy {self[0].name!r}: {len(self) - 1} topics, {len(self.leaves)} leaves>"

    def children(self, topic: int) -> list[int]:
        """Return the topics directly under one."""
        return list(self._children[topic])

    def ancestors(self, topic: int) -> list[int]:
        """Return the topics from this one up to the root."""
        return list(self._chains[topic])

    def path(self, topic: int) -> str:
        """Return the path of names from the top down to a topic; that of the root is empty."""
        return self._paths[topic]

    def find(self, path: str) -> int:
        """Return the number of the topic with this path, ignoring case."""
        number = self._numbers.get(path.strip(SEPARATOR).casefold())
        if number is None:
            raise UnknownName("topic", path, [self.path(n) for n in range(1, len(self))])
        return number

    def text(self) -> str:
        """Return the text of a topics file of this hierarchy; comments are not kept."""
        return write_topics(self)
