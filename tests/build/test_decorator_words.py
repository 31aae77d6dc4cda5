"""A word that `@schema_method` does not take is said with its line, and never read as "nothing declared"."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.errors import ScanError

SOURCE = """from graphbus_core import GraphBusNode, schema_method


class Reader(GraphBusNode):
    @schema_method({words})
    def read(self, text):
        return {{"out": text}}
"""


def scanned(folder: Path, words: str) -> object:
    """The input contract of the one method."""
    (folder / "agents").mkdir()
    (folder / "agents" / "reader.py").write_text(SOURCE.format(words=words))
    return scan(str(folder / "agents")).agents[0].methods[0].input_schema


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("inputs={'text': str}", "takes no 'inputs'"),
        ("input={'text': str}, output_schema={'out': str}", "Did you mean 'input_schema'?"),
        ("{'text': str}, {'out': str}, 'reads'", "takes two contracts, not 3"),
    ],
)
def test_an_unknown_word_is_named_with_its_line(tmp_path: Path, words: str, said: str) -> None:
    """As Python would at the import, but before anything runs."""
    with pytest.raises(ScanError, match=r"reader\.py:5: @schema_method") as told:
        scanned(tmp_path, words)
    assert said in str(told.value)


@pytest.mark.parametrize("words", ["{'text': str}, {'out': str}", "input_schema={'text': str}, description='reads'"])
def test_what_it_takes_is_read(tmp_path: Path, words: str) -> None:
    """By place or by name."""
    assert scanned(tmp_path, words) is not None
