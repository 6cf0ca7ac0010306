r"""Reader and writer of the model files of CRFsuite.

CRFsuite has no way to change the weights of a model. This module reads them from the
content of a model file, and writes a file that CRFsuite opens. A file that is read and
written again is the same, byte by byte.

All numbers are little-endian. A header gives the offsets of five chunks: the weights
(`FEAT`); the labels and the attributes, each a constant database (`CQDB`) that maps
strings to their numbers and back; and the numbers of the weights of each label (`LFRF`)
and of each attribute (`AFRF`).

>>> weights = Weights(["title", "date"], ["w=1999"], {(0, 1): 1.5}, {(0, 1): 0.25})
>>> read_weights(write_weights(weights)) == weights
True
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_HEADER = struct.Struct("<4sI4s9I")
_CHUNK = struct.Struct("<4sII")
_WEIGHT = struct.Struct("<IIId")
_DATABASE = struct.Struct("<4s5I")
_RECORD = struct.Struct("<II")
_PAIR = struct.Struct("<II")
_MAGIC, _TYPE, _VERSION = b"lCRF", b"FOMC", 100
_STATE, _TRANSITION = 0, 1
_BYTE_ORDER = 0x62445371
_TABLES = 256  # hash tables of a constant database
_RESERVED_LABELS = 2  # the list of labels has room for a first and a last one, never used
_MASK = 0xFFFFFFFF


class Weights(NamedTuple):
    """The weights of a CRF, by the positions of labels and attributes."""

    labels: list[str]
    attributes: list[str]
    states: dict[tuple[int, int], float]
    """The weight of an attribute with a label, attribute by attribute."""
    transitions: dict[tuple[int, int], float]
    """The weight of a label before another one, label by label."""


class Offsets(NamedTuple):
    """Where the chunks of a model file begin."""

    features: int
    labels: int
    attributes: int
    label_weights: int
    attribute_weights: int


def read_offsets(model: bytes) -> Offsets:
    """Return where the chunks of a model file begin."""
    return Offsets(*_HEADER.unpack_from(model)[-len(Offsets._fields) :])


def read_labels(model: bytes) -> list[str]:
    """Return the labels of a model file, in the order of their numbers."""
    return _read_database(model, read_offsets(model).labels)


def read_weights(model: bytes) -> Weights:
    """Read the content of an undamaged model file."""
    features, labels, attributes, *_ = read_offsets(model)
    _, size, _ = _CHUNK.unpack_from(model, features)
    states: dict[tuple[int, int], float] = {}
    transitions: dict[tuple[int, int], float] = {}
    for kind, source, target, weight in _WEIGHT.iter_unpack(
        model[features + _CHUNK.size : features + size]
    ):
        (states if kind == _STATE else transitions)[source, target] = weight
    return Weights(
        _read_database(model, labels), _read_database(model, attributes), states, transitions
    )


def write_weights(weights: Weights) -> bytes:
    """Return the content of a model file with these weights."""
    content = bytearray(_HEADER.size)
    offsets = []
    for chunk in (_features(weights), _database(weights.labels), _database(weights.attributes)):
        offsets.append(len(content))
        content += chunk
    content += bytes(-len(content) % 4)
    for references in (_label_references, _attribute_references):
        offsets.append(len(content))
        content += references(weights, len(content))
    numbers = (_VERSION, 0, len(weights.labels), len(weights.attributes), *offsets)
    _HEADER.pack_into(content, 0, _MAGIC, len(content), _TYPE, *numbers)
    return bytes(content)


def _features(weights: Weights) -> bytes:
    rows = [
        *(_WEIGHT.pack(_STATE, *pair, weight) for pair, weight in weights.states.items()),
        *(_WEIGHT.pack(_TRANSITION, *pair, weight) for pair, weight in weights.transitions.items()),
    ]
    return _CHUNK.pack(b"FEAT", _CHUNK.size + len(rows) * _WEIGHT.size, len(rows)) + b"".join(rows)


def _label_references(weights: Weights, start: int) -> bytes:
    sources = (source for source, _ in weights.transitions)
    lists = _group(sources, len(weights.labels), len(weights.states))
    return _references(b"LFRF", lists, start, _RESERVED_LABELS)


def _attribute_references(weights: Weights, start: int) -> bytes:
    sources = (source for source, _ in weights.states)
    return _references(b"AFRF", _group(sources, len(weights.attributes), 0), start, 0)


def _group(sources: Iterable[int], count: int, first: int) -> list[list[int]]:
    """Return the numbers of the weights of each source; the first has the number `first`."""
    lists: list[list[int]] = [[] for _ in range(count)]
    for number, source in enumerate(sources, first):
        lists[source].append(number)
    return lists


def _references(name: bytes, lists: Sequence[Sequence[int]], start: int, reserved: int) -> bytes:
    """Return a chunk with an offset for each list of numbers, and the lists."""
    count = len(lists) + reserved
    offset = start + _CHUNK.size + 4 * count
    offsets, parts = [], []
    for numbers in lists:
        offsets.append(offset)
        parts.append(struct.pack(f"<{len(numbers) + 1}I", len(numbers), *numbers))
        offset += len(parts[-1])
    head = _CHUNK.pack(name, offset - start, count)
    return head + struct.pack(f"<{count}I", *offsets, *[0] * reserved) + b"".join(parts)


def _read_database(model: bytes, start: int) -> list[str]:
    """Return the strings of a constant database in the order of their numbers."""
    *_, count, backward = _DATABASE.unpack_from(model, start)
    strings = []
    for (offset,) in struct.iter_unpack(
        "<I", model[start + backward : start + backward + 4 * count]
    ):
        _, size = _RECORD.unpack_from(model, start + offset)
        begin = start + offset + _RECORD.size
        strings.append(model[begin : begin + size - 1].decode())
    return strings


def _database(strings: Sequence[str]) -> bytes:
    """Return a constant database of strings: records, hash tables, and offsets by number."""
    tables: list[list[tuple[int, int]]] = [[] for _ in range(_TABLES)]
    parts, offsets = [], []
    offset = _DATABASE.size + _TABLES * _PAIR.size
    for number, string in enumerate(strings):
        key = string.encode() + b"\0"
        value = _hash(key)
        tables[value % _TABLES].append((value, offset))
        offsets.append(offset)
        parts.append(_RECORD.pack(number, len(key)) + key)
        offset += len(parts[-1])
    places = []
    for table in tables:
        places.append(_PAIR.pack(offset if table else 0, 2 * len(table)))
        parts.append(_hash_table(table))
        offset += len(parts[-1])
    parts.append(struct.pack(f"<{len(offsets)}I", *offsets))
    size = offset + len(parts[-1])
    head = _DATABASE.pack(b"CQDB", size, 0, _BYTE_ORDER, len(strings), offset)
    return b"".join([head, *places, *parts])


def _hash_table(pairs: Sequence[tuple[int, int]]) -> bytes:
    """Return a hash table with open addressing, half full, of hash values and offsets."""
    count = 2 * len(pairs)
    buckets = [(0, 0)] * count
    for value, offset in pairs:
        place = (value >> 8) % count
        while buckets[place][1]:
            place = (place + 1) % count
        buckets[place] = value, offset
    return b"".join(_PAIR.pack(*bucket) for bucket in buckets)


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _MASK


def _hash(key: bytes) -> int:
    """Return the hash of a key that is not empty: Jenkins 2006, lookup3, `hashlittle`."""
    a = b = c = (0xDEADBEEF + len(key)) & _MASK
    whole = (len(key) - 1) // 12
    words: tuple[int, ...] = struct.unpack(f"<{3 * whole + 3}I", key.ljust(12 * whole + 12, b"\0"))
    for n in range(0, 3 * whole, 3):
        a, b, c = (a + words[n]) & _MASK, (b + words[n + 1]) & _MASK, (c + words[n + 2]) & _MASK
        a, c = (a - c & _MASK) ^ _rotate(c, 4), (c + b) & _MASK
        b, a = (b - a & _MASK) ^ _rotate(a, 6), (a + c) & _MASK
        c, b = (c - b & _MASK) ^ _rotate(b, 8), (b + a) & _MASK
        a, c = (a - c & _MASK) ^ _rotate(c, 16), (c + b) & _MASK
        b, a = (b - a & _MASK) ^ _rotate(a, 19), (a + c) & _MASK
        c, b = (c - b & _MASK) ^ _rotate(b, 4), (b + a) & _MASK
    a, b, c = (a + words[-3]) & _MASK, (b + words[-2]) & _MASK, (c + words[-1]) & _MASK
    c = ((c ^ b) - _rotate(b, 14)) & _MASK
    a = ((a ^ c) - _rotate(c, 11)) & _MASK
    b = ((b ^ a) - _rotate(a, 25)) & _MASK
    c = ((c ^ b) - _rotate(b, 16)) & _MASK
    a = ((a ^ c) - _rotate(c, 4)) & _MASK
    b = ((b ^ a) - _rotate(a, 14)) & _MASK
    return ((c ^ b) - _rotate(b, 24)) & _MASK
