from datetime import date

from accounts.directory import Account, Directory
from accounts.retention import Retention, line, retention


def test_line():
    assert line(Retention(4, 1)) == "4 opened, 1 closed, 75% kept"


def test_cohort():
    directory = Directory([Account("a", "x", date(2022, 1, 1)), Account("b", "y", date(2024, 1, 1))])
    assert retention(directory, date(2023, 1, 1)) == Retention(1, 0)
    assert retention(Directory(), date(2023, 1, 1)).rate == 1.0
