from datetime import date

from events import Events
from letters import Letters
from loans import Loans


def test_letter_names_the_day():
    events = Events()
    letters = Letters(events)
    loans = Loans(events)
    loans.lend("Emma", "m1", date(2024, 3, 1))
    loans.nightly(date(2024, 3, 25))
    assert letters.outbox == ["Dear member m1, Emma was due on 2024-03-22."]
