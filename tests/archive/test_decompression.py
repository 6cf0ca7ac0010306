import gzip

import pytest

from lycosa.archive.decompression import _READ_BYTES, Gap, read_chunks


@pytest.mark.parametrize("left", range(6))
def test_member_that_begins_at_the_end_of_a_read(tmp_path, left):
    """The read holds fewer bytes of the magic than are needed to recognise it."""
    size = _READ_BYTES
    while len(lead := gzip.compress(b"x" * size, 0)) > _READ_BYTES - left:
        size -= 1
    assert len(lead) == _READ_BYTES - left
    path = tmp_path / "two.gz"
    path.write_bytes(lead + gzip.compress(b"second"))
    found = list(read_chunks(path))
    assert not any(isinstance(chunk, Gap) for chunk in found)
    assert b"".join(chunk.data for chunk in found) == b"x" * size + b"second"
