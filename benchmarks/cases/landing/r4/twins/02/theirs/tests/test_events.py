from datetime import datetime as D
from events import Event, is_standup, overlaps

A = Event("a", D(2024, 5, 6, 9, 0), D(2024, 5, 6, 9, 15))
B = Event("b", D(2024, 5, 6, 9, 10), D(2024, 5, 6, 10, 40))


def test_events():
    assert overlaps(A, B)
    assert is_standup(A) and not is_standup(B)
