from billing.listing import listing
from billing.model import Invoice, Line


def test_listing():
    invoice = Invoice("2024-1", [Line("pen", 3, 120), Line("ink", 1, 999)])
    assert listing(invoice).splitlines() == [
        "3 x pen @ 1.20",
        "1 x ink @ 9.99",
        "total 13.59",
    ]
