import calendar_
from range_ import Range


def test_left(monkeypatch):
    monkeypatch.setattr(calendar_, "today", 3)
    made = Range().make(1, 6)
    days = calendar_.Calendar().days(made["start"], made["end"], closed=made["inclusive"])
    assert days == {"days": [3, 4, 5]}
