"""The lookup of spiders by name: the registry, files, references and installed packages."""

from __future__ import annotations

from pathlib import Path

from lycosa.plugins import is_reference
from lycosa.spiders import plugins
from lycosa.spiders.factory import Spider
from lycosa.spiders.model_file import load_spider
from lycosa.spiders.names import SUFFIX, parse
from lycosa.spiders.registry import named_spider


def spider(text: str) -> Spider:
    """Return the spider of a name, whose arguments are checked now.

    A name that ends with .lyc is that of a file that `lycosa train` made, and
    `package.module:Class` is a policy of another package (see `plugins`).

    >>> spider("optimal(3)")
    Traceback (most recent call last):
    lycosa.errors.UsageError: The spider 'optimal' takes no arguments; write just its name.
    >>> spider("rl(svm, bins=4)").recipes[0].bins
    4
    >>> spider("lycosa.spiders.depth_first:DepthFirst").name
    'lycosa.spiders.depth_first:DepthFirst'
    """
    name = parse(text)
    if name.kind.endswith(SUFFIX):
        path = Path(name.kind)
        return load_spider(path).finished(path.name)
    if is_reference(text.strip()):
        return plugins.referenced(text.strip())
    return named_spider(text, spider)
