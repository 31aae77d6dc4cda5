from bistro.bus import Bus
from bistro.ledger import Ledger
from bistro.loyalty import Loyalty
from bistro.till import Table

bus = Bus()
ledger, loyalty = Ledger(bus), Loyalty(bus)
t = Table(4, 2, card="K9")
t.order("soup", 16.50)
t.order("trout", 18.00)
t.close(bus)
assert ledger.takings == 34.50, ledger.takings
assert loyalty.points["K9"] == 3, loyalty.points
