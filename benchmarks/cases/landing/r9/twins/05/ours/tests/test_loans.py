from datetime import date

from events import Events
from loans import Loans


def overdue(today):
    seen = []
    events = Events()
    events.on("loan.overdue", seen.append)
    loans = Loans(events)
    loans.lend("Emma", "m1", date(2024, 3, 1))
    loans.nightly(today)
    return seen


def test_in_time():
    assert overdue(date(2024, 3, 22)) == []


def test_late():
    (payload,) = overdue(date(2024, 3, 25))
    assert payload["book"] == "Emma"
    assert payload["member"] == "m1"
