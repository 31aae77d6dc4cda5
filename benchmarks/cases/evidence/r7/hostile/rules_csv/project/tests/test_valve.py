from garden.probe import Probe
from garden.valve import Valve


def test_probe():
    read = Probe().read()
    assert Valve().set_(read["moisture"]) == {"percent": 40}
