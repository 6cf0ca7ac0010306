"""Compiled modules: which hot modules may be compiled, and whether they are.

An installation compiles these modules as they are, where it finds Cython and a C compiler:
an extension module stands beside its source, and Python imports it in its place. Without
it the source is imported, with the same results. A module that calls C functions has a second
source, which ends in .pyx and is compiled instead. `prefer_source` sees to it that the
source is imported also if it is newer than the extension, as in a working copy, and if the
environment variable `LYCOSA_PURE` is set.

>>> sorted(HOT_MODULES) == list(HOT_MODULES)
True
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

HOT_MODULES = (
    "archive.record_text",
    "documents.columns",
    "documents.layout",
    "documents.pdf_words",
    "documents.pdfium_text",
    "learn.link_reader",
    "learn.model_averaging",
    "learn.row_sums",
    "papers.extraction.crf_tagger",
    "papers.extraction.reference_features",
    "papers.extraction.segmentation_features",
    "papers.matching.correlation_clustering",
    "spiders.default.link_rows",
    "spiders.default.link_shapes",
    "spiders.traps.sketches",
    "web.html",
    "web.html_limits",
    "web.limit_check",
    "web.markup_walk",
    "web.numberer",
    "web.open_elements",
    "web.outline",
    "web.url_resolver",
    "web.word_scanner",
)
"""The modules that are compiled, below `lycosa`."""
RECORD = "compiled.json"
"""The file that has the digest of the source of every compiled module."""
PURE = "LYCOSA_PURE"
"""The environment variable that turns compiled modules off, if it is set to anything."""

PACKAGE = Path(__file__).parent
_CIMPORTED = re.compile(rb"^from lycosa\.([\w.]+) cimport ", re.MULTILINE)


def source_of(module: str, package: Path = PACKAGE) -> Path:
    """Return the source file of a module below `lycosa`."""
    return package.joinpath(*module.split(".")).with_suffix(".py")


def digest_of(module: str, package: Path = PACKAGE) -> str:
    """Return the digest of what a module is compiled from: its sources and all declarations."""
    source = source_of(module, package)
    paths = [source, source.with_suffix(".pyx"), source.with_suffix(".pxd")]
    found = sha256()
    for path in paths:  # which become more
        if path.is_file():
            found.update(text := path.read_bytes())
            for name in _CIMPORTED.findall(text):
                declared = source_of(name.decode(), package).with_suffix(".pxd")
                if declared not in paths:
                    paths.append(declared)
    return found.hexdigest()


def compiled_modules(package: Path = PACKAGE) -> list[str]:
    """Return the modules whose extension is used."""
    record = package / RECORD
    if os.environ.get(PURE) or not record.is_file():
        return []
    digests: Mapping[str, str] = json.loads(record.read_text(encoding="utf-8"))
    return [
        module
        for module in HOT_MODULES
        if extensions_of(module, package) and digests.get(module) == digest_of(module, package)
    ]


def extensions_of(module: str, package: Path = PACKAGE) -> list[Path]:
    """Return the extension modules beside a source that this Python would import."""
    source = source_of(module, package)
    possible = [source.with_suffix(suffix) for suffix in EXTENSION_SUFFIXES]
    return [path for path in possible if path.is_file()]


def is_compiled() -> bool:
    """Return whether all hot modules are compiled."""
    return len(compiled_modules()) == len(HOT_MODULES)


class SourceFinder:
    """Finds some modules by their source files, whatever is beside those."""

    def __init__(self, sources: Mapping[str, Path]) -> None:
        self._sources = sources

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module's source; None for another module."""
        source = self._sources.get(name)
        return spec_from_file_location(name, source) if source is not None else None


def prefer_source() -> None:
    """Have the source imported of modules whose extension is out of date or turned off."""
    present = [module for module in HOT_MODULES if extensions_of(module)]
    if not present:
        return
    used = compiled_modules()
    sources = {f"lycosa.{module}": source_of(module) for module in present if module not in used}
    if sources:
        sys.meta_path.insert(0, SourceFinder(sources))
