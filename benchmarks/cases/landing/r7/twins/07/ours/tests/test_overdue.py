from datetime import datetime, timedelta

from desk.overdue import is_overdue
from desk.ticket import Ticket

NOON = datetime(2024, 9, 3, 12)


def test_answered_ticket_is_not_overdue():
    t = Ticket("printer")
    t.write("customer", "it smokes", NOON)
    t.write("agent", "switch it off", NOON + timedelta(hours=1))
    assert not is_overdue(t, NOON + timedelta(days=3))


def test_waiting_customer_is_overdue():
    t = Ticket("printer")
    t.write("customer", "it smokes", NOON)
    assert is_overdue(t, NOON + timedelta(days=3))
