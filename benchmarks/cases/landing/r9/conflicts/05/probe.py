from datetime import date

from events import Events
from fines import Fines
from loans import Loans

events = Events()
fines = Fines(events)
loans = Loans(events)
loans.lend("Emma", "m1", date(2024, 3, 1))
loans.nightly(date(2024, 3, 27))
assert fines.total("m1") == 100, fines.owed
