import pytest

from jobs.invoices import InvoiceJob


def test_handle():
    job = InvoiceJob()
    job.handle({"no": "R1", "amount": 50})
    assert job.booked == {"R1": 50}


def test_bad_amount():
    with pytest.raises(ValueError):
        InvoiceJob().handle({"no": "R1", "amount": 0})
