import pytest

from yahtzee import Dice, Score

ROLLS = [Dice().roll(seed) for seed in range(4)]


@pytest.mark.parametrize("roll", ROLLS, ids=str)
def test_one_roll(roll):
    assert Score().add(points=roll["pips"]) == {"sum": roll["pips"]}


def test_game():
    score = Score()
    for roll in ROLLS:
        last = score.add(points=roll["pips"])
    assert last["sum"] == sum(r["pips"] for r in ROLLS)
