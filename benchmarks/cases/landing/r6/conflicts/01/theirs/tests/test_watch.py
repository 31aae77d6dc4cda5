from types import SimpleNamespace

from watch import deadline, overdue


def make():
    return SimpleNamespace(settings={"timeout": 10, "retries": 2}, wait_seconds=lambda: 10)


def test_deadline():
    assert deadline(make(), 100) == 120


def test_overdue():
    assert overdue(make(), 100, 121)
    assert not overdue(make(), 100, 119)
