"""Short digests of texts: the ids of documents and works, and keys of URLs."""

from __future__ import annotations

from base64 import b32encode
from hashlib import blake2b


def digest(*parts: str) -> str:
    """Return a short hash of some texts: sixteen letters and digits.

    >>> digest("http://a.example/p.pdf")
    'muts2n3vg7ntd5mn'
    """
    whole = "\0".join(parts).encode("utf-8", "surrogatepass")
    return b32encode(blake2b(whole, digest_size=10).digest()).decode().lower()
