"""Pipelines that are broken on purpose: after an offline build each runs end to end, or is left as it was and says why.

`GRAPHBUS_PIPELINES` says how many are tried (100). The table of kinds is printed by `benchmarks/pipelines.py`.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.e2e.pipelines import KINDS, generate
from tests.e2e.repair import Verdict, repair

COUNT = int(os.environ.get("GRAPHBUS_PIPELINES", "100"))
SHARE = 20  # pipelines a test, so that workers can share them


@pytest.mark.parametrize("start", range(0, COUNT, SHARE))
def test_repaired_or_left_alone(start: int, tmp_path: Path) -> None:
    """Never committed and broken; what is not repaired is byte-identical and says why; a guess is a question."""
    found: Counter[str] = Counter()
    for seed in range(start, min(start + SHARE, COUNT)):
        pipeline = generate(seed)
        result = repair(pipeline, tmp_path / str(seed))
        assert result.verdict is not Verdict.BROKEN, f"seed {seed}: {result.reason}"
        if result.verdict is Verdict.LEFT:
            assert result.reason, f"seed {seed} was left alone without a reason"
        if pipeline.guess:
            assert result.asked, f"seed {seed} is a guess, and nobody was asked: {result.reason}"
        elif not pipeline.hopeless:
            found[result.verdict] += 1
    assert found[Verdict.REPAIRED] == found.total(), found


def test_every_kind_is_generated() -> None:
    """The kinds of the issue all stand in the sample, each in every style."""
    made = {(generate(seed).kind, generate(seed).style) for seed in range(100)}
    assert {kind for kind, _ in made} == set(KINDS)
    assert len(made) >= 20
