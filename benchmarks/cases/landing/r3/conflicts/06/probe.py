from ledger.importer import import_rows

got = import_rows(["date;text;amount", "2024-01-02;coffee;-3,20"])
assert got.skipped == [1] and len(got.bookings) == 1, got
