from office.desk import Counter, Postbag


def late(weight):
    """Without the bus, by hand."""
    counter = Counter()
    counter.publish = lambda *_: None
    accepted = counter.accept(weight)
    return Postbag().on_parcel({"barcode": accepted["tracking_no"]})["label"]
