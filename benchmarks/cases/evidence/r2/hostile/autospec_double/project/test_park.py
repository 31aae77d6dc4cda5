import json
from pathlib import Path
from unittest.mock import create_autospec

from park import Ranger, Scout

CALLS = json.loads((Path(__file__).parent / "calls.json").read_text())


def test_real():
    assert Ranger().count(animals=Scout().spot(6)["deer"])["dense"]


def test_double():
    ranger = create_autospec(Ranger, instance=True)
    for method, keywords in CALLS:
        getattr(ranger, method)(**keywords)
    assert ranger.count.call_count == 2
