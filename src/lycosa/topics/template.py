"""Topics files that come with Lycosa.

>>> read_template("computer-science")
<Hierarchy 'Computer science papers': 81 topics, 70 leaves>
"""

from __future__ import annotations

from importlib import resources

from lycosa.errors import UnknownName
from lycosa.topics.hierarchy import Hierarchy

TEMPLATES = ("computer-science", "local-government")
"""Names of the templates."""


def template_text(name: str) -> str:
    """Return the text of a template with its comments, as a start for a topics file."""
    if name not in TEMPLATES:
        raise UnknownName("template of topics", name, TEMPLATES)
    file = resources.files("lycosa.topics") / "templates" / f"{name}.txt"
    return file.read_text(encoding="utf-8")


def read_template(name: str) -> Hierarchy:
    """Return the tree of a template."""
    return Hierarchy.parse(template_text(name), f"{name}.txt")
