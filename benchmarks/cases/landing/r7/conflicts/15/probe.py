from inn.guests import Guests
from inn.newsletter import recipients

g = Guests()
g.add("Ada", "ada@x.org")
g.remove(g.add("Ben", "ben@x.org"))
assert recipients(g.db) == ["ada@x.org"], recipients(g.db)
