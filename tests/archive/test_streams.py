import gzip

import pytest

from lycosa.archive.streams import _CHUNK, Break, pieces


@pytest.mark.parametrize("left", range(6))
def test_a_member_may_begin_at_the_very_end_of_what_is_read_at_once(tmp_path, left):
    """So few bytes of its mark are there that it cannot be told yet."""
    size = _CHUNK
    while len(lead := gzip.compress(b"x" * size, 0)) > _CHUNK - left:
        size -= 1
    assert len(lead) == _CHUNK - left
    path = tmp_path / "two.gz"
    path.write_bytes(lead + gzip.compress(b"second"))
    found = list(pieces(path))
    assert not any(isinstance(piece, Break) for piece in found)
    assert b"".join(piece.data for piece in found) == b"x" * size + b"second"
