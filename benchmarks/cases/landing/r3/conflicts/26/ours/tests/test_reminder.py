from messages.render import render


def test_reminder():
    text = render("reminder", {"name": "Bob", "number": "R-8", "cents": 900, "days_late": 12})
    assert text == "To: Bob\nInvoice R-8 over 9.00 EUR is 12 days late.\n"
