from counters import Counters


def test_merge():
    c = Counters()
    c.add("a")
    c.merge({"a": 2, "b": 1})
    assert c.drain() == {"a": 3, "b": 1}
