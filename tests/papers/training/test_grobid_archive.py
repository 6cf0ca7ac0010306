"""Archives of annotated corpora."""

import io
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from lycosa.errors import UsageError
from lycosa.papers.training.grobid_archive import FOLDS, archive_files, document_name, fold_of


def test_files_are_read_in_their_order_and_folders_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "corpus.tar.xz"
    with tarfile.open(path, "w:xz") as archive:
        folder = tarfile.TarInfo("tei")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, body in (("tei/b.xml", b"<tei/>"), ("raw/a", b"Web web")):
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    assert list(archive_files(path)) == [("tei/b.xml", b"<tei/>"), ("raw/a", b"Web web")]


@pytest.mark.parametrize("body", [None, b"", b"\xfd7zXZ\x00 and nothing more"])
def test_missing_and_damaged_archives_are_named(tmp_path: Path, body: bytes | None) -> None:
    path = tmp_path / "corpus.tar.xz"
    if body is not None:
        path.write_bytes(body)
    with pytest.raises(UsageError, match=r"corpus\.tar\.xz cannot be read"):
        list(archive_files(path))


def test_a_document_is_in_the_same_fold_in_all_corpora() -> None:
    names = (
        "header/raw/x1.training.header",
        "tei/x1.training.segmentation.tei.xml",
        "x1",
        "x1.xml",
    )
    assert {document_name(name) for name in names} == {"x1"}
    assert len({fold_of(name) for name in names}) == 1


def test_folds_have_about_the_same_size() -> None:
    sizes = Counter(fold_of(f"document {n}") for n in range(1000))
    assert len(sizes) == FOLDS
    assert max(sizes.values()) < 1.3 * min(sizes.values())
