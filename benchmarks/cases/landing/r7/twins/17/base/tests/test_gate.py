import asyncio

from access.badges import Badges
from access.gate import Gate


def test_swipe():
    moves = []
    gate = Gate(Badges({"ann": [0, 3]}), moves.append)
    assert asyncio.run(gate.swipe("ann"))
    assert moves == ["open", "close"]
    assert not asyncio.run(gate.swipe("bob"))
