from datetime import date

from accounts.directory import Account, Directory
from accounts.mailing import recipients

A = Account("a", "ada", date(2023, 1, 1))
B = Account("b", "bob", date(2023, 6, 1), closed=date(2024, 1, 1))
C = Account("c", "ada", date(2024, 1, 1))


def test_search():
    directory = Directory([C, A])
    assert directory.search(owner="ada") == [A, C]
    assert directory.search(since=date(2023, 12, 1)) == [C]
    assert Directory([B]).search(open_only=True) == []


def test_recipients():
    assert recipients(Directory([A, B, C])) == ["ada"]
