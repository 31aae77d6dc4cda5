from flow import advance
from state import State


def test_advance():
    assert advance(State.OPEN) is State.DONE
