"""The list of mutants that no test kills counts each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import mutations
from tests.mutating import mutants


def test_two_mutants_that_are_told_in_the_same_words_are_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stood in the list as one, so that a file with two survivors said one."""
    file = "graphbus_core/errors.py"
    both = list(mutants(file, "def f(a, b):\n    return g(a, 1) or g(b, 1)\n"))
    ones = [m for m in both if m.before == "1"]
    assert [str(m).endswith("(no. 2)") for m in ones] == [False, True]
    assert len({str(m) for m in both}) == len(both)

    monkeypatch.setattr(mutations, "SURVIVORS", tmp_path / "survivors.md")
    found = mutations.Verdict(file, reached=both, survived=ones)
    mutations._keep([found], {file: [str(m) for m in ones]}, again=False)
    rows, parts = mutations._kept()
    assert rows[file].endswith("| 2 | 0 | 2 |")
    assert parts[file] == sorted(str(m) for m in ones)

    # The code was rewritten, and has no such mutant any more: neither the list nor the row may go on with it.
    mutations._keep([mutations.Verdict(file, reached=[])], {file: []}, again=True)
    rows, parts = mutations._kept()
    assert rows[file].endswith("| 0 | 0 | 0 |")
    assert file not in parts
