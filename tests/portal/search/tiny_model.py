"""A network of the form of MiniLM with few random weights, as its files are published."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog", "##s", "spider", "learn", "##ing", ".", "a",
]  # fmt: skip
HEADS, LAYERS, SIZE, INNER, PLACES = 2, 2, 8, 12, 16
EPSILON = 1e-5


def random_tensors(seed: int = 0) -> dict[str, np.ndarray]:
    """Return the arrays of the network by name."""
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), SIZE),
        "embeddings.position_embeddings.weight": (PLACES, SIZE),
        "embeddings.token_type_embeddings.weight": (2, SIZE),
        "embeddings.LayerNorm.weight": (SIZE,),
        "embeddings.LayerNorm.bias": (SIZE,),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        matrices = {
            "attention.self.query": (SIZE, SIZE),
            "attention.self.key": (SIZE, SIZE),
            "attention.self.value": (SIZE, SIZE),
            "attention.output.dense": (SIZE, SIZE),
            "intermediate.dense": (INNER, SIZE),
            "output.dense": (SIZE, INNER),
        }
        for part, shape in matrices.items():
            shapes[f"{name}.{part}.weight"] = shape
            shapes[f"{name}.{part}.bias"] = shape[:1]
        for part in ("attention.output", "output"):
            shapes[f"{name}.{part}.LayerNorm.weight"] = (SIZE,)
            shapes[f"{name}.{part}.LayerNorm.bias"] = (SIZE,)
    random = np.random.default_rng(seed)
    return {name: random.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


def write_tensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    """Write arrays in the safetensors format."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in tensors.items():
        kind = {"float32": "F32", "int64": "I64"}[array.dtype.name]
        stop = len(body) + array.nbytes
        header[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [len(body), stop]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def write_model(folder: Path, tensors: dict[str, np.ndarray]) -> Path:
    """Write the three files of a network."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {"embeddings.position_ids": np.arange(PLACES), **tensors}
    write_tensors(folder / "model.safetensors", whole)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    configuration = {
        "num_attention_heads": HEADS,
        "num_hidden_layers": LAYERS,
        "layer_norm_eps": EPSILON,
    }
    (folder / "config.json").write_text(json.dumps(configuration))
    return folder
