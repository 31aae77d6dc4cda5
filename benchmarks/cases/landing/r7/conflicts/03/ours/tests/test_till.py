from bistro.bus import Bus
from bistro.ledger import Ledger
from bistro.till import Table


def test_closing_books_the_total():
    bus = Bus()
    ledger = Ledger(bus)
    t = Table(4, 2)
    t.order("soup", 6.50)
    t.order("trout", 18.00)
    t.close(bus)
    assert ledger.takings == 24.50
    assert t.lines == []
