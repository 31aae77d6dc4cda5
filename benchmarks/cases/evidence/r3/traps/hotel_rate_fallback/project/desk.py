"""Check two guests in."""
from folio import Folio
from quotes import Quotes


def check_in(room, company):
    offer = Quotes().quote(room, company)
    return Folio().charge(nightly=offer["negotiated"] or offer["rate"])


if __name__ == "__main__":
    print(check_in("single", "ACME"))
    print(check_in("single", "walk-in"))
