from datetime import datetime as D
from events import Event, is_standup


def test_a_second_too_long():
    assert not is_standup(Event("x", D(2024, 5, 6, 9, 0), D(2024, 5, 6, 9, 15, 1)))
