"""A short run of the deterministic simulation; `GRAPHBUS_SEEDS` makes it longer. The long run is a benchmark."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.simulation.play import play

pytestmark = pytest.mark.no_cover

SEEDS = int(os.environ.get("GRAPHBUS_SEEDS", "120"))


def test_no_seed_breaks_safety_or_liveness_killed_or_not():
    """Every fact checked, every negotiation played undisturbed and with kills."""
    outcomes: Counter[str] = Counter()
    for seed in range(SEEDS):
        try:
            outcomes.update(play(seed).outcomes)
        except Exception as e:
            raise AssertionError(f"seed {seed}: python benchmarks/simulation.py --seed {seed}") from e
    assert outcomes["committed"] > SEEDS
    assert outcomes["rejected"] > SEEDS


def test_a_seed_plays_the_same_again():
    """A failing seed must replay exactly."""
    assert play(7) == play(7)
