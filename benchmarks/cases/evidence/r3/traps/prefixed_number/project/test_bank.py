import pytest

from bank import Bank, check_digit
from invoices import Invoices


@pytest.fixture
def bank():
    bank = Bank()
    for n in (7, 42):
        number = Invoices().issue(n)["number"]
        bank.expect(reference=f"RF{number}{check_digit(number)}")
    return bank


@pytest.mark.parametrize("text, paid", [("RF0000077", True), ("RF0000426", True), ("000007", False)])
def test_paid(bank, text, paid):
    assert bank.paid(text) is paid
