r"""Digests of new works as a mail and as JSON.

>>> work = Work("w1", "paper", "Spiders  that\nlearn", year=1997)
>>> message = mail_of(Digest("d1", "Robots", "https://p.example", [work]), "a@x.org", "b@x.org")
>>> message["Subject"], message["Message-ID"]
('1 new work in Robots', '<d1@lycosa.invalid>')
>>> print(message.get_content())
Spiders that learn (1997)
https://p.example/work/w1
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any, NamedTuple

from lycosa.portal.fields import Work
from lycosa.reporting.text import plural

MAX_WORKS = 50
"""Works that a digest lists; it says how many more there are."""
MAX_TITLE_CHARACTERS = 200


class Digest(NamedTuple):
    """New works of a portal."""

    id: str
    """Of the digest; it is the same if the digest is sent again."""
    portal: str
    """The title of the portal."""
    base_url: str
    """Its public URL without a slash at the end; empty if it is not known."""
    works: Sequence[Work]

    @property
    def subject(self) -> str:
        """What it has, in one line."""
        return f"{plural(len(self.works), 'new work')} in {_line(self.portal)}"

    def url(self, work: Work) -> str:
        """Return where to read about a work."""
        return f"{self.base_url}/work/{work.id}" if self.base_url else work.url


def mail_of(digest: Digest, sender: str, recipient: str) -> EmailMessage:
    """Return the mail of a digest."""
    message = EmailMessage()
    message["From"], message["To"] = _line(sender), _line(recipient)
    message["Subject"] = digest.subject
    message["Message-ID"] = f"<{digest.id}@lycosa.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    parts = []
    for work in digest.works[:MAX_WORKS]:
        about = ". ".join(filter(None, (_line(work.byline), _line(work.venue))))
        year = f" ({work.year})" if work.year else ""
        lines = [_line(work.title) + year, about, digest.url(work)]
        parts.append("\n".join(filter(None, lines)))
    if len(digest.works) > MAX_WORKS:
        parts.append(f"And {len(digest.works) - MAX_WORKS:,} more.")
    message.set_content("\n\n".join(parts) + "\n")
    return message


def json_of(digest: Digest) -> dict[str, Any]:
    """Return a digest for programs."""
    return {
        "id": digest.id,
        "portal": digest.portal,
        "total": len(digest.works),
        "works": [
            {
                "id": work.id,
                "title": work.title,
                "authors": [author.name for author in work.authors],
                "year": work.year,
                "url": digest.url(work),
                "document": work.url,
                "found": work.found,
            }
            for work in digest.works[:MAX_WORKS]
        ],
    }


def _line(text: str) -> str:
    """Return a text on one line: what comes from a page must not add headers to a mail."""
    return " ".join(text.split())[:MAX_TITLE_CHARACTERS]
