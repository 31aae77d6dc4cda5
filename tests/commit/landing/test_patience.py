"""Limits of time for code that is run on both trees."""

from __future__ import annotations

import time

import pytest

from graphbus_core.commit.landing.replay import patience
from graphbus_core.commit.landing.replay.patience import Alarm, read_time


class _Rings(BaseException):
    pass


def test_what_waits_for_something_is_ended() -> None:
    alarm = Alarm(0.2, _Rings)
    alarm.start()
    with pytest.raises(_Rings):
        time.sleep(60)
    alarm.stop()


def test_what_waits_for_its_turn_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still meanwhile: here, while it is asked for the first three times."""
    times = iter([0.0, 0.0, 0.0, 0.1])
    monkeypatch.setattr(patience, "read_time", lambda: next(times, 1.0))
    alarm = Alarm(0.1, _Rings)
    begun = time.monotonic()
    alarm.start()
    with pytest.raises(_Rings):
        time.sleep(60)
    alarm.stop()
    assert time.monotonic() - begun > 0.25
    assert read_time() <= time.monotonic()
