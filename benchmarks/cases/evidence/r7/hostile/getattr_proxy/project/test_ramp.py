from ferry import Ferry
from ramp import Ramp


def test_direct():
    assert Ramp().lower(vehicles=Ferry().arrive()["cars"])["lanes"] == 3
