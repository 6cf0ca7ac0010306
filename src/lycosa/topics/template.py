"""Files of topics to begin with.

>>> template("computer-science")
<Hierarchy 'Computer science papers': 81 topics, 70 leaves>
"""

from __future__ import annotations

from importlib import resources

from lycosa.errors import UnknownName
from lycosa.topics.hierarchy import Hierarchy

TEMPLATES = ("computer-science", "local-government")
"""What trees there are."""


def template_text(name: str) -> str:
    """A file as it was written, with its comments, for people to change."""
    if name not in TEMPLATES:
        raise UnknownName("template of topics", name, TEMPLATES)
    file = resources.files("lycosa.topics") / "templates" / f"{name}.txt"
    return file.read_text(encoding="utf-8")


def template(name: str) -> Hierarchy:
    """The tree of a file."""
    return Hierarchy.parse(template_text(name), f"{name}.txt")
