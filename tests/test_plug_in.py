"""The examples of the page on plugging in run as they stand, and print what the page says."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "plug-in.md"


def sections():
    """Yield the title and the text of each section of the page."""
    _, *parts = re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)
    for part in parts:
        title, _, text = part.partition("\n")
        yield title, text


def test_python_blocks_run_and_print_the_text_block_that_follows(capsys):
    names = {}
    compared = []
    for title, text in sections():
        blocks = re.findall(r"^```(python|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        for kind, block in blocks:
            if kind == "python":
                exec(compile(block, f"{PAGE.name}: {title}", "exec"), names)
            else:
                assert capsys.readouterr().out == block, title
                compared.append(title)
    assert {"Fetcher", "Store", "Goal"} <= set(compared)
