from ledger import Ledger


def test_starts_empty():
    assert Ledger().balance('rent') == 0
