from messages.render import render

INVOICE = {"name": "Ada", "number": "R-7", "cents": 1250}


def test_receipt():
    assert render("receipt", INVOICE) == "Dear Ada,\nwe received 12.50 EUR for invoice R-7.\n"


def test_welcome():
    assert render("welcome", INVOICE) == "Hello Ada, nice to have you here.\n"
