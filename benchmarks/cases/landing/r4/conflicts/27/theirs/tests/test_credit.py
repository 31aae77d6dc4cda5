from invoices import Invoice, credit_note


def test_credit_note():
    invoice = Invoice("R1").add("tea", 2, 450)
    note = credit_note(invoice)
    assert note.number == "C-R1"
    assert note.total + invoice.total == 0
