from billing.listing import listing
from billing.model import Invoice, Line

invoice = Invoice("n", [Line("pen", 3, 120), Line("ink", 1, 999)])
for order in ("name", "amount", "quantity"):
    assert listing(invoice, order).endswith("total 13.59")
assert listing(invoice, "quantity").startswith("1 x ink")
