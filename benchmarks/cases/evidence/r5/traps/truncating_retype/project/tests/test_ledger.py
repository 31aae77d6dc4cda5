from till.nodes import Ledger, Till


def test_ring():
    assert Till().ring({"tea": 2.5, "cake": 10.0}) == {"amount": 12.5}


def test_enter():
    assert Ledger().enter(amount=1250) == {"line": "EUR 12.50"}
