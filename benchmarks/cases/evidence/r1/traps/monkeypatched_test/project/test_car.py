from car import Odometer, Service


def test_due(monkeypatch):
    monkeypatch.setattr(Odometer, "read", lambda self: {"miles": 16093})  # what the metric model sends
    assert Service().due(km=Odometer().read()["miles"]) == {"due": True}
