"""Texts for readers, in English, that a page can show in another language.

A message is its own English text, so that the API, exports and logs use it as
any string. It also keeps what it was made of, from which `languages` makes the
same sentence in the language of a reader.

>>> found = Message("%(count)s result", "%(count)s results", count=1200)
>>> found, found.text, found.values["count"]
('1,200 results', '%(count)s result', 1200)
>>> quote(["a", "b", "c"])
'“a”, “b” and “c”'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any


class Message(str):
    """A text for readers.

    `text` is the text in English with a placeholder for each of the `values`: `%(name)s`. A text
    with a number has a `plural` as well, and the number is the value `count`. Values are texts,
    whole numbers, other messages, and sequences of them, which are separated by commas.
    """

    __slots__ = ("plural", "text", "values")

    text: str
    plural: str
    values: Mapping[str, Any]

    def __new__(cls, text: str, plural: str = "", /, **values: Any) -> Message:
        """Return the message, whose value is the text in English."""
        chosen = plural if plural and values["count"] != 1 else text
        found = super().__new__(cls, fill_in(chosen, values, _in_english))
        found.text = text
        found.plural = plural
        found.values = MappingProxyType(values)
        return found


def fill_in(text: str, values: Mapping[str, Any], show: Callable[[Any], str]) -> str:
    """Return a text with its placeholders replaced by values, each as `show` returns it."""
    return text % {name: show(value) for name, value in values.items()} if values else text


def quote(words: Sequence[str], *, either: bool = False) -> str:
    """Return words in quotation marks as a list in a sentence; `either` of them, or all."""
    return join([Message("“%(word)s”", word=word) for word in words], either=either)


def join(parts: Sequence[str], *, either: bool = False) -> str:
    """Return parts as a list in a sentence: all of them, or `either` of them."""
    *before, last = parts
    if not before:
        return last
    if either:
        return Message("%(parts)s or %(last)s", parts=before, last=last)
    return Message("%(parts)s and %(last)s", parts=before, last=last)


def _in_english(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else ", ".join(map(_in_english, value))
