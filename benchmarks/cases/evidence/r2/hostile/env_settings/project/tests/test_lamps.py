from lamps.env import settings
from lamps.lamp import StreetLamp
from lamps.planner import Planner


def test_planned():
    night = Planner().night(3)
    assert StreetLamp().dim(level=night["brightness"]) == {"watts": 60}


def test_by_hand(monkeypatch):
    monkeypatch.setenv("LAMP_LEVEL", "10")
    assert StreetLamp().dim(**settings()) == {"watts": 20}
