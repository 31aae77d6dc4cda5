import pytest

from gates import EntryGate, ExitGate, pay


@pytest.fixture(scope="module")
def ticket():
    entered = EntryGate().enter("OL A 1")
    return {"barcode": entered["ticket_no"]}


def test_unpaid(ticket):
    assert not ExitGate().leave(**ticket)["open"]


def test_paid(ticket):
    pay(ticket["barcode"])
    gate = ExitGate()
    assert gate.leave(**ticket)["open"]
    assert not gate.leave(**ticket)["open"]
