"""Reader of the archives of GROBID's annotated corpora.

GROBID (https://github.com/kermitt2/grobid) publishes its training data under CC-BY
4.0. One compressed archive holds the files of one corpus: annotations in a folder
`tei` or beside each other, and in a folder `raw` the layout (`grobid_raw`).

>>> fold_of("0070234.training.segmentation"), fold_of("0070234")
(3, 3)
"""

from __future__ import annotations

import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lycosa.errors import UsageError

_ENDING = re.compile(r"(?:\.(?:header|authors|affiliation|date))?(?:\.tei)?(?:\.xml)?$")
FOLDS = 5
"""The number of folds of a cross-validation."""


def archive_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file of a compressed archive, in its order."""
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                if member.isfile() and (file := archive.extractfile(member)) is not None:
                    yield member.name, file.read()
    except (OSError, tarfile.TarError, lzma.LZMAError) as error:
        raise UsageError(f"{path} cannot be read ({error}); check the archive.") from error


def document_name(path: str) -> str:
    """Return the name of the document that a file belongs to, without its endings.

    >>> document_name("header/corpus/tei/003061v1.training.header.tei.xml")
    '003061v1'
    >>> document_name("0070234.header.tei.xml"), document_name("0070234.authors.tei.xml")
    ('0070234', '0070234')
    """
    return _ENDING.sub("", PurePosixPath(path).name.partition(".training.")[0])


def fold_of(name: str, folds: int = FOLDS) -> int:
    """Return the fold of a document: a hash of its name, equal in all corpora."""
    return zlib.crc32(document_name(name).encode()) % folds
