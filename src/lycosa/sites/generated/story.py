"""The story of a paper: what it is about, so that all its sentences agree with each other."""

from __future__ import annotations

from functools import cached_property

from lycosa.sites.generated import paper_sentences as sentences
from lycosa.sites.generated.grammar import Template, indefinite, title_case
from lycosa.sites.generated.random_stream import RandomStream, mix, two
from lycosa.sites.generated.subjects import SUBJECTS, Noun
from lycosa.sites.generated.words import ADJECTIVES, SYSTEM_NAMES

_PROPERTIES = ("design", "limits", "cost", "behaviour", "robustness", "use", "analysis", "theory")
_BOUNDS = (
    "from quadratic to nearly linear", "from linear to logarithmic", "by a logarithmic factor",
    "from exponential to polynomial", "by a constant factor",
)  # fmt: skip
_OFTEN = ("often", "usually", "typically")
_CLEARLY = ("clearly", "substantially", "consistently", "markedly")
_NAMED_TITLE = 2  # the position of the title that shows the name of the system


class Story:
    """The facts of one paper and the values of all slots of its sentences.

    `code` determines them; `topic` is the index of its topic.

    >>> story = Story(5, 0)
    >>> story.title == Story(5, 0).title
    True
    """

    def __init__(self, code: int, topic: int) -> None:
        self.subject = subject = SUBJECTS[topic]
        self._code = code
        draw = mix(code, 11)
        self.task, self._task2 = two(subject.tasks, draw)
        self.method, self._baseline = two(subject.methods, draw >> 12)
        adjective = (draw >> 24) % len(ADJECTIVES)
        taken = f"{self.method.one} {self.task}"
        while any(part[:5] in taken for part in ADJECTIVES[adjective].split("-")):
            adjective = (adjective + 1) % len(ADJECTIVES)
        self._adjective = ADJECTIVES[adjective]
        self._title = (draw >> 36) % len(sentences.TITLES)
        named = self._title == _NAMED_TITLE or (draw >> 42) % 4 == 0
        self.name = SYSTEM_NAMES[(draw >> 46) % len(SYSTEM_NAMES)] if named else ""

    @property
    def approach(self) -> Noun:
        """Return the method with its adjective, in singular and plural."""
        adjective = self._adjective
        return Noun(f"{adjective} {self.method.one}", f"{adjective} {self.method.many}")

    @cached_property
    def title(self) -> str:
        """Return the title of the paper."""
        return title_case(sentences.TITLES[self._title].fill(self.values))

    @cached_property
    def values(self) -> dict[str, str]:
        """Return the values of all slots but those of citations."""
        subject, approach = self.subject, self.approach
        one, other = mix(self._code, 12), mix(self._code, 13)
        objects = subject.objects[one % len(subject.objects)]
        obstacles, obstacles2 = two(subject.obstacles, one >> 3)
        gain, gain2 = two(subject.gains, one >> 13)
        cost, cost2 = two(subject.costs, one >> 23)
        insight, insight2 = two(subject.insights, one >> 33)
        use, use2 = two(subject.uses, one >> 43)
        if objects.endswith("+"):
            objects = objects[:-1]
            count = f"{(2 + (one >> 53) % 98) * 100:,}"
        else:
            count = str(12 + (one >> 53) % 43)
        an_approach = indefinite(approach.one)
        less, more = 11 + other % 64, 3 + (other >> 8) % 27
        values = {
            "field": subject.field, "task": self.task, "task2": self._task2,
            "method": self.method.one, "a method": indefinite(self.method.one),
            "methods": self.method.many, "baseline": self._baseline.one,
            "a baseline": indefinite(self._baseline.one), "baselines": self._baseline.many,
            "approaches": approach.many, "an approach": an_approach,
            "adjective": self._adjective, "name": self.name,
            "objects": objects, "n objects": f"{count} {objects}",
            "obstacles": obstacles, "obstacles2": obstacles2, "gain": gain, "gain2": gain2,
            "cost": cost, "cost2": cost2, "insight": insight, "insight2": insight2,
            "use": use, "use2": use2, "less": str(less), "more": str(more),
            "small": str(1 + (other >> 16) % 4), "most": ("most", "all but two", "nearly all")[
                (other >> 20) % 3],
            "runs": ("five", "ten", "twenty", "thirty")[(other >> 24) % 4],
            "parameter": ("0.1", "0.05", "0.5", "0.01")[(other >> 28) % 4],
            "lines": f"{(12 + (other >> 32) % 88) * 100:,}",
            "language": ("C", "C++", "Java", "Lisp", "Python", "ML")[(other >> 40) % 6],
            "often": _OFTEN[(other >> 44) % 3], "clearly": _CLEARLY[(other >> 48) % 4],
            "bound": _BOUNDS[(other >> 52) % len(_BOUNDS)],
            "property": _PROPERTIES[(other >> 56) % len(_PROPERTIES)],
        }  # fmt: skip
        if self.name:
            values["system"] = self.name
            values["introduced"] = f"{self.name}, {an_approach},"
            values["introduced for task"] = f"{self.name}, {an_approach} for {self.task}"
        else:
            values["system"] = ("our method", "the method", "the new method")[other % 3]
            values["introduced"] = an_approach
            values["introduced for task"] = f"{an_approach} for {self.task}"
        if subject.formal:
            values["evidence"] = "a proof and by a detailed analysis"
            values["summary"] = f"We have proved that it reduces {cost} {values['bound']}."
        else:
            values["evidence"] = f"experiments with {count} {objects}"
            values["summary"] = f"In our experiments it reduced {cost} by {less} percent."
        return values

    @cached_property
    def abstract(self) -> str:
        """Return the abstract."""
        stream = RandomStream(mix(self._code, 14))
        parts = [stream.choice(sentences.CONTEXT)]
        if stream.below(3):
            parts.append(stream.choice(sentences.GAP))
        parts += (stream.choice(sentences.CONTRIBUTION), stream.choice(sentences.IDEA))
        results = sentences.PROVED if self.subject.formal else sentences.RESULT
        parts += stream.ordered_sample(results, 2 if self.subject.formal else 1)
        if stream.below(4):
            parts.append(stream.choice(sentences.CLOSING))
        return self.tell(parts)

    @property
    def keywords(self) -> tuple[str, ...]:
        """Return the keywords: the topic, the tasks and methods, and what they deal with."""
        values = self.values
        names = ("field", "task", "methods", "obstacles", "task2", "baselines")
        return tuple(values[name] for name in names[: 3 + (self._code >> 40) % 4])

    def tell(self, parts: list[Template]) -> str:
        """Return the sentences of some templates as one paragraph."""
        values = self.values
        return " ".join([part.fill(values) for part in parts])

    def cited_values(self, cite: str) -> dict[str, str]:
        """Return the values of the sentence of another paper that cites this one as `cite`."""
        values = self.values
        return {
            "cite": cite, "cited task": self.task, "cited methods": self.method.many,
            "cited approach": values["an approach"], "cited insight": values["insight"],
            "cited cost": values["cost"], "cited obstacles": values["obstacles"],
            "cited baselines": values["baselines"], "cited field": values["field"],
        }  # fmt: skip
