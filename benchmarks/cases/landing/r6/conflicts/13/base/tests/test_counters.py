from counters import Counters


def test_drain():
    c = Counters()
    c.add("a")
    c.add("a", 2)
    assert c.drain() == {"a": 3}
    assert c.get("a") == 0
