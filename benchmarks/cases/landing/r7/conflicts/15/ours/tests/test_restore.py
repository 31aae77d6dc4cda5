from inn.guests import Guests


def test_removed_by_mistake():
    g = Guests()
    ada = g.add("Ada")
    g.remove(ada)
    assert g.names() == []
    g.restore(ada)
    assert g.names() == ["Ada"]
