from decimal import Decimal

from ledger.importer import import_rows


def test_rows():
    got = import_rows(["2024-01-02;coffee;-3,20", "2024-01-03;pay;2'000.00", "broken"])
    assert [booking[2] for booking in got.bookings] == [Decimal("-3.20"), Decimal("2000.00")]
    assert got.skipped == [3]
