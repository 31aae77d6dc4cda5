from gauge import Gauge
from pump import Pump


def test_dry_run(monkeypatch):
    asked = []
    monkeypatch.setattr(Pump, "run", lambda self, tank, target: asked.append(target) or {"on": False})
    seen = Gauge().read("t")
    assert not Pump().run(tank=seen["tank"], target=seen["level"])["on"]
    assert asked == [0.2]


def test_real():
    assert Pump().run(tank="t", target=0.9)["on"]
