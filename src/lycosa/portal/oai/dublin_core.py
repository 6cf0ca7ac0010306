"""A work in unqualified Dublin Core, the format that every OAI-PMH repository has.

>>> from lycosa.portal.fields import Author, Work
>>> work = Work("w1", "paper", "Spiders & webs", (Author("lee-a", "Ann Lee"),), 1997, "1997-05")
>>> print(oai_dc(work, "https://a.org/work/w1").partition(">")[2])
<dc:title>Spiders &amp; webs</dc:title><dc:creator>Lee, Ann</dc:creator><dc:date>1997-05</dc:date>\
<dc:type>Text</dc:type><dc:identifier>https://a.org/work/w1</dc:identifier></oai_dc:dc>
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from lycosa.portal.api.xml import element
from lycosa.portal.fields import Work
from lycosa.portal.formats import author_names, published
from lycosa.portal.schema_org import persistent_urls

NAMESPACE: Final = "http://www.openarchives.org/OAI/2.0/oai_dc/"
SCHEMA: Final = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"
_ELEMENTS = "http://purl.org/dc/elements/1.1/"


def oai_dc(work: Work, page: str) -> Markup:
    """Return a work, with the URL of its page as the first identifier."""
    rows = [
        ("title", work.title.strip() or work.url),
        *(("creator", name) for name in author_names(work)),
        *(("subject", topic.name) for topic in work.topics),
        ("description", work.abstract),
        ("source", published(work)),
        ("date", work.date),
        ("type", "Text"),  # of the DCMI Type Vocabulary
        ("format", work.type),
        ("identifier", page),
        *(("identifier", url) for url in persistent_urls(work)),
        ("identifier", work.url),
        ("language", work.language),
        ("rights", work.licence),
    ]
    return element(
        "oai_dc:dc",
        *(element(f"dc:{name}", value) for name, value in rows if value),
        xmlns__oai_dc=NAMESPACE,
        xmlns__dc=_ELEMENTS,
        xsi__schemaLocation=f"{NAMESPACE} {SCHEMA}",
    )
