"""Document formats: recognise PDF, PostScript, HTML and gzip by bytes, MIME type and URL."""

from __future__ import annotations

import re
import zlib
from urllib.parse import urlsplit

from lycosa.documents.worker import TooLarge
from lycosa.web.decoding import media_type

_PDF_TYPES = ("application/pdf", "application/x-pdf")
_GZIP_TYPES = ("application/gzip", "application/x-gzip")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_UNSPECIFIC_TYPES = (
    "application/octet-stream", "binary/octet-stream", "application/x-download", "",
)  # fmt: skip
_POSTSCRIPT_TYPES = ("application/postscript", "application/x-postscript", "application/ps")
_COMPRESSED_SUFFIXES = (".pdf.gz", ".ps.gz", ".txt.gz")
_DOCUMENT_SUFFIXES = (".pdf", ".ps", *_COMPRESSED_SUFFIXES)
_DOCUMENT_TYPES = frozenset((*_PDF_TYPES, *_POSTSCRIPT_TYPES))
# Types that say too little: the ends of the URLs of documents among them.
_SUFFIXES_OF_TYPES = {
    **dict.fromkeys(_UNSPECIFIC_TYPES, _DOCUMENT_SUFFIXES),
    **dict.fromkeys(_GZIP_TYPES, _COMPRESSED_SUFFIXES),
}
_NO_TEXT_FAMILIES = ("image/", "audio/", "video/", "font/")
_NO_TEXT_TYPES = frozenset(
    f"application/{name}"
    for name in "zip x-zip-compressed x-tar x-gtar x-bzip2 x-xz x-7z-compressed vnd.rar "
    "x-rar-compressed java-archive x-msdownload x-dosexec x-executable x-msi x-apple-diskimage "
    "x-iso9660-image vnd.debian.binary-package x-rpm vnd.android.package-archive font-woff".split()
)
NO_TEXT_URL = (
    r"(?i)\.(?:jpe?g|png|gif|webp|svg|ico|bmp|tiff?|mp[34]|m4[av]|avi|mov|mpe?g|wav|ogg|webm|flac|"
    r"zip|tar|tgz|tar\.gz|bz2|xz|7z|rar|jar|exe|msi|dll|dmg|iso|deb|rpm|apk|woff2?|ttf|otf)"
    r"(?:[?#]|$)"
)
"""A regular expression of the URLs of images, sound, archives, programs and fonts."""
_GZIP_MAGIC = b"\x1f\x8b"
_HTML_TAG = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|h1|p)\b", re.IGNORECASE)
_POSTSCRIPT_MAGIC = re.compile(rb"(?:\x04|\x1b[^%]{0,1000})?%!")
_HEAD_BYTES = 1024  # of a body in which its format is looked for


def is_document(type: str, url: str = "") -> bool:
    """Return whether a response may be a document with text that is not a web page.

    It is judged by its MIME type and, where that says nothing, by the URL.

    >>> is_document("application/pdf"), is_document("text/html", "http://a.edu/p.pdf")
    (True, False)
    >>> is_document("application/x-gzip", "http://a.edu/p.pdf.gz")
    True
    """
    kind = media_type(type)
    suffixes = _SUFFIXES_OF_TYPES.get(kind)
    if suffixes is None:  # nearly every response: its URL is not taken apart
        return kind in _DOCUMENT_TYPES
    try:
        return urlsplit(url).path.lower().endswith(suffixes)
    except ValueError:
        return False


def has_no_text(type: str) -> bool:
    """Return whether a MIME type is that of an image, of sound, an archive, a program or a font.

    >>> has_no_text("image/png"), has_no_text("application/zip"), has_no_text("application/pdf")
    (True, True, False)
    """
    kind = media_type(type)
    return kind in _NO_TEXT_TYPES or kind.startswith(_NO_TEXT_FAMILIES)


def is_pdf(body: bytes, type: str) -> bool:
    """Return whether a body is PDF, by its first bytes or its MIME type."""
    return b"%PDF-" in body[:_HEAD_BYTES] or media_type(type) in _PDF_TYPES


def is_postscript(body: bytes) -> bool:
    """Return whether a body begins as PostScript; printer control codes may come before.

    >>> is_postscript(b"%!PS-Adobe-2.0"), is_postscript(b"50% off")
    (True, False)
    """
    return bool(_POSTSCRIPT_MAGIC.match(body))


def is_html(body: bytes, type: str) -> bool:
    """Return whether a body is HTML, by its MIME type or, if that is not plain text, its tags.

    >>> is_html(b"<!DOCTYPE html>", ""), is_html(b"a < b", "text/plain")
    (True, False)
    """
    kind = media_type(type)
    if kind in _HTML_TYPES:
        return True
    return kind != "text/plain" and bool(_HTML_TAG.search(body, 0, _HEAD_BYTES))


def is_binary(body: bytes) -> bool:
    """Return whether a body has a zero byte near its beginning, which no text has."""
    return b"\0" in body[:_HEAD_BYTES]


def is_gzip(body: bytes) -> bool:
    """Return whether a body begins as gzip data."""
    return body.startswith(_GZIP_MAGIC)


def gunzip(body: bytes, size: int) -> bytes:
    """Decompress gzip data of at most `size` bytes, else raise `TooLarge`; it may be cut off."""
    decompressor = zlib.decompressobj(wbits=31)
    content = decompressor.decompress(body, size + 1)
    if len(content) > size:
        raise TooLarge
    return content
