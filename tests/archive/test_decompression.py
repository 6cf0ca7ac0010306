import gzip

import pytest

from lycosa.archive.decompression import _READ_BYTES, Gap, read_chunks


@pytest.mark.parametrize("left", range(6))
def test_a_member_may_begin_at_the_very_end_of_what_is_read_at_once(tmp_path, left):
    """So few bytes of its mark are there that it cannot be told yet."""
    size = _READ_BYTES
    while len(lead := gzip.compress(b"x" * size, 0)) > _READ_BYTES - left:
        size -= 1
    assert len(lead) == _READ_BYTES - left
    path = tmp_path / "two.gz"
    path.write_bytes(lead + gzip.compress(b"second"))
    found = list(read_chunks(path))
    assert not any(isinstance(chunk, Gap) for chunk in found)
    assert b"".join(chunk.data for chunk in found) == b"x" * size + b"second"
