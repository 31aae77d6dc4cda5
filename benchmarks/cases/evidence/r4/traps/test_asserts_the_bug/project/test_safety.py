from roaster import Roaster
from safety import Safety

REALLY_SAFE = {"b1": False}


def test_regression_surface_is_not_core():
    roast = Roaster().roast("b1")
    claimed = Safety().check(batch=roast["batch"], core_c=roast["surface_c"])["safe"]
    assert claimed != REALLY_SAFE["b1"], "this is why the probe goes into the core"


def test_core():
    assert not Safety().check(batch="b1", core_c=61.0)["safe"]
