"""Scanner of words: the numbers of the words of usual texts, several times as fast as one by one.

Nearly every word of a text occurred before. Here it costs one look-up in a dict; where the
module is compiled, `word_scanner.pyx` takes its place, and it costs no object at all.

>>> from lycosa.web.words import MARK
>>> table = Table()
>>> numbers, marks = WordScanner(table, 100).scan(f"The paper, {MARK} the Paper")
>>> numbers.tolist(), marks, list(table)
([0, 1, 0, 1], [2], ['the', 'paper'])
>>> WordScanner(table, 100).scan("日本") is None
True
"""

from __future__ import annotations

from lycosa.content import Ints, Table
from lycosa.web.run_numbers import RunNumbers
from lycosa.web.words import usual_runs


class WordScanner:
    """Numbers the words of a text that has usual characters only.

    `table` numbers the words; the scanner remembers at most `capacity` of them.
    """

    def __init__(self, table: Table, capacity: int) -> None:
        self._runs = RunNumbers(table, capacity)

    def scan(self, text: str) -> tuple[Ints, list[int]] | None:
        """Return the numbers of the words, and the positions of the marks among them.

        None if the text has unusual characters; words before them may have got their numbers.
        A mark stands between spaces. The array is read-only.
        """
        runs = usual_runs(text)
        return None if runs is None else self._runs.numbers(runs)
