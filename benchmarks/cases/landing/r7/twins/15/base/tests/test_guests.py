from inn.guests import Guests


def test_add_and_remove():
    g = Guests()
    g.add("Ada")
    ben = g.add("Ben")
    g.remove(ben)
    assert g.names() == ["Ada"]
