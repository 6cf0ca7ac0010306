"""Running text: paragraphs of sentences about a topic, in the manner of one site.

Every site uses its own three quarters of the sentences of each kind of page, so
that sites differ in their words, and every paragraph has its own facts, so that its
sentences agree with each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lycosa.sites.generated.company_sentences import BUSINESSES
from lycosa.sites.generated.grammar import Template, indefinite
from lycosa.sites.generated.names import any_place
from lycosa.sites.generated.pastimes import PASTIMES
from lycosa.sites.generated.random_stream import RandomStream, key, mix, two
from lycosa.sites.generated.subjects import SUBJECTS

_WORDS_PER_SENTENCE = 16
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


class Prose:
    """The prose of one site.

    `seed` selects the sentences that the site uses; `name` is that of its university or company.

    >>> prose = Prose(0, "Ashbridge University")
    >>> values = prose.research(RandomStream(1), 0)
    >>> values["university"], values["task"] != values["task2"]
    ('Ashbridge University', True)
    """

    __slots__ = ("_kept", "_key", "_name")

    def __init__(self, seed: int, name: str) -> None:
        self._key = key(seed, "prose")
        self._kept: dict[int, tuple[Template, ...]] = {}
        self._name = name

    def paragraph(
        self,
        sentences: Sequence[Template],
        values: Mapping[str, str],
        stream: RandomStream,
        words: int,
    ) -> str:
        """Return about so many words of different sentences, in their order."""
        kept = self._kept.get(id(sentences))
        if kept is None:
            kept = self._kept[id(sentences)] = self._choose(sentences)
        count = max(2, words // _WORDS_PER_SENTENCE)
        return " ".join([part.fill(values) for part in stream.ordered_sample(kept, count)])

    def _choose(self, sentences: Sequence[Template]) -> tuple[Template, ...]:
        """Return the three quarters of the sentences that this site uses."""
        left_out = mix(self._key, len(sentences)) % 4
        return tuple(t for n, t in enumerate(sentences) if (n * 7 + n // 4) % 4 != left_out)

    def research(self, stream: RandomStream, topic: int) -> dict[str, str]:
        """Return the facts of a paragraph about a topic of research."""
        subject = SUBJECTS[topic]
        code, other = stream.next(), stream.next()
        task, task2 = two(subject.tasks, code)
        method, method2 = two(subject.methods, code >> 10)
        neighbour = SUBJECTS[(topic + 1 + (code >> 20) % 5) % len(SUBJECTS)]
        objects = subject.objects[(code >> 26) % len(subject.objects)].rstrip("+")
        return self._general(other) | {
            "university": self._name, "topic": subject.name.lower(),
            "field": subject.field, "field2": neighbour.field,
            "task": task, "task2": task2, "task3": neighbour.tasks[(code >> 30) % 6],
            "methods": method.many, "methods2": method2.many, "objects": objects,
            "obstacles": subject.obstacles[(code >> 34) % len(subject.obstacles)],
            "gain": subject.gains[(code >> 38) % len(subject.gains)],
            "cost": subject.costs[(code >> 42) % len(subject.costs)],
            "insight": subject.insights[(code >> 46) % len(subject.insights)],
            "use": subject.uses[(code >> 50) % len(subject.uses)],
        }  # fmt: skip

    def business(self, stream: RandomStream, line: int) -> dict[str, str]:
        """Return the facts of a paragraph about a line of business."""
        business = BUSINESSES[line]
        code, other = stream.next(), stream.next()
        product, product2 = two(business.products, code)
        customers, customers2 = two(business.customers, code >> 10)
        return self._general(other) | {
            "company": self._name, "product": product.one, "a product": indefinite(product.one),
            "products": product.many, "products2": product2.many,
            "customers": customers, "customers2": customers2,
            "benefit": business.benefits[(code >> 20) % len(business.benefits)],
            "trouble": business.troubles[(code >> 24) % len(business.troubles)],
            "number": str(100 + (code >> 30) % 900), "product2": product2.one,
        }  # fmt: skip

    def _general(self, code: int) -> dict[str, str]:
        weekday, weekday2 = two(_WEEKDAYS, code)
        hobby, hobby2 = two(PASTIMES, code >> 8)
        year = 1962 + (code >> 20) % 30
        return {
            "weekday": weekday, "weekday2": weekday2,
            "hobby": hobby.activity, "hobby2": hobby2.activity,
            "year": str(year), "year2": str(year + 4 + (code >> 26) % 9),
            "room": str(101 + (code >> 30) % 400), "place": any_place(code >> 40),
            "small": str(12 + (code >> 34) % 60), "count": str(120 + (code >> 36) % 700),
            "percent": str(4 + (code >> 52) % 40), "years": str(3 + (code >> 58) % 16),
            "founded": str(1948 + (self._key >> 8) % 30),
        }  # fmt: skip
