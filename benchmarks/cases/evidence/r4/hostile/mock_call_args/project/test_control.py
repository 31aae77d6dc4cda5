from unittest.mock import create_autospec

from control import tick
from vent import Vent


def test_tick():
    vent = create_autospec(Vent, instance=True)
    tick(vent, "r")
    assert vent.set_speed.call_args.kwargs["co2"] == 1200


def test_real():
    assert tick(Vent(), "r")["speed"] == 3
