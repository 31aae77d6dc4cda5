from datetime import datetime

from desk.page import page
from desk.ticket import Ticket


def test_newest_on_top():
    t = Ticket("printer")
    t.write("customer", "it smokes", datetime(2024, 9, 3, 12))
    t.write("agent", "switch it off", datetime(2024, 9, 3, 13))
    assert page(t).splitlines() == ["# printer", "agent: switch it off", "customer: it smokes"]
