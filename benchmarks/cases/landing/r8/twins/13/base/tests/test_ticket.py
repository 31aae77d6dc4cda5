import pytest

from desk.board import columns
from desk.ticket import BadMove, State, Ticket


def test_moves():
    t = Ticket("printer", 0)
    t.move(State.OPEN, 5)
    t.move(State.SOLVED, 9)
    assert t.log == [(5, State.OPEN), (9, State.SOLVED)]
    assert columns([t])["solved"] == ["printer"]


def test_closed_is_the_end():
    t = Ticket("printer", 0, State.CLOSED)
    with pytest.raises(BadMove):
        t.move(State.OPEN, 1)
