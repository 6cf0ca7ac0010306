"""The parser of the arguments of a spider name."""

from __future__ import annotations

from collections.abc import Iterable

from lycosa.errors import UnknownName, UsageError
from lycosa.spiders.names import SpiderName


class Arguments:
    """The arguments of a parsed spider name, taken one by one; `end` refuses those left over.

    >>> from lycosa.spiders.names import parse
    >>> arguments = Arguments(parse("rl(svm, bins=4)"))
    >>> arguments.next("nb"), arguments.next("related"), arguments.whole("bins", 3)
    ('svm', 'related', 4)
    >>> arguments.end()
    """

    def __init__(self, name: SpiderName) -> None:
        self._name = name
        self._arguments = list(name.arguments)
        self._options = dict(name.options)
        self._known: list[str] = []  # the options asked for so far

    def next(self, default: str) -> str:
        """Return the next argument, or the default if there is none left."""
        return self._arguments.pop(0) if self._arguments else default

    def choice(self, what: str, choices: Iterable[str], default: str) -> str:
        """Return the next argument, which must be one of the choices; `what` names it in errors."""
        return self._one_of(what, choices, self.next(default))

    def rest(self) -> list[str]:
        """Return all arguments that are left."""
        rest, self._arguments = self._arguments, []
        return rest

    def number(self, key: str, default: float) -> float:
        """Return an option that is a number."""
        text = self.option(key, str(default))
        try:
            return float(text)
        except ValueError:
            raise UsageError(f"In {self._name}, {key} must be a number.") from None

    def whole(self, key: str, default: int) -> int:
        """Return an option that is a whole number."""
        number = self.number(key, default)
        if not number.is_integer():
            raise UsageError(f"In {self._name}, {key} must be a whole number.")
        return int(number)

    def flag(self, key: str) -> bool:
        """Return an option that is yes or no, by default no."""
        text = self.option(key, "no")
        if text not in ("yes", "no"):
            raise UsageError(f"In {self._name}, {key} must be yes or no.")
        return text == "yes"

    def option(self, key: str, default: str) -> str:
        """Return an option as text."""
        self._known.append(key)
        return self._options.pop(key, default)

    def option_of(self, key: str, choices: Iterable[str], default: str) -> str:
        """Return an option that must be one of the choices."""
        return self._one_of(key, choices, self.option(key, default))

    @staticmethod
    def _one_of(what: str, choices: Iterable[str], text: str) -> str:
        if text not in (known := tuple(choices)):
            raise UnknownName(what, text, known)
        return text

    def end(self) -> None:
        """Refuse arguments and options that are left over."""
        if self._arguments:
            raise UsageError(f"In {self._name}, {self._arguments[0]!r} is one argument too many.")
        if self._options:
            raise UnknownName(
                f"option of {self._name.kind}", next(iter(self._options)), self._known
            )
