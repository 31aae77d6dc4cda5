from inn.guests import Guests
from inn.newsletter import recipients


def test_each_address_once_and_removed_guests_not():
    g = Guests()
    g.add("Ada", "ada@x.org")
    g.add("Ada L.", "Ada@x.org")
    g.remove(g.add("Ben", "ben@x.org"))
    assert recipients(g.db) == ["ada@x.org"]
