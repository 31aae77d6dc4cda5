from storage.plans import PLANS, Plan
from storage.usage import bar


def test_half_full():
    assert bar(PLANS["free"], 250) == "[##########..........] 250 of 500 MB"


def test_over_full():
    assert bar(Plan("old", 10), 30).startswith("[####################]")


def test_no_quota():
    assert bar(Plan("x", quota=0), 30) == "30 MB used"
