import pytest

from greenhouse import ClimateLog, Vents


@pytest.mark.parametrize("bay, opened", [("bay 1", 0), ("bay 2", 60), ("bay 3", 0)])
def test_vents_follow_the_log(bay, opened):
    reading = ClimateLog().latest(bay)
    got = Vents().adjust(bay=reading["bay"], humidity_pct=reading["rel_humidity"])
    assert got["open_pct"] == opened


def test_driest():
    assert ClimateLog().driest() == "bay 2"
