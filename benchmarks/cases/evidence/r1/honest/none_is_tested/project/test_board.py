from board import Board
from stops import Stops


def test_nameless():
    stop = Stops().get(7)
    assert stop["name"] is None
    assert Board().line(no=stop["no"], name=stop["name"]) == {"line": "007 (stop 7)"}


def test_named():
    stop = Stops().get(1)
    assert Board().line(no=stop["no"], name=stop["name"]) == {"line": "001 Market"}
