from datetime import datetime

from todo import clock
from todo.tasks import new_task


def test_new_task(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2024, 5, 1, 9, 30))
    assert new_task("call", "2024-05-02 10:00")["made"] == "2024-05-01 09:30"
