from overview import overview
from tickets import Ticket


def test_overview():
    done = Ticket("c", "kim")
    done.close()
    assert overview([Ticket("a", "kim"), Ticket("b"), done]) == ["kim: 1", "nobody: 1"]
