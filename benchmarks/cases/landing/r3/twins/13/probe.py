from datetime import date

from accounts.directory import Account, Directory
from accounts.retention import retention

directory = Directory([Account("a", "x", date(2024, 1, 1), date(2024, 2, 1)), Account("b", "y", date(2024, 1, 1))])
got = retention(directory, date(2023, 1, 1))
assert (got.opened, got.closed) == (2, 1), got
