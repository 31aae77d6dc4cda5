import json
from pathlib import Path

from radio.nodes import Preset, Radio


def test_old_snapshot():
    snapshot = json.loads(Path("snapshots/car.json").read_text())
    assert Preset().restore(snapshot).label() == "101.3 MHz"


def test_store():
    assert Preset().store(freq=Radio().tune("jazz")["frequency"]) == {"label": "94.0 MHz"}
