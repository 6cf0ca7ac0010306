"""Parser of the XML files of annotated corpora.

>>> [child.tag for child in parse_xml(b"<a><b/></a>", "a.xml")]
['b']
"""

from __future__ import annotations

import logging
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from lycosa.errors import UsageError

_log = logging.getLogger("lycosa.papers")


def parse_xml(data: bytes, name: str) -> Element:
    """Return the root element of a file; `name` is used in error messages."""
    try:
        return ElementTree.fromstring(data)  # noqa: S314 (a corpus that a person chose)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        _log.debug("Cannot parse %s", name, exc_info=True)
        raise UsageError(f"{name} is not well-formed XML ({error}); correct the file.") from error


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]
