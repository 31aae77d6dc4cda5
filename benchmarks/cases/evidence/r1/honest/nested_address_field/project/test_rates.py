from addresses import Checkout, Rates


def test_zone():
    form = Checkout().form()
    quote = Rates().quote(address={"zip": form["address"]["postal_code"]}, grams=form["grams"])
    assert quote == {"zone": "24", "class": "S"}
