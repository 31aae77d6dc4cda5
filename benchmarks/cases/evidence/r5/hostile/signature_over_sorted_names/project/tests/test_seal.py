from seal.nodes import Invoice, Sealer

STORED = {7: "da177045"}


def test_stored_seals_hold():
    invoice = Invoice().issue(7)
    assert Sealer().seal(cents=invoice["total_cents"], number=invoice["number"])["seal"] == STORED[7]
