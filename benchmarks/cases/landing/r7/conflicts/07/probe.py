from datetime import datetime, timedelta

from desk.overdue import is_overdue
from desk.ticket import Ticket

noon = datetime(2024, 9, 3, 12)
t = Ticket("printer")
t.write("agent", "anything else?", noon)
t.write("customer", "yes, it smokes again", noon + timedelta(hours=2))
assert is_overdue(t, noon + timedelta(days=4))
